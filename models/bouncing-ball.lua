-- The bouncing ball.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), example 1, eq. (7).
--
-- With f = -2 and e = 1/2 (Ballard's case), dropped from q0 = 1 at rest, the ball hits the ground at t = 1, 2, 2.5,
-- 2.75, ...; infinitely many impacts accumulate at t = 3, and from there on the ball lies on the ground.
model("bouncing-ball", "a ball under a constant force bounces to rest in finite time (Acary 2012, example 1)")

local p = parameters {
  f  = {-2,  "N",   "constant force on the ball"},
  e  = {0.5, "",    "restitution at the ground"},
  m  = {1,   "kg",  "mass"},
  q0 = {1,   "m",   "height at the start"},
  v0 = {0,   "m/s", "velocity at the start"},
}

local q, u = coordinates {
  {"q", velocity = "v", start = {p.q0, p.v0}, unit = "m"},
}

kinetic(p.m * u.v^2 / 2)
potential(-p.f * q.q)

contact {"ground", gap = q.q, eN = p.e}

simulate {scheme = "moreau-jean", dt = 5e-2, t_end = 5}
plot {x = "t", y = "q"}
plot {x = "t", y = "v"}

local r = 0.06 -- of the drawn ball, m
draw {"ground", {-0.8, 0}, {0.8, 0}, name = "ground"}
draw {"circle", {0, q.q + r}, radius = r, fill = "blue", name = "ball"}
draw {"contact", "ground", at = {0, q.q}, normal = {0, 1}}
