#!/usr/bin/env bash
# picus render: animations, filmstrips, pictures.
. "$(dirname "$0")/../support/check.sh"

"$PICUS" run slider-crank --sample 0.001 --out s.h5 --quiet
# a PNG file: its width and height from the head
png_size() { od -An -t u1 -j16 -N8 "$1" | awk '{ print ($3 * 256 + $4) " x " ($7 * 256 + $8) }'; }

check "an animated SVG" "$PICUS" render s.h5 --out s.svg --frames 20
expect_match stdout '^s.svg: 20 pictures of 480 x 360 pixels$'
expect_equal "$(grep -c '<animate ' s.svg)" 20
expect_equal "$(grep -c '<g' s.svg)" 20
expect_no_match s.svg 'nan|inf'
check "the same input, the same picture" sh -c "'$PICUS' render s.h5 --out again.svg --frames 20 --quiet && cmp s.svg again.svg"
check "a filmstrip" "$PICUS" render s.h5 --out strip.svg --strip 3 --to 0.1
expect_equal "$(grep -o '>t = [0-9.]* s<' strip.svg | tr -d '\n')" ">t = 0 s<>t = 0.05 s<>t = 0.1 s<"
check "a filmstrip as PNG" "$PICUS" render s.h5 --out strip.png --strip 3 --width 200 --height 100
expect_equal "$(png_size strip.png)" "600 x 124" # the times stand below
check "a picture" "$PICUS" render s.h5 --out one.png --from 0.05 --width 320 --height 240
expect_equal "$(png_size one.png)" "320 x 240"
check "a folder of pictures" "$PICUS" render s.h5 --out frames/ --frames 3 --width 100 --height 80
expect_equal "$(echo frames/*)" "frames/frame-0001.png frames/frame-0002.png frames/frame-0003.png"
expect_equal "$(png_size frames/frame-0002.png)" "100 x 80"
check "a spatial model" sh -c "'$PICUS' run tippedisk --t-end 0.2 --out d.h5 --quiet && '$PICUS' render d.h5 --out d.svg --frames 2 --quiet"
expect_equal "$(grep -c '<polygon' d.svg)" 1540 # 384 faces and a ball, whose own picture is a circle, their shadows, and the floor, twice
cat >plate.lua <<'LUA'
model("plate", "a plate of 0.2 m in a height of 0.3 m over a floor that ends 0.25 m beside its middle")
gravity {0, 0, -9.81}
material {"default", mu = 0.5}
half_space {"floor", normal = {0, 0, 1}, position = {0, 0, 0}, extent = 0.25}
box {"plate", size = {0.2, 0.2, 1e-6}, density = 500, position = {0, 0, 0.3}}
simulate {scheme = "moreau", dt = 1e-3, t_end = 1e-3}
LUA
"$PICUS" run plate.lua --out plate.h5 --quiet
check "a shadow on the floor" "$PICUS" render plate.h5 --out plate.svg --frames 1 --camera z --quiet
# the light comes from (-0.36, -0.48, 0.8): seen from above the shadow is 0.135 m to the right and 0.18 m up, where the floor ends
shadow=$(awk -F'"' '/<polygon/ { n++; gsub(/[, ]/, " ", $2); split($2, c, " "); low = high = c[1]; bottom = top = c[2]
  for (i = 1; i in c; i += 2) { if (c[i] < low) low = c[i]; if (c[i] > high) high = c[i]; if (c[i + 1] < top) top = c[i + 1]; if (c[i + 1] > bottom) bottom = c[i + 1] }
  if (n == 1) { m = (high - low) / 0.5; x0 = (low + high) / 2; y0 = (top + bottom) / 2 }
  if (n == 2) printf "%.2f to %.2f, %.2f to %.2f", (low - x0) / m, (high - x0) / m, (y0 - bottom) / m, (y0 - top) / m }' plate.svg)
expect_equal "$shadow" "0.03 to 0.23, 0.08 to 0.25"

check "contacts in pictures" "$PICUS" render d.h5 --out contacts.svg --frames 2 --contacts --quiet
expect_equal "$(grep -c '<circle' contacts.svg)" 4 # the centre of mass and the contact, twice
expect_match contacts.svg 'fill="url\(#balld1495b\)"'
expect_equal "$(grep -c 'id="balld1495b"' contacts.svg)" 2
check "from above" "$PICUS" render d.h5 --out above.svg --frames 1 --camera z --quiet
# the square of the floor keeps its sides along the picture: left, then right edge vertical
expect_equal "$(grep -m 1 '<polygon' above.svg | sed 's/.*points="//; s/".*//' | tr ', ' '[\n*]' | awk 'NR % 2 { x[n++] = $1 } END { print (x[0] == x[3] && x[1] == x[2]) }')" 1
check "near things are larger" sh -c "'$PICUS' render d.h5 --out near.svg --frames 1 --camera z --perspective --quiet && ! cmp -s near.svg above.svg"
expect_no_match near.svg 'nan|inf'
for wrong in w 1 1,2,3 0,91 nan,0; do
  check "a wrong camera: $wrong" "$PICUS" render d.h5 --out wrong.svg --camera "$wrong"
  expect_status 2
  expect_match stderr "^picus: --camera takes corner, x, y, z or two angles, such as -40,20, not '$wrong'$"
