#!/usr/bin/env bash
# The page of picus view in a real browser: no message on its console, no request, bodies where the file has them, keys.
# Chromium runs without a window; where it is not installed, nothing is tested.
. "$(dirname "$0")/../support/check.sh"

# shellcheck source=../support/browser.sh
. "$PICUS_SOURCE/test/support/browser.sh"

run_model() { "$PICUS" run "$@" --quiet; }

run_model slider-crank --out crank.h5 --csv crank.csv --view crank.html
# the crankpin at some rows of the file: l1 = 0.153
expected=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "theta1") c = i } NR > 1 && NR % 700 == 2 {
  printf "%s[%s,%.17g,%.17g]", n++ ? "," : "", $1, 0.153 * cos($c), 0.153 * sin($c) }' crank.csv)
check "the slider-crank moves as in the file" open_page crank.html "
  let worst = 0, exact = 0, kept = new Set(picus.rows(0));
  for (const [t, x, y] of [$expected]) {
    picus.goTo(t);
    const pin = picus.points(0)[6][1], error = Math.hypot(pin[0] - x, pin[1] - y);
    worst = Math.max(worst, error);
    if (kept.has(t)) exact = Math.max(exact, error);
  }
  ok('within the bound ' + worst, worst <= picus.tolerance(0));
  ok('exact at rows of the page ' + exact, exact < 1e-14);
  const before = picus.points(0)[6][1][0];
  const scrub = document.getElementById('scrub');
  scrub.value = '0.5'; scrub.dispatchEvent(new Event('input'));
  ok('scrubbing sets the time', Math.abs(picus.time() - 0.0688) < 1e-3);
  ok('scrubbing moves bodies', picus.points(0)[6][1][0] !== before);
  picus.goTo(0); key('n');
  ok('n goes to the next event', picus.time() === picus.events(0).find((t) => t > 0));
  key('n'); key('p');
  ok('p goes back', picus.time() === picus.events(0).find((t) => t > 0));
  key('ArrowRight'); const next = picus.time(); key('ArrowLeft');
  ok('arrows step through rows', next > picus.time());
  key('End'); ok('End', Math.abs(picus.time() - 0.1376) < 1e-9);
  key('Home'); ok('Home', picus.time() === 0);
  key(' '); ok('space plays', picus.playing()); key(' '); ok('and pauses', !picus.playing());
  for (const box of ['c', 'k', 't', 'g', 'f', 's', 'l']) key(box);
  key('d'); ok('dark', document.documentElement.dataset.theme === (matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark'));
  ok('objects', picus.objects(0).join() === 'notch,bearing,slider,rod,crank');
  picus.pick('slider');
  ok('state of the picked body', document.getElementById('picked').rows.length === 6);
  picus.draw();
  ok('drawn', picus.view(0).canvas.getContext('2d').getImageData(0, 0, 900, 500).data.some((v, i) => i % 4 === 2 && v > 200));"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
expect_match stdout '^END'

check "the page on a phone" open_page crank.html "
  ok('no wider than the screen', document.documentElement.scrollWidth <= window.innerWidth);
  const v = picus.view(0).canvas;
  v.dispatchEvent(new PointerEvent('pointerdown', { pointerId: 1, clientX: 100, clientY: 150, isPrimary: true, pointerType: 'touch' }));
  ok('buttons are large enough', document.getElementById('play').getBoundingClientRect().height >= 30);" 500,900
expect_no_match stdout 'BAD'
expect_match stdout '^requests 0$'

run_model woodpecker --out w.h5 --view w.html
check "cones, trails, forces, energy and plots of the woodpecker" open_page w.html "
  const v = picus.view(0), canvas = v.canvas;
  ok('follows its bird from the start', checked('follow'));
  picus.goTo(0.3);
  const plain = pixels(canvas), toggled = (k) => { key(k); const n = changes(plain, pixels(canvas)); key(k); return n; };
  ok('contacts are drawn', toggled('c') > 50);
  ok('friction cones are drawn', toggled('k') > 200);
  ok('trails are drawn', toggled('t') > 20);
  ok('the grid is drawn', toggled('g') > 500);
  ok('the same picture again', changes(plain, pixels(canvas)) === 0);
  // the place of a contact in its colour: slip is red, stick is green
  const colours = { 1: '0,158,115', 2: '213,94,0' };
  let seen = [0, 0, 0];
  for (let t = 0.15; t < 0.45; t += 0.0031) {
    picus.goTo(t);
    const site = picus.site(0, 'lower'), image = pixels(canvas), at = v.toScreen(site.place);
    if (site.mode > 0 && rgb(image, at[0], at[1]) === colours[site.mode]) seen[site.mode]++;
    else if (site.mode > 0) seen[0]++;
  }
  ok('contacts have the colours of their modes ' + seen, seen[0] === 0 && seen[1] > 3 && seen[2] > 3);
  // trails are the path so far: the lowest place is the present one
  picus.goTo(0.2); const early = picus.trail(0, 'woodpecker').length;
  picus.goTo(0.8); const path = picus.trail(0, 'woodpecker');
  ok('trails grow', path.length > 2 * early && early > 10);
  // following: the picked object stays in the middle, and the view can be dragged meanwhile
  picus.pick('woodpecker'); picus.goTo(0.5); picus.draw();
  const centre = picus.trail(0, 'woodpecker').pop(), middle = v.toScreen(centre);
  ok('the picked object is in the middle', near(middle[0], v.w / 2, 1e-6) && near(middle[1], v.h / 2, 1e-6));
  touch(canvas, 'down', 5, 200, 200); touch(canvas, 'move', 5, 230, 250); touch(canvas, 'move', 5, 260, 260); touch(canvas, 'up', 5, 260, 260);
  picus.goTo(0.9); picus.draw();
  const dragged = v.toScreen(picus.trail(0, 'woodpecker').pop());
  ok('dragging moves the view that follows ' + dragged, near(dragged[0] - v.w / 2, 60, 0.01) && near(dragged[1] - v.h / 2, 60, 0.01));
  ok('dragging does not pick', picus.picked() === 'woodpecker');
  click('fit'); ok('fit ends it', !checked('follow'));
  // pinching with two fingers
  const scale = v.scale;
  touch(canvas, 'down', 6, 200, 200); touch(canvas, 'down', 7, 300, 200);
  const held = v.toWorld([250, 200]);
  touch(canvas, 'move', 6, 150, 200); touch(canvas, 'move', 7, 350, 200);
  ok('two fingers zoom', near(v.scale / scale, 2, 1e-9));
  ok('about their middle', near(v.toScreen(held)[0], 250, 26) && near(v.toScreen(held)[1], 200, 1e-6));
  touch(canvas, 'up', 6, 150, 200); touch(canvas, 'up', 7, 350, 200);
  ok('nothing is picked by it', picus.picked() === 'woodpecker');
  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 300, clientX: 300, clientY: 300, cancelable: true }));
  ok('the wheel zooms', v.scale < 1.9 * scale);
  canvas.dispatchEvent(new MouseEvent('dblclick')); ok('a double click fits', near(v.scale, scale, 1e-9 * scale));
  // slow motion around impacts
  picus.goTo(picus.impacts(0)[3]);
  const fast = picus.rate(); key('s');
  ok('slow at an impact', near(picus.rate() / fast, 0.12, 1e-9));
  let calm = 0, t = 0;
  for (let k = 1; k < 1000; k++) { picus.goTo(k / 1000); if (Math.abs(picus.rate() / fast - 1) < 1e-12) calm++; else t++; }
  ok('and not far from impacts ' + calm + ' ' + t, calm > 20 && t > 100);
  key('s');
  document.getElementById('speed').value = '1'; document.getElementById('speed').dispatchEvent(new Event('change'));
  ok('speed by the list', picus.rate() === 1); key('-'); ok('speed by keys', picus.rate() === 0.5);
  // the energy bar: potential energy is blue, kinetic energy orange, over the range of the run
  const bar = document.getElementById('energy');
  let wrong = 0, told = '';
  for (const at of [0.05, 0.31, 0.7]) {
    picus.goTo(at);
    const image = pixels(bar), blue = Math.round([...Array(bar.width).keys()].filter((x) => rgb(image, x, 8) === '91,155,224').length);
    const energies = picus.energies(0), share = (picus.column(0, 'E.pot') - energies.low) / (energies.high - energies.low);
    told += blue + ' of ' + share * bar.width + '; ';
    if (!near(blue, share * bar.width, 1.5)) wrong++;
  }
  ok('the energy bar has the potential energy ' + told, wrong === 0);
  // plots: the cursor is at the time, a click goes to a time, and any column can be added
  const count = document.querySelectorAll('.plot').length, add = document.getElementById('add');
  add.value = 'y'; add.dispatchEvent(new Event('change'));
  ok('a plot is added', document.querySelectorAll('.plot').length === count + 1);
  const plot = picus.plot(count), cursor = () => { const image = pixels(plot.canvas), y = Math.round(plot.area[1] + 3); return [...Array(image.width).keys()].filter((x) => x > plot.area[0] && rgb(image, x, y) !== rgb(image, plot.area[0] + 60, y) && rgb(image, x, y + 7) === rgb(image, x, y)); };
  const places = [];
  for (const at of [0.25, 0.65]) { picus.goTo(at); picus.draw(); const expected = plot.place(at, 0)[0]; places.push(cursor().some((x) => near(x, expected, 1.5))); }
  ok('the cursor is at the time', places.every((x) => x));
  touch(plot.canvas, 'down', 8, plot.area[0] + 0.75 * plot.area[2], 60);
  ok('a click on a plot goes to its time', near(picus.time(), 0.75, 1e-2));
  document.querySelectorAll('.plot .close')[count].click();
  ok('a plot is removed', document.querySelectorAll('.plot').length === count);
  // light and dark
  const light = pixels(canvas); key('d'); const dark = pixels(canvas);
  ok('dark pages have a dark ground', rgb(light, 5, 300) === '255,255,255' && rgb(dark, 5, 300) === '18,22,27');
  key('d');
  // time goes on while it plays, and by loop again from the start
  const last = picus.rows(0).pop();
  picus.goTo(0.5); key(' '); picus.advance(0.1);
  ok('it plays with its speed', near(picus.time(), 0.55, 1e-12));
  picus.goTo(0.99); picus.advance(0.1);
  ok('at the end it begins again', picus.playing() && picus.time() === picus.rows(0)[0]);
  key('l'); picus.goTo(0.99); picus.advance(0.1);
  ok('or ends there', !picus.playing() && picus.time() === last);
  key(' '); ok('and starts again from the start', picus.playing() && picus.time() === picus.rows(0)[0]);"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
