-- The rimless wheel: spokes without a rim roll down a slope, as the simplest walker.
-- T. McGeer: Passive dynamic walking. Int. J. Robotics Research 9 (1990), section 3.
--
-- The wheel turns about the foot of one spoke as an inverted pendulum until the next spoke strikes. The impact is an
-- event: the angle is counted from the new spoke, and the angular momentum about the new foot is preserved. After some
-- steps the angular velocity after an impact is w with w^2 = cos(2a)^2 (w^2 + 4 g/l sin(a) sin(slope)), where 2a is the
-- angle between two spokes.
model("rimless-wheel", "a wheel without a rim walks down a slope; its impacts are events (McGeer 1990, section 3)")

local p = parameters {
  n     = {8,    "",      "number of spokes"},
  l     = {1,    "m",     "length of a spoke"},
  m     = {1,    "kg",    "mass, at the hub"},
  slope = {0.08, "rad",   "slope"},
  w0    = {1.5,  "rad/s", "angular velocity at the start"},
  g     = {9.81, "m/s^2", "gravity"},
}
local a = pi / p.n -- half of the angle between two spokes

local q, u = coordinates {
  {"theta", velocity = "omega", start = {p.slope - a, p.w0}, unit = "rad", label = "angle from the vertical"},
}
kinetic(p.m * p.l^2 * u.omega^2 / 2)
potential(p.m * p.g * p.l * cos(q.theta))
contact {"ground", gap = p.l + p.l * cos(q.theta)} -- the hub stays above the ground

local steps = state {"steps", label = "steps"}
on {"forwards", when = q.theta - p.slope - a, direction = "rises",
    set = {theta = q.theta - 2 * a, omega = u.omega * cos(2 * a), steps = steps + 1}}
on {"backwards", when = q.theta - p.slope + a, direction = "falls",
    set = {theta = q.theta + 2 * a, omega = u.omega * cos(2 * a), steps = steps - 1}}

observe {"E_spoke", p.m * p.l^2 * u.omega^2 / 2 + p.m * p.g * p.l * cos(q.theta), unit = "J", label = "energy over the foot"}
simulate {scheme = "rattle", dt = 1e-3, t_end = 10, adaptive = true, dt_max = 0.02}
plot {x = "theta", y = "omega"}
plot {x = "t", y = "omega"}

-- The foot moves on by a step along the slope; the hub turns about it.
local length = 2 * p.l * sin(a)
local fx, fy = steps * length * math.cos(p.slope), -steps * length * math.sin(p.slope)
local hx, hy = fx + p.l * sin(q.theta), fy + p.l * cos(q.theta)
draw {"ground", {-2, 2 * math.tan(p.slope)}, {16, -16 * math.tan(p.slope)}, name = "slope"}
for k = 0, p.n - 1 do
  local angle = q.theta + pi + 2 * a * k
  draw {"line", {hx, hy}, {hx + p.l * sin(angle), hy + p.l * cos(angle)}, width = 3, name = "wheel"}
end
draw {"circle", {hx, hy}, radius = 0.08, fill = "blue", name = "wheel"}
draw {"contact", "ground", at = {hx, hy}, normal = {0, 1}}
