-- The tippedisk.
-- J. Breuling, G. Capobianco, S. R. Eugster, R. I. Leine: A nonsmooth RATTLE algorithm for mechanical systems with
-- frictional unilateral constraints. Nonlinear Analysis: Hybrid Systems 52 (2024), section 5.4.
--
-- A disk with a hole beside its centre G: its centre of mass S lies off G by e. Spun about a diameter it turns over
-- until S is above G. The friction coefficient is not printed in the paper; 0.3 is assumed.
model("tippedisk", "an eccentric disk, spun on its rim, turns its centre of mass up (Breuling et al. 2024, section 5.4)")

local p = parameters {
  m  = {0.435, "kg", "mass"},
  r  = {4.5e-2, "m", "radius of the disk"},
  a  = {1.5e-2, "m", "radius of the hole"},
  b  = {2e-2,   "m", "distance of the hole from the centre"},
  Jx = {2.49e-4,   "kg m^2", "moment of inertia about S, towards G"},
  Jy = {2.2972e-4, "kg m^2", "moment of inertia about S, across"},
  Jz = {4.7072e-4, "kg m^2", "moment of inertia about S, normal to the disk"},
  g  = {9.81, "m/s^2", "gravity"},
  mu = {0.3,  "", "friction coefficient (assumed)"},
  Rc = {1e-3, "m", "radius of the contact area"},
  wx0 = {-60, "rad/s", "angular velocity at the start, body frame"},
  wy0 = {0,   "rad/s", "angular velocity at the start, body frame"},
  wz0 = {1,   "rad/s", "angular velocity at the start, body frame"},
}
p = parameters { e = {p.b * p.a^2 / (p.r^2 - p.a^2), "m", "distance from S to G"} }

-- The quaternion (1, 1, 1, -1)/2 turns e_x to -e_z, e_y to e_x and e_z to -e_y. The body's x axis points from G to S,
-- so S is below G; the contact point does not slide at first: v = (R omega) x (position of S).
local height = p.r - p.e
gravity {0, 0, -p.g}
local disk = spatial_body {"disk", suffix = "", mass = p.m, inertia = {p.Jx, p.Jy, p.Jz},
  position = {0, 0, height}, orientation = {0.5, 0.5, 0.5, -0.5},
  omega = {p.wx0, p.wy0, p.wz0}, velocity = {-p.wz0 * height, -p.wy0 * height, 0}}

-- eqs. (57) to (59): G is at -e along the body's x axis from S
rim_contact {"rim", ground, disk, normal = {0, 0, 1}, centre = {-p.e, 0, 0}, axis = {0, 0, 1}, radius = p.r,
  mu = p.mu, spin_radius = p.Rc}

-- inclination and last angle of the sequence z-x-z
local _, _, R31 = disk:direction {1, 0, 0}
local _, _, R32 = disk:direction {0, 1, 0}
local _, _, R33 = disk:direction {0, 0, 1}
observe {"beta", acos(R33), unit = "rad", label = "inclination"}
observe {"gamma", atan2(R31, R32), unit = "rad", label = "last Euler angle"}

simulate {scheme = "rattle", dt = 1e-3, t_end = 4}
plot {x = "t", y = "z"}
plot {x = "t", y = "beta"}
plot {x = "t", y = "gamma"}

-- the disk with its hole: rings of points on both faces, outside and inside
local mesh, n, h = {"mesh", body = disk, fill = "blue", faces = {}}, 48, 2e-3
for _, ring in ipairs {{-p.e, p.r, -h}, {-p.e - p.b, p.a, -h}, {-p.e, p.r, h}, {-p.e - p.b, p.a, h}} do
  for k = 0, n - 1 do
    mesh[#mesh + 1] = {ring[1] + ring[2] * cos(2 * pi * k / n), ring[2] * sin(2 * pi * k / n), ring[3]}
  end
end
local function strip(first, second)
  for k = 1, n do
    local next = k % n + 1
    local i, j, l, m = n * first + k, n * first + next, n * second + k, n * second + next
    mesh.faces[#mesh.faces + 1] = {i, j, m}
    mesh.faces[#mesh.faces + 1] = {i, m, l}
  end
end
strip(1, 0) strip(2, 3) strip(0, 2) strip(3, 1)
draw(mesh)
draw {"sphere", {0, 0, 0}, radius = 1.5 * h, body = disk, fill = "red"}
local a = 3 * p.r
draw {"ground", {-a, -a, 0}, {a, -a, 0}, {a, a, 0}, {-a, a, 0}, fill = "light", name = "floor"}
