-- A drawer between two rails, seen from above. Its carriage has two pads at the distance L and the friction mu; a handle
-- that is not in the middle turns the drawer against the rails. Pulled at the distance e from the middle with the centre
-- of mass in the middle, it moves only if 2 mu e < L, however large the force: it locks itself. If the centre of mass is
-- off the middle by d and 2 mu d > L, a drawer that moves locks at once.
model("drawer", "a drawer that is pulled beside its middle: slides or locks itself")

local p = parameters {
  m  = {4,    "kg",     "mass"},
  J  = {0.2,  "kg m^2", "moment of inertia"},
  L  = {0.4,  "m",      "distance of the pads"},
  mu = {0.5,  "",       "friction between pads and rails"},
  e  = {0.3,  "m",      "distance of the handle from the middle"},
  d  = {0,    "m",      "distance of the centre of mass from the middle"},
  F  = {20,   "N",      "pull, reached after one second"},
  Q  = {0.5,  "N",      "side load"},
  v0 = {0,    "m/s",    "velocity at the start"},
}

local body = planar_body {"drawer", mass = p.m, inertia = p.J, position = {0, p.d}, velocity = {p.v0, 0}, suffix = ""}
prismatic {"rails", ground, body, at = {0, 0}, axis = {1, 0}, mu = p.mu, guide = p.L}
body_force {body, point = {0, p.e - p.d}, force = {p.F * min(t, 1), 0}}
body_force {body, force = {0, -p.Q}}

simulate {scheme = "rattle", dt = 1e-3, t_end = 2}
plot {x = "t", y = {"x", "vx"}}

local w, h = 0.5 * p.L, 0.35
draw {"ground", {2.2, h}, {-0.3, h}, name = "rail"}
draw {"ground", {-0.3, -h}, {2.2, -h}, name = "rail"}
draw {"polygon", {-w, -h - p.d}, {w, -h - p.d}, {w, h - p.d}, {-w, h - p.d}, body = "drawer", fill = "brown", name = "drawer"}
draw {"polygon", {w, p.e - p.d - 0.04}, {w + 0.04, p.e - p.d - 0.04}, {w + 0.04, p.e - p.d + 0.04}, {w, p.e - p.d + 0.04},
      body = "drawer", fill = "grey", name = "handle"}
draw {"contact", "rails_friction", at = {body:point {0, -h - p.d}}, normal = {0, 1}}
