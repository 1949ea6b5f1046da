-- A flexible rod falls on the ground, slightly tilted, and bounces: its ends hit, and the rod vibrates.
--
-- The rod lies along a direction with the angle tilt to the horizontal and bends in the plane. Rotations are small: they
-- are counted from the initial direction. Both ends can touch the ground, with friction. The rod bounces though e = 0: the
-- bending energy comes back.
model("bouncing-rod", "a flexible rod falls on its ends and bounces")

local p = parameters {
  L    = {1,      "m",      "length"},
  r    = {0.01,   "m",      "radius"},
  rho  = {2700,   "kg/m^3", "density"},
  E    = {7e10,   "N/m^2",  "Young's modulus"},
  tilt = {0.02,   "rad",    "initial angle to the horizontal"},
  h0   = {0.05,   "m",      "initial height of the lower end"},
  vx0  = {0.2,    "m/s",    "initial horizontal velocity"},
  beta = {1e-6,   "s",      "stiffness-proportional damping"},
  mu   = {0.3,    "",       "friction on the ground"},
  e    = {0,      "",       "restitution on the ground"},
  g    = {9.81,   "m/s^2",  "gravity"},
  N    = {20,     "",       "number of elements"},
}

local rod = beam {"rod",
  length = p.L, elements = p.N, circle = p.r, density = p.rho, young = p.E, damping = {0, p.beta},
  origin = {0, p.h0}, direction = {math.cos(p.tilt), math.sin(p.tilt)},
  gravity = {0, -p.g}, velocity_start = {ux = p.vx0}, record = {0, p.N // 2, p.N},
}

local right = p.h0 + p.L * math.sin(p.tilt) -- initial height of the other end
plane_contact {"left", ground, rod:node(0), normal = {0, 1}, mu = p.mu, eN = p.e}
plane_contact {"right", ground, rod:node(p.N), normal = {0, 1}, mu = p.mu, eN = p.e}

observe {"y0", p.h0 + rod.uy[0], unit = "m", label = "height of the left end"}
observe {"yN", right + rod.uy[p.N], unit = "m", label = "height of the right end"}

simulate {scheme = "moreau-jean", theta = 0.5, dt = 2e-5, t_end = 0.5}
plot {x = "t", y = {"y0", "yN"}}
plot {x = "t", y = {"left.PN", "right.PN"}}

local function point(node)
  local s = p.L * node / p.N
  return {s * math.cos(p.tilt) + rod.ux[node], p.h0 + s * math.sin(p.tilt) + rod.uy[node]}
end
local first, last = point(0), point(p.N)
draw {"line", first, point(p.N // 2), last, width = 4, line = "blue", name = "rod"}
draw {"ground", {-0.2 * p.L, 0}, {1.4 * p.L, 0}, name = "ground"}
draw {"contact", "left", at = first, normal = {0, 1}}
draw {"contact", "right", at = last, normal = {0, 1}}
