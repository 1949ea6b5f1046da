-- A quarter of a car drives over a road that is a table of heights.
--
-- The body rests on the wheel by a spring and a damper, the wheel on the road by the tyre, a spring that only presses.
-- A stop limits how far the suspension can be compressed. The road is rough, with a bump and a pothole: at 15 m/s the
-- wheel leaves it behind the bump, and the stop is hit. The table has a point for each 0.1 m, as a survey of a road
-- has; table(p.v * t, "road.csv") reads such a survey from a file.
model("quarter-car", "a quarter of a car drives over a rough road with a bump and a pothole, given as a table")

local p = parameters {
  v       = {15,     "m/s",    "speed of the car"},
  m_body  = {300,    "kg",     "mass of the body"},
  m_wheel = {40,     "kg",     "mass of the wheel"},
  k       = {18000,  "N/m",    "stiffness of the suspension"},
  c       = {1200,   "N s/m",  "damping of the suspension"},
  k_tyre  = {180000, "N/m",    "stiffness of the tyre"},
  travel  = {0.05,   "m",      "compression at which the suspension reaches its stop"},
  e       = {0.2,    "",       "restitution at the stop"},
  rough   = {1,      "",       "factor of the roughness"},
  bump    = {0.08,   "m",      "height of the bump"},
  hole    = {0.04,   "m",      "depth of the pothole"},
  r       = {0.3,    "m",      "radius of the wheel"},
  g       = {9.81,   "m/s^2",  "gravity"},
}

-- a cosine of some width around a place
local function hump(s, place, width)
  local x = (s - place) / width
  return math.abs(x) < 0.5 and (1 + math.cos(2 * math.pi * x)) / 2 or 0
end

local road = {}
for i = 0, 600 do
  local s, h = 0.1 * i, 0
  for n = 1, 8 do h = h + 0.004 / n * math.sin(0.37 * n * n * s + n) end
  h = p.rough * h * math.min(1, s / 5) -- it begins smooth
  road[#road + 1] = {s, h + p.bump * hump(s, 15, 2) - p.hole * hump(s, 35, 1)}
end

local q, u = coordinates {
  {"z",  velocity = "v_body",  unit = "m", label = "body"},   -- from the state of rest on a flat road
  {"zw", velocity = "v_wheel", unit = "m", label = "wheel"},
}
local height = table(p.v * t, road)
local pressed = (p.m_body + p.m_wheel) * p.g / p.k_tyre -- at rest

kinetic(p.m_body * u.v_body^2 / 2 + p.m_wheel * u.v_wheel^2 / 2)
potential(p.k * (q.z - q.zw)^2 / 2)
potential(p.k_tyre * max(0, height - q.zw + pressed)^2 / 2 + (p.m_body + p.m_wheel) * p.g * q.zw)
dissipation(p.c * (u.v_body - u.v_wheel)^2 / 2)
contact {"stop", gap = p.travel + q.z - q.zw, eN = p.e}

observe {"road", height, unit = "m", label = "road"}
observe {"tyre", p.k_tyre * max(0, height - q.zw + pressed), unit = "N", label = "force on the road"}

simulate {scheme = "rattle", dt = 1e-3, t_end = 4, adaptive = true, sample = 5e-3}
plot {x = "t", y = {"z", "zw", "road"}}
plot {x = "t", y = "tyre"}
plot {x = "t", y = "stop.gap"}

-- The part of the road near the wheel passes below it; heights are drawn threefold.
local scale, line = 3, {"line", width = 2, name = "road"}
for i, point in ipairs(road) do line[i + 1] = {min(max(point[1] - p.v * t, -1.5), 2.5), scale * point[2]} end
draw(line)
local wheel, body = p.r + scale * q.zw, p.r + 0.7 + scale * q.z
draw {"circle", {0, wheel}, radius = p.r, fill = "grey", name = "wheel"}
draw {"spring", {0, wheel}, {0, body - 0.2}, radius = 0.08, name = "suspension"}
draw {"polygon", {-0.6, body - 0.2}, {0.6, body - 0.2}, {0.6, body + 0.2}, {-0.6, body + 0.2}, fill = "blue", name = "body"}
draw {"contact", "stop", at = {0, body - 0.2}, normal = {0, 1}}
