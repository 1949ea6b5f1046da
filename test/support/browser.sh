# shellcheck shell=bash
# For scripts that test pages in Chromium, which runs without a window. Sourced after check.sh; where Chromium is not installed,
# the script ends there: nothing is tested.

browser=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$browser" ]; then
  skip "the page in a browser" "chromium is not installed"

  exit
fi

# open_page PAGE SCRIPT: runs the script at the end of the page; it calls say(text) for each line. Prints the lines and
# the messages of the console. Chromium puts a socket below TMPDIR and ends where its path has more than 107 bytes, as
# it has in a clone that lies deep: it gets a directory with a short name. The policy of the page allows its own scripts
# only, so that the hash of this one must be added to it. A canvas that is read often would change to another way of
# drawing, at a time of its own: pictures are compared, so all are drawn without acceleration.
open_page() {
  local files hash
  cat >script.js <<HTML
const said = [];
const say = (text) => said.push(text);
const ok = (name, good) => say((good ? "good " : "BAD ") + name);
const key = (name, more) => window.dispatchEvent(new KeyboardEvent("keydown", Object.assign({ key: name, bubbles: true, cancelable: true }, more)));
window.addEventListener("error", (e) => say("BAD error " + e.message));
window.addEventListener("securitypolicyviolation", (e) => say("BAD request " + e.blockedURI));
const click = (id) => document.getElementById(id).click();
const checked = (id) => document.getElementById(id).checked;
const near = (a, b, bound) => Math.abs(a - b) <= bound;
// the pixels of a canvas, and how many differ from others by more than round-off of colours
const pixels = (canvas) => {
  const copy = document.createElement("canvas"), pen = copy.getContext("2d", { willReadFrequently: true });
  copy.width = canvas.width;
  copy.height = canvas.height;
  picus.draw();
  pen.drawImage(canvas, 0, 0);
  return pen.getImageData(0, 0, copy.width, copy.height);
};
const changes = (a, b) => { let n = 0; for (let k = 0; k < a.data.length; k += 4) if ([0, 1, 2].some((i) => Math.abs(a.data[k + i] - b.data[k + i]) > 4)) n++; return n; };
const rgb = (image, x, y) => Array.from(image.data.slice(4 * (image.width * Math.round(y) + Math.round(x)), 4 * (image.width * Math.round(y) + Math.round(x)) + 3)).join();
// fingers or the mouse on a canvas: these pointers are not real ones, so that they cannot be captured
const touch = (canvas, type, id, x, y, more) => {
  const box = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent("pointer" + type, Object.assign({ pointerId: id, pointerType: "touch", clientX: box.left + x, clientY: box.top + y, bubbles: true, buttons: type === "up" ? 0 : 1 }, more)));
};
try {
$2
} catch (e) { say("BAD exception " + e.message); }
say("requests " + performance.getEntriesByType("resource").length);
document.getElementById("said").textContent = "\nSAID\n" + said.join("\n") + "\nEND\n";
HTML
  # shellcheck disable=SC2059 # bytes by their numbers
  hash=$(printf "$(sha256sum script.js | cut -c1-64 | sed 's/../\\x&/g')" | base64)
  {
    sed "s|script-src |script-src 'sha256-$hash' |" "$1"
    printf '<pre id="said"></pre><script>'
    cat script.js
    printf '</script>\n'
  } >page-test.html
  files=$(TMPDIR=/tmp mktemp -d)
  TMPDIR=$files timeout 120 "$browser" --headless --no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader \
    --disable-accelerated-2d-canvas --disable-extensions --no-first-run --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$files/profile" \
    --window-size="${3:-1200,900}" --virtual-time-budget=2000 --enable-logging=stderr --dump-dom \
    "file://$PWD/page-test.html" >dom.txt 2>console.txt
  rm -rf "$files" || true
  sed -n '/^SAID$/,/^END/p' dom.txt
  grep -oE '(CONSOLE|FATAL).*' console.txt || true
}
