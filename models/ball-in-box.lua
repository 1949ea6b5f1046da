-- Bouncing ball in a box.
-- T. Schindler, S. Rezaei, J. Kursawe, V. Acary: Half-explicit timestepping schemes on velocity level based on
-- time-discontinuous Galerkin methods. Computer Methods in Applied Mechanics and Engineering 290 (2015), section 5.2,
-- data of Table 4.
--
-- A ball of radius R in a box of width a and height b, without friction. The text lets gravity act along
-- -(cos, sin) of 30 degrees, Table 4 along -y: angle = 90.
model("ball-in-box", "a ball bounces into the corner of a box (Schindler et al. 2015, 5.2)")

local p = parameters {
  a     = {4,    "m",     "width of the box"},
  b     = {4,    "m",     "height of the box"},
  R     = {1,    "m",     "radius of the ball"},
  m     = {1,    "kg",    "mass"},
  g     = {9.81, "m/s^2", "gravity"},
  e     = {0.3,  "",      "restitution at all walls"},
  angle = {30,   "deg",   "gravity acts along -(cos, sin) of this angle"},
  x0    = {2,    "m",     "centre of the ball at the start"},
  y0    = {2,    "m",     "centre of the ball at the start"},
  vx0   = {0,    "m/s",   "velocity at the start"},
  vy0   = {0,    "m/s",   "velocity at the start"},
}
local angle = p.angle * pi / 180

local q, u = coordinates {
  {"x", velocity = "vx", start = {p.x0, p.vx0}, unit = "m"},
  {"y", velocity = "vy", start = {p.y0, p.vy0}, unit = "m"},
}

kinetic(p.m * (u.vx^2 + u.vy^2) / 2)
potential(p.m * p.g * (cos(angle) * q.x + sin(angle) * q.y))

contact {"left",   gap = q.x - p.R,       eN = p.e}
contact {"right",  gap = p.a - p.R - q.x, eN = p.e}
contact {"bottom", gap = q.y - p.R,       eN = p.e}
contact {"top",    gap = p.b - p.R - q.y, eN = p.e}

simulate {scheme = "moreau", dt = 5e-3, t_end = 3}
plot {x = "t", y = {"left.gap", "bottom.gap"}}
plot {x = "t", y = "E.total"}

-- the box, the ball and gravity
draw {"ground", {0, 0}, {p.a, 0}, {p.a, p.b}, {0, p.b}, {0, 0}, name = "box"}
draw {"circle", {q.x, q.y}, radius = p.R, fill = "blue", name = "ball"}
draw {"circle", {q.x, q.y}, radius = 0.03 * p.R, fill = "ink", name = "ball"}
draw {"arrow", {p.a / 2 + 0.4 * cos(angle), p.b / 2 + 0.4 * sin(angle)},
  {p.a / 2 - 0.4 * cos(angle), p.b / 2 - 0.4 * sin(angle)}, line = "grey", name = "gravity"}
draw {"contact", "left",   at = {q.x - p.R, q.y}, normal = {1, 0}}
draw {"contact", "right",  at = {q.x + p.R, q.y}, normal = {-1, 0}}
draw {"contact", "bottom", at = {q.x, q.y - p.R}, normal = {0, 1}}
draw {"contact", "top",    at = {q.x, q.y + p.R}, normal = {0, -1}}
