-- Boxes of random size and orientation fall on a floor, for measurements (bench/models).
model("boxes", "boxes of random size fall on a floor")
local p = parameters {n = {20, "", "number of boxes"}, a = {0.04, "m", "largest edge"}}
gravity {0, 0, -9.81}
material {"default", mu = 0.5}
half_space {"floor", normal = {0, 0, 1}, extent = 10 * p.a}
local state = 12345
local function draw_number() -- the same on every machine
  state = (1664525 * state + 1013904223) % 2^32
  return state / 2^32
end
local function edge() return p.a * (0.5 + 0.5 * draw_number()) end
local function rotation()
  local x, y, z = draw_number() - 0.5, draw_number() - 0.5, draw_number() - 0.5
  local length = sqrt(1 + x^2 + y^2 + z^2)
  return {1 / length, x / length, y / length, z / length}
end
for i = 0, p.n - 1 do
  box {"box" .. i + 1, suffix = tostring(i + 1), size = {edge(), edge(), edge()}, density = 1000, orientation = rotation(),
    position = {1.8 * p.a * (i % 3), 1.8 * p.a * (i // 3 % 3), p.a * (1 + 1.8 * (i // 9))}}
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 1}
