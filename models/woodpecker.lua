-- The woodpecker toy.
-- Ch. Glocker, C. Studer: Formulation and preparation for numerical evaluation of linear complementarity systems in
-- dynamics. Multibody System Dynamics 13 (2005), section 4; data of Table I under its symbols.
--
-- A woodpecker S hangs by a spring on a sleeve M, which slides down a pole. The sleeve jams by friction, the woodpecker
-- swings, hits the pole with its beak and frees the sleeve again: the motion falls into a limit cycle.
-- The kinematics is linearized, so M and the directions of all contacts are constant.
model("woodpecker", "the woodpecker toy falls into its limit cycle (Glocker and Studer 2005, section 4)")

local p = parameters {
  -- geometry
  rO = {0.0025, "m", "radius of the pole"},
  rM = {0.0031, "m", "inner radius of the sleeve"},
  hM = {0.0058, "m", "half of the height of the sleeve"},
  lM = {0.010,  "m", "distance from M to G"},
  lG = {0.015,  "m", "distance from G to S"},
  hS = {0.02,   "m", "distance from S to P"},
  lS = {0.0201, "m", "length of the beak"},
  -- inertias
  mM = {0.0003, "kg",     "mass of the sleeve"},
  mS = {0.0045, "kg",     "mass of the woodpecker"},
  JM = {5.0e-9, "kg m^2", "moment of inertia of the sleeve"},
  JS = {7.0e-7, "kg m^2", "moment of inertia of the woodpecker"},
  -- force elements
  c = {0.0056, "Nm/rad", "angular stiffness of the spring"},
  g = {9.81,   "m/s^2",  "gravity"},
  -- contacts: 1 beak, 2 lower and 3 upper edge of the sleeve
  eN1 = {0.5, "", "normal restitution of the beak"},
  eN2 = {0,   "", "normal restitution of the lower edge"},
  eN3 = {0,   "", "normal restitution of the upper edge"},
  eT  = {0,   "", "tangential restitution of all contacts"},
  mu  = {0.3, "", "friction coefficient of all contacts", range = {0, 1}},
  -- start
  y0      = {0,       "m",     "height of the sleeve"},
  phiM0   = {-0.1036, "rad",   "angle of the sleeve"},
  phiS0   = {-0.2788, "rad",   "angle of the woodpecker"},
  v0      = {-0.3411, "m/s",   "velocity of the sleeve"},
  omegaM0 = {0,       "rad/s", "angular velocity of the sleeve"},
  omegaS0 = {-7.4583, "rad/s", "angular velocity of the woodpecker"},
}

local q, u = coordinates {
  {"y",    velocity = "v",      start = {p.y0, p.v0},          unit = "m"},
  {"phiM", velocity = "omegaM", start = {p.phiM0, p.omegaM0}, unit = "rad"},
  {"phiS", velocity = "omegaS", start = {p.phiS0, p.omegaS0}, unit = "rad"},
}

-- height and velocity of the woodpecker's centre of mass; M and h of eq. (14) follow from the energies
local yS = q.y + p.lM * q.phiM + p.lG * q.phiS
local vS = u.v + p.lM * u.omegaM + p.lG * u.omegaS

kinetic(p.mM * u.v^2 / 2 + p.JM * u.omegaM^2 / 2)
kinetic(p.mS * vS^2 / 2 + p.JS * u.omegaS^2 / 2)
potential(p.mM * p.g * q.y + p.mS * p.g * yS)
potential(p.c * (q.phiM - q.phiS)^2 / 2)

-- gaps of eq. (15), slips of eq. (16)
contact {"beak",
  gap = p.lM + p.lG - p.lS - p.rO - p.hS * q.phiS,
  slip = u.v + p.lM * u.omegaM + (p.lG - p.lS) * u.omegaS,
  mu = p.mu, eN = p.eN1, eF = p.eT}
contact {"lower",
  gap = p.rM - p.rO + p.hM * q.phiM,
  slip = u.v + p.rM * u.omegaM,
  mu = p.mu, eN = p.eN2, eF = p.eT}
contact {"upper",
  gap = p.rM - p.rO - p.hM * q.phiM,
  slip = u.v + p.rM * u.omegaM,
  mu = p.mu, eN = p.eN3, eF = p.eT}

simulate {scheme = "moreau", dt = 1e-5, t_end = 1}
-- the phase portraits of Fig. 6
plot {x = "phiS", y = "omegaS"}
plot {x = "phiM", y = "omegaM"}

-- the toy, with the small rotations of the equations, so that drawn gaps are those of eq. (15)
local top, low = 0.06, -0.4
local xS = p.lM + p.lG
local function on_sleeve(a, b) return {a - b * q.phiM, q.y + b + a * q.phiM} end
local function on_bird(a, b) return {xS + a - b * q.phiS, yS + b + a * q.phiS} end
draw {"polygon", {-p.rO, low}, {p.rO, low}, {p.rO, top}, {-p.rO, top}, fill = "brown", name = "pole"}
for _, side in ipairs {-1, 1} do
  draw {"polygon", on_sleeve(side * p.rM, -p.hM), on_sleeve(side * (p.rM + 0.0015), -p.hM),
    on_sleeve(side * (p.rM + 0.0015), p.hM), on_sleeve(side * p.rM, p.hM), fill = "grey", name = "sleeve"}
end
draw {"spring", on_sleeve(p.rM + 0.0015, 0), on_bird(-0.006, 0), radius = 0.0016, name = "spring"}
-- tail, body, head, beak, eye
draw {"polygon", on_bird(-0.001, -0.012), on_bird(0.004, -0.013), on_bird(-0.002, -0.026), on_bird(-0.005, -0.025),
  fill = "ink", name = "woodpecker"}
draw {"polygon", on_bird(-0.006, -0.004), on_bird(-0.004, -0.012), on_bird(0.001, -0.016), on_bird(0.006, -0.012),
  on_bird(0.008, -0.003), on_bird(0.007, 0.007), on_bird(0.003, 0.014), on_bird(-0.003, 0.014), on_bird(-0.006, 0.006),
  fill = "green", name = "woodpecker"}
draw {"polygon", on_bird(-0.009, p.hS - 0.0022), on_bird(-p.lS, p.hS), on_bird(-0.009, p.hS + 0.0022), fill = "orange",
  name = "woodpecker"}
draw {"circle", on_bird(-0.003, p.hS), radius = 0.0075, fill = "red", name = "woodpecker"}
draw {"circle", on_bird(-0.006, p.hS + 0.0015), radius = 0.0012, fill = "white", name = "woodpecker"}
draw {"contact", "beak",  at = on_bird(-p.lS, p.hS), normal = {1, 0}, tangent = {0, 1}}
draw {"contact", "lower", at = on_sleeve(p.rM, -p.hM), normal = {1, 0}, tangent = {0, 1}}
draw {"contact", "upper", at = on_sleeve(p.rM, p.hM), normal = {1, 0}, tangent = {0, 1}}
