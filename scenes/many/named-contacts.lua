model("named-contacts", "balls on a floor, each with a named contact with the floor and with its neighbour")
local p = parameters {n = {100, "", "number of balls"}}
local r = 0.1
gravity {0, 0, -9.81}
local last
for i = 1, p.n do
  local ball = spatial_body {"ball" .. i, mass = 1, inertia = {4e-3, 4e-3, 4e-3},
    position = {2.1 * r * i, 0.01 * (i % 3), r + 0.01 * (i % 5)}, omega = {0.1 * (i % 7), 1, 2}, velocity = {0.1 * (i % 4 - 1.5), 0, 0}}
  plane_contact {"floor" .. i, ground, ball, normal = {0, 0, 1}, radius = r, mu = 0.3, eN = 0.2}
  if last then ball_contact {"pair" .. i, last, ball, radius_a = r, radius_b = r, mu = 0.3, eN = 0.2} end
  last = ball
end
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.001}
