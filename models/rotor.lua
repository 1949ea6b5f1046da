-- A rotor with a flywheel whirls in a bearing with clearance and friction.
-- T. Schindler, S. Rezaei, J. Kursawe, V. Acary: Half-explicit timestepping schemes on velocity level based on
-- time-discontinuous Galerkin methods. Computer Methods in Applied Mechanics and Engineering 290 (2015), section 6.2,
-- Table 6.
--
-- The axle along x has two deflections, two bending rotations and the rotation about x at each node; z is vertical. Node 0
-- carries the journal, the flywheel is at x = xF, the drive at the last node.
--
-- What the paper leaves open, and what is chosen here:
-- - coefficient of restitution 0; axle, flywheel and bearing start at rest and centred;
-- - moment of inertia of the flywheel about y and z: a steel disc of radius 63.4 mm and width 50.3 mm, 6.05e-3 kg m^2;
-- - eccentricity of the flywheel: 3e-4 m. Without it (ecc = 0) the rotor hardly whirls. Its centrifugal force
--   m ecc wx^2 is taken along; terms with the angular acceleration and the weight of the eccentric mass are left out;
-- - the drive has no mass; its mount holds y and z of the last node; the torques TD about x and TF about z act there, TF
--   all the time;
-- - the mass-proportional damping d1A acts on deflections and bending rotations, the torsional damping d2A on rotation
--   about x, evenly along the axle;
-- - gyroscopic terms of the flywheel only: those of the axle are fifty times smaller;
-- - the journal is rigid on node 0 and touches the bearing at xJB only;
-- - the number of elements: N on the complete length. With Rayleigh's theory dt = 5e-6 s is stable up to N = 8.
model("rotor", "a flexible rotor whirls in a bearing with clearance (Schindler et al. 2015, section 6.2)")

local p = parameters {
  lA  = {0.59,     "m",      "length of the axle"},
  rA  = {12.5e-3,  "m",      "radius of the axle"},
  rho = {7.85e3,   "kg/m^3", "density of the axle"},
  E   = {2.1e11,   "N/m^2",  "Young's modulus"},
  G   = {0.81e11,  "N/m^2",  "shear modulus"},
  d1A = {60,       "1/s",    "mass-proportional damping"},
  d2A = {0.001,    "N m s",  "torsional damping of the complete axle"},
  mF  = {4.98,     "kg",     "mass of the flywheel"},
  JF  = {0.01,     "kg m^2", "its moment of inertia about the axis"},
  JT  = {6.05e-3,  "kg m^2", "its moment of inertia across the axis"},
  xF  = {0.18,     "m",      "its position"},
  ecc = {3e-4,     "m",      "its eccentricity"},
  rJF = {1e-2,     "m",      "radius of the journal"},
  xJB = {9.5e-3,   "m",      "position of the contact"},
  rJB = {1.01e-2,  "m",      "radius of the bearing"},
  mJB = {2.3,      "kg",     "mass of the bearing"},
  cJB = {1e6,      "N/m",    "stiffness of its mount"},
  dJB = {10,       "N s/m",  "damping of its mount"},
  mu  = {0.01,     "",       "friction in the bearing"},
  e   = {0,        "",       "restitution in the bearing"},
  TD  = {100,      "N m",    "driving torque"},
  tD  = {0.05,     "s",      "time for which it acts"},
  TF  = {10,       "N m",    "failure torque about the vertical axis"},
  cD  = {6e6,      "N/m",    "stiffness of the drive's mount"},
  dD  = {10,       "N s/m",  "damping of the drive's mount"},
  g   = {9.81,     "m/s^2",  "gravity"},
  N   = {7,        "",       "number of elements"},
}

local q, u = coordinates {
  {"yB", velocity = "vyB", unit = "m", label = "bearing, y"},
  {"zB", velocity = "vzB", unit = "m", label = "bearing, z"},
}
kinetic(p.mJB * (u.vyB^2 + u.vzB^2) / 2)
potential(p.cJB * (q.yB^2 + q.zB^2) / 2 + p.mJB * p.g * q.zB)
dissipation(p.dJB * (u.vyB^2 + u.vzB^2) / 2)

local left = math.max(1, math.floor(p.N * p.xF / p.lA + 0.5)) -- elements up to the flywheel
local last = math.max(p.N, left + 1)
local supports = {}
for i = 0, last do supports[i + 1] = {i, "ux"} end
local A = beam {"A", spatial = true, theory = "rayleigh",
  segments = {{length = p.xF, elements = left}, {length = p.lA - p.xF, elements = last - left}},
  circle = p.rA, density = p.rho, young = p.E, shear = p.G,
  damping = {p.d1A, 0}, torsion_damping = p.d2A / p.lA, gravity = {0, 0, -p.g}, supports = supports,
  bodies = {{left, mass = p.mF, inertia = {p.JF, p.JT, p.JT}}},
  springs = {{last, stiffness = {uy = p.cD, uz = p.cD}, damping = {uy = p.dD, uz = p.dD}}},
  record = {0, left, last},
}

force {
  ["A.rx" .. last] = when(lt(t, p.tD), p.TD, 0),
  ["A.rz" .. last] = p.TF,
  ["A.ry" .. left] = -p.JF * A.wx[left] * A.wz[left],
  ["A.rz" .. left] = p.JF * A.wx[left] * A.wy[left],
  ["A.uy" .. left] = p.mF * p.ecc * A.wx[left]^2 * cos(A.rx[left]),
  ["A.uz" .. left] = p.mF * p.ecc * A.wx[left]^2 * sin(A.rx[left]),
}
stop_time(p.tD)

local bearing = follower {"B", position = {0, q.yB, q.zB}}
journal_contact {"bearing", bearing, A:node(0), point_b = {p.xJB, 0, 0}, radius_a = p.rJB, radius_b = p.rJF,
                 axis = {1, 0, 0}, axial = false, mu = p.mu, eN = p.e}

-- The journal relative to the bearing.
local c = p.rJB - p.rJF
local y, z = A.uy[0] + p.xJB * A.rz[0] - q.yB, A.uz[0] - p.xJB * A.ry[0] - q.zB

observe {"y", y, unit = "m", label = "journal in the bearing, y"}
observe {"z", z, unit = "m", label = "journal in the bearing, z"}
observe {"spin", A.wx[left], unit = "rad/s", label = "spin of the flywheel"}

simulate {scheme = "half-explicit", dt = 5e-6, t_end = 0.3}
plot {x = "y", y = "z"}
plot {x = "t", y = {"y", "z"}}
plot {x = "t", y = "spin"}

-- The bearing as seen along the axle: y to the right, z upwards, displacements drawn 50 times as large as they are.
local k = 50
local ring = p.rJF + k * c
draw {"circle", {k * q.yB, k * q.zB}, radius = ring, fill = "none", name = "bearing"}
draw {"circle", {k * (q.yB + y), k * (q.zB + z)}, radius = p.rJF, fill = "blue", name = "journal"}
draw {"circle", {k * A.uy[left], k * A.uz[left]}, radius = 0.1 * p.rJF, fill = "red", name = "flywheel"}
draw {"text", {0, 1.3 * ring}, text = "displacements x 50", line = "grey", name = "scale"}
draw {"contact", "bearing", at = {k * q.yB + ring * y / c, k * q.zB + ring * z / c}, normal = {-y / c, -z / c}}
