#!/usr/bin/env bash
# The page of picus live in a real browser: the bits of the native run, sliders, pulling, the editor, hostile links and texts, no
# message on its console, no request. Skipped where the library for browsers was not built (make web) or Chromium is missing.
. "$(dirname "$0")/../support/check.sh"

if "$PICUS" live woodpecker --out w.html >said.txt 2>&1; then :; else
  check "picus live says how it is built" cat said.txt
  expect_match stdout "make web"
  skip "pages that run models" "the library for browsers was not built; run make web"

  exit
fi
# shellcheck source=../support/browser.sh
. "$PICUS_SOURCE/test/support/browser.sh"

check "usage" "$PICUS" live
expect_status 2
expect_match stderr "picus live takes a model, or --gallery"
check "no drawing, a file" sh -c "printf 'local m = read_matrix \"K.mtx\"\n' >files.lua; '$PICUS' live files.lua"
expect_status 2

fine() {
  expect_no_match stdout 'BAD|CONSOLE'
  expect_match stdout '^requests 0$'
  expect_match stdout '^END'
}

check "a page is small" test "$(wc -c <w.html)" -lt 1500000
awk '/id="picus-wasm"/ { $0 = substr($0, 1, 50000) "ABCDABCD" substr($0, 50009) } { print }' w.html >damaged.html
awk '/id="picus-wasm"/ { $0 = substr($0, 1, 50000) "</script>" } { print }' w.html >cut.html
for page in damaged cut; do
  check "a page whose library is $page says so" open_page $page.html "
  const fault = document.getElementById('fault');
  ok('a sentence: ' + fault.textContent, !fault.hidden && fault.textContent === 'This browser cannot run the simulation: the library in this page is damaged');"
  expect_no_match stdout 'BAD'
done

"$PICUS" run woodpecker --quiet --out w.h5 --csv w.csv
last=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i }
  END { printf "[%s,%s,%s,%s,%s,%s]", $c["y"], $c["phiM"], $c["phiS"], $c["v"], $c["omegaM"], $c["omegaS"] }' w.csv)
check "the woodpecker has the bits of the native run after 100000 steps" open_page w.html "
  ok('ready', picus.ready);
  picus.setRunning(false);
  ok('steps', picus.steps(100000));
  const native = $last;
  ['y', 'phiM', 'phiS', 'v', 'omegaM', 'omegaS'].forEach((name, k) => ok(name + ' ' + picus.value(name), picus.value(name) === native[k]));
  ok('no fault ' + picus.app.fault, picus.app.fault === '');
  ok('events', picus.app.history.events.length > 20);
  picus.draw();
  ok('modes are shown', document.querySelectorAll('.chip').length === 3);
  ok('a link of it is read back', Object.keys(picus.readLink('#' + picus.link().split('#')[1]).values).length === 0);
  const lines = picus.csv().split('\n');
  ok('a table of it', lines[0].startsWith('t,y,phiM') && lines.length === picus.app.history.rows.length + 2);"
fine

