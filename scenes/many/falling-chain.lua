-- A horizontal chain of planar links on revolute joints that falls on a floor.
model("falling-chain", "N links of 1 m, joined by hinges, fall on a floor")
local p = parameters {
  n      = {10,   "",  "number of links"},
  height = {2,    "m", "initial height above the floor"},
  mu     = {0.3,  "",  "friction coefficient of the floor"},
}
gravity {0, -9.81}
local last
for i = 1, p.n do
  local link = planar_body {"b" .. i, mass = 1, inertia = 1 / 12, position = {i - 0.5, p.height}}
  if last then revolute {"j" .. i, last, link, at = {i - 1, p.height}} end
  plane_contact {"c" .. i, ground, link, origin = {0, 0}, normal = {0, 1}, point = {0.5, 0}, mu = p.mu}
  last = link
end
simulate {scheme = "moreau", dt = 1e-3, t_end = 1}
