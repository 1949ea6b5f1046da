-- Towers of cubes apart from each other: nothing but the floor connects them. Every other tower falls from a height of
-- its own; its cubes start turned against each other, so that no two towers are alike.
model("towers", "N towers of cubes on a floor")
local p = parameters {
  n = {100, "", "number of towers"},
  height = {3, "", "cubes of a tower"},
  a = {0.2, "m", "edge of a cube"},
  mu = {0.5, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", mu = p.mu}
local columns = math.ceil(math.sqrt(p.n))
floor {"floor", extent = columns * p.a}
for i = 0, p.n - 1 do
  local x, y = 2 * p.a * (i % columns), 2 * p.a * (i // columns)
  local drop = i % 2 == 1 and 0.01 * p.a * (1 + i % 7) or 0
  for k = 1, p.height do
    local name = i + 1 .. "_" .. k
    box {"cube" .. name, suffix = name, size = {p.a, p.a, p.a}, mass = k,
      position = {x, y, drop + (k - 0.5) * p.a}, angle = drop * k, axis = {0, 0, 1}, fill = "blue"}
  end
end
simulate {scheme = "moreau", dt = 2e-3, t_end = 0.4}
