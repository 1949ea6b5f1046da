-- A pendulum that hangs in a rotating ring.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), section 6.3, Figs. 19, 20.
--
-- A ring of inner radius R and thickness r turns about its fixed centre, the origin. A rod hangs with one point inside
-- the ring, falls by the first gap, and slides and sticks on it. The paper gives neither the rod's length nor its
-- contact point. Assumed here: a uniform rod, so that l = sqrt(12 J2 / m2), which touches the ring with its upper end.
--
-- The gap is the distance to the nearer face of the ring, as the paper's geometry library computes it: a rod that has
-- sunk deeper than r/2 is pushed out on the other side, and the contact is lost (Fig. 20).
model("pendulum-in-ring", "a rod hangs in a rotating ring, slides and sticks (Acary 2012, section 6.3)")

local p = parameters {
  R      = {1,    "m",      "inner radius of the ring"},
  r      = {2e-3, "m",      "thickness of the ring"},
  m1     = {1,    "kg",     "mass of the ring; it turns about its centre, so this has no effect"},
  m2     = {5,    "kg",     "mass of the rod"},
  J1     = {0.8,  "kg m^2", "moment of inertia of the ring, about its centre"},
  J2     = {1,    "kg m^2", "moment of inertia of the rod, about its centre"},
  mu     = {0.3,  "",       "friction coefficient"},
  e      = {0,    "",       "normal restitution"},
  g      = {9.81, "m/s^2",  "gravity"},
  gap0   = {1e-2, "m",      "gap at the start"},
  omega0 = {10,   "rad/s",  "angular velocity of the ring at the start"},
}
p = parameters {l = {sqrt(12 * p.J2 / p.m2), "m", "length of the rod"}}

-- centre of the rod, its angle from the vertical, angle of the ring
local q, u = coordinates {
  {"x",   velocity = "vx",    start = {0, 0},                         unit = "m"},
  {"y",   velocity = "vy",    start = {-(p.R - p.gap0) - p.l / 2, 0}, unit = "m"},
  {"psi", velocity = "omega", start = {0, 0},                         unit = "rad"},
  {"phi", velocity = "Omega", start = {0, p.omega0},                  unit = "rad"},
}

kinetic(p.m2 * (u.vx^2 + u.vy^2) / 2 + p.J2 * u.omega^2 / 2 + p.J1 * u.Omega^2 / 2)
potential(p.m2 * p.g * q.y)

-- the rod's upper end, its velocity, and its distance from the centre of the ring
local px, py = q.x - p.l / 2 * sin(q.psi), q.y + p.l / 2 * cos(q.psi)
local vx, vy = u.vx - p.l / 2 * cos(q.psi) * u.omega, u.vy - p.l / 2 * sin(q.psi) * u.omega
local radius = sqrt(px^2 + py^2)

contact {"ring",
  gap = when(lt(radius, p.R + p.r / 2), p.R - radius, radius - (p.R + p.r)),
  slip = (px * vy - py * vx) / radius - p.R * u.Omega, -- along the ring, relative to it
  mu = p.mu, eN = p.e}

observe {"px", px, unit = "m", label = "contact point x"}
observe {"py", py, unit = "m", label = "contact point y"}

simulate {scheme = "moreau-combined", dt = 5e-4, t_end = 5}
plot {x = "t", y = "ring.gap"}
plot {x = "t", y = {"omega", "Omega"}}
plot {x = "px", y = "py"}

-- Fig. 19: the ring with a mark that shows its rotation, and the rod
draw {"circle", {0, 0}, radius = p.R + p.r, name = "ring", line = "ink", fill = "none", width = 3}
for k = 0, 3 do
  local c, s = cos(q.phi + k * pi / 2), sin(q.phi + k * pi / 2)
  draw {"line", {0.93 * p.R * c, 0.93 * p.R * s}, {p.R * c, p.R * s}, name = "ring", line = k == 0 and "red" or "grey",
    width = 3}
end
draw {"circle", {0, 0}, radius = 0.02 * p.R, name = "ring", fill = "ink"}
draw {"line", {px, py}, {q.x + p.l / 2 * sin(q.psi), q.y - p.l / 2 * cos(q.psi)}, name = "rod", line = "blue", width = 5}
draw {"circle", {px, py}, radius = 0.02 * p.R, name = "rod", fill = "blue"}
draw {"contact", "ring", at = {px, py}, normal = {-px / radius, -py / radius}, tangent = {-py / radius, px / radius}}
