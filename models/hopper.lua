-- Grains flow out of a hopper through its orifice. Beverloo's law: the mass that leaves in a second grows with
-- (D - k d)^(3/2) in the plane, D the width of the orifice, d the diameter of a grain, and not with the height above it.
model("hopper", "grains flow through the orifice of a hopper (Beverloo's law)")
local p = parameters {
  n = {400, "", "number of grains"},
  columns = {20, "", "grains in a row at the start"},
  orifice = {0.08, "m", "width of the orifice"},
  slope = {45, "deg", "slope of the walls of the funnel"},
  r = {0.005, "m", "mean radius; grains differ by 20 %"},
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
local half, gap = p.columns * pitch / 2, p.orifice / 2
local depth = (half - gap) * tan(p.slope * pi / 180)
local top = depth + (math.ceil(p.n / p.columns) + 4) * pitch
-- polylines are free on their left side; the orifice is at y = 0
polyline {"left", points = {{-half, top}, {-half, depth}, {-gap, 0}}}
polyline {"right", points = {{gap, 0}, {half, depth}, {half, top}}}
half_space {"floor", normal = {0, 1}, position = {0, -2 * half}, extent = 2 * half}
local discharged = 0
for i = 0, p.n - 1 do
  local r, u = p.r * (0.8 + 0.4 * draw_number()), draw_number()
  local c, k = i % p.columns, i // p.columns
  local grain = disk {"grain" .. i + 1, suffix = tostring(i + 1), radius = r, density = p.density,
    position = {-half + pitch * (c + 0.5) + (1.2 * p.r - r) * (2 * u - 1), depth + pitch * (k + 0.5)},
    fill = k // 4 % 2 == 0 and "orange" or "blue"}
  local _, y = grain:point {0, 0}
  discharged = discharged + when(lt(y, 0), p.density * pi * r^2, 0)
end
observe {"discharged", discharged, unit = "kg", label = "mass below the orifice"}
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 1.5}
plot {y = "discharged"}
