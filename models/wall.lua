-- A wall of bricks, each on two others; neighbours of a row touch. Nothing may drift, twist or sag.
model("wall", "a wall of bricks that stands")
local p = parameters {
  rows = {10, "", "number of rows"},
  columns = {10, "", "bricks in a row"},
  mu = {0.5, "", "friction coefficient"},
  m = {1, "kg", "mass of a brick"},
  g = {9.81, "m/s^2", "gravity"},
}
local size = {0.4, 0.2, 0.2}
gravity {0, 0, -p.g}
material {"default", mu = p.mu}
half_space {"floor", position = {0.2 * p.columns, 0, 0}, normal = {0, 0, 1}, extent = 0.25 * p.columns}
local k = 0
for row = 0, p.rows - 1 do
  for column = 0, p.columns - 1 do
    k = k + 1
    box {"brick" .. k, suffix = tostring(k), size = size, mass = p.m, fill = k % 2 == 0 and "red" or "brown",
      position = {0.4 * column + 0.1 * (row % 2), 0, 0.2 * row + 0.1}}
  end
end
simulate {scheme = "moreau", solver = "gs", dt = 5e-3, t_end = 10}
plot {y = "z" .. k}
