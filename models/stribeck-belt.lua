-- A mass on a moving belt, held by a spring. Friction falls with the slip speed at first and rises later, the curve of
-- Stribeck: the mass sticks until the spring pulls with mu(0) N, slips back, and sticks again, in a limit cycle.
model("stribeck-belt", "a mass on a moving belt: stick-slip by friction that falls with the slip speed")

local p = parameters {
  m    = {1,    "kg",  "mass"},
  k    = {100,  "N/m", "stiffness of the spring"},
  N    = {10,   "N",   "normal force"},
  mu_s = {0.4,  "",    "friction at rest"},
  mu_k = {0.2,  "",    "friction of fast slip, without its rise"},
  v_s  = {0.1,  "m/s", "slip speed over which friction falls"},
  rise = {0.02, "s/m", "rise of mu with the slip speed"},
  v_b  = {0.2,  "m/s", "speed of the belt"},
  x0   = {0,    "m",   "position at the start, spring not stressed at 0"},
  v0   = {0,    "m/s", "velocity at the start"},
}

local q, u = coordinates {
  {"x", velocity = "v",  start = {p.x0, p.v0}, unit = "m"},
  {"y", velocity = "vy", start = 0,            unit = "m"},
}

kinetic(p.m * (u.v^2 + u.vy^2) / 2)
potential(p.k * q.x^2 / 2 + p.N * q.y)

local s = slip_speed()
contact {"belt", gap = q.y, slip = u.v - p.v_b, mu = p.mu_k + (p.mu_s - p.mu_k) * exp(-s / p.v_s) + p.rise * s}

simulate {scheme = "rattle", adaptive = true, dt_min = 1e-7, dt_max = 0.01, dt = 1e-3, atol = 1e-8, rtol = 1e-8, t_end = 5}
plot {x = "x", y = "v"}
plot {x = "t", y = {"x", "v"}}

local a, wall = 0.02, -0.12
draw {"ground", {wall, 0}, {wall, 0.06}, name = "wall", line = "ink"}
draw {"line", {-0.1, 0}, {0.15, 0}, name = "belt", width = 3}
for i = 0, 4 do -- marks that move with the belt
  local turn = 2 * pi * (i / 5 + p.v_b * t / 0.25)
  local along = 0.025 + 0.25 * atan2(-sin(turn), -cos(turn)) / (2 * pi)
  draw {"line", {along, 0}, {along, -0.008}, name = "belt"}
end
draw {"spring", {wall, a}, {q.x - a, a}, radius = 0.4 * a, name = "spring"}
draw {"polygon", {q.x - a, q.y}, {q.x + a, q.y}, {q.x + a, q.y + 2 * a}, {q.x - a, q.y + 2 * a}, fill = "blue", name = "mass"}
draw {"contact", "belt", at = {q.x, 0}, normal = {0, 1}}
