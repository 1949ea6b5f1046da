-- A chain of links on hinges, for measurements of joints (bench/notes/auto.md).
model("links", "a chain of links on hinges")
local p = parameters { n = 10, l = 0.1, m = 0.1 }
gravity {0, -9.81}
local last = ground
for k = 1, p.n do
  local b = planar_body {"b" .. k, suffix = tostring(k), mass = p.m, inertia = p.m * p.l^2 / 12, position = {(k - 0.5) * p.l, 0}}
  revolute {"j" .. k, last, b, at = {(k - 1) * p.l, 0}}
  last = b
end
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.5}
