-- The slider-crank mechanism of rigid bodies.
-- J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine: A nonsmooth RATTLE algorithm for mechanical systems with
-- frictional unilateral constraints. Nonlinear Analysis: Hybrid Systems 52 (2024), section 5.2, data of Table 2.
--
-- Crank, rod and slider are bodies in the plane, each with x, y, phi; revolute joints hold them together. The slider
-- runs in a notch with clearance: each of its four corners may touch one wall, with friction.
model("slider-crank-bodies", "a slider-crank of three planar bodies, the slider rattles in its notch (Breuling et al. 2024, section 5.2)")

local p = parameters {
  l1 = {0.153, "m", "length of the crank"},
  l2 = {0.306, "m", "length of the rod"},
  a  = {0.05,  "m", "half of the length of the slider"},
  b  = {0.025, "m", "half of the height of the slider"},
  d  = {0.052, "m", "height of the notch"},
  m1 = {0.038, "kg", "mass of the crank"},
  m2 = {0.038, "kg", "mass of the rod"},
  m3 = {0.076, "kg", "mass of the slider"},
  J1 = {7.4e-5, "kg m^2", "moment of inertia of the crank"},
  J2 = {5.9e-4, "kg m^2", "moment of inertia of the rod"},
  J3 = {2.7e-6, "kg m^2", "moment of inertia of the slider"},
  g  = {9.81, "m/s^2", "gravity"},
  mu = {0.01, "", "friction coefficient of the corners"},
  eN = {0.4,  "", "normal restitution of the corners"},
  eF = {0,    "", "tangential restitution of the corners"},
  omega10 = {150,   "rad/s", "angular velocity of the crank at the start"},
  omega20 = {-75,   "rad/s", "angular velocity of the rod at the start"},
  phi30   = {0.017, "rad",   "angle of the slider at the start"},
}

-- the start is stretched along x; velocities of the centres of mass follow from the crank's
gravity {0, -p.g}
local crank = planar_body {"crank", suffix = "1", mass = p.m1, inertia = p.J1,
  position = {p.l1 / 2, 0}, velocity = {0, p.l1 / 2 * p.omega10}, omega = p.omega10}
local rod = planar_body {"rod", suffix = "2", mass = p.m2, inertia = p.J2,
  position = {p.l1 + p.l2 / 2, 0}, velocity = {0, p.l1 * p.omega10 + p.l2 / 2 * p.omega20}, omega = p.omega20}
local slider = planar_body {"slider", suffix = "3", mass = p.m3, inertia = p.J3,
  position = {p.l1 + p.l2, 0}, angle = p.phi30, velocity = {0, p.l1 * p.omega10 + p.l2 * p.omega20}}

-- eq. (47)
revolute {"bearing", ground, crank, points = {{0, 0}, {-p.l1 / 2, 0}}}
revolute {"crankpin", crank, rod, points = {{p.l1 / 2, 0}, {-p.l2 / 2, 0}}}
revolute {"sliderpin", rod, slider, points = {{p.l2 / 2, 0}, {0, 0}}}

-- eqs. (48), (49): corners 1 and 2 against the upper wall, 3 and 4 against the lower one
local function corner(name, x, y)
  local wall = y > 0 and 1 or -1
  plane_contact {name, ground, slider, origin = {0, wall * p.d / 2}, normal = {0, -wall}, point = {x, y},
    mu = p.mu, eN = p.eN, eF = p.eF}
end
corner("corner1", -p.a, p.b)
corner("corner2", p.a, p.b)
corner("corner3", -p.a, -p.b)
corner("corner4", p.a, -p.b)

simulate {scheme = "rattle", dt = 1e-4, t_end = 0.15}
plot {x = "t", y = {"phi1", "phi2"}}
plot {x = "t", y = {"corner1.gap", "corner2.gap", "corner3.gap", "corner4.gap"}}
plot {x = "t", y = "phi3"}

-- bearings as circles, the notch hatched
draw {"ground", {p.l2 - p.l1 - 2 * p.a, -p.d / 2}, {p.l2 + p.l1 + 2 * p.a, -p.d / 2}, name = "notch"}
draw {"ground", {p.l2 + p.l1 + 2 * p.a, p.d / 2}, {p.l2 - p.l1 - 2 * p.a, p.d / 2}, name = "notch"}
draw {"ground", {-0.03, -0.03}, {0.03, -0.03}, name = "bearing"}
draw {"line", {-0.02, -0.03}, {0, 0}, {0.02, -0.03}, name = "bearing"}
draw {"polygon", {-p.a, -p.b}, {p.a, -p.b}, {p.a, p.b}, {-p.a, p.b}, body = slider, fill = "blue"}
draw {"line", {-p.l2 / 2, 0}, {p.l2 / 2, 0}, body = rod, line = "orange", width = 5}
draw {"line", {-p.l1 / 2, 0}, {p.l1 / 2, 0}, body = crank, line = "green", width = 5}
draw {"circle", {-p.l1 / 2, 0}, radius = 0.006, body = crank, fill = "white"}
draw {"circle", {p.l1 / 2, 0}, radius = 0.006, body = crank, fill = "white"}
draw {"circle", {p.l2 / 2, 0}, radius = 0.006, body = rod, fill = "white"}
