-- Spheres of random size fall in layers into a box with open top and come to rest.
model("spheres", "spheres fall into a box")
local p = parameters {
  n = {1000, "", "number of spheres"},
  columns = {0, "", "spheres in a row at the start; 0: the cube root of n"},
  r_min = {0.008, "m", "smallest radius"},
  r_max = {0.012, "m", "largest radius"},
  density = {2500, "kg/m^3", "mass per volume"},
  mu = {0.5, "", "friction coefficient"},
  e = {0, "", "restitution"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", mu = p.mu, eN = p.e}
-- the same numbers on every machine
local state = 12345
local function draw_number()
  state = (1664525 * state + 1013904223) % 2^32
  return state / 2^32
end
local columns = p.columns > 0 and p.columns or math.floor(p.n^(1 / 3) + 0.5)
local pitch = 2 * p.r_max
local width = columns * pitch
half_space {"floor", normal = {0, 0, 1}, position = {width / 2, width / 2, 0}, extent = width / 2}
for name, side in pairs {left = {1, 0}, right = {-1, 0}, front = {0, 1}, back = {0, -1}} do
  local x, y = table.unpack(side)
  half_space {name, normal = {x, y, 0}, position = {(1 - x) / 2 * width, (1 - y) / 2 * width, 0}, hidden = true}
end
for i = 0, p.n - 1 do
  local r = p.r_min + (p.r_max - p.r_min) * draw_number()
  local u, v = draw_number(), draw_number()
  local c, d = i % columns, i // columns % columns
  sphere {"sphere" .. i + 1, suffix = tostring(i + 1), radius = r, density = p.density,
    position = {p.r_max + pitch * c + (p.r_max - r) * (2 * u - 1), p.r_max + pitch * d + (p.r_max - r) * (2 * v - 1),
      p.r_max + pitch * (i // columns^2)},
    fill = i % 3 == 0 and "orange" or "blue"}
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 2}
plot {y = "E.kin"}