expect_match stdout '^END'

run_model tippedisk --t-end 0.5 --out disk.h5 --csv disk.csv --view disk.html
last=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } END { printf "[%.17g,%.17g,%.17g]", $c["x"], $c["y"], $c["z"] }' disk.csv)
check "the tippedisk in space" open_page disk.html "
  picus.goTo(0.5);
  const centre = picus.points(0)[1][0], file = $last;
  ok('centre of mass ' + centre, Math.hypot(centre[0] - file[0], centre[1] - file[1], centre[2] - file[2]) < 1e-12);
  picus.draw();
  const gl = picus.view(0).renderer.getContext(), pixel = new Uint8Array(4 * 400 * 300);
  gl.readPixels(200, 100, 400, 300, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  let blue = 0;
  for (let k = 0; k < pixel.length; k += 4) if (pixel[k + 2] > pixel[k] + 60) blue++;
  ok('the disk is drawn: ' + blue + ' pixels', blue > 500);
  const v = picus.view(0), shot = () => { picus.draw(); const p = new Uint8Array(4 * 600 * 400); gl.readPixels(100, 50, 600, 400, gl.RGBA, gl.UNSIGNED_BYTE, p); return p; };
  const differ = (a, b) => { let n = 0; for (let k = 0; k < a.length; k += 4) if (a[k] !== b[k] || a[k + 1] !== b[k + 1]) n++; return n; };
  let before = shot();
  for (const [k, what] of [['k', 'cones'], ['t', 'trails'], ['g', 'the grid'], ['c', 'contacts'], ['d', 'a dark ground']]) {
    key(k); const n = differ(before, shot()); key(k);
    ok(what + ' in space ' + n, n > 20);
  }
  const turn = v.turn, away = v.away, target = v.target.clone();
  touch(v.canvas, 'down', 5, 200, 200); touch(v.canvas, 'move', 5, 300, 220); touch(v.canvas, 'up', 5, 300, 220);
  ok('dragging turns the camera', near(turn - v.turn, 0.8, 1e-9));
  touch(v.canvas, 'down', 6, 200, 200); touch(v.canvas, 'down', 7, 300, 200); touch(v.canvas, 'move', 7, 400, 200); touch(v.canvas, 'up', 6, 200, 200); touch(v.canvas, 'up', 7, 400, 200);
  ok('two fingers zoom in space', near(v.away / away, 0.5, 1e-9) && picus.picked() === null);
  touch(v.canvas, 'down', 5, 200, 200, { shiftKey: true }); touch(v.canvas, 'move', 5, 300, 220, { shiftKey: true }); touch(v.canvas, 'up', 5, 300, 220);
  ok('with shift it moves', v.target.distanceTo(target) > 0.01);
  picus.pick('disk'); key('f'); picus.goTo(0.1); picus.draw();
  const there = picus.trail(0, 'disk').pop();
  ok('the camera follows', near(v.target.x, there[0], 1e-9) && near(v.target.y, there[1], 1e-9) && near(v.target.z, there[2], 1e-9));
  picus.goTo(0.4); picus.draw(); const later = picus.trail(0, 'disk').pop();
  ok('and goes on', near(v.target.x, later[0], 1e-9) && Math.hypot(later[0] - there[0], later[1] - there[1]) > 1e-3);
  picus.pick('disk'); picus.draw(); ok('all moving objects without a picked one', isFinite(v.target.x));
  click('fit'); picus.draw();
  const box = v.canvas.getBoundingClientRect();
  const spot = v.target.clone(); picus.goTo(0.5); picus.draw();
  const p = picus.points(0)[1][0], seen = spot.set(p[0], p[1], p[2]).project(v.camera);
  touch(v.canvas, 'down', 9, (seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height - 12); touch(v.canvas, 'up', 9, (seen.x + 1) / 2 * box.width, (1 - seen.y) / 2 * box.height - 12);
  ok('a click picks: ' + picus.picked(), picus.picked() === 'disk');"
expect_no_match stdout 'BAD'
expect_match stdout '^requests 0$'

check "plots: impulses apart from forces, zoom, values, logarithm, files" open_page w.html "
  const add = document.getElementById('add'), count = document.querySelectorAll('.plot').length;
  add.value = 'lower.PN'; add.dispatchEvent(new Event('change'));
  const plot = picus.plot(count); picus.draw();
  const [force, impulse] = plot.series(), r = picus.result(0), P = r.column.get('lower.PN').list;
  ok('forces are a line, impulses have an axis of their own', !force.stems && impulse.stems && force.unit === 'N' && impulse.unit === 'N s' && force.label.endsWith('force'));
  let most = 0, largest = 0, mixed = 0;
  for (let k = 0; k < force.n; k++) if (isFinite(force.y(k))) most = Math.max(most, force.y(k)); else mixed++;
  for (let k = 0; k < impulse.n; k++) largest = Math.max(largest, impulse.y(k));
  ok('each row is one of both: ' + impulse.n, impulse.n > 3 && mixed >= impulse.n && largest === Math.max(...P));
  ok('impacts do not flatten the forces: ' + most + ' of ' + largest / 1e-5, most < 0.5 * largest / 1e-5 && plot.view.y[1] < 1.2 * most);
  const at = [plot.area[0] + 0.25 * plot.area[2], plot.area[1] + 40], wheel = (deltaY, shiftKey) => { const b = plot.canvas.getBoundingClientRect(); plot.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, shiftKey, clientX: b.left + at[0], clientY: b.top + at[1], cancelable: true })); picus.draw(); };
  const [x0, x1] = plot.view.x, before = plot.value(at);
  wheel(-400); ok('the wheel zooms about the mouse', plot.view.x[1] - plot.view.x[0] < 0.7 * (x1 - x0) && near(plot.place(before[0], 0)[0], at[0], 2)); // events have whole pixels
  const tall = plot.view.y[1] - plot.view.y[0]; wheel(-400, true); ok('with shift upwards', plot.view.y[1] - plot.view.y[0] < 0.7 * tall);
  plot.canvas.dispatchEvent(new MouseEvent('dblclick')); picus.draw(); ok('a double click shows all', plot.view.x[0] === x0 && plot.view.x[1] === x1);
  const plain = pixels(plot.canvas); touch(plot.canvas, 'move', 3, plot.area[0] + 60, plot.area[1] + 50, { pointerType: 'mouse', buttons: 0 }); picus.draw();
  ok('values under the mouse', changes(plain, pixels(plot.canvas)) > 200);
  document.querySelectorAll('.plot')[count].querySelector('button').click(); picus.draw();
  ok('a logarithmic axis', plot.log && near(plot.place(0, 100)[1] - plot.place(0, 10)[1], plot.place(0, 10)[1] - plot.place(0, 1)[1], 1e-9));
  const svg = new DOMParser().parseFromString(plot.svg(), 'image/svg+xml');
  ok('a picture in vectors', svg.querySelector('parsererror') === null && svg.querySelectorAll('path').length > 5 && svg.querySelectorAll('circle').length > 0);
  const lines = plot.csv().trim().split('\n');
  ok('a table: ' + lines[0], lines.length === force.n + 1 && lines[0].includes('force, N') && lines[0].includes('impulse, N s'));"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'

