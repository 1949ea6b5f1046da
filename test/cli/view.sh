#!/usr/bin/env bash
# picus view and picus run --view: pages, and what they must not contain. slow_browser.sh opens them in a browser.
. "$(dirname "$0")/../support/check.sh"

scripts_in() { grep -o '<script' "$1" | wc -l; }

check "a run and its page in one go" "$PICUS" run slider-crank --sample 0.001 --out s.h5 --view s.html
expect_match stdout '^s.html: [0-9.]+ kB; open it in any browser$'
check "the page of a result" "$PICUS" view s.h5
expect_match stdout '^s.html: '
expect_equal "$(scripts_in s.html)" 6
expect_no_match s.html '(src|href)="'
expect_no_match s.html 'url\('
expect_no_match s.html 'WebGLRenderer.*=class'
expect_match s.html "Content-Security-Policy.*default-src 'none'"
check "a planar page is small" test "$(wc -c <s.html)" -lt 300000
check "the same input, the same page" sh -c "'$PICUS' view s.h5 --out again.html --quiet && cmp s.html again.html"
expect_empty stdout

check "a spatial page has three.js, and is below 1.5 MB" sh -c \
  "'$PICUS' run tippedisk --t-end 0.1 --out d.h5 --view d.html --quiet && test \$(wc -c <d.html) -lt 1500000"
expect_equal "$(scripts_in d.html)" 11
# seconds of the processor that the page of 100 001 rows takes
"$PICUS" run woodpecker --out w.h5 --quiet
TIMEFORMAT=%U
seconds=$({ time "$PICUS" view w.h5 --quiet >view.log 2>&1; } 2>&1)
if [ -z "${PICUS_TEST_REDUCED:-}" ]; then
  check "the page of the woodpecker takes less than a second" awk "BEGIN { exit !($seconds > 0 && $seconds < 1) }"
  expect_file w.html
fi
check "three.js is the one that scripts/make-three made" sh -c "cd '$PICUS_SOURCE/tool/view/page' && sha256sum --check three.sha256"
check "two results in one page" "$PICUS" view s.h5 d.h5 --out two.html
expect_match two.html '"file":"s.h5".*"file":"d.h5"'

cat >hostile.lua <<'LUA'
model("</script><script>window.hacked=1</script>", "<img src=x onerror='window.hacked=2'> & \" \\ ' ]]>")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}, unit = "<b>m</b>", label = "</script><b>x</b>"} }
kinetic(u.v^2 / 2)
observe {"y", q.x, unit = "<i>", label = "<!-- y"}
draw {"text", {q.x, 0}, text = "<script>window.hacked=3</script>", name = "<u>body</u>"}
draw {"line", {q.x, 0}, {1, sqrt(q.x - 0.02)}, name = "__proto__"}
simulate {scheme = "moreau", dt = 0.01, t_end = 0.05}
LUA
check "markup in names stays text" sh -c "'$PICUS' run hostile.lua --out h.h5 --view h.html --quiet"
expect_status 0
expect_equal "$(scripts_in h.html)" 6
expect_no_match h.html '<img|<b>|<u>|<i>|<!-- y'
expect_match h.html '"model":"\\u003c/script\\u003e\\u003cscript'

cat >plain.lua <<'LUA'
model("plain", "without a drawing")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}} }
kinetic(u.v^2 / 2)
simulate {scheme = "moreau", dt = 0.01, t_end = 0.05}
LUA
check "a result without a drawing has its plots" sh -c "'$PICUS' run plain.lua --out p.h5 --quiet && '$PICUS' view p.h5"
expect_no_match p.html '"drawing"'
check "its page has no scene" test "$(scripts_in p.html)" = 5
expect_no_match p.html 'PicusPlaneView = class|PicusSpaceView = class'

cat >hung.lua <<'LUA'
model("hung", "a spring and a rod, which the model does not draw")
gravity {0, 0, -9.81}
local a = sphere {"bob", radius = 0.1, density = 300, position = {0, 0, -0.5}}
local b = sphere {"ball", radius = 0.08, density = 500, position = {0.5, 0, -0.6}}
spring {ground, a, point_b = {0, 0, 0.1}, stiffness = 200, length = 0.32}
distance {"rod", ground, b, points = {{0.3, 0, 0}, {0, 0, 0}}}
simulate {scheme = "rattle", dt = 1e-3, t_end = 0.01}
LUA
check "springs and rods are drawn" sh -c "'$PICUS' run hung.lua --out hung.h5 --quiet && '$PICUS' view hung.h5 --quiet"
expect_match hung.html '"kind":"spring","frame":0,.*"radius":0\.02,.*"points":\[\[0,0,0\],\['
expect_match hung.html '"kind":"line","frame":0,.*"points":\[\[0\.[23][0-9]*,0,0\],\['

