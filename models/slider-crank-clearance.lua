-- The slider-crank mechanism in space with clearance in the crankpin.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact and
-- Coulomb's friction. Computer Methods in Applied Mechanics and Engineering 256 (2013), section 6.4.2, data of Table 2.
--
-- Crank, rod and slider are slender rods in space. The crank turns in a perfect bearing, rod and slider share a perfect
-- pin. The crankpin has the clearance r in the hole of the rod and may tilt: it touches near the two ends of the hole. The
-- slider is a round piston with clearance in its cylinder; its two rims touch the wall. r = 0 leaves no play: the crankpin
-- is then a perfect joint, too.
--
-- Assumed, because the paper does not print it: radius of the pin, width of the hole, and J3x. The printed J3x = 1e-5 kg m^2
-- is larger than the sum of the other two moments of the slider, which no body has; here it is that sum.
model("slider-crank-clearance", "a slider-crank in space with clearance in crankpin and cylinder (Acary 2012, section 6.4.2)")

local p = parameters {
  l1 = {0.153, "m", "length of the crank"},
  l2 = {0.306, "m", "length of the rod"},
  a  = {0.05,  "m", "half of the length of the slider"},
  b  = {0.025, "m", "radius of the slider"},
  d  = {0.052, "m", "diameter of the cylinder"},
  r  = {5e-4,  "m", "clearance of the crankpin: radius of the hole minus radius of the pin; 0: a perfect joint"},
  r_pin = {0.01, "m", "radius of the crankpin"},
  w  = {0.02,  "m", "width of the hole of the rod"},
  m1 = {0.038, "kg", "mass of the crank"},
  m2 = {0.038, "kg", "mass of the rod"},
  m3 = {0.076, "kg", "mass of the slider"},
  J1 = {7.4e-5, "kg m^2", "moment of inertia of the crank about y and z"},
  J2 = {8.9e-4, "kg m^2", "moment of inertia of the rod about y and z"},
  J3 = {2.7e-6, "kg m^2", "moment of inertia of the slider about y and z"},
  J1x = {1e-5, "kg m^2", "moment of inertia of the crank about x"},
  J2x = {1e-5, "kg m^2", "moment of inertia of the rod about x"},
  J3x = {5.4e-6, "kg m^2", "moment of inertia of the slider about x"},
  g  = {9.81, "m/s^2", "gravity, along -y"},
  mu_pin = {0.01, "", "friction coefficient of the crankpin"},
  e_pin  = {0,    "", "restitution of the crankpin"},
  mu = {0.01, "", "friction coefficient of the slider"},
  eN = {0.4,  "", "restitution of the slider"},
  omega10 = {150, "rad/s", "angular velocity of the crank at the start"},
  omega20 = {-75, "rad/s", "angular velocity of the rod at the start"},
  vz0 = {0, "m/s", "velocity of rod and slider out of the plane at the start"},
}

-- The start is stretched along x, pin and slider in the middle of their holes.
gravity {0, -p.g, 0}
local crank = spatial_body {"crank", suffix = "1", mass = p.m1, inertia = {p.J1x, p.J1, p.J1},
  position = {p.l1 / 2, 0, 0}, velocity = {0, p.l1 / 2 * p.omega10, 0}, omega = {0, 0, p.omega10}}
local rod = spatial_body {"rod", suffix = "2", mass = p.m2, inertia = {p.J2x, p.J2, p.J2},
  position = {p.l1 + p.l2 / 2, 0, 0}, velocity = {0, p.l1 * p.omega10 + p.l2 / 2 * p.omega20, p.vz0},
  omega = {0, 0, p.omega20}}
local slider = spatial_body {"slider", suffix = "3", mass = p.m3, inertia = {p.J3x, p.J3, p.J3},
  position = {p.l1 + p.l2, 0, 0}, velocity = {0, p.l1 * p.omega10 + p.l2 * p.omega20, p.vz0}}