check "numbers of an axis that differ in their last digits" open_page w.html "
  const plot = picus.plot(0), drawn = [], source = plot.source, series = source.series;
  const pen = { line: () => {}, dot: () => {}, text: (p, text) => drawn.push([text, p]), width: () => 10, clip: () => {}, unclip: () => {} };
  const shown = (y) => { drawn.length = 0; source.series = () => [{ n: 5, from: 0, x: (k) => k, y, ink: '#000000', label: 'y', unit: 'm' }]; plot.paint(pen, plot.series(), 400, 300); return drawn.filter(([, p]) => p[0] < 60).map(([text]) => text); };
  const wide = shown((k) => k), narrow = shown((k) => 1.9 + 2e-9 * k), flat = shown((k) => 1.9 + 2.3e-16 * k);
  source.series = series;
  ok('plain ' + wide, wide.includes('0') && wide.includes('2') && !wide.some((text) => text.includes('+')));
  ok('from a base ' + narrow, narrow.includes('1.9 +') && narrow.includes('4e-9') && new Set(narrow).size === narrow.length);
  ok('round-off is no range ' + flat, flat.includes('1.9') && !flat.some((text) => text.includes('+')));"
expect_no_match stdout 'BAD|CONSOLE'

check "the panel beside the scene, before anything is selected" open_page w.html "
  const counts = () => document.getElementById('counts').textContent, chips = () => [...document.querySelectorAll('.chip')];
  let wrong = 0, seen = new Set();
  for (let t = 0.05; t < 0.6; t += 0.0173) {
    picus.goTo(t); picus.draw();
    const number = [0, 0, 0];
    for (const law of ['beak', 'lower', 'upper']) number[picus.site(0, law).mode]++;
    if (!counts().startsWith(number[0] + ' open, ' + number[1] + ' stick, ' + number[2] + ' slip')) wrong++;
    seen.add(number.join());
  }
  ok('modes now, ' + seen.size + ' combinations', wrong === 0 && seen.size > 2 && chips().length === 3);
  const list = () => [...document.querySelectorAll('#events button')];
  picus.goTo(picus.events(0)[7]); picus.draw();
  ok('events around now', list().length === 7 && document.querySelectorAll('#events .last').length === 1);
  list()[6].click(); ok('a click goes to one', picus.time() > picus.events(0)[7]);
  key('?'); ok('help', document.getElementById('help').open); key(' '); ok('keys rest meanwhile', !picus.playing()); key('?'); ok('closed', !document.getElementById('help').open);
  const ticks = document.getElementById('ticks'), image = ticks.getContext('2d').getImageData(0, 0, ticks.width, ticks.height), rows = new Set();
  for (let k = 3; k < image.data.length; k += 4) if (image.data[k] > 0) rows.add(Math.floor(k / 4 / ticks.width));
  ok('the time line is a strip of bars ' + rows.size, rows.size > 2 && rows.size < 0.6 * ticks.height);"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'

