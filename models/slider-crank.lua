-- The slider-crank mechanism with clearance in the slider's guide.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), section 6.4.1, Table 2 (there J2 = 8.9e-4).
-- T. Schindler, S. Rezaei, J. Kursawe, V. Acary: Half-explicit timestepping schemes on velocity level based on
-- time-discontinuous Galerkin methods. Computer Methods in Applied Mechanics and Engineering 290 (2015), section 2.1
-- (J2 = 5.9e-4, as here).
-- Gaps and slips as in J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine: A nonsmooth RATTLE algorithm for
-- mechanical systems with frictional unilateral constraints. Nonlinear Analysis: Hybrid Systems (2024),
-- section 5.2, eqs. (48), (49); there theta30 = 0.017.
--
-- Crank 1, connecting rod 2 and slider 3, all angles against the x axis. The slider is a rectangle of half lengths a and
-- b in a notch of height d = 2 (b + c); its four corners may touch the notch. c = 0 leaves no play: the guide is then
-- bilateral and without friction, and there are no corners.
model("slider-crank", "a slider-crank with play in the slider's guide (Acary 2012, section 6.4.1)")

local p = parameters {
  l1 = {0.153,  "m",      "length of the crank"},
  l2 = {0.306,  "m",      "length of the connecting rod"},
  a  = {0.05,   "m",      "half of the slider's length"},
  b  = {0.025,  "m",      "half of the slider's height"},
  c  = {0.001,  "m",      "play above and below the slider; 0: a bilateral guide without friction"},
  m1 = {0.038,  "kg",     "mass of the crank"},
  m2 = {0.038,  "kg",     "mass of the connecting rod"},
  m3 = {0.076,  "kg",     "mass of the slider"},
  J1 = {7.4e-5, "kg m^2", "moment of inertia of the crank, about its centre"},
  J2 = {5.9e-4, "kg m^2", "moment of inertia of the connecting rod, about its centre"},
  J3 = {2.7e-6, "kg m^2", "moment of inertia of the slider, about its centre"},
  g  = {9.81,   "m/s^2",  "gravity"},
  e  = {0.4,    "",       "normal restitution of the corners"},
  mu = {0.01,   "",       "friction coefficient of the corners"},
  theta10 = {0,   "rad",   "angle of the crank at the start"},
  theta20 = {0,   "rad",   "angle of the connecting rod at the start"},
  theta30 = {0,   "rad",   "angle of the slider at the start"},
  omega10 = {150, "rad/s", "angular velocity of the crank at the start"},
  omega20 = {-75, "rad/s", "angular velocity of the connecting rod at the start"},
  omega30 = {0,   "rad/s", "angular velocity of the slider at the start"},
}

local q, u = coordinates {
  {"theta1", velocity = "omega1", start = {p.theta10, p.omega10}, unit = "rad"},
  {"theta2", velocity = "omega2", start = {p.theta20, p.omega20}, unit = "rad"},
  {"theta3", velocity = "omega3", start = {p.theta30, p.omega30}, unit = "rad"},
}
local s1, c1, s2, c2 = sin(q.theta1), cos(q.theta1), sin(q.theta2), cos(q.theta2)

-- the slider's centre and its velocity
local x3, y3 = p.l1 * c1 + p.l2 * c2, p.l1 * s1 + p.l2 * s2
local vx3 = -p.l1 * s1 * u.omega1 - p.l2 * s2 * u.omega2

-- sum of m v^2 / 2 + J omega^2 / 2, with the products of sines and cosines collected
local M11 = p.J1 + p.m1 * p.l1^2 / 4 + (p.m2 + p.m3) * p.l1^2
local M22 = p.J2 + p.m2 * p.l2^2 / 4 + p.m3 * p.l2^2
local M12 = (p.m2 / 2 + p.m3) * p.l1 * p.l2 * (c1 * c2 + s1 * s2) -- cos(theta1 - theta2)
kinetic(M11 * u.omega1^2 / 2 + M22 * u.omega2^2 / 2 + M12 * u.omega1 * u.omega2 + p.J3 * u.omega3^2 / 2)
potential(p.g * ((p.m1 / 2 + p.m2 + p.m3) * p.l1 * s1 + (p.m2 / 2 + p.m3) * p.l2 * s2))

if p.c > 0 then
  -- the corner at (side a, level b) of the slider: -1 left or below, 1 right or above
  local function corner(name, side, level)
    local along, up = side * p.a, level * p.b
    contact {name,
      gap = p.b + p.c - level * (y3 + along * sin(q.theta3) + up * cos(q.theta3)),
      slip = vx3 - u.omega3 * (along * sin(q.theta3) + up * cos(q.theta3)),
      mu = p.mu, eN = p.e}
  end
  corner("corner1", -1, 1)
  corner("corner2", 1, 1)
  corner("corner3", -1, -1)
  corner("corner4", 1, -1)
else
  constraint {"guide", position = y3}
  constraint {"upright", position = q.theta3}
end

observe {"x3", x3, unit = "m", label = "slider x"}
observe {"y3", y3, unit = "m", label = "slider y"}
observe {"revolution", q.theta1 / (2 * pi), label = "revolutions of the crank"}
if p.c > 0 then observe {"lift", y3 / p.c, label = "slider y over the play"} end

simulate {scheme = "moreau-jean", dt = 1e-5, t_end = 0.1376} -- two revolutions of the crank
plot {x = "t", y = {"omega1", "omega2"}}
plot {x = "x3", y = "y3"}
if p.c > 0 then plot {x = "t", y = {"corner1.gap", "corner3.gap"}} end

-- bearings as circles, the notch hatched
local h, left, right = p.b + p.c, p.l2 - p.l1 - 2 * p.a, p.l2 + p.l1 + 2 * p.a
local function on_slider(a, b)
  return {x3 + a * cos(q.theta3) - b * sin(q.theta3), y3 + a * sin(q.theta3) + b * cos(q.theta3)}
end
local crankpin = {p.l1 * c1, p.l1 * s1}
draw {"ground", {left, -h}, {right, -h}, name = "notch"}
draw {"ground", {right, h}, {left, h}, name = "notch"}
draw {"ground", {-0.03, -0.03}, {0.03, -0.03}, name = "bearing"}
draw {"line", {-0.02, -0.03}, {0, 0}, {0.02, -0.03}, name = "bearing"}
draw {"polygon", on_slider(-p.a, -p.b), on_slider(p.a, -p.b), on_slider(p.a, p.b), on_slider(-p.a, p.b),
  fill = "blue", name = "slider"}
draw {"line", crankpin, {x3, y3}, line = "orange", width = 5, name = "rod"}
draw {"line", {0, 0}, crankpin, line = "green", width = 5, name = "crank"}
draw {"circle", {0, 0}, radius = 0.006, fill = "white", name = "crank"}
draw {"circle", crankpin, radius = 0.006, fill = "white", name = "crank"}
draw {"circle", {x3, y3}, radius = 0.006, fill = "white", name = "rod"}
if p.c > 0 then
  draw {"contact", "corner1", at = on_slider(-p.a, p.b), normal = {0, -1}, tangent = {1, 0}}
  draw {"contact", "corner2", at = on_slider(p.a, p.b), normal = {0, -1}, tangent = {1, 0}}
  draw {"contact", "corner3", at = on_slider(-p.a, -p.b), normal = {0, 1}, tangent = {1, 0}}
  draw {"contact", "corner4", at = on_slider(p.a, -p.b), normal = {0, 1}, tangent = {1, 0}}
end
