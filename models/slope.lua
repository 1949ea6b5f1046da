-- Point mass on a slope.
-- J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine: A nonsmooth RATTLE algorithm for mechanical systems with
-- frictional unilateral constraints. Nonlinear Analysis: Hybrid Systems (2024), section 5.3.
--
-- A point mass falls and slides on the curve y = exp(-x) until it sticks.
-- Case 1: on the slope, at rest. Case 2: on the slope, sliding down with speed 1. Case 3: sliding up with speed 1.
-- Case 4: above the slope, at rest; one inelastic impact. x0, y0, ux0, uy0 replace the start of the case.
model("slope", "a point mass falls and slides on an exponential slope (Breuling et al. 2024, 5.3)")

local p = parameters {
  m    = {pi,  "kg",    "mass"},
  g    = {10,  "m/s^2", "gravity"},
  mu   = {0.3, "",      "friction coefficient"},
  eN   = {0,   "",      "normal restitution"},
  eF   = {0,   "",      "tangential restitution"},
  case = {1,   "",      "start: 1 at rest, 2 sliding down, 3 sliding up, 4 falling"},
}

local starts = {
  {x0 = 0, y0 = 1,   speed = 0},
  {x0 = 0, y0 = 1,   speed = 1},
  {x0 = 0, y0 = 1,   speed = -1},
  {x0 = 0, y0 = 1.5, speed = 0},
}
local start = starts[p.case]
if not start then error("case is " .. p.case .. " and must be 1, 2, 3 or 4") end

p = parameters {
  x0  = {start.x0,               "m",   "position at the start, by the case"},
  y0  = {start.y0,               "m",   "position at the start, by the case"},
  ux0 = {start.speed / sqrt(2),  "m/s", "velocity at the start, by the case"},
  uy0 = {-start.speed / sqrt(2), "m/s", "velocity at the start, by the case"},
}

local q, u = coordinates {
  {"x", velocity = "ux", start = {p.x0, p.ux0}, unit = "m"},
  {"y", velocity = "uy", start = {p.y0, p.uy0}, unit = "m"},
}

kinetic(p.m * (u.ux^2 + u.uy^2) / 2)
potential(p.m * p.g * q.y)

-- tangent and normal of the curve f(x) = (x, exp(-x)), eqs. (51), (52)
local f = exp(-q.x)
local norm = sqrt(1 + f^2)
local tx, ty = 1 / norm, -f / norm

-- eq. (53); n = (-ty, tx), and q - f(x) = (0, y - exp(-x))
contact {"slope",
  gap = tx * (q.y - f),
  slip = tx * u.ux + ty * u.uy,
  mu = p.mu, eN = p.eN, eF = p.eF}

simulate {scheme = "rattle", dt = 1e-3, t_end = 3.2768}
plot {x = "x", y = "y"}
plot {x = "t", y = {"ux", "uy"}}

-- the curve and the mass
local curve = {"ground", name = "slope"}
for k = 0, 60 do
  local x = -0.6 + 5.6 * k / 60
  curve[#curve + 1] = {x, exp(-x)}
end
draw(curve)
draw {"circle", {q.x, q.y}, radius = 0.06, fill = "blue", name = "mass"}
draw {"contact", "slope", at = {q.x, q.y}, normal = {-ty, tx}, tangent = {tx, ty}}