cat >space.lua <<'LUA'
model("space", "two bodies on a half-space that is drawn far larger")
gravity {0, 0, -9.81}
material {"default", mu = 0.5}
half_space {"floor", normal = {0, 0, 1}, position = {0, 0, 0}, extent = 100}
box {"crate", size = {0.4, 0.4, 0.4}, density = 500, position = {0, 0, 0.21}}
sphere {"ball", radius = 0.1, density = 500, position = {0.5, 0, 0.3}, fill = "none"}
draw {"line", {0, 0, 0}, {0, 0.5, 0.5}, width = 5, name = "rail"}
simulate {scheme = "moreau", dt = 0.002, t_end = 0.4}
LUA
run_model space.lua --out space.h5 --view space.html
check "a scene in space: fit, floor, camera, looks, labels" open_page space.html "
  const v = picus.view(0), gl = v.renderer.getContext(), shot = () => { picus.draw(); const p = new Uint8Array(4 * v.canvas.width * v.canvas.height); gl.readPixels(0, 0, v.canvas.width, v.canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, p); return p; };
  const differ = (a, b) => { let n = 0; for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) > 6) n++; return n; };
  ok('it fits what moves, not the half-space: ' + v.size, v.size < 2 && picus.result(0).drawing.size < 2);
  ok('the half-space is the floor', v.ground !== null && v.ground.height === 0 && v.stage.floor.visible);
  const corners = [0, 1, 2, 3].map((k) => v.target.clone().set(k & 1 ? 0.2 : -0.2, k & 2 ? 0.2 : -0.2, 0.2).project(v.camera));
  ok('it fills the view', corners.every((c) => Math.abs(c.x) < 1 && Math.abs(c.y) < 1) && Math.max(...corners.map((c) => c.x)) - Math.min(...corners.map((c) => c.x)) > 0.2);
  picus.goTo(0.35);
  const plain = shot();
  ok('the floor covers the lower part', plain.slice(4 * v.canvas.width * 20 + 4 * 300, 4 * v.canvas.width * 20 + 4 * 300 + 4)[3] > 200);
  for (const [k, what, least] of [['w', 'wireframe', 500], ['b', 'transparency', 500], ['h', 'shadows', 300], ['v', 'a parallel projection', 500], ['g', 'the grid', 300], ['c', 'contacts', 20]]) {
    key(k); const n = differ(plain, shot()); key(k);
    ok(what + ' ' + n, n > least);
  }
  ok('the same picture again', differ(plain, shot()) === 0);
  key('v'); picus.draw(); ok('an orthographic camera', v.camera.isOrthographicCamera === true); key('v');
  key('z'); picus.draw(); ok('from above', near(v.directions()[2].z, 1, 1e-12)); key('x'); picus.draw(); ok('along x', near(v.directions()[2].x, 1, 1e-12)); key('i'); picus.draw();
  ok('a turn goes on by itself', v.look.orbit === false); key('u'); v.turned = performance.now() - 100; const turn = v.turn; picus.draw(); ok('around', v.turn > turn); key('u');
  const part = v.parts[0], rail = part.items.find((item) => item.s.name === 'rail').node.children[0], ball = part.items.find((item) => item.s.name === 'ball');
  ok('lines have their width', rail.material.linewidth === 5);
  ok('a body without a colour is grey', part.style(ball.s).body === '#8b949e' || part.style(ball.s).body === '#7d8894');
  ok('edges of boxes', part.items.find((item) => item.s.name === 'crate').node.children.length === 2);
  const unit = v.contacts[0].unit; ok('marks by the size of bodies ' + unit, unit > 0.1 && unit < 0.8);
  const usual = v.contacts[0].usual; document.getElementById('arrows').value = '0.5'; picus.draw(); ok('the scale of arrows', near(v.contacts[0].usual / usual, Math.sqrt(10), 1e-9));
  const box = v.canvas.getBoundingClientRect(), p = v.target.clone().set(...picus.result(0).point(part.items.find((item) => item.s.name === 'crate').s.frame, [0, 0, 0])).project(v.camera);
  ok('what is under the mouse: ' + v.hit({ clientX: box.left + (p.x + 1) / 2 * box.width, clientY: box.top + (1 - p.y) / 2 * box.height }), v.hit({ clientX: box.left + (p.x + 1) / 2 * box.width, clientY: box.top + (1 - p.y) / 2 * box.height }) === 'crate');"
