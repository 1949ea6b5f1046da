-- The simplest walker: two massless legs with a hip, and feet whose mass is vanishing, walk down a slope.
-- M. Garcia, A. Chatterjee, A. Ruina, M. Coleman: The simplest walking model: stability, complexity, and scaling.
-- J. Biomechanical Engineering 120 (1998), eqs. (1) to (4).
--
-- theta is the angle of the stance leg from the normal of the slope, phi the angle between both legs. Lengths are in legs,
-- times in sqrt(leg / g). The swing foot moves without an effect on the stance leg, so both equations are given as
-- accelerations: forces on two unit masses. At heel strike, phi = 2 theta, the legs change places; the swing foot may
-- pass through the ground at mid-stance, when the legs are nearly parallel.
-- The start is on the stable cycle for a slope of 0.009: theta = 0.200310900544247, theta' = -0.199832473004952, and a
-- step takes 3.88246375285137. The unstable cycle starts at 0.193937369810182, -0.203866927442007 and takes
-- 3.09610586807816. Cycles are stable for slopes below 0.015.
model("simplest-walker", "two legs walk down a slope without a drive; heel strikes are events (Garcia et al. 1998)")

local p = parameters {
  slope  = {0.009,              "rad", "slope"},
  theta0 = {0.2003109005442471, "rad", "angle of the stance leg at the start, just after a heel strike"},
  omega0 = {-0.1998324730049524, "",   "its angular velocity at the start, per sqrt(leg / g)"},
}

local q, u = coordinates {
  {"theta", velocity = "omega", start = {p.theta0, p.omega0}, unit = "rad", label = "stance leg"},
  {"phi", velocity = "psi", start = {2 * p.theta0, (1 - cos(2 * p.theta0)) * p.omega0}, unit = "rad", label = "between the legs"},
}
kinetic((u.omega^2 + u.psi^2) / 2)
local theta_dd = sin(q.theta - p.slope)
force {theta = theta_dd, phi = theta_dd + sin(q.phi) * (u.omega^2 - cos(q.theta - p.slope))}
contact {"ground", gap = cos(q.theta)} -- the hip stays above the ground

-- Heel strike: phi - 2 theta rises through 0. It is 0 after a heel strike as well, and falls through 0 at mid-stance; the
-- second term keeps it positive at the start of a step.
local steps = state {"steps", label = "steps"}
local c = cos(2 * q.theta)
on {"heel_strike", when = q.phi - 2 * q.theta + max(q.theta, 0), direction = "rises",
    set = {theta = -q.theta, phi = -2 * q.theta, omega = c * u.omega, psi = c * (1 - c) * u.omega, steps = steps + 1}}

observe {"E_walker", u.omega^2 / 2 + cos(q.theta - p.slope), label = "energy of the hip over the foot"}
simulate {scheme = "rattle", dt = 1e-3, t_end = 40, adaptive = true, dt_max = 0.05}
plot {x = "theta", y = "omega"}
plot {x = "t", y = "theta"}
plot {x = "t", y = "phi"}

-- A step is as long as the distance of the feet at heel strike on the cycle of the start.
local length = 2 * math.sin(0.2003109005442471)
local cs, sn = math.cos(p.slope), math.sin(p.slope)
local fx, fy = steps * length * cs, -steps * length * sn
local hx, hy = fx - sin(q.theta - p.slope), fy + cos(q.theta - p.slope)
local angle = q.theta - p.slope - q.phi
draw {"ground", {-1, math.tan(p.slope)}, {6, -6 * math.tan(p.slope)}, name = "slope"}
draw {"line", {fx, fy}, {hx, hy}, width = 4, name = "stance leg"}
draw {"line", {hx, hy}, {hx + sin(angle), hy - cos(angle)}, width = 4, name = "swing leg"}
draw {"circle", {hx, hy}, radius = 0.07, fill = "blue", name = "hip"}
draw {"contact", "ground", at = {hx, hy}, normal = {sn, cs}}
