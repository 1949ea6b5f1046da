-- Grains fall on a floor, with friction, rolling friction and spin friction; for measurements (bench/models).
model("grains", "spheres with rolling friction fall on a floor")
local p = parameters {n = {50, "", "number of grains"}, r = {0.01, "m", "radius"}}
gravity {0, 0, -9.81}
material {"default", mu = 0.5, rolling = 0.1 * p.r, spin_radius = 0.1 * p.r}
half_space {"floor", normal = {0, 0, 1}, extent = 10 * p.r}
for i = 0, p.n - 1 do
  local layer = i // 9
  sphere {"grain" .. i + 1, suffix = tostring(i + 1), radius = p.r, density = 2500,
    position = {p.r * (2.1 * (i % 3) + 0.2 * (layer % 2)), p.r * (2.1 * (i // 3 % 3) + 0.3 * (layer % 3)), p.r * (1 + 2.1 * layer)}}
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 1}