# readPixels warns that it waits for the graphics
expect_no_match stdout 'BAD'
expect_match stdout '^requests 0$'

printf 'local q, u = coordinates { {"x", velocity = "v", start = {1, 0}} }\nkinetic(u.v^2 / 2)\npotential(8 * q.x^2)\ncontact {"stop", gap = q.x + 0.5, eN = 0.5}\nplot {x = "t", y = {"x", "v"}}\nsimulate {dt = 1e-3, t_end = 2}\n' >bare.lua
run_model bare.lua --out bare.h5 --view bare.html
check "a page without a drawing has plots and no code of scenes" open_page bare.html "
  ok('no code', window.PicusPlaneView === undefined && window.PicusSpaceView === undefined && window.THREE === undefined);
  ok('no stage', document.getElementById('stage').hidden && document.getElementById('switches').hidden);
  const boxes = [...document.querySelectorAll('.plot')].map((b) => b.getBoundingClientRect());
  ok('the plot of the model and a phase portrait', boxes.length === 2 && picus.plot(0).series().length === 2 && picus.plot(1).source.overTime === false);
  ok('of a good size', boxes.every((b) => b.width > 300 && b.height > 150));
  picus.goTo(1); picus.draw();
  const value = (name) => picus.plot(0).series().find((s) => s.label === name);
  ok('it knows its time', near(picus.plot(0).source.now(value('x'))[1], picus.column(0, 'x'), 1e-12) && document.getElementById('counts').textContent.startsWith('1 open'));"
