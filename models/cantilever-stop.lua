-- A cantilever beam, shaken by a force at its tip, hits a one-sided stop: a vibro-impact benchmark.
-- F. C. Moon, S. W. Shaw: Chaotic vibrations of a beam with non-linear boundary conditions. International Journal of
-- Non-Linear Mechanics 18 (1983). The kind of system is theirs; the data are chosen here: a steel strip whose first natural
-- frequency is 10.5 Hz.
--
-- The beam lies along x and bends in the x-y plane; axial displacements are held. The stop is below the tip, at the
-- distance gap0. With the tip on the stop the first frequency is 45.9 Hz. Impacts have the coefficient of restitution e of
-- the node; with e = 0 the energy lost in an impact vanishes with the size of the elements.
model("cantilever-stop", "a shaken cantilever beam hits a one-sided stop (after Moon and Shaw 1983)")

local p = parameters {
  L     = {0.4,    "m",      "length"},
  b     = {0.02,   "m",      "width"},
  h     = {0.002,  "m",      "thickness"},
  rho   = {7800,   "kg/m^3", "density"},
  E     = {2.1e11, "N/m^2",  "Young's modulus"},
  alpha = {2,      "1/s",    "mass-proportional damping"},
  beta  = {1e-5,   "s",      "stiffness-proportional damping"},
  F     = {0.2,    "N",      "amplitude of the force at the tip"},
  f     = {12,     "Hz",     "its frequency"},
  gap0  = {0.002,  "m",      "distance of the stop"},
  e     = {0,      "",       "restitution at the stop"},
  N     = {16,     "",       "number of elements"},
}

local supports = {{0, "clamped"}}
for i = 1, p.N do supports[i + 1] = {i, "ux"} end
local beam = beam {"beam",
  length = p.L, elements = p.N, rectangle = {p.h, p.b}, density = p.rho, young = p.E, damping = {p.alpha, p.beta},
  supports = supports, record = {p.N // 2, p.N},
}

force {["beam.uy" .. p.N] = p.F * sin(2 * pi * p.f * t)}
plane_contact {"stop", ground, beam:node(p.N), origin = {0, -p.gap0}, normal = {0, 1}, eN = p.e}

simulate {scheme = "moreau-jean", theta = 0.5, dt = 1e-4, t_end = 2}
plot {x = "t", y = {"beam.uy" .. p.N, "beam.uy" .. p.N // 2}}
plot {x = "beam.uy" .. p.N, y = "beam.vy" .. p.N}

-- deflections are drawn ten times as large as they are
local function point(node) return {p.L * node / p.N, 10 * beam.uy[node]} end
local middle, tip = p.N // 2, p.N
draw {"ground", {0, -0.1 * p.L}, {0, 0.1 * p.L}, name = "wall"}
draw {"line", {0, 0}, point(middle), point(tip), width = 3, line = "blue", name = "beam"}
draw {"ground", {0.9 * p.L, -10 * p.gap0}, {1.1 * p.L, -10 * p.gap0}, name = "stop"}
draw {"text", {0.5 * p.L, 0.12 * p.L}, text = "deflections x 10", line = "grey", name = "scale"}
draw {"contact", "stop", at = {p.L, 10 * beam.uy[tip]}, normal = {0, 1}}
