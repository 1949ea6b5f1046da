-- A heap at rest from its start: disks in a hexagonal packing between a floor and two walls that touch them. Densities differ.
model("packed-disks", "disks in a hexagonal packing, at rest in a box")
local p = parameters {n = {1000, "", "number of disks"}, rows = {40, "", "rows, about"}}
gravity {0, -9.81}
material {"default", mu = 0.3}
local r, c = 0.01, math.max(2, math.floor(p.n / p.rows + 0.5))
half_space {"floor", normal = {0, 1}}
half_space {"left", normal = {1, 0}}
half_space {"right", normal = {-1, 0}, position = {2 * r * c, 0}}
local i, row = 0, 0
while i < p.n do
  local odd = row % 2
  for k = 0, math.min(c - odd, p.n - i) - 1 do
    i = i + 1
    disk {"disk" .. i, suffix = tostring(i), radius = r, density = 1000 + 100 * (i % 11),
      position = {r * (1 + odd + 2 * k), r + math.sqrt(3) * r * row}}
  end
  row = row + 1
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 0.1}