check "sliders, snapshots, reset" open_page w.html "
  picus.setRunning(false);
  const bar = [...document.querySelectorAll('.slider')].find((s) => s.firstChild.textContent === 'mu').querySelector('input[type=range]');
  ok('the range is that of the model', bar.min === '0' && bar.max === '1' && Number(bar.value) === 0.3);
  picus.steps(20000);
  const t = picus.state.t, y = picus.value('y');
  bar.value = '0.05'; bar.dispatchEvent(new Event('input'));
  ok('the motion goes on from the state', picus.state.t === t && picus.value('y') === y && picus.app.fault === '');
  picus.steps(20000);
  const low = picus.value('y');
  picus.reset();
  ok('reset begins again', picus.state.t === 0);
  picus.app.values = {}; picus.reset(); picus.steps(40000);
  ok('less friction, a faster fall ' + low + ' ' + picus.value('y'), low < picus.value('y') - 0.01);
  const bytes = picus.app.engine.save(), before = picus.value('phiS');
  picus.app.snapshots = [{ t: picus.state.t, bytes }];
  picus.steps(500); const after = picus.value('phiS');
  picus.back(); ok('back', picus.value('phiS') === before);
  picus.steps(500); ok('and the same again', picus.value('phiS') === after && after !== before);
  picus.state.t = 0;
  const box = document.querySelector('.slider input[type=text]');
  box.value = 'x'; box.dispatchEvent(new Event('change'));
  ok('a value that is no number is marked', box.classList.contains('wrong'));
  document.getElementById('dt').value = '-1'; document.getElementById('dt').dispatchEvent(new Event('change'));
  ok('a wrong step size is a sentence', picus.app.fault === 'the step size is a positive number of seconds');
  const scheme = document.getElementById('scheme');
  scheme.value = 'rattle'; scheme.dispatchEvent(new Event('change'));
  ok('another scheme', picus.app.about.scheme === 'rattle' && picus.steps(100));"
fine

"$PICUS" live impact-oscillator --out oscillator.html --quiet
check "sections, and their points" open_page oscillator.html "
  picus.setRunning(false);
  const choose = (id, value) => { const e = document.getElementById(id); e.value = value; ok(id + ' has ' + value, e.value === value); e.dispatchEvent(new Event('change')); };
  const app = picus.app, column = (name) => app.scene.column.get(name), q = app.about.columns.find((c) => c.kind === 1).name, u = app.about.columns.find((c) => c.kind === 2).name;
  choose('over', u); choose('when', 'rises:' + column(u)); choose('add', q);
  choose('over', q); choose('when', 'impacts:0'); choose('add', u);
  choose('when', 'every'); document.getElementById('period').value = '0.5'; choose('add', u);
  const [rises, impacts, every] = app.plots.slice(-3);
  for (let k = 0; k < 400; k++) picus.advance(0.05, 1e9);
  picus.draw();
  const rows = app.history.rows, from = rows[0][0], within = (p) => p[0] >= from;
  let crossings = 0;
  for (let k = 1; k < rows.length; k++) if (rows[k - 1][column(u)] < 0 && rows[k][column(u)] >= 0) crossings++;
  ok('crossings ' + crossings, crossings > 1 && rises.points.filter((p) => p[0] > from).length === crossings);
  ok('they lie on the section', rises.points.every((p) => Math.abs(p[1]) < 1e-9));
  const hits = app.history.events.filter((e) => e[4] && e[1] === 0).length;
  ok('impacts ' + hits, hits > 1 && impacts.points.length === hits);
  ok('one in each period', every.points.length === Math.floor(picus.state.t / 0.5 + 1e-9) && every.points.every((p, k) => Math.abs(p[0] - 0.5 * (k + 1)) < 1e-9));
  document.getElementById('period').value = '-1'; choose('add', u);
  ok('a wrong period is a sentence', app.fault.includes('positive number'));
  picus.reset();
  ok('reset empties them', app.plots.slice(-3).every((p) => p.points.length === 0));"
fine

printf 'local q, u = coordinates { {"x", velocity = "v", start = {0, 0}} }\nlocal i = inputs { {"F", start = 0}, {"G", start = 2} }\nkinetic(0.5 * u.v^2)\nforce { x = i.F + i.G }\nsimulate { dt = 1e-3, t_end = 10 }\n' >pushed.lua
"$PICUS" live pushed.lua --out pushed.html --quiet
check "keys change inputs" open_page pushed.html "
  picus.setRunning(false);
  key('ArrowUp'); key('ArrowUp'); key('2'); key('ArrowDown');
  ok('values ' + JSON.stringify(picus.app.inputs), near(picus.app.inputs.F, 0.2, 1e-12) && near(picus.app.inputs.G, 1.8, 1e-12));
  ok('the chosen one is marked', document.querySelectorAll('.slider.chosen').length === 1 && document.querySelector('.slider.chosen').textContent.includes('G'));
  picus.steps(1000);
  ok('they act ' + picus.value('v'), near(picus.value('v'), 2, 1e-9));"