expect_no_match stdout 'BAD|CONSOLE'

check "a view that nobody moved fits a window of another size" open_page space.html "
  const v = picus.view(0), stage = document.getElementById('stage'), seen = () => { picus.draw(); const [low, high] = v.movingBox(80); return [0, 1, 2, 3, 4, 5, 6, 7].every((k) => { const p = v.target.clone().set(...low.map((x, i) => (k >> i & 1 ? high[i] : x))).project(v.camera); return Math.abs(p.x) < 1 && Math.abs(p.y) < 1; }); };
  ok('at first', seen());
  stage.style.width = '220px'; ok('narrow', seen());
  const away = v.away; v.canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, cancelable: true })); const near = v.away;
  stage.style.width = '500px'; picus.draw(); ok('moved by hand it stays', near < away && v.away === near);"
expect_no_match stdout 'BAD'

run_model pendulum-in-ring --dt 2e-3 --set mu=0.1 --out coarse.h5
run_model pendulum-in-ring --out fine.h5
"$PICUS" view fine.h5 coarse.h5 --out both.html --quiet
check "two results side by side and overlaid" open_page both.html "
  ok('two views', document.querySelectorAll('.view').length === 2);
  key('o');
  ok('one view', document.querySelectorAll('.view').length === 1);
  picus.goTo(2); picus.draw();
  ok('both move', picus.points(0)[6][0][0] !== picus.points(1)[6][0][0]);
  // the other one is a ghost: its rod is paler where they differ
  let apart = 0, at = 0;
  for (const t of picus.rows(0)) { picus.goTo(t); const d = Math.hypot(...[0, 1].map((i) => picus.points(0)[6][1][i] - picus.points(1)[6][1][i])); if (d > apart) { apart = d; at = t; } }
  picus.goTo(at);
  const v = picus.view(0), tip = (k) => v.toScreen([0, 1].map((i) => (picus.points(k)[6][0][i] + 9 * picus.points(k)[6][1][i]) / 10));
  const image = pixels(v.canvas), own = rgb(image, ...tip(0)).split(',').map(Number), ghost = rgb(image, ...tip(1)).split(',').map(Number);
  ok('a ghost ' + apart * v.scale + ' pixels apart: ' + own + ' and ' + ghost, apart * v.scale > 30 && ghost[0] > own[0] + 40 && ghost[0] < 250);
  const plot = picus.plot(0); plot.difference = true;
  const delta = plot.series(), base = picus.rows(1), k = base.findIndex((t) => t > 2), name = picus.result(0).plots[0].y[0];
  picus.goTo(base[k]);
  ok('the difference ' + delta[0].y(k), delta.length === 1 && near(delta[0].y(k), picus.column(1, name) - picus.column(0, name), 1e-12) && delta[0].y(k) !== 0);
  plot.difference = false;
  ok('dashed in plots', picus.plot(0).series().some((s) => s.dashed) && picus.plot(0).series().some((s) => !s.dashed));
  key('o');
  ok('side by side again', document.querySelectorAll('.view').length === 2);"