done
check "a camera in the plane" "$PICUS" render s.h5 --out wrong.svg --camera x
expect_status 2
expect_match stderr '^picus: --camera and --perspective are for spatial models'
check "lines of large pictures are wider" sh -c "'$PICUS' render s.h5 --out large.svg --frames 1 --width 1920 --height 1080 --quiet"
expect_match large.svg 'stroke-width="3.1"'

cat >hostile.lua <<'LUA'
model("hostile", "markup in texts")
local q, u = coordinates { {"x", velocity = "v", start = {0, 1}} }
kinetic(u.v^2 / 2)
draw {"text", {q.x, 0}, text = "</svg><script>alert(1)</script>&"}
draw {"line", {q.x, 0}, {1, sqrt(q.x - 0.02)}}
draw {"circle", {q.x, 0}, radius = 1}
simulate {scheme = "moreau", dt = 0.01, t_end = 0.05}
LUA
check "texts stay texts, and what is not a number is not drawn" sh -c "'$PICUS' run hostile.lua --out h.h5 --quiet && '$PICUS' render h.h5 --out h.svg --frames 6"
expect_no_match h.svg '<script|[ ",-]nan'
expect_match h.svg '&#60;/svg&#62;&#60;script'
expect_equal "$(grep -c '<polyline' h.svg)" 4

check "an ending that is not known" "$PICUS" render s.h5 --out film.avi
expect_status 2
expect_match stderr "^picus: --out must end with .svg, .png, .mp4, .webm or /, not 'film.avi'$"
check "a film without ffmpeg" env PATH=/nowhere "$PICUS" render s.h5 --out film.mp4
expect_status 2
expect_match stderr '^picus: films need ffmpeg, which is not installed; install it, or write pictures with --out FOLDER/$'
check "a strip is no film" "$PICUS" render s.h5 --out film.mp4 --strip 3
expect_status 2
expect_match stderr 'strip is a picture'
# A program in place of ffmpeg: it writes what it is given to the file that it is given, or fails.
mkdir fake
# shellcheck disable=SC2016 # of the program
printf '%s\n' '#!/bin/sh' 'for last; do :; done' 'cat >"${last#file:}"' 'exit ${FAKE_CODE:-0}' >fake/ffmpeg
chmod +x fake/ffmpeg
echo precious >film.mp4.film
check "the pictures of a film" env PATH="$PWD/fake:$PATH" "$PICUS" render s.h5 --out film.mp4 --frames 4 --seconds 0.2 --width 100 --height 80
expect_equal "$(stat -c %s film.mp4)" 128000
check "a film that fails" env FAKE_CODE=1 PATH="$PWD/fake:$PATH" "$PICUS" render s.h5 --out film.mp4 --frames 2 --seconds 0.2 --width 100 --height 80
expect_status 2
expect_match stderr "^picus: ffmpeg could not write 'film.mp4'$"
expect_equal "$(stat -c %s film.mp4)" 128000
expect_equal "$(find . -name 'film*' | sort | tr '\n' ' ')" "./film.mp4 ./film.mp4.film "
expect_match film.mp4.film '^precious$'
rm film.mp4*

if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
  film_of() { ffprobe -v error -select_streams v -count_frames -show_entries stream=width,height,nb_read_frames -of csv=p=0 "$1"; }
  check "a film" "$PICUS" render s.h5 --out film.mp4 --seconds 0.4 --width 101 --height 80
  expect_match stdout '^film.mp4: 10 pictures of 101 x 80 pixels$'
  expect_equal "$(film_of film.mp4)" "102,80,10"
  check "a film for web pages" "$PICUS" render s.h5 --out film.webm --frames 5 --seconds 0.2 --width 100 --height 80
  expect_equal "$(film_of film.webm)" "100,80,5"
  check "a film in a folder that does not exist" "$PICUS" render s.h5 --out nowhere/film.mp4 --frames 2 --seconds 0.1
  expect_status 2
  expect_equal "$(find . -name '*.film')" ""
else
  skip "films" "ffmpeg is not installed"
fi
check "no place to write" "$PICUS" render s.h5
expect_status 2
expect_match stderr 'render needs --out'
check "too many poses" "$PICUS" render s.h5 --out x.svg --strip 51
expect_status 2
expect_match stderr '--strip must be an integer from 1 to 50'
check "a result without a drawing" sh -c "sed '/draw/d' hostile.lua >p.lua; '$PICUS' run p.lua --out p.h5 --quiet; '$PICUS' render p.h5 --out p.svg"
expect_status 2
expect_match stderr 'the result has no drawing; add shapes to the model with draw and run it again'
