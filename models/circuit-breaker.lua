-- A low-voltage circuit breaker that is held shut by friction until it is tripped.
-- V. Acary: Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact and
-- Coulomb's friction. Computer Methods in Applied Mechanics and Engineering 256 (2013), section 6.5.
--
-- The paper names seven moving bodies, springs and twelve contacts of an industrial breaker, and prints no data. This is a
-- mechanism of the same kind in the plane; all its data are assumed.
--
-- The arm presses the moving contact on the fixed pad. The opening spring wants to lift carrier and arm. The handle, a
-- little beyond its dead centre, pushes by the rod on the hook. The hook turns about a pin of the carrier until its nose
-- meets the tip of the latch. The nose pushes the tip aside, but friction holds it. At t_trip the plunger strikes the
-- latch: the nose slips off, the hook yields to the rod and the carrier opens. All pins have clearance.
model("circuit-breaker", "a circuit breaker, held shut by friction until it is tripped (Acary 2012, section 6.5)")

local p = parameters {
  clearance = {5e-5, "m", "clearance of the pins: radius of the hole minus radius of the pin"},
  r_pin = {1.5e-3, "m", "radius of the pins"},
  r_nose = {1.5e-3, "m", "radius of the hook's nose"},
  r_tip = {1.5e-3, "m", "radius of the latch's tip"},
  lean = {0.1, "rad", "angle between the normal of nose and tip and the vertical"},
  mu = {0.3, "", "friction coefficient of nose and tip"},
  mu_pin = {0.1, "", "friction coefficient of the pins and of all other contacts"},
  e = {0, "", "restitution of all contacts"},
  k_open = {400, "N/m", "stiffness of the opening spring"},
  k_arm = {0.5, "N m/rad", "stiffness of the contact spring"},
  preload = {0.2, "rad", "its angle of preload"},
  k_handle = {0.02, "N m/rad", "stiffness of the handle's spring"},
  k_hook = {0.02, "N m/rad", "stiffness of the hook's return spring"},
  k_latch = {0.01, "N m/rad", "stiffness of the latch's spring"},
  k_plunger = {100, "N/m", "stiffness of the plunger's return spring"},
  F_trip = {12, "N", "force of the tripping magnet"},
  t_trip = {0.02, "s", "time of tripping"},
  pulse = {2.5e-3, "s", "duration of this force"},
  g = {9.81, "m/s^2", "gravity"},
}

-- pins in the closed position
local C = {0, 0}                             -- carrier on the housing
local A = {0.010, 0}                         -- arm on the carrier
local K = {0.012, 0.010}                     -- hook on the carrier
local Q = {0.008, 0.010}                     -- rod on the hook
local N = {0.028, 0.010}                     -- centre of the hook's nose
local S = p.r_nose + p.r_tip
local T = {N[1] - S * sin(p.lean), N[2] + S * cos(p.lean)} -- centre of the latch's tip
local L = {0.030, 0.032}                     -- latch on the housing
local H = {0.010, 0.048}                     -- handle on the housing
local B = {0.0080, 0.036}                    -- rod on the handle
local pad = {0.030, -0.004}                  -- the fixed contact

gravity {0, -p.g}

-- a body through two points, with the inertia of a slender rod; its frame is parallel to the inertial frame
local function lever(name, mass, from, to)
  local x, y, l2 = (from[1] + to[1]) / 2, (from[2] + to[2]) / 2, (to[1] - from[1])^2 + (to[2] - from[2])^2
  local body = planar_body {name, mass = mass, inertia = mass * (l2 + 1.6e-5) / 12, position = {x, y}}
  return {body = body, at = function(point) return {point[1] - x, point[2] - y} end}
end
local housing = {body = ground, at = function(point) return point end}
local carrier = lever("carrier", 6e-3, C, K)
local arm = lever("arm", 4e-3, A, {pad[1], pad[2] + 0.002})
local hook = lever("hook", 2e-3, Q, N)
local rod = lever("rod", 2e-3, Q, B)
local handle = lever("handle", 5e-3, B, {0.012, 0.064})
local latch = lever("latch", 2e-3, T, L)
local plunger = lever("plunger", 3e-3, {T[1] + 0.004, T[2] + 0.004}, {T[1] + 0.014, T[2] + 0.004})

-- seven pins with clearance
local function pin(name, a, b, at)
  hole_contact {name, a.body, b.body, point_a = a.at(at), radius_a = p.r_pin + p.clearance, point_b = b.at(at),
    radius_b = p.r_pin, mu = p.mu_pin, eN = p.e}