expect_no_match stdout 'BAD|CONSOLE'

# bodies that bounce beside each other: each has rows of its own in the page
cat >many.lua <<'LUA'
model("many", "a thousand spheres that bounce beside each other")
local side, n = 32, 1000
gravity {0, 0, -9.81}
material {"default", mu = 0.3, eN = 0.9}
half_space {"floor", normal = {0, 0, 1}, position = {0, 0, 0}, extent = 4}
for i = 0, n - 1 do
  sphere {"s" .. i, radius = 0.05, density = 1000, velocity = {sin(7 * i), cos(5 * i), 0},
    position = {(i % side - side / 2) * 0.25, (i // side - side / 2) * 0.25, 0.1 + 0.3 * (1 + sin(i))}}
end
simulate {scheme = "moreau", dt = 0.005, t_end = 0.7}
LUA
run_model many.lua --out many.h5 --view many.html
"$PICUS" export many.h5 --table rows --csv many.csv
expected=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR % 40 == 22 { for (k = 0; k < 1000; k += 333)
  printf "%s[%s,%d,%s,%s,%s]", n++ ? "," : "", $1, k, $c["x_s" k], $c["y_s" k], $c["z_s" k] }' many.csv)
"$PICUS" export many.h5 --table contacts --csv touching.csv
closed=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i } NR > 1 && $c["mode"] != "open" && $c["mode"] != 0 { n[$c["t"]]++ }
  END { for (t in n) if (n[t] > 20) printf "%s[%s,%d]", k++ ? "," : "", t, n[t] }' touching.csv)
check "a thousand bodies are where the file has them" open_page many.html "
  const drawn = document.getElementById('notes').textContent;
  ok('each with rows of its own', drawn.includes('each moving object has its own rows'));
  ok('contacts are named', / of [0-9]+ detected contacts are shown/.test(drawn));
  let worst = 0, count = 0;
  for (const [t, k, x, y, z] of [$expected]) {
    picus.goTo(t);
    const p = picus.points(0)[k + 1][0];
    worst = Math.max(worst, Math.hypot(p[0] - x, p[1] - y, p[2] - z));
    count++;
  }
  ok(count + ' points within the bound ' + worst + ' of ' + picus.tolerance(0), count === 16 && worst <= picus.tolerance(0));
  ok('drawn in one go', picus.view(0).parts[0].crowds.length === 1 && picus.view(0).parts[0].items.length === 1);
  // what the panel counts is in the file, whatever the page shows of it
  let miscounted = '';
  for (const [t, closed] of [$closed]) {
    picus.goTo(t); picus.draw();
    const [, open, stick, slip] = /([0-9]+) open, ([0-9]+) stick, ([0-9]+) slip/.exec(document.getElementById('counts').textContent).map(Number);
    if (stick + slip !== closed || picus.touching(0).length > open + closed) miscounted += ' ' + t + ' s: ' + [open, stick, slip, closed];
  }
  ok('contacts are counted' + miscounted, miscounted === '');
  picus.pick('s500'); picus.draw();
  ok('state of a body', document.getElementById('picked').rows.length >= 6);
  say('milliseconds of a picture with 1000 bodies: ' + Math.round(picus.cost(20)));"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
expect_match stdout '^milliseconds of a picture'
grep '^milliseconds' "$STDOUT" | sed 's/^/  /'
check "a page of a thousand bodies is small" test "$(wc -c <many.html)" -lt 6000000

cat >hostile.lua <<'LUA'
model("</script><script>window.hacked=1</script>", "<img src=x onerror='window.hacked=2'>")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}, unit = "<b>m</b>", label = "</script><b>x</b>"} }
kinetic(u.v^2 / 2)
observe {"y", q.x, unit = "<i>", label = "<img src=x onerror='window.hacked=3'>"}
draw {"text", {q.x, 0}, text = "<script>window.hacked=4</script>", name = "<img src=x onerror='window.hacked=5'>"}
draw {"line", {q.x, 0}, {1, when(lt(q.x, 0.02), 1 / (q.x - q.x^2 - 0.0099), 0)}, name = "__proto__"}
plot {x = "x", y = "y"}
observe {"huge", 1e308 * (1 + q.x)}
plot {x = "y", y = {"huge", "x"}}
simulate {scheme = "moreau", dt = 0.01, t_end = 0.05}
LUA
run_model hostile.lua --out h.h5 --view h.html
sed '/^simulate/i draw {"circle", {1e308 * (1 + q.x), -1e308 * (1 + q.x)}, radius = 1e308, name = "far"}' hostile.lua >far.lua
run_model far.lua --out far.h5 --view far.html
check "numbers beyond all bounds" open_page far.html "
  for (const t of picus.rows(0)) { picus.goTo(t); picus.draw(); }
  for (const k of ['k', 't', 'f', '0', 'n', 'p', 's', 'd']) { key(k); picus.draw(); }
  picus.objects(0).forEach((n) => { picus.pick(n); picus.draw(); });
  ok('the page is complete', document.getElementById('notes').textContent.includes('rows') && window.hacked === undefined);"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
