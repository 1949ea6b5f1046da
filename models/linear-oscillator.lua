-- The linear oscillator with impacts on the ground.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), example 2, eq. (8):
-- m v' + c v + k q = lambda.
model("linear-oscillator", "a spring-damper oscillator that bounces on the ground (Acary 2012, example 2)")

local p = parameters {
  m  = {1,   "kg",   "mass"},
  c  = {0,   "Ns/m", "damping"},
  k  = {1,   "N/m",  "stiffness"},
  e  = {0.5, "",     "restitution at the ground"},
  q0 = {1,   "m",    "position at the start"},
  v0 = {-1,  "m/s",  "velocity at the start"},
}

local q, u = coordinates {
  {"q", velocity = "v", start = {p.q0, p.v0}, unit = "m"},
}

kinetic(p.m * u.v^2 / 2)
potential(p.k * q.q^2 / 2)
dissipation(p.c * u.v^2 / 2)

contact {"ground", gap = q.q, eN = p.e}

simulate {scheme = "moreau-jean", dt = 1e-3, t_end = 10}
plot {x = "t", y = "q"}
plot {x = "q", y = "v"}

-- the lower face of the mass is at q
local a, top = 0.2, 2.6
draw {"ground", {-0.8, 0}, {0.8, 0}, name = "ground"}
draw {"ground", {0.5, top}, {-0.5, top}, name = "ceiling"}
draw {"spring", {-0.5 * a, top}, {-0.5 * a, q.q + 2 * a}, radius = 0.4 * a, name = "spring"}
if p.c > 0 then
  draw {"line", {0.6 * a, top}, {0.6 * a, top - 0.45 * (top - 2 * a)}, name = "damper"}
  draw {"line", {0.35 * a, q.q + 4 * a}, {0.35 * a, q.q + 2.5 * a}, {0.85 * a, q.q + 2.5 * a}, {0.85 * a, q.q + 4 * a},
    name = "damper"}
  draw {"line", {0.6 * a, q.q + 2.5 * a}, {0.6 * a, q.q + 2 * a}, name = "damper"}
end
draw {"polygon", {-a, q.q}, {a, q.q}, {a, q.q + 2 * a}, {-a, q.q + 2 * a}, fill = "blue", name = "mass"}
draw {"contact", "ground", at = {0, q.q}, normal = {0, 1}}
