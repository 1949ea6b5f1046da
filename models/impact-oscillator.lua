-- Single degree of freedom impact oscillator.
-- C. Studer, R. Leine, Ch. Glocker: Step size adjustment and extrapolation for time-stepping schemes in non-smooth
-- dynamics. International Journal for Numerical Methods in Engineering 76 (2008), section 10.3.
--
-- The spring is free at x_free < 0; the mass hits a stop at x = 0. The paper does not print the side of the stop: the
-- start x0 < 0 must be admissible, so the gap is -x.
model("impact-oscillator", "a mass on a spring hits a stop again and again (Studer et al. 2008, 10.3)")

local p = parameters {
  m      = {0.1,   "kg",  "mass"},
  c      = {20,    "N/m", "stiffness of the spring"},
  e      = {0.6,   "",    "restitution at the stop"},
  x_free = {-0.15, "m",   "where the spring is not stressed"},
  x0     = {-0.5,  "m",   "position at the start"},
  v0     = {0.2,   "m/s", "velocity at the start"},
}

local q, u = coordinates {
  {"x", velocity = "v", start = {p.x0, p.v0}, unit = "m"},
}

kinetic(p.m * u.v^2 / 2)
potential(p.c * (q.x - p.x_free)^2 / 2)

contact {"stop", gap = -q.x, eN = p.e}

simulate {scheme = "moreau", adaptive = true, dt_min = 1e-7, dt_max = 0.02, dt = 1e-4, t_end = 2}
plot {x = "t", y = "x"}
plot {x = "x", y = "v"}

-- the right face of the mass is at x
local a, wall = 0.06, -1.2
draw {"ground", {wall, -0.15}, {wall, 0.15}, name = "wall", line = "ink"}
draw {"ground", {wall, -a}, {0, -a}, name = "floor"}
draw {"polygon", {0, -a}, {0.05, -a}, {0.05, 1.5 * a}, {0, 1.5 * a}, fill = "grey", name = "stop"}
draw {"spring", {wall, 0}, {q.x - 2 * a, 0}, radius = 0.5 * a, name = "spring"}
draw {"polygon", {q.x - 2 * a, -a}, {q.x, -a}, {q.x, a}, {q.x - 2 * a, a}, fill = "blue", name = "mass"}
draw {"contact", "stop", at = {q.x, 0}, normal = {-1, 0}}
