-- The compass gait: two legs with masses and a hip with a mass walk down a slope without a drive.
-- A. Goswami, B. Thuilot, B. Espiau: Compass-like biped robot, part I: stability and bifurcation of passive gaits.
-- INRIA research report 2996 (1996), sections 2 and 3.
--
-- theta and phi are the angles of the stance leg and of the swing leg from the vertical. At heel strike, theta + phi =
-- -2 slope, the legs change places; the impulse acts at the new stance foot, so the angular momentum of all masses about
-- this foot and that of the old stance leg about the hip stay. The swing foot may pass through the ground at mid-stance.
-- The start is on the stable cycle of a slope of 3 degrees, with a step of 0.734720962155 s.
model("compass-walker", "a compass gait walks down a slope; heel strikes are events (Goswami et al. 1996)")

local p = parameters {
  m      = {5,   "kg",    "mass of a leg"},
  m_hip  = {10,  "kg",    "mass of the hip"},
  a      = {0.5, "m",     "distance of the mass of a leg from its foot"},
  b      = {0.5, "m",     "distance of the mass of a leg from the hip"},
  slope  = {3,   "deg",   "slope"},
  theta0 = {0.2186688029389909, "rad", "angle of the stance leg at the start, just after a heel strike"},
  omega0 = {-1.091826677489501, "rad/s", "angular velocity of the stance leg at the start"},
  psi0   = {-0.3771815584032441, "rad/s", "angular velocity of the swing leg at the start"},
  g      = {9.8, "m/s^2", "gravity"},
}
local slope, l = p.slope * pi / 180, p.a + p.b

local q, u = coordinates {
  {"theta", velocity = "omega", start = {p.theta0, p.omega0}, unit = "rad", label = "stance leg"},
  {"phi", velocity = "psi", start = {-2 * slope - p.theta0, p.psi0}, unit = "rad", label = "swing leg"},
}
local c = cos(q.theta - q.phi)
local inertia = p.m * (p.a^2 + l^2) + p.m_hip * l^2 -- of all masses about the stance foot, if both legs are parallel
kinetic(inertia / 2 * u.omega^2 + p.m * p.b^2 / 2 * u.psi^2 - p.m * l * p.b * c * u.omega * u.psi)
potential(p.g * ((p.m * (p.a + l) + p.m_hip * l) * cos(q.theta) - p.m * p.b * cos(q.phi)))
contact {"ground", gap = l * cos(q.theta + slope)} -- the hip stays above the ground

-- Heel strike: theta + phi + 2 slope falls through 0. It is 0 after a heel strike as well, and in the first half of a step
-- the foot may pass through the ground; the second term keeps it positive there.
local K = inertia - p.m * l * p.b * c
local push = (p.m_hip * l^2 + 2 * p.m * p.a * l) * c * u.omega - p.m * p.a * p.b * (u.omega + u.psi)
local lean = p.m * (p.b - l * c)
local omega = (push + lean * p.a * u.omega) / (K + lean * l * c)
local steps = state {"steps", label = "steps"}
on {"heel_strike", when = q.theta + q.phi + 2 * slope + max(q.theta + slope, 0), direction = "falls",
    set = {theta = q.phi, phi = q.theta, omega = omega, psi = (l * c * omega - p.a * u.omega) / p.b, steps = steps + 1}}

simulate {scheme = "rattle", dt = 1e-3, t_end = 8, adaptive = true, dt_max = 0.02}
plot {x = "theta", y = "omega"}
plot {x = "phi", y = "psi"}
plot {x = "t", y = {"theta", "phi"}}

-- A step is as long as the distance of the feet at heel strike on the cycle of the start.
local length = 2 * l * math.sin(0.2186688029389909 + 3 * math.pi / 180)
local cs, sn = cos(slope), sin(slope)
local fx, fy = steps * length * cs, -steps * length * sn
local hx, hy = fx - l * sin(q.theta), fy + l * cos(q.theta)
draw {"ground", {-1 * cs, sn}, {6 * cs, -6 * sn}, name = "slope"}
draw {"line", {fx, fy}, {hx, hy}, width = 4, name = "stance leg"}
draw {"line", {hx, hy}, {hx + l * sin(q.phi), hy - l * cos(q.phi)}, width = 4, name = "swing leg"}
draw {"circle", {hx - p.b * (hx - fx) / l, hy - p.b * (hy - fy) / l}, radius = 0.035, fill = "green", name = "stance leg"}
draw {"circle", {hx + p.b * sin(q.phi), hy - p.b * cos(q.phi)}, radius = 0.035, fill = "green", name = "swing leg"}
draw {"circle", {hx, hy}, radius = 0.06, fill = "blue", name = "hip"}
draw {"contact", "ground", at = {hx, hy}, normal = {sn, cs}}
