-- The rocking block.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), example 3, eqs. (9), (10),
-- data of section 5.3.
--
-- A block of base L and height l falls on its corners A and B, without friction; the impacts accumulate and it stands.
model("rocking-block", "a block rocks on its two lower corners until it stands (Acary 2012, example 3)")

local p = parameters {
  L      = {1,    "m",     "base"},
  l      = {1.5,  "m",     "height"},
  m      = {1,    "kg",    "mass"},
  e      = {0.5,  "",      "restitution at both corners"},
  g      = {9.81, "m/s^2", "gravity"},
  x0     = {0,    "m",     "centre of mass at the start"},
  y0     = {1,    "m",     "centre of mass at the start"},
  theta0 = {0.2,  "rad",   "angle at the start"},
  vx0    = {0,    "m/s",   "velocity at the start"},
  vy0    = {0,    "m/s",   "velocity at the start"},
  omega0 = {0.2,  "rad/s", "angular velocity at the start"},
}
local I = p.m / 12 * (p.l^2 + p.L^2)

local q, u = coordinates {
  {"x",     velocity = "vx",    start = {p.x0, p.vx0},        unit = "m"},
  {"y",     velocity = "vy",    start = {p.y0, p.vy0},        unit = "m"},
  {"theta", velocity = "omega", start = {p.theta0, p.omega0}, unit = "rad"},
}

kinetic(p.m * (u.vx^2 + u.vy^2) / 2 + I * u.omega^2 / 2)
potential(p.m * p.g * q.y)

-- eq. (9)
contact {"A", gap = q.y - p.l / 2 * cos(q.theta) + p.L / 2 * sin(q.theta), eN = p.e}
contact {"B", gap = q.y - p.l / 2 * cos(q.theta) - p.L / 2 * sin(q.theta), eN = p.e}

simulate {scheme = "moreau-combined", dt = 1e-2, t_end = 2}
plot {x = "t", y = {"y", "theta"}}
plot {x = "t", y = {"A.gap", "B.gap"}}

-- the block and its corners
local function at(a, b)
  return {q.x + a * cos(q.theta) - b * sin(q.theta), q.y + a * sin(q.theta) + b * cos(q.theta)}
end
local A, B = at(p.L / 2, -p.l / 2), at(-p.L / 2, -p.l / 2)
draw {"ground", {-1.5 * p.L, 0}, {1.5 * p.L, 0}, name = "ground"}
draw {"polygon", B, A, at(p.L / 2, p.l / 2), at(-p.L / 2, p.l / 2), fill = "blue", name = "block"}
draw {"circle", {q.x, q.y}, radius = 0.02 * p.l, fill = "ink", name = "block"}
draw {"text", at(0.42 * p.L, -0.44 * p.l), text = "A", name = "block"}
draw {"text", at(-0.42 * p.L, -0.44 * p.l), text = "B", name = "block"}
draw {"contact", "A", at = A, normal = {0, 1}}
draw {"contact", "B", at = B, normal = {0, 1}}
