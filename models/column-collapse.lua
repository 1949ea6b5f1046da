-- A column of grains between two walls; one wall is gone at t = 0, and the column collapses. The distance that it
-- runs out grows with its height over its width.
model("column-collapse", "a column of grains collapses and runs out")
local p = parameters {
  n = {200, "", "number of grains"},
  columns = {10, "", "grains in a row at the start"},
  r = {0.01, "m", "mean radius; grains differ by 20 %"},
  density = {1000, "kg/m^2", "mass per area"},
  mu = {0.3, "", "friction coefficient"},
  e = {0, "", "restitution"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu, eN = p.e}
local state = 12345
local function draw_number()
  state = (1664525 * state + 1013904223) % 2^32
  return state / 2^32
end
local pitch = 2.4 * p.r
local width, height = p.columns * pitch, math.ceil(p.n / p.columns) * pitch
half_space {"floor", normal = {0, 1}, position = {width + height, 0}, extent = width + height}
half_space {"wall", normal = {1, 0}, position = {0, height / 2}, extent = height / 2}
local front = 0
for i = 0, p.n - 1 do
  local r, u = p.r * (0.8 + 0.4 * draw_number()), draw_number()
  local c, k = i % p.columns, i // p.columns
  local grain = disk {"grain" .. i + 1, suffix = tostring(i + 1), radius = r, density = p.density,
    position = {pitch * (c + 0.5) + (1.2 * p.r - r) * (2 * u - 1), pitch * (k + 0.5)},
    fill = k // 2 % 2 == 0 and "orange" or "blue"}
  front = max(front, grain:point {r, 0})
end
observe {"front", front, unit = "m", label = "distance of the farthest grain"}
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 1}
plot {y = "front"}
