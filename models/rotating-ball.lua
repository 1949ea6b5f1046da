-- Rotating bouncing ball.
-- J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine: A nonsmooth RATTLE algorithm for mechanical systems with
-- frictional unilateral constraints. Nonlinear Analysis: Hybrid Systems (2024), section 5.1.
--
-- Case 1: omega = 0, eN = 0.5; the ball bounces to rest.
-- Case 2: omega = 50, eN = 0; it slips after the impact and rolls from t = 0.728 s on.
-- Case 3: omega = 10, eN = 0; it sticks on impact and rolls at once.
model("rotating-ball", "a spinning ball falls on the floor, slips and rolls (Breuling et al. 2024, 5.1)")

local p = parameters {
  R     = {0.1,  "m",     "radius"},
  m     = {1,    "kg",    "mass"},
  g     = {9.81, "m/s^2", "gravity"},
  mu    = {0.2,  "",      "friction coefficient"},
  eN    = {0.5,  "",      "normal restitution"},
  eF    = {0,    "",      "tangential restitution"},
  y0    = {1,    "m",     "height of the centre at the start"},
  omega = {0,    "rad/s", "angular velocity at the start"},
}
local J = 2 / 5 * p.m * p.R^2 -- homogeneous sphere, eq. (44)

local q, u = coordinates {
  {"x",   velocity = "ux",   start = {0, 0},       unit = "m"},
  {"y",   velocity = "uy",   start = {p.y0, 0},    unit = "m"},
  {"phi", velocity = "uphi", start = {0, p.omega}, unit = "rad"},
}

kinetic(p.m * (u.ux^2 + u.uy^2) / 2 + J * u.uphi^2 / 2)
potential(p.m * p.g * q.y)

contact {"ground", gap = q.y - p.R, slip = u.ux + p.R * u.uphi, mu = p.mu, eN = p.eN, eF = p.eF}

simulate {scheme = "rattle", dt = 1e-2, t_end = 2}
plot {x = "t", y = "y"}
plot {x = "t", y = {"ux", "uy"}}
plot {x = "t", y = "uphi"}

draw {"ground", {-1, 0}, {4, 0}, name = "ground"}
draw {"circle", {q.x, q.y}, radius = p.R, fill = "blue", name = "ball"}
draw {"line", {q.x - p.R * cos(q.phi), q.y - p.R * sin(q.phi)}, {q.x + p.R * cos(q.phi), q.y + p.R * sin(q.phi)},
  name = "ball"}
draw {"contact", "ground", at = {q.x, q.y - p.R}, normal = {0, 1}}
