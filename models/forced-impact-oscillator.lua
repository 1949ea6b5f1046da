-- A forced oscillator with a stop, the example of impact oscillators in continuation programs.
-- H. Dankowicz, F. Schilder: Recipes for Continuation, SIAM 2013; the example "impact" of COCO's toolbox po has
-- zeta = 0.05, sigma = 1, e = 0.8, omega = 1.
--
-- x'' + 2 zeta x' + x = cos(omega t + phase), x <= sigma. With these values there is a motion with one impact in each period
-- 2 pi/omega of the force: it strikes at phase 0.0759521649383133 of the force with the velocity 1.69573293759488,
-- and the multipliers are -0.584295314342 +- 0.005600351492 i. Lengths are in static deflections, times in 1/omega_0.
model("forced-impact-oscillator", "a forced, damped oscillator strikes a stop (example of COCO)")

local p = parameters {
  zeta  = {0.05, "",    "damping ratio"},
  sigma = {1,    "",    "distance of the stop from the rest position"},
  e     = {0.8,  "",    "restitution at the stop"},
  omega = {1,    "",    "frequency of the force over the natural one"},
  phase = {0.0759521649383133, "rad", "phase of the force at the start"},
  x0    = {1,    "",    "position at the start"},
  v0    = {-1.356586350075904, "", "velocity at the start: just after an impact of the periodic motion"},
}

local q, u = coordinates {
  {"x", velocity = "v", start = {p.x0, p.v0}},
}

kinetic(u.v^2 / 2)
potential(q.x^2 / 2)
dissipation(p.zeta * u.v^2)
force {x = cos(p.omega * t + p.phase)}

contact {"stop", gap = p.sigma - q.x, eN = p.e}

simulate {scheme = "moreau", dt = 1e-3, t_end = 60}
plot {x = "x", y = "v"}
plot {x = "t", y = "x"}

local a, wall = 0.15, -3.5 -- the right face of the mass is at x
draw {"ground", {wall, 2 * a}, {wall, -2 * a}, name = "wall", line = "ink"}
draw {"polygon", {p.sigma, -2 * a}, {p.sigma + a, -2 * a}, {p.sigma + a, 2 * a}, {p.sigma, 2 * a}, fill = "grey", name = "stop"}
draw {"spring", {wall, 0}, {q.x - 2 * a, 0}, radius = 0.6 * a, name = "spring"}
draw {"polygon", {q.x - 2 * a, -a}, {q.x, -a}, {q.x, a}, {q.x - 2 * a, a}, fill = "blue", name = "mass"}
draw {"contact", "stop", at = {q.x, 0}, normal = {-1, 0}}