fine

check "the mouse pulls the bird" open_page w.html "
  picus.setRunning(false);
  const v = picus.app.view, at = () => { picus.draw(); return v.toScreen(picus.app.scene.point(0, picus.app.scene.shapesOf.get('woodpecker')[2].points[1])); };
  const beak = at(), tip = [beak[0] + 6, beak[1]];
  touch(v.canvas, 'down', 5, tip[0], tip[1]);
  ok('it is held', picus.app.pull !== null);
  const place = v.toScreen(picus.pullPlace());
  ok('where it was touched ' + place, near(place[0], tip[0], 0.01) && near(place[1], tip[1], 0.01));
  touch(v.canvas, 'move', 5, tip[0] + 60, tip[1] - 120);
  for (let k = 0; k < 40; k++) { picus.applyPull(); picus.advance(0.002, 1e9); }
  const up = picus.value('y'), work = picus.app.engine.balance(1);
  picus.draw();
  ok('the pull is drawn and does work ' + work, Math.abs(work) > 1e-9);
  touch(v.canvas, 'up', 5, tip[0] + 60, tip[1] - 120);
  ok('it is let go', picus.app.pull === null);
  picus.reset(); for (let k = 0; k < 40; k++) picus.advance(0.002, 1e9);
  ok('it went where it was pulled ' + up + ' ' + picus.value('y'), up > picus.value('y') + 0.001);
  const centre = [...v.centre];
  touch(v.canvas, 'down', 6, 20, 300); touch(v.canvas, 'move', 6, 60, 300); touch(v.canvas, 'up', 6, 60, 300);
  ok('the background moves the view', v.centre[0] < centre[0] && picus.app.pull === null);"
fine

"$PICUS" live chain-over-edge --out chain.html --quiet
check "contacts of shapes are where the bodies are, act on them and have events" open_page chain.html "
  picus.setRunning(false);
  const app = picus.app;
  let wrong = 0, up = 0, seen = 0;
  for (let k = 0; k < 57; k++) { // frames that end between two steps
    picus.advance(0.5 / 57, 1e9);
    const links = app.scene.objects.filter((name) => name.startsWith('link')).map((name) => app.scene.pose(app.scene.shapesOf.get(name)[0].frame));
    for (const c of app.scene.contacts) {
      seen++;
      if (!links.some((p) => Math.hypot(p[0] - c.place[0], p[1] - c.place[1]) < 0.0101)) wrong++;
      if (c.now.force[1] > 0) up++;
    }
  }
  ok(seen + ' contacts, of which far from each link: ' + wrong, seen > 1000 && wrong === 0);
  ok('the table carries ' + up, up > 0.9 * seen);
  picus.draw();
  const events = app.history.events;
  ok('events have names: ' + (events[0] || [])[7], events.length > 10 && events.every((e) => /^link[0-9]+\/table/.test(e[7]) || /^link[0-9]+\/link/.test(e[7])));
  ok('the panel counts ' + document.getElementById('counts').textContent, document.getElementById('counts').textContent.includes(app.scene.contacts.filter((c) => c.now.mode === 2).length + ' slip') && document.querySelectorAll('.chip').length === 0);
  ok('and lists', document.querySelectorAll('#events li').length === 8);"
fine

