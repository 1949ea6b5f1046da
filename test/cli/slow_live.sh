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

"$PICUS" live --gallery --out all.html --quiet
for part in 0 1 2 3 4 5 6 7; do
  check "every shipped model runs in the gallery, part $part" open_page all.html "
  picus.setRunning(false);
  const models = document.getElementById('gallery').options;
  ok('all of them ' + models.length, models.length > 30);
  for (let k = $part; k < models.length; k += 8) {
    picus.open(k, null);
    picus.setRunning(false);
    const gone = picus.advance(0.02, 40);
    picus.draw();
    ok(models[k].textContent + ' ' + picus.app.fault, picus.app.fault === '' && gone > 0 && picus.app.about !== null);
  }"
  expect_no_match stdout 'BAD'
  expect_match stdout '^requests 0$'
done
