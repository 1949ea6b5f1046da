-- Point mass sliding on a table.
-- C. Studer, R. Leine, Ch. Glocker: Step size adjustment and extrapolation for time-stepping schemes in non-smooth
-- dynamics. International Journal for Numerical Methods in Engineering 76 (2008), section 10.2.
--
-- The weight is constant, so the friction force is bounded by a constant a = mu m g: a friction element without a gap.
-- An external force turns the mass round and is switched off at t_off; friction then brings the mass to rest.
model("sliding-mass", "a point mass slides on a table, is turned round and stops (Studer et al. 2008, 10.2)")

local p = parameters {
  m     = {1,     "kg",  "mass"},
  a     = {2,     "N",   "largest friction force"},
  Fx    = {-2.5,  "N",   "external force along x"},
  Fy    = {-0.25, "N",   "external force along y"},
  t_off = {3,     "s",   "the external force is switched off"},
  vx0   = {2,     "m/s", "velocity along x at the start"},
  vy0   = {-0.2,  "m/s", "velocity along y at the start"},
  e     = {0,     "",    "tangential restitution"},
}

local q, u = coordinates {
  {"x", velocity = "vx", start = {0, p.vx0}, unit = "m"},
  {"y", velocity = "vy", start = {0, p.vy0}, unit = "m"},
}

kinetic(p.m * (u.vx^2 + u.vy^2) / 2)

force {
  x = when(lt(t, p.t_off), p.Fx, 0),
  y = when(lt(t, p.t_off), p.Fy, 0),
}
stop_time(p.t_off)

friction {"table", slip = {u.vx, u.vy}, reservoir = p.a, eF = p.e}

observe {"speed", sqrt(u.vx^2 + u.vy^2), unit = "m/s"}

simulate {scheme = "moreau", adaptive = true, dt_min = 1e-6, dt_max = 0.1, dt = 1e-3, t_end = 6}
plot {x = "x", y = "y"}
plot {x = "t", y = "speed"}

-- from above
-- seen from above
draw {"polygon", {-2.1, -0.7}, {0.9, -0.7}, {0.9, 0.4}, {-2.1, 0.4}, fill = "light", line = "grey", name = "table"}
draw {"text", {-0.6, 0.3}, text = "table, from above", line = "grey"}
local on = when(lt(t, p.t_off), 0.15, 0)
draw {"polygon", {q.x - 0.05, q.y - 0.05}, {q.x + 0.05, q.y - 0.05}, {q.x + 0.05, q.y + 0.05}, {q.x - 0.05, q.y + 0.05},
  fill = "blue", name = "mass"}
draw {"arrow", {q.x, q.y}, {q.x + on * p.Fx, q.y + on * p.Fy}, line = "grey", name = "force"}
draw {"contact", "table", at = {q.x, q.y}, tangent = {1, 0}, tangent2 = {0, 1}}
