-- A horizontal chain of planar bodies, joined by springs and dampers, that falls on a floor.
model("spring-chain", "N planar bodies of 1 kg, joined by springs, fall on a floor")
local p = parameters {
  n      = {10,   "",      "number of bodies"},
  height = {2,    "m",     "initial height above the floor"},
  k      = {1000, "N/m",   "stiffness of the springs"},
  d      = {2,    "N s/m", "damping of the springs"},
  mu     = {0.3,  "",      "friction coefficient of the floor"},
}
gravity {0, -9.81}
local last
for i = 1, p.n do
  local body = planar_body {"b" .. i, mass = 1, inertia = 0.1, position = {i, p.height}, velocity = {0.1 * (i % 2), 0}}
  if last then
    spring {last, body, point_a = {0.3, 0.1}, point_b = {-0.3, 0.1}, stiffness = p.k, damping = p.d, length = 0.4}
  end
  plane_contact {"c" .. i, ground, body, origin = {0, 0}, normal = {0, 1}, radius = 0.3, mu = p.mu}
  last = body
end
simulate {scheme = "moreau", dt = 1e-3, t_end = 1}
