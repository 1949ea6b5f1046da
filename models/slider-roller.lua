-- A slider falls on a roller that a torque wants to turn.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact
-- and Coulomb's friction. Research report RR-8029, INRIA (2012), section 4.5, Fig. 8. The paper prints no data; those
-- below keep the torque under the sticking limit mu m g R = 0.2943 N m, so that slider and roller come to rest.
--
-- The slider moves up and down on a guide; the roller turns about a fixed axis below it. y is the slider's height above
-- the roller's top. While the slider is in the air the torque speeds the roller up; each impact brakes it by friction.
model("slider-roller", "a slider bounces on a roller under a torque until both rest (Acary 2012, section 4.5)")

local p = parameters {
  R      = {0.1,  "m",      "radius of the roller"},
  m      = {1,    "kg",     "mass of the slider"},
  J      = {0.01, "kg m^2", "moment of inertia of the roller"},
  torque = {0.2,  "N m",    "on the roller"},
  e      = {0.5,  "",       "normal restitution"},
  mu     = {0.3,  "",       "friction coefficient"},
  g      = {9.81, "m/s^2",  "gravity"},
  y0     = {0.1,  "m",      "height of the slider at the start"},
}

local q, u = coordinates {
  {"y",   velocity = "vy",    start = {p.y0, 0}, unit = "m"},
  {"phi", velocity = "omega", start = {0, 0},    unit = "rad"},
}

kinetic(p.m * u.vy^2 / 2 + p.J * u.omega^2 / 2)
potential(p.m * p.g * q.y)
force {phi = p.torque}

contact {"roller", gap = q.y, slip = p.R * u.omega, mu = p.mu, eN = p.e}

simulate {scheme = "moreau-combined", dt = 1e-3, t_end = 1}
plot {x = "t", y = "y"}
plot {x = "t", y = "omega"}

-- Fig. 8
local w, h = 0.5 * p.R, p.R
draw {"ground", {-w, 4 * h}, {-w, 0.3 * h}, name = "guide"}
draw {"ground", {w, 0.3 * h}, {w, 4 * h}, name = "guide"}
draw {"circle", {0, -p.R}, radius = p.R, fill = "light", name = "roller"}
draw {"line", {-p.R * cos(q.phi), -p.R - p.R * sin(q.phi)}, {p.R * cos(q.phi), -p.R + p.R * sin(q.phi)}, name = "roller"}
draw {"circle", {0, -p.R}, radius = 0.06 * p.R, fill = "ink", name = "roller"}
draw {"polygon", {-w, q.y}, {w, q.y}, {w, q.y + h}, {-w, q.y + h}, fill = "blue", name = "slider"}
draw {"contact", "roller", at = {0, q.y}, normal = {0, 1}}