check "markup is never executed" open_page h.html "
  for (const t of picus.rows(0)) { picus.goTo(t); picus.draw(); }
  picus.objects(0).forEach((n) => { picus.pick(n); picus.draw(); });
  ok('nothing ran', window.hacked === undefined);
  ok('no image', document.images.length === 0);
  ok('the title is text', document.getElementById('title').textContent === '</' + 'script><script>window.hacked=1</' + 'script>');"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'

# The report of an item file of somebody else: its figures are pictures.
printf '%s\n' 'paper X | t' 'item a | p | w' \
  "row x.svg | <svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><script>document.title='PWNED'</script><image href='http://127.0.0.1:9/x.png'/></svg> = number 1" \
  'figure x.svg | a figure' 'value v | number 1 | 1 within 1' >xss.items
"$PICUS" reproduce --items xss.items --out xss --quiet
# only the script of this test may run
sed "s|default-src 'none'; |default-src 'none'; script-src ; |" xss/report.html >report.html
check "no script of a figure runs" open_page report.html "
  ok('the title stays', document.title === 'picus reproduce');
  ok('the figure is a picture', document.images.length === 1 && document.querySelector('svg, script[src]') === null);"
expect_match stdout '^good the title stays$'
expect_match stdout '^good the figure is a picture$'
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
