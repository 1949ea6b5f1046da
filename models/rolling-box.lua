-- A plate that slides on the ground, pushed along its diagonal, with balls that roll on it.
-- J. Hwangbo, J. Lee, M. Hutter: SimBenchmark (2018), "rolling". The size of plate and balls is not printed: assumed.
model("rolling-box", "a plate is pushed along its diagonal, with balls rolling on it (SimBenchmark)")
local p = parameters {
  n = {5, "", "balls in a row and in a column"},
  m = {10, "kg", "mass of the plate"},
  m_ball = {1, "kg", "mass of a ball"},
  r = {0.5, "m", "radius of a ball"},
  a = {20, "m", "edge of the plate"},
  h = {0.5, "m", "thickness of the plate"},
  F = {150, "N", "force on the plate"},
  mu = {0.4, "", "friction coefficient of plate and ground"},
  mu_ball = {0.8, "", "friction coefficient of balls and plate"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"ball", mu = 0}
material {"ball", "plate", mu = p.mu_ball}
material {"ball", "ground", mu = 0}
material {"plate", "ground", mu = p.mu}
material {"plate", mu = 0}
floor {"floor", material = "ground", extent = p.a}
local plate = box {"plate", suffix = "", size = {p.a, p.a, p.h}, mass = p.m, material = "plate", position = {0, 0, p.h / 2}}
-- at the bottom of the plate, so that it does not tilt: the pressure on the ground stays even
body_force {plate, point = {0, 0, -p.h / 2}, force = {p.F / sqrt(2), p.F / sqrt(2), 0}}
for i = 1, p.n do
  for j = 1, p.n do
    local k = (i - 1) * p.n + j
    sphere {"ball" .. k, suffix = tostring(k), radius = p.r, mass = p.m_ball, material = "ball",
      position = {3 * p.r * (i - (p.n + 1) / 2), 3 * p.r * (j - (p.n + 1) / 2), p.h + p.r}, fill = "orange"}
  end
end
-- Balls that roll take part with 2/7 of their mass.
local balls = p.n^2 * p.m_ball
local exact = (p.F - p.mu * (p.m + balls) * p.g) / (p.m + 2 / 7 * balls)
observe {"v_exact", exact / sqrt(2) * t, unit = "m/s", label = "closed form of vx"}
simulate {scheme = "rattle", dt = 1e-2, t_end = 4}
plot {y = {"vx", "v_exact", "vx1"}}