cat >limbs.lua <<'LUA'
model("limbs", "a beam and two bodies on joints, which the model does not draw")
gravity {0, -9.81}
local b = beam {"b", length = 1, elements = 8, rectangle = {0.02, 0.02}, density = 7800, young = 2.1e11, damping = {1, 1e-5},
                gravity = {0, -9.81}, supports = {{0, "clamped"}}}
local bob = planar_body {"bob", mass = 2, inertia = 0.01, position = {1.3, 0}}
local disk = disk {"wheel", radius = 0.1, density = 100, position = {1.6, 0.3}}
revolute {"hinge", b:node(8), bob, at = {1, 0}}
revolute {"elbow", bob, disk, at = {1.6, 0}}
simulate {scheme = "moreau-jean", theta = 0.5, dt = 1e-3, t_end = 0.01}
LUA
check "bodies on joints and beams are drawn" sh -c "'$PICUS' run limbs.lua --out limbs.h5 --csv limbs.csv --quiet && '$PICUS' view limbs.h5 --quiet"
kinds() { grep -o '"kind":"[a-z]*","frame":[0-9]*,"name":"[a-z]*"' "$1" | tr -d '"' | sed 's/kind:\([a-z]*\),frame:[0-9]*,name:/\1 /' | sort | uniq -c | awk '{ printf "%s %s %s; ", $1, $2, $3 }'; }
expect_equal "$(kinds limbs.html)" "2 circle bob; 1 circle wheel; 1 line b; 2 line bob; 1 line wheel; "
sed '/^simulate/i draw {"circle", {1, 0.5}, radius = 0.1, name = "own"}' limbs.lua >own.lua
check "a model that draws shows its own shapes" sh -c "'$PICUS' run own.lua --out own.h5 --csv own.csv --quiet && '$PICUS' view own.h5 --quiet"
expect_equal "$(kinds own.html)" "1 circle own; 1 circle wheel; 1 line wheel; "
expect_equal "$(cmp limbs.csv own.csv && echo same)" same

cat >crowd.lua <<'LUA'
model("crowd", "more than a page can show")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}} }
kinetic(u.v^2 / 2)
local line = {"line"}
for k = 1, 100001 do line[#line + 1] = {q.x + k, k * q.x} end
draw(line)
simulate {scheme = "moreau", dt = 0.01, t_end = 0.02}
LUA
check "too many moving points" sh -c "'$PICUS' run crowd.lua --out c.h5 --quiet && '$PICUS' view c.h5"
expect_status 2
expect_match stderr '^picus: the drawing has 200002 moving values; at most 200000 can be shown$'
expect_equal "$(find . -name 'c.html*')" ""
# fewer where checks slow the tool down
count=$(test_size 301000 301000 1000000)
cat >million.lua <<LUA
model("million", "a million bodies")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}} }
kinetic(u.v^2 / 2)
for k = 1, $count do draw {"circle", {q.x + k, 0}, radius = 0.4, name = "body" .. k} end
simulate {scheme = "moreau", dt = 0.01, t_end = 0.02}
LUA
check "a million bodies" sh -c "'$PICUS' run million.lua --out million.h5 --quiet && '$PICUS' view million.h5"
expect_status 2
expect_match stderr "^picus: the drawing has $count shapes with $count points and 0 triangles; a page shows at most 300000 points and 600000 triangles"
expect_equal "$(find . -name 'million.html*')" ""

check "no result" "$PICUS" view nowhere.h5
expect_status 2
expect_match stderr "nowhere.h5"
check "a page over its result" "$PICUS" view s.h5 --out s.h5
expect_status 2
check "a file that is no result" sh -c "echo nonsense >n.h5; '$PICUS' view n.h5"
expect_status 2
expect_match stderr "is not an HDF5 file"
check "--view without --out" "$PICUS" run slider-crank --view v.html
expect_status 2
expect_match stderr '^picus: --view needs --out FILE.h5, the file with the motion$'
