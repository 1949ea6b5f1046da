#!/usr/bin/env bash
# Diagrams of studies: densities, maps, modes, multipliers, and the page of points, in a browser where there is one.
. "$(dirname "$0")/../support/check.sh"

sweep=(sweep forced-impact-oscillator --set sigma=0 --set x0=0 --set omega=2.6:3.4:12 --adaptive --t-end 40)
"$PICUS" "${sweep[@]}" --section stop:impact --last 5 --out impacts.h5 --section-csv impacts.csv --quiet
check "a density of a study's section" "$PICUS" plot impacts.h5 v --x omega --section --density --out a.svg
expect_file a.svg
check "is that of its table" "$PICUS" plot impacts.csv v --x omega --density --out b.svg
expect "the pictures are the same" cmp a.svg b.svg
check "points of a study" "$PICUS" plot impacts.h5 x --x omega --dots --out points.pdf
expect_file points.pdf
check "no such column" "$PICUS" plot impacts.h5 w --x omega --out x.png
expect_status 2
expect_match stderr "^picus: 'impacts.h5' has no column 'w'"
"$PICUS" sweep bouncing-ball --set e=0:1:3 --t-end 0.1 --out none.h5 --quiet
check "a study without a section" "$PICUS" plot none.h5 v --x e --section --out x.png
expect_status 2
expect_match stderr "^picus: the study 'none.h5' has no section$"

# A million points are a picture of the size of a few.
awk 'BEGIN { print "x,y"; x = 0.3; for (k = 0; k < 1000000; k++) { r = 3.5 + 0.5 * (k % 1000) / 1000; if (k % 1000 == 0) x = 0.3; x = r * x * (1 - x); print r "," x } }' >million.csv
check "a million points" "$PICUS" plot million.csv y --x x --density --out million.svg
expect "the file is small" test "$(stat -c %s million.svg)" -lt 600000

# Maps.
{
  echo a,b,c,d
  for a in 0 1 2 3; do for b in 5 6 7; do echo "$a,$b,$(((a * b) % 3)),$a.25"; done; done
} >map.csv
check "a map" "$PICUS" plot map.csv b --x a --map c --out map.svg
expect_match map.svg '<image'
check "a map of a continuous column" "$PICUS" plot map.csv b --x a --map d --out map.png
expect_file map.png
printf 'a,b,c\n0,0,1\n1,0,2\n5,0,3\n' >irregular.csv
check "a map needs a grid" "$PICUS" plot irregular.csv b --x a --map c --out x.png
expect_status 2
expect_match stderr "needs a regular grid, but the values of 'a'"
check "a map needs x" "$PICUS" plot map.csv b --map c --out x.png
expect_status 2
printf 'a,b,c\n0,0,nan\n1e300,1e300,1\n' >wild.csv
check "a map of wild numbers" "$PICUS" plot wild.csv b --x a --map c --out wild.png
expect_file wild.png

# Modes and multipliers.
"$PICUS" run woodpecker --t-end 0.2 --out w.h5 --quiet
check "modes of all contacts" "$PICUS" plot w.h5 --modes --out modes.svg
expect_file modes.svg
check "modes of one contact" "$PICUS" plot w.h5 beak --modes --out mode.svg
expect "is another picture" sh -c '! cmp -s modes.svg mode.svg'
check "modes of a table" "$PICUS" plot map.csv --modes --out x.png
expect_status 2
printf 'mu,re1,im1,re2,im2\n1,-0.19,0.56,-0.19,-0.56\n2,0.5,0,-1.2,0\n3,inf,0,0,0\n' >multipliers.csv
check "multipliers" "$PICUS" plot multipliers.csv --multipliers --out circle.svg
expect_file circle.svg
head -2 multipliers.csv >inside.csv
check "multipliers of a stable orbit" "$PICUS" plot inside.csv --multipliers --out inside.svg
# shellcheck disable=SC2016 # the inner shell's words
expect "have no legend of unstable ones" sh -c '[ "$(wc -c <inside.svg)" -lt "$(wc -c <circle.svg)" ]'
check "multipliers take no columns" "$PICUS" plot multipliers.csv im1 --x re1 --multipliers --out x.png
expect_status 2
check "a table without multipliers" "$PICUS" plot map.csv --multipliers --out x.png
expect_status 2
expect_match stderr "^picus: 'map.csv' has no multipliers"

# Branches: the special orbits have names in the legend.
printf 'point,mu,x,kind,stable\n0,1,1,1,1\n1,2,2,0,1\n2,3,3,3,0\n3,2,4,0,0\n4,1,5,2,0\n' >branch.csv
check "a branch" "$PICUS" plot branch.csv x --x mu --branch --out branch.svg
expect_file branch.svg
check "a branch needs its columns" "$PICUS" plot multipliers.csv im1 --x re1 --branch --out x.png
expect_status 2
expect_match stderr "^picus: 'multipliers.csv' has no column 'stable'"
check "a branch needs x" "$PICUS" plot branch.csv x --branch --out x.png
expect_status 2

# The page.
check "a page needs a table" "$PICUS" plot w.h5 y --x t --out x.html
expect_status 2
expect_match stderr '^picus: a page shows one column of one table over another'
expect_no_file x.html
check "a page of points" "$PICUS" plot impacts.h5 v --x omega --section --out page.html --title '</script><b>x</b>'
expect_match page.html 'picus run forced-impact-oscillator'
expect_no_match page.html '</script><b>'
printf '"</script><script>window.hacked=1</script>",b\n1,2\n3,nan\n' >hostile.csv
check "a page of a table" "$PICUS" plot hostile.csv b --x '</script><script>window.hacked=1</script>' --out hostile.html
expect_file hostile.html

# shellcheck source=../support/browser.sh
. "$PICUS_SOURCE/test/support/browser.sh"
check "hover, click, and the command" open_page page.html "
  const canvas = document.getElementById('diagram'), box = canvas.getBoundingClientRect();
  canvas.setPointerCapture = () => {};
  const send = (type, x, y) => canvas.dispatchEvent(new PointerEvent('pointer' + type, { clientX: box.left + x, clientY: box.top + y, bubbles: true }));
  ok('the title is text', document.getElementById('title').textContent === '</' + 'script><b>x</b>');
  let found = false;
  for (let x = 60; x < box.width && !found; x += 6) for (let y = 10; y < box.height && !found; y += 6) {
    send('move', x, y);
    if (document.getElementById('hover').hidden) continue;
    found = true;
    ok('numbers under the mouse', /^omega = [0-9.]+\$/m.test(document.getElementById('hover').textContent));
    send('down', x, y); send('up', x, y);
  }
  ok('a point was found', found);
  const command = document.getElementById('command').textContent;
  ok('a command', command.startsWith('picus run forced-impact-oscillator') && command.includes('--set omega='));
  say('command ' + command);
  document.getElementById('y').value = '5'; document.getElementById('y').dispatchEvent(new Event('change'));
  document.getElementById('colour').value = '1'; document.getElementById('colour').dispatchEvent(new Event('change'));
  ok('no markup', document.querySelector('b') === null && window.hacked === undefined);"
expect_no_match stdout 'BAD|CONSOLE'
expect_match stdout '^good a command$'
expect_match stdout '^requests 0$'
command=$(sed -n 's/^command picus //p' "$STDOUT")
# shellcheck disable=SC2086 # words of the command
check "the command runs" "$PICUS" $command --quiet
check "hostile names are text" open_page hostile.html "ok('nothing ran', window.hacked === undefined);"
expect_no_match stdout 'BAD|CONSOLE'
