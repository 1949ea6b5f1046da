-- A row of dominoes in the plane. The first one is tipped about its lower corner; the wave runs to the end.
model("dominoes", "a row of dominoes, pushed at one end")
local p = parameters {
  n = {100, "", "number of dominoes"},
  h = {0.048, "m", "height"},
  w = {0.024, "m", "width, along y"},
  d = {0.0075, "m", "thickness, along x"},
  s = {0.0225, "m", "distance of neighbours"},
  mu = {0.2, "", "friction between dominoes"},
  mu_floor = {0.5, "", "friction on the floor"},
  density = {600, "kg/m^3", "density"},
  push = {4, "rad/s", "angular velocity of the first one"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu}
material {"default", "floor", mu = p.mu_floor}
material {"floor"}
half_space {"floor", material = "floor", position = {0.5 * p.n * p.s, 0}, normal = {0, 1}, extent = 0.6 * p.n * p.s}
for i = 1, p.n do
  local push = i == 1 and p.push or 0
  rectangle {"domino" .. i, suffix = tostring(i), size = {p.d, p.h}, density = p.density * p.w,
    fill = i % 2 == 0 and "blue" or "orange", position = {(i - 1) * p.s, p.h / 2}, omega = -push, velocity = {push * p.h / 2, -push * p.d / 2}}
end
simulate {scheme = "rattle", dt = 1e-3, t_end = 3}
plot {y = {"phi1", "phi" .. p.n}}