revolute {"bearing", ground, crank, at = {0, 0, 0}, axis = {0, 0, 1}}
revolute {"sliderpin", rod, slider, at = {p.l1 + p.l2, 0, 0}, axis = {0, 0, 1}}

local function crankpin(name, z)
  hole_contact {name, rod, crank, point_a = {-p.l2 / 2, 0, z}, axis = {0, 0, 1}, radius_a = p.r_pin + p.r,
    point_b = {p.l1 / 2, 0, z}, radius_b = p.r_pin, mu = p.mu_pin, eN = p.e_pin}
end
if p.r ~= 0 then
  crankpin("pin1", -p.w / 2)
  crankpin("pin2", p.w / 2)
else
  revolute {"crankpin", crank, rod, at = {p.l1, 0, 0}, axis = {0, 0, 1}}
end

local function rim(name, x)
  hole_contact {name, ground, slider, point_a = {0, 0, 0}, axis = {1, 0, 0}, radius_a = p.d / 2,
    point_b = {x, 0, 0}, radius_b = p.b, mu = p.mu, eN = p.eN}
end
rim("rim1", -p.a)
rim("rim2", p.a)

-- the place of the pin in its hole, in the frame of the rod, and the slider's way along its cylinder
local pin, hole = {crank:point {p.l1 / 2, 0, 0}}, {rod:point {-p.l2 / 2, 0, 0}}
local rx, ry = {rod:direction {1, 0, 0}}, {rod:direction {0, 1, 0}}
local function along(n) return n[1] * (pin[1] - hole[1]) + n[2] * (pin[2] - hole[2]) + n[3] * (pin[3] - hole[3]) end
observe {"pin_x", along(rx), unit = "m", label = "pin in its hole, along the rod"}
observe {"pin_y", along(ry), unit = "m", label = "pin in its hole, across the rod"}

simulate {scheme = "moreau-combined", dt = 1e-5, t_end = 0.1}
plot {x = "t", y = {"wz1", "wz2"}}
plot {x = "pin_x", y = "pin_y"}
plot {x = "t", y = "x3"}

-- the cylinder as a ring at either end, rods as cylinders; crank and rod lie side by side along the pin
local end1, end2 = p.l2 - p.l1 - 1.2 * p.a, p.l2 + p.l1 + 1.2 * p.a
for i, x in ipairs {end1, (end1 + end2) / 2, end2} do
  local n, ring = 32, {"line", name = "cylinder", line = "grey"}
  for k = 0, n do ring[#ring + 1] = {x, p.d / 2 * cos(2 * pi * k / n), p.d / 2 * sin(2 * pi * k / n)} end
  draw(ring)
end
draw {"cylinder", {-p.a, 0, 0}, {p.a, 0, 0}, radius = p.b, body = slider, fill = "blue"}
draw {"cylinder", {-p.l2 / 2, 0, -p.w / 2}, {-p.l2 / 2, 0, p.w / 2}, radius = 1.6 * p.r_pin, body = rod, fill = "orange"}
draw {"cylinder", {-p.l2 / 2 + 1.6 * p.r_pin, 0, 0}, {p.l2 / 2, 0, 0}, radius = 0.5 * p.r_pin, body = rod, fill = "orange"}
draw {"cylinder", {p.l1 / 2, 0, -1.5 * p.w}, {p.l1 / 2, 0, 0.6 * p.w}, radius = p.r_pin, body = crank, fill = "green"}
draw {"cylinder", {-p.l1 / 2, 0, -1.5 * p.w}, {p.l1 / 2, 0, -1.5 * p.w}, radius = 0.6 * p.r_pin, body = crank, fill = "green"}
draw {"cylinder", {-p.l1 / 2, 0, -2 * p.w}, {-p.l1 / 2, 0, -p.w}, radius = p.r_pin, body = crank, fill = "grey"}
