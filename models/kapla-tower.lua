-- A round tower of wooden planks that stands by friction and weight alone.
model("kapla-tower", "a round tower of planks that stands by friction alone")
local p = parameters {
  floors = {6, "", "number of floors"},
  base = {8, "", "planks in a floor"},
  length = {0.117, "m", "length of a plank"},
  width = {0.0234, "m", "its width"},
  height = {0.0078, "m", "its height"},
  density = {600, "kg/m^3", "its density"},
  mu = {0.5, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", mu = p.mu}
floor {"floor", extent = 2 * p.length}
-- planks lie along the sides of a polygon, each floor turned by half a side; neighbours of a floor do not touch
local R = 1.02 * p.length / (2 * tan(pi / p.base)) + p.width / 2
local k = 0
for layer = 0, p.floors - 1 do
  for i = 0, p.base - 1 do
    k = k + 1
    local a = 2 * pi * (i + 0.5 * (layer % 2)) / p.base
    box {"plank" .. k, suffix = tostring(k), size = {p.length, p.width, p.height}, density = p.density,
      position = {R * cos(a), R * sin(a), (layer + 0.5) * p.height}, axis = {0, 0, 1}, angle = a + pi / 2,
      fill = (i + layer) % 2 == 0 and "orange" or "brown"}
  end
end
simulate {scheme = "moreau", dt = 1e-2, t_end = 1}
plot {y = "z" .. k}
