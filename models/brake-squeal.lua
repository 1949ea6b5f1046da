-- A brake squeals by mode coupling: friction makes the stiffness unsymmetric, and two modes of the pad carrier, one along
-- the disk and one across it, merge. Beyond mu = c / k_p small vibrations grow until the pad sticks to the disk or leaves
-- it; friction that falls with the slip speed adds to it. After N. Hoffmann, M. Fischer, R. Allgaier and L. Gaul: A minimal
-- model for studying properties of the mode-coupling type instability in friction induced oscillations. Mechanics Research
-- Communications 29 (2002).
model("brake-squeal", "a brake pad on a disk squeals by mode coupling (after Hoffmann et al. 2002)")

local p = parameters {
  m    = {0.1,   "kg",   "mass of the pad carrier"},
  m_p  = {1e-3,  "kg",   "mass of the pad"},
  k    = {4e6,   "N/m",  "stiffness along the disk, and across it with that of the pad"},
  k_p  = {2.4e6, "N/m",  "stiffness of the pad"},
  c    = {0.8e6, "N/m",  "coupling of both directions"},
  d    = {1,     "N s/m", "damping in both directions"},
  N    = {50,    "N",    "brake force"},
  mu_s = {0.55,  "",     "friction at rest"},
  mu_k = {0.5,   "",     "friction of fast slip"},
  v_s  = {0.02,  "m/s",  "slip speed over which friction falls"},
  v_d  = {0.1,   "m/s",  "speed of the disk"},
  y0   = {1e-7,  "m",    "start beside the equilibrium"},
}

-- the equilibrium: k x - c y = mu (N - k_p y), k y = c x
local mu_d = p.mu_k + (p.mu_s - p.mu_k) * exp(-p.v_d / p.v_s)
local y_e = mu_d * p.N / (p.k * p.k / p.c - p.c + mu_d * p.k_p)

local q, u = coordinates {
  {"x",  velocity = "vx",  start = p.k / p.c * y_e, unit = "m", label = "along the disk"},
  {"y",  velocity = "vy",  start = y_e + p.y0,      unit = "m", label = "across the disk"},
  {"yp", velocity = "vyp", start = 0,               unit = "m", label = "pad"},
}

kinetic(p.m * (u.vx^2 + u.vy^2) / 2 + p.m_p * u.vyp^2 / 2)
potential((p.k - p.c) * q.x^2 / 2 + (p.k - p.k_p - p.c) * q.y^2 / 2 + p.c * (q.x - q.y)^2 / 2)
potential(p.k_p * (q.y - q.yp)^2 / 2 + p.N * q.yp)
dissipation(p.d * (u.vx^2 + u.vy^2) / 2)

contact {"pad", gap = q.yp, slip = u.vx - p.v_d, mu = p.mu_k + (p.mu_s - p.mu_k) * exp(-slip_speed() / p.v_s)}

simulate {scheme = "rattle", adaptive = true, dt_min = 1e-9, dt_max = 1e-4, dt = 1e-6, atol = 1e-10, rtol = 1e-8, t_end = 0.03}
plot {x = "t", y = "vx"}
plot {x = "x", y = "vx"}

-- displacements are drawn a thousand times larger
local s, b = 1000, 0.02
local x, y, yp = s * q.x, 0.03 + s * q.y, s * q.yp
draw {"ground", {-0.08, 0}, {0.12, 0}, name = "disk", line = "ink"}
draw {"arrow", {-0.07, -0.01}, {-0.03, -0.01}, name = "disk"}
draw {"polygon", {x - 0.5 * b, yp}, {x + 0.5 * b, yp}, {x + 0.5 * b, yp + 0.01}, {x - 0.5 * b, yp + 0.01}, fill = "orange", name = "pad"}
draw {"spring", {x, yp + 0.01}, {x, y}, radius = 0.2 * b, name = "stiffness of the pad"}
draw {"polygon", {x - b, y}, {x + b, y}, {x + b, y + b}, {x - b, y + b}, fill = "blue", name = "carrier"}
draw {"spring", {-0.08, y + 0.5 * b}, {x - b, y + 0.5 * b}, radius = 0.2 * b, name = "carrier"}
draw {"ground", {-0.08, 0.02}, {-0.08, 0.07}, name = "calliper", line = "ink"}
draw {"contact", "pad", at = {x, 0}, normal = {0, 1}}