"$PICUS" live gripper --out gripper.html --quiet
check "the picture keeps what moves, sliders have sensible ranges" open_page gripper.html "
  picus.setRunning(false);
  const app = picus.app, v = app.view, shown = () => { const box = v.boxNow(), a = v.toScreen(box[0]), b = v.toScreen(box[1]); return a[0] > -1 && b[0] < v.w + 1 && b[1] > -1 && a[1] < v.h + 1; };
  let out = 0;
  for (let k = 0; k < 120; k++) { picus.advance(0.01, 1e9); for (let i = 0; i < 6; i++) { app.frames++; picus.draw(); } if (!shown()) out++; }
  ok('in the picture, but for ' + out, out === 0 && !checked('follow') && picus.value('y') > 0.09);
  picus.reset(); app.view.moved = true;
  const scale = app.view.scale;
  for (let k = 0; k < 120; k++) { picus.advance(0.01, 1e9); app.frames++; picus.draw(); }
  ok('a view that somebody moved stays', app.view.scale === scale && app.scene.reach === null);
  const range = (name) => { const bar = [...document.querySelectorAll('.slider')].find((s) => s.firstChild.firstChild.textContent === name).querySelector('input[type=range]'); return [bar.min, bar.max, bar.step].join(); };
  ok('a coefficient: ' + range('mu'), range('mu') === '0,1,any');
  ok('a mass: ' + range('m'), range('m') === '0.02,0.4,any');
  ok('a length: ' + range('a'), range('a') === '0,0.1,any');"
fine

printf 'local p = parameters { n = {3, "", "how many"}, d = {0, "m", "offset"}, l = {2, "m", "length"}, e = {0, "", "restitution"}, v = {-4, "m/s"}, w = {0, "rad/s"} }
local q, u = coordinates { {"x", velocity = "v", start = {0, p.v}} }
for k = 1, p.n do kinetic(0.5 * u.v^2) end
simulate { dt = 1e-3, t_end = 10 }
' >ranges.lua
"$PICUS" live ranges.lua --out ranges.html --quiet
check "ranges by the role of a parameter" open_page ranges.html "
  picus.setRunning(false);
  const ranges = [...document.querySelectorAll('#parameters .slider')].map((s) => s.firstChild.firstChild.textContent + ' ' + [...s.querySelectorAll('input[type=range]')].map((b) => [b.min, b.max, b.step].join(' ')));
  ok(ranges.join('; '), ranges.join('; ') === 'n 0 6 1; d -2 2 any; l 0 4 any; e 0 1 any; v -8 0 any; w -1 1 any');
  const bar = document.querySelector('#parameters .slider input[type=range]');
  bar.value = '5'; bar.dispatchEvent(new Event('input'));
  ok('whole numbers', picus.app.values.n === 5 && picus.app.fault === '');"
fine

