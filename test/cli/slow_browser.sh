#!/usr/bin/env bash
# The page of picus view in a real browser: no message on its console, no request, bodies where the file has them, keys.
# Chromium runs without a window; where it is not installed, nothing is tested.
. "$(dirname "$0")/../support/check.sh"

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
  skip "the page in a browser" "chromium is not installed"

  exit
fi

# open_page PAGE SCRIPT: runs the script at the end of the page; it calls say(text) for each line. Prints the lines and
# the messages of the console. Chromium puts a socket below TMPDIR and ends where its path has more than 107 bytes, as
# it has in a clone that lies deep: it gets a directory with a short name.
open_page() {
  local files
  cp "$1" page-test.html
  cat >>page-test.html <<HTML
<pre id="said"></pre><script>
const said = [];
const say = (text) => said.push(text);
const ok = (name, good) => say((good ? "good " : "BAD ") + name);
const key = (name, more) => window.dispatchEvent(new KeyboardEvent("keydown", Object.assign({ key: name, bubbles: true, cancelable: true }, more)));
window.addEventListener("error", (e) => say("BAD error " + e.message));
window.addEventListener("securitypolicyviolation", (e) => say("BAD request " + e.blockedURI));
try {
$2
} catch (e) { say("BAD exception " + e.message); }
say("requests " + performance.getEntriesByType("resource").length);
document.getElementById("said").textContent = "\nSAID\n" + said.join("\n") + "\nEND\n";
</script>
HTML
  files=$(TMPDIR=/tmp mktemp -d)
  TMPDIR=$files timeout 120 "$browser" --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader \
    --disable-extensions --no-first-run --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$files/profile" \
    --window-size="${3:-1200,900}" --virtual-time-budget=2000 --enable-logging=stderr --dump-dom \
    "file://$PWD/page-test.html" >dom.txt 2>console.txt
  rm -rf "$files" || true
  sed -n '/^SAID$/,/^END/p' dom.txt
  grep -oE '(CONSOLE|FATAL).*' console.txt || true
}

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
  key('k'); key('t'); picus.pick('disk'); key('f'); picus.draw();"
expect_no_match stdout 'BAD'
expect_match stdout '^requests 0$'

run_model pendulum-in-ring --dt 2e-3 --out coarse.h5
run_model pendulum-in-ring --out fine.h5
"$PICUS" view fine.h5 coarse.h5 --out both.html --quiet
check "two results side by side and overlaid" open_page both.html "
  ok('two views', document.querySelectorAll('.view').length === 2);
  key('o');
  ok('one view', document.querySelectorAll('.view').length === 1);
  picus.goTo(2); picus.draw();
  ok('both move', picus.points(0)[6][0][0] !== picus.points(1)[6][0][0]);"
expect_no_match stdout 'BAD|CONSOLE'

cat >hostile.lua <<'LUA'
model("</script><script>window.hacked=1</script>", "<img src=x onerror='window.hacked=2'>")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}, unit = "<b>m</b>", label = "</script><b>x</b>"} }
kinetic(u.v^2 / 2)
observe {"y", q.x, unit = "<i>", label = "<img src=x onerror='window.hacked=3'>"}
draw {"text", {q.x, 0}, text = "<script>window.hacked=4</script>", name = "<img src=x onerror='window.hacked=5'>"}
draw {"line", {q.x, 0}, {1, when(lt(q.x, 0.02), 1 / (q.x - q.x^2 - 0.0099), 0)}, name = "__proto__"}
plot {x = "x", y = "y"}
simulate {scheme = "moreau", dt = 0.01, t_end = 0.05}
LUA
run_model hostile.lua --out h.h5 --view h.html
check "markup is never executed" open_page h.html "
  for (const t of picus.rows(0)) { picus.goTo(t); picus.draw(); }
  picus.objects(0).forEach((n) => { picus.pick(n); picus.draw(); });
  ok('nothing ran', window.hacked === undefined);
  ok('no image', document.images.length === 0);
  ok('the title is text', document.getElementById('title').textContent === '</' + 'script><script>window.hacked=1</' + 'script>');"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^requests 0$'
