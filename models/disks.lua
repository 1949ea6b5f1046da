-- Disks in a box, in a turning drum, or stirred by a paddle.
-- C. Studer, R. I. Leine, Ch. Glocker: Step size adjustment and extrapolation for time-stepping schemes in non-smooth
-- dynamics. International Journal for Numerical Methods in Engineering 76 (2008), Fig. 2.
model("disks", "disks in a box, in a drum or stirred by a paddle (Studer et al. 2008, Fig. 2)")
local p = parameters {
  n = {1000, "", "number of disks"},
  container = {0, "", "0: box, 1: turning drum, 2: box with a paddle"},
  columns = {0, "", "disks in a row at the start; 0: the square root of n"},
  r_min = {0.008, "m", "smallest radius"},
  r_max = {0.012, "m", "largest radius"},
  density = {1000, "kg/m^2", "mass per area"},
  mu = {0.3, "", "friction coefficient"},
  e = {0, "", "restitution"},
  omega = {2, "rad/s", "angular velocity of drum or paddle"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu, eN = p.e}
-- the same numbers on every machine
local state = 12345
local function draw_number()
  state = (1664525 * state + 1013904223) % 2^32
  return state / 2^32
end
local pitch = 2 * p.r_max
local columns = p.columns > 0 and p.columns or math.floor(math.sqrt(p.n) + 0.5)
local width = columns * pitch
local R = 0.75 * width
if p.container == 1 then
  local points, sides = {}, 48
  for k = 0, sides do
    local a = 2 * pi * k / sides
    points[#points + 1] = {R * cos(a), R * sin(a)}
  end
  frame {"drum", angle = p.omega * t, shape = {"polyline", points = points}}
else
  half_space {"floor", normal = {0, 1}, position = {width / 2, 0}, extent = 0.6 * width}
  half_space {"left", normal = {1, 0}, position = {0, width / 2}, extent = width / 2}
  half_space {"right", normal = {-1, 0}, position = {width, width / 2}, extent = width / 2}
end
if p.container == 2 then
  -- turns evenly, whatever it takes: a torque that is limited jams within a radian
  local half, edge = 0.2 * width, 0.2 * p.r_max
  frame {"paddle", position = {width / 2, 0.4 * width}, angle = p.omega * t,
    shape = {"polygon", points = {{-half, -edge}, {half, -edge}, {half, edge}, {-half, edge}}}}
end
for i = 0, p.n - 1 do
  local r, u = p.r_min + (p.r_max - p.r_min) * draw_number(), draw_number()
  local c, k = i % columns, i // columns
  local x, y = p.r_max + pitch * c + (p.r_max - r) * (2 * u - 1), p.r_max + pitch * k
  if p.container == 1 then x, y = x - width / 2, y - 0.45 * width end
  if p.container == 2 then y = y + 0.7 * width end
  disk {"disk" .. i + 1, suffix = tostring(i + 1), radius = r, density = p.density, position = {x, y},
    fill = i % 3 == 0 and "orange" or "blue"}
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 2}
plot {y = "E.kin"}