check "mistakes in the editor" open_page w.html "
  picus.setRunning(false);
  picus.steps(100);
  const text = document.getElementById('text'), mistake = document.getElementById('mistake'), t = picus.state.t;
  const good = text.value, tried = (s) => { text.value = s; picus.check(); return mistake.hidden ? '' : mistake.textContent; };
  ok('a right text has none', tried(good) === '');
  const wrong = good.replace('kinetic(p.mS * vS^2 / 2', 'kinetic(p.mX * vS^2 / 2'), line = wrong.slice(0, wrong.indexOf('p.mX')).split('\n').length;
  const said = tried(wrong);
  ok('the sentence: ' + said, said.includes('mX'));
  ok('its line', document.querySelector('#gutter .wrong').textContent.trim() === String(line));
  ok('the button waits', document.getElementById('use').disabled);
  ok('the old model runs on', picus.steps(100) && picus.state.t > t && picus.app.text === good);
  for (const hostile of ['while true do end', 'local s = \"x\" while true do s = s .. s end', 'os.execute(\"x\")', '\u0000', '(', 'model(\"' + '<img src=x onerror=alert(1)>'.replace(/\"/g, '') + '\") while', '']) {
    const sentence = tried(hostile);
    ok('a sentence for ' + JSON.stringify(hostile.slice(0, 20)) + ': ' + sentence.slice(0, 70), sentence.length > 10);
  }
  text.value = good.replace('\"woodpecker\", \"the', '\"<img src=x onerror=say(1)>\", \"<script>say(2)</' + 'script>'); picus.useText();
  ok('texts stay texts', document.querySelector('#title img, #description script') === null && picus.app.fault === '');
  text.value = good; picus.useText(); picus.steps(10);
  const size = picus.app.engine.m.HEAPU8.length;
  for (let k = 0; k < 60; k++) { picus.reset(); picus.steps(20); picus.check(); }
  ok('memory stays ' + size + ' ' + picus.app.engine.m.HEAPU8.length, picus.app.engine.m.HEAPU8.length <= 1.5 * size);"
fine

check "hostile links" open_page w.html "
  picus.setRunning(false);
  const pack = (x) => '#' + btoa(typeof x === 'string' ? x : JSON.stringify(x)), tried = (hash) => { try { const wish = picus.readLink(hash); if (wish === null) return 'nothing'; picus.open(0, wish); return picus.app.fault || 'opened'; } catch (e) { return e.message; } };
  ok('a good one', tried(pack({ m: 'woodpecker', p: { mu: 0.5 } })) === 'opened' && picus.app.values.mu === 0.5);
  ok('none', tried('') === 'nothing' && tried('#') === 'nothing');
  for (const bad of ['#%%%', '#' + 'A'.repeat(500000), pack('{'), pack('[1]'), pack('null'), pack({ p: [{}] }), pack({ p: { 'a b': 1 } }), pack({ p: { mu: 'x' } }), pack({ p: { 'mu\n': 1 } }), pack({ t: 5 }), pack('{\"p\":{\"__proto__\":1}}'),
    pack({ o: { dt: -1 } }), pack({ o: { scheme: 'none-such' } }), pack({ p: { nothing: 1 } }), pack({ p: { mu: 1e308 * 10 } }), pack({ t: 'while true do end' }), pack({ t: '<script>say(3)</' + 'script>' }), pack({ p: { mS: -1 } })]) {
    const said = tried(bad);
    ok('a sentence: ' + said.slice(0, 80), said.length > 12 && !/undefined|TypeError|not a function/.test(said));
    ok('and a model that runs', picus.app.about.name === 'woodpecker' && picus.steps(1));
  }"
fine

"$PICUS" live tippedisk --out disk.html --quiet
check "a disk in space is pulled" open_page disk.html "
  picus.setRunning(false);
  picus.steps(100); picus.draw();
  const v = picus.app.view, box = v.canvas.getBoundingClientRect(), centre = v.target.clone().project(v.camera);
  const x = (centre.x + 1) / 2 * box.width, y = (1 - centre.y) / 2 * box.height;
  let held = null;
  for (let dy = -40; dy <= 40 && !held; dy += 10) for (let dx = -40; dx <= 40 && !held; dx += 10) { touch(v.canvas, 'down', 3, x + dx, y + dy, { button: 0 }); if (picus.app.pull) held = [x + dx, y + dy]; else touch(v.canvas, 'up', 3, x + dx, y + dy); }
  ok('it is held', held !== null);
  touch(v.canvas, 'move', 3, held[0] + 30, held[1] - 60);
  for (let k = 0; k < 20; k++) { picus.applyPull(); picus.advance(0.005, 1e9); }
  ok('it moves towards the mouse', Math.abs(picus.app.engine.balance(1)) > 1e-9 && picus.app.fault === '');
  touch(v.canvas, 'up', 3, held[0], held[1]);
  ok('and is let go', picus.app.pull === null && picus.steps(10));"
expect_no_match stdout 'BAD'
expect_match stdout '^requests 0$'

# Each frame computes for eleven milliseconds and part of a call of the library, or for one step. The test does not depend on
# how busy the machine is: the clock goes on by so many milliseconds in each step of the model.
while read -r model cost; do
  "$PICUS" live "$model" --out budget.html --quiet
  check "the frame budget is kept: $model" open_page budget.html "
  picus.setRunning(false);
  const app = picus.app, engine = app.engine, run = engine.run.bind(engine), began = performance.now();
  let clock = 0, gone = 0, worst = 0, least = Infinity;
  performance.now = () => clock;
  engine.run = (t, steps) => { const from = engine.time(), fine = run(t, steps); clock += $cost * Math.round((engine.time() - from) / app.about.dt); return fine; };
  for (let k = 0; k < 30; k++) {
    const from = clock;
    gone += picus.advance(10, 11);
    if (k < 10) continue; // it has learned how long a step takes
    worst = Math.max(worst, clock - from);
    least = Math.min(least, clock - from);
  }
  ok('milliseconds of a frame, from ' + least.toFixed(2) + ' to ' + worst.toFixed(2), worst <= 11 + Math.max(11 / 4, $cost) + 1e-6 && least >= 11);
  ok('it goes on ' + gone, gone > 0 && app.fault === '');
  app.slow = 0.25; picus.state.running = true; picus.draw();
  ok('the page states how slow it is', document.getElementById('pace').textContent === '4 × slower than asked');"
  fine
done <<'END'
woodpecker 0.0007
slider-crank 0.003
tippedisk 0.05
gripper 0.2
disks 19
END

# a minute of the page is 3600 frames; memory of the library and lists of the page stop growing
frames=$(test_size 1200 7200 36000)
check "memory is flat over $frames frames" open_page w.html "
  picus.setRunning(false);
  const app = picus.app, last = () => ({ heap: app.engine.m.HEAPU8.length, rows: app.history.rows.length, events: app.history.events.length, snapshots: app.snapshots.length, js: performance.memory ? performance.memory.usedJSHeapSize : 0 });
  app.snapshots = [];
  let early = null;
  for (let k = 0; k < $frames; k++) {
    picus.snapshot(k * 17);
    picus.advance(1 / 60, 1e9);
    if (k % 20 === 0) picus.draw();
    if (k === Math.floor($frames / 3)) early = last();
  }
  const late = last();
  ok('the library ' + early.heap + ' ' + late.heap, late.heap === early.heap);
  ok('rows ' + late.rows + ', events ' + late.events + ', snapshots ' + late.snapshots, late.rows <= 24001 && late.events <= 6000 && late.snapshots <= 240);
  ok('scripts ' + early.js + ' ' + late.js, late.js <= 1.5 * early.js + 3e7);
  ok('time ' + picus.state.t, picus.state.t > $frames / 61);"
fine

check "impulses are apart from forces while it runs, and keys are explained" open_page w.html "
  picus.setRunning(false);
  const add = document.getElementById('add');
  add.value = 'lower.PN'; add.dispatchEvent(new Event('change'));
  for (let k = 0; k < 100; k++) picus.advance(0.01, 1e9);
  picus.draw();
  const [force, impulse] = picus.app.plots[picus.app.plots.length - 1].series();
  ok('impulses ' + impulse.n, impulse.stems && impulse.n > 2 && force.unit === 'N' && impulse.unit === 'N s');
  let most = 0; for (let k = force.from; k < force.n; k++) if (isFinite(force.y(k))) most = Math.max(most, force.y(k));
  ok('forces of stick and slip only: ' + most, most > 0 && most < 5);
  key('?'); ok('help', document.getElementById('help').open); key('?'); ok('closed', !document.getElementById('help').open);"
fine

"$PICUS" live --gallery --out all.html --quiet
check "the gallery is below 3 MB" test "$(wc -c <all.html)" -lt 3000000
for part in 0 1 2 3 4 5 6 7 8 9 10 11; do
  check "every shipped model runs in the gallery, part $part" open_page all.html "
  picus.setRunning(false);
  const models = document.getElementById('gallery').options;
  ok('all of them ' + models.length, models.length > 30);
  for (let k = $part; k < models.length; k += 12) {
    picus.open(k, null);
    picus.setRunning(false);
    const gone = picus.advance(Math.max(0.02, picus.app.about.dt), 40);
    picus.draw();
    ok(models[k].textContent + ' ' + picus.app.fault, picus.app.fault === '' && gone > 0 && picus.app.about !== null);
  }"
  expect_no_match stdout 'BAD'
  expect_match stdout '^requests 0$'
done
