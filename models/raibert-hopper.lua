-- A one-legged hopper that runs in the plane, with Raibert's three-part controller.
-- M. H. Raibert: Legged Robots That Balance. MIT Press (1986), chapter 2.
--
-- The body is carried by a leg with a spring and a foot of its own mass. The controller is sampled: it reads the force on
-- the foot of the last step, so that it knows stance from flight, and holds its values between two samples.
--   height    in stance, from the largest compression on, the spring is lengthened by a thrust
--   speed     in flight, the leg is turned so that the foot lands ahead of the hip: half of the way of a stance, and more
--             the faster the body is than wanted
--   attitude  in stance, the hip turns the body upright
-- The hopper starts at rest and is told to run at 1 m/s, after 6 s at -0.5 m/s.
model("raibert-hopper", "a one-legged hopper runs with a sampled controller (Raibert 1986, chapter 2)")

local p = parameters {
  m      = {10,   "kg",     "mass of the body"},
  J      = {4,    "kg m^2", "inertia of the body"},
  m_foot = {0.3,  "kg",     "mass of the foot"},
  J_leg  = {0.02, "kg m^2", "inertia of the leg"},
  l      = {1,    "m",      "length of the leg without force"},
  k      = {2500, "N/m",    "stiffness of the leg"},
  d      = {25,   "N s/m",  "damping of the leg"},
  thrust = {0.04, "m",      "lengthening of the spring"},
  v1     = {1,    "m/s",    "wanted speed, at first"},
  v2     = {-0.5, "m/s",    "wanted speed, later"},
  t_turn = {6,    "s",      "time of the change"},
  k_v    = {0.06, "s",      "foot placement for an error of the speed"},
  k_hip  = {120,  "N m",    "stiffness of the hip"},
  d_hip  = {12,   "N m s",  "damping of the hip"},
  mu     = {1,    "",       "friction of the foot"},
  every  = {1e-3, "s",      "time between two samples of the controller"},
  y0     = {0.3,  "m",      "height of the foot at the start"},
  g      = {9.81, "m/s^2",  "gravity"},
}

local q, u = coordinates {
  {"x",     velocity = "vx",         unit = "m", label = "foot, along"},
  {"y",     velocity = "vy",         start = p.y0, unit = "m", label = "foot, height"},
  {"theta", velocity = "omega_leg",  unit = "rad", label = "leg"},   -- from the vertical
  {"r",     velocity = "vr",         start = p.l, unit = "m", label = "length of the leg"},
  {"phi",   velocity = "omega",      unit = "rad", label = "pitch of the body"},
}

local s, c = sin(q.theta), cos(q.theta)
local hip_x, hip_y = q.x + q.r * s, q.y + q.r * c
local hip_vx = u.vx + u.vr * s + q.r * c * u.omega_leg
local hip_vy = u.vy + u.vr * c - q.r * s * u.omega_leg

kinetic(p.m * (hip_vx^2 + hip_vy^2) / 2 + p.J * u.omega^2 / 2)
kinetic(p.m_foot * (u.vx^2 + u.vy^2) / 2 + p.J_leg * u.omega_leg^2 / 2)
potential(p.m * p.g * hip_y + p.m_foot * p.g * q.y)
contact {"foot", gap = q.y, slip = u.vx, mu = p.mu}

-- The controller, sampled. A stance begins when the foot is pressed.
local wanted = when(lt(t, p.t_turn), p.v1, p.v2)
local stance = state {"stance", every = p.every, next = when(gt(force("foot"), 1), 1, 0)}
local in_stance = gt(stance, 0.5)
local pushes = state {"pushes", every = p.every,
                      next = function(on) return when(in_stance, when(gt(u.vr, 0), 1, on), 0) end}
local half_stance = pi * sqrt(p.m / p.k) / 2
local ahead = hip_vx * half_stance + p.k_v * (hip_vx - wanted)
local angle = state {"angle", every = p.every, unit = "rad", label = "wanted angle of the leg",
                     next = -asin(max(-0.5, min(0.5, ahead / p.l)))}
local hip = state {"hip", every = p.every, unit = "N m", label = "torque of the hip", -- on the leg
                   next = when(in_stance, p.k_hip * q.phi + p.d_hip * u.omega,
                               -p.k_hip * (q.theta - angle) - p.d_hip * u.omega_leg)}

force { theta = hip, phi = -hip }
force { r = p.k * (p.l + p.thrust * pushes - q.r) - p.d * u.vr }

observe {"speed", hip_vx, unit = "m/s", label = "speed of the body"}
observe {"height", hip_y, unit = "m", label = "height of the body"}

simulate {scheme = "moreau-jean", dt = 1e-3, t_end = 12, sample = 0.01}
plot {x = "t", y = "speed"}
plot {x = "t", y = "height"}
plot {x = "t", y = {"phi", "theta"}}

draw {"ground", {-2, 0}, {8, 0}, name = "ground"}
draw {"spring", {q.x, q.y}, {hip_x, hip_y}, radius = 0.05, name = "leg"}
draw {"circle", {q.x, q.y + 0.03}, radius = 0.03, fill = "grey", name = "foot"}
local function at(x, y) return {hip_x + x * cos(q.phi) + y * sin(q.phi), hip_y - x * sin(q.phi) + y * cos(q.phi)} end
draw {"polygon", at(-0.35, 0), at(0.35, 0), at(0.35, 0.2), at(-0.35, 0.2), fill = "blue", name = "body"}
draw {"contact", "foot", at = {q.x, q.y}, normal = {0, 1}}
