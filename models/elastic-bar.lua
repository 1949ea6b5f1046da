-- An elastic bar hits a rigid wall.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), section 6.2, Table 1 (there S is printed as 3.14e4: it is
-- pi e-4 m^2).
-- T. Schindler, S. Rezaei, J. Kursawe, V. Acary: Half-explicit timestepping schemes on velocity level based on
-- time-discontinuous Galerkin methods. Computer Methods in Applied Mechanics and Engineering 290 (2015), section 6.1
-- (there gap0 = 5e-9 and damping = 4.761e-9; printed is 4.761e-6, with E in N/mm^2).
--
-- N linear elements along x; node 0 touches the wall at the start and the bar flies into it with v0. The elastic bar
-- stays in contact for 2 L / c0 = 3.854e-4 s with the constant force E S v0 / c0 = 1271.47 N, c0 = sqrt(E / rho); the
-- discretized one has an impact of its first node, too, which e decides.
model("elastic-bar", "an elastic bar of finite elements hits a rigid wall (Acary 2012, section 6.2)")

local p = parameters {
  L       = {1,           "m",      "length"},
  S       = {3.14159e-4,  "m^2",    "area of the cross section"},
  rho     = {7800,        "kg/m^3", "density"},
  E       = {2.1e11,      "N/m^2",  "Young's modulus"},
  v0      = {0.1,         "m/s",    "speed towards the wall"},
  N       = {1000,        "",       "number of elements"},
  damping = {0,           "s",      "stiffness-proportional damping: C = damping K"},
  e       = {0,           "",       "restitution at the wall"},
  gap0    = {0,           "m",      "gap at the start; half-explicit needs one, as a closed contact has no impact"},
}

local bar = bar {"bar",
  elements = p.N, length = p.L, area = p.S, density = p.rho, young = p.E, damping = p.damping,
  start = {0, -p.v0},
  record = {0, p.N // 2, p.N},
}

contact {"wall", gap = bar.x[0] + p.gap0, eN = p.e}

observe {"length", p.L + bar.x[p.N] - bar.x[0], unit = "m", label = "length of the bar"}

simulate {scheme = "moreau-jean", theta = 0.5, dt = 2e-6, t_end = 6e-4}
plot {x = "t", y = {"bar.x0", "bar.x" .. p.N}}
plot {x = "t", y = {"bar.v0", "bar.v" .. p.N}}
plot {x = "t", y = "wall.PN"}

-- displacements are drawn 2000 times as large as they are
local function at(node) return p.L * node / p.N + 2000 * bar.x[node] end
local h, middle = 0.04 * p.L, p.N // 2
draw {"ground", {0, 3 * h}, {0, -3 * h}, name = "wall"}
for _, part in ipairs {{0, middle}, {middle, p.N}} do
  local a, b = at(part[1]), at(part[2])
  draw {"polygon", {a, -h}, {b, -h}, {b, h}, {a, h}, fill = "blue", name = "bar"}
end
draw {"text", {0.5 * p.L, 4 * h}, text = "displacements x 2000", line = "grey", name = "scale"}
draw {"contact", "wall", at = {at(0), 0}, normal = {1, 0}}
