-- Grains on a rough incline. Below the angle of repose they come to rest, above it they flow off its end.
model("chute", "grains on a rough incline, near the angle of repose")
local p = parameters {
  angle = {28, "deg", "slope of the chute"},
  n = {150, "", "number of grains"},
  layers = {5, "", "layers of grains at the start"},
  r = {0.01, "m", "mean radius; grains differ by 20 %"},
  density = {1000, "kg/m^2", "mass per area"},
  mu = {0.5, "", "friction coefficient"},
  e = {0, "", "restitution"},
  g = {9.81, "m/s^2", "gravity"},
}
-- x points down the chute, y away from it
gravity {p.g * sin(p.angle * pi / 180), -p.g * cos(p.angle * pi / 180)}
material {"default", mu = p.mu, eN = p.e}
local state = 12345
local function draw_number()
  state = (1664525 * state + 1013904223) % 2^32
  return state / 2^32
end
local columns = math.ceil(p.n / p.layers)
local pitch = 2.4 * p.r
local length = columns * pitch
half_space {"upper_end", normal = {1, 0}, position = {0, p.layers * pitch / 2}, extent = (p.layers / 2 + 1) * pitch}
-- the bed: a row of grains that cannot move; the ground is level and lies below its lower end
local bed, last = {}, math.ceil(1.5 * length / (2 * p.r))
for i = 0, last do
  bed[#bed + 1] = {"disk", radius = p.r, at = {2 * p.r * i, -p.r}, fill = "grey"}
end
frame {"bed", shape = bed}
local lower_end = 2 * p.r * last
floor {"ground_below", height = -lower_end * sin(p.angle * pi / 180) - 8 * p.r, extent = 2 * length}
local momentum, mass = 0, 0
for i = 0, p.n - 1 do
  local r, u = p.r * (0.8 + 0.4 * draw_number()), draw_number()
  local c, k = i % columns, i // columns
  local m = p.density * pi * r^2
  local grain = disk {"grain" .. i + 1, suffix = tostring(i + 1), radius = r, density = p.density,
    position = {pitch * (c + 0.5) + (1.2 * p.r - r) * (2 * u - 1), 1.2 * p.r + pitch * k},
    fill = k % 2 == 0 and "orange" or "blue"}
  local x, v = grain:point {0, 0}, grain:velocity {0, 0}
  momentum = momentum + when(lt(x, lower_end), m * v, 0)
  mass = mass + when(lt(x, lower_end), m, 0)
end
observe {"v_mean", momentum / max(mass, 1e-9), unit = "m/s", label = "mean velocity of the grains on the chute"}
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 1}
plot {y = "v_mean"}

-- the picture lies along the chute: the arrow shows where gravity points
local top = {length / 2, (p.layers + 3) * pitch}
local down = {0.2 * length * sin(p.angle * pi / 180), -0.2 * length * cos(p.angle * pi / 180)}
draw {"arrow", {top[1] - down[1], top[2] - down[2]}, top, line = "grey", name = "gravity"}
draw {"text", {top[1] - 1.15 * down[1], top[2] - 1.15 * down[2]}, text = "g", line = "grey"}
