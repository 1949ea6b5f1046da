-- Balls on strings hang side by side; the first one falls on the others. Balls that touch (gap = 0) collide all at once:
-- with e = 1 the first of five bounces back with 3/5 of its velocity and the others leave together with 2/5. With a gap,
-- however small, they collide one after the other, and only the last one leaves; dt must resolve the gap.
model("newtons-cradle", "five balls on strings, one falls on the others")
local p = parameters {
  n = {5, "", "number of balls"},
  r = {0.02, "m", "radius of a ball"},
  l = {0.2, "m", "length of a string"},
  m = {0.25, "kg", "mass of a ball"},
  e = {1, "", "restitution"},
  gap = {0, "m", "gap between neighbours at rest"},
  angle = {30, "deg", "angle of the first string at the start"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", eN = p.e}
for i = 1, p.n do
  local x, phi = (i - 1) * (2 * p.r + p.gap), i == 1 and -p.angle * pi / 180 or 0
  local ball = disk {"ball" .. i, suffix = tostring(i), radius = p.r, mass = p.m,
    position = {x + p.l * sin(phi), -p.l * cos(phi)}, angle = phi}
  revolute {"string" .. i, ground, ball, at = {x, 0}}
  draw {"line", {x, 0}, {ball:point {0, 0}}, name = "string" .. i}
end
draw {"ground", {(2 * p.n - 1) * p.r, 0}, {-p.r, 0}, name = "frame"}
simulate {scheme = "rattle", dt = 1e-4, t_end = 1}
plot {y = {"phi1", "phi" .. p.n}}