end
pin("pin_carrier", housing, carrier, C)
pin("pin_arm", carrier, arm, A)
pin("pin_hook", carrier, hook, K)
pin("pin_rod", hook, rod, Q)
pin("pin_latch", housing, latch, L)
pin("pin_handle", housing, handle, H)
pin("pin_crank", handle, rod, B)

-- five contacts: moving contact, latch, stops of handle and carrier, plunger
plane_contact {"pad", ground, arm.body, origin = pad, normal = {0, 1}, point = arm.at {pad[1], pad[2] + 0.002},
  radius = 0.002, mu = p.mu_pin, eN = p.e}
ball_contact {"sear", hook.body, latch.body, point_a = hook.at(N), radius_a = p.r_nose, point_b = latch.at(T),
  radius_b = p.r_tip, mu = p.mu, eN = p.e}
plane_contact {"stop_handle", ground, handle.body, origin = B, normal = {1, 0}, point = handle.at(B), mu = p.mu_pin, eN = p.e}
plane_contact {"stop_carrier", ground, carrier.body, origin = {-0.004, 0.010}, normal = {1, 0}, point = carrier.at(K),
  mu = p.mu_pin, eN = p.e}
plane_contact {"trip", plunger.body, latch.body, origin = plunger.at {T[1] + 0.004, T[2] + 0.004}, normal = {-1, 0},
  point = latch.at {T[1], T[2] + 0.004}, radius = 0.0015, mu = p.mu_pin, eN = p.e}

-- springs
prismatic {"guide", ground, plunger.body, at = {T[1] + 0.009, T[2] + 0.004}, axis = {1, 0}}
spring {ground, carrier.body, point_a = {-0.020, 0.012}, point_b = carrier.at(K), stiffness = p.k_open, length = 0.012}
torsion_spring {carrier.body, arm.body, stiffness = p.k_arm, angle = -p.preload, damping = 1e-5}
torsion_spring {carrier.body, hook.body, stiffness = p.k_hook, angle = 0, damping = 2e-5}
torsion_spring {ground, handle.body, stiffness = p.k_handle, angle = 0.8, damping = 1e-5}
torsion_spring {ground, latch.body, stiffness = p.k_latch, angle = 0.2, damping = 5e-6}
spring {ground, plunger.body, point_a = {T[1] + 0.030, T[2] + 0.004}, point_b = plunger.at {T[1] + 0.014, T[2] + 0.004},
  stiffness = p.k_plunger, length = 0.014, damping = 0.1}
body_force {plunger.body, force = {-when(lt(t, p.t_trip), 0, when(lt(t, p.t_trip + p.pulse), p.F_trip, 0)), 0}}

simulate {scheme = "moreau-combined", dt = 1e-5, t_end = 0.05}
plot {x = "t", y = {"phi_carrier", "phi_hook", "phi_latch", "phi_handle"}}
plot {x = "t", y = {"pad.gap", "sear.gap"}}

-- levers as lines, pins as circles, the housing's pins grey
local function bar(lever, colour, ...)
  local shape = {"line", body = lever.body, line = colour, width = 4}
  for _, point in ipairs {...} do shape[#shape + 1] = lever.at(point) end
  draw(shape)
end
draw {"ground", {pad[1] - 0.005, pad[2]}, {pad[1] + 0.005, pad[2]}, name = "pad"}
bar(carrier, "blue", C, A, K, C)
bar(arm, "red", A, {pad[1], pad[2] + 0.002})
draw {"circle", arm.at {pad[1], pad[2] + 0.002}, radius = 0.002, body = arm.body, fill = "red"}
bar(hook, "green", Q, K, N)
draw {"circle", hook.at(N), radius = p.r_nose, body = hook.body, fill = "green"}
bar(rod, "grey", Q, B)
bar(handle, "brown", B, H, {0.012, 0.064})
bar(latch, "purple", L, {T[1], T[2] + 0.004}, T)
draw {"circle", latch.at(T), radius = p.r_tip, body = latch.body, fill = "purple"}
draw {"polygon", plunger.at {T[1] + 0.004, T[2] + 0.002}, plunger.at {T[1] + 0.014, T[2] + 0.002},
  plunger.at {T[1] + 0.014, T[2] + 0.006}, plunger.at {T[1] + 0.004, T[2] + 0.006}, body = plunger.body, fill = "orange"}
for _, point in ipairs {C, L, H} do draw {"circle", point, radius = p.r_pin, fill = "grey", name = "housing"} end
for _, at in ipairs {{carrier, A}, {carrier, K}, {hook, Q}, {handle, B}} do
  draw {"circle", at[1].at(at[2]), radius = p.r_pin, body = at[1].body, fill = "white"}
end
