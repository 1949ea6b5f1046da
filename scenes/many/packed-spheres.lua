-- A heap at rest from its start: spheres in a cubic packing between a floor and four walls that touch them. Densities differ.
model("packed-spheres", "spheres in a cubic packing, at rest in a box")
local p = parameters {n = {1000, "", "number of spheres; the cube next to it is filled"}}
gravity {0, 0, -9.81}
material {"default", mu = 0.5}
local r, c = 0.01, math.floor(p.n^(1 / 3) + 0.5)
local width = 2 * r * c
half_space {"floor", normal = {0, 0, 1}}
half_space {"left", normal = {1, 0, 0}}
half_space {"right", normal = {-1, 0, 0}, position = {width, 0, 0}}
half_space {"front", normal = {0, 1, 0}}
half_space {"back", normal = {0, -1, 0}, position = {0, width, 0}}
for i = 0, c^3 - 1 do
  local x, y, z = i % c, i // c % c, i // c^2
  sphere {"sphere" .. i + 1, suffix = tostring(i + 1), radius = r, density = 1000 + 100 * (i % 11),
    position = {r + 2 * r * x, r + 2 * r * y, r + 2 * r * z}}
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 0.1}
