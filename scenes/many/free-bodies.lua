-- Spatial bodies without contacts that rotate freely and fall.
model("free-bodies", "N spatial bodies of 1 kg, rotating in free fall")
local p = parameters { n = {10, "", "number of bodies"} }
gravity {0, 0, -9.81}
for i = 1, p.n do
  spatial_body {"b" .. i, mass = 1, inertia = {1, 2, 2.5}, position = {2 * i, 0, 10}, omega = {0.1, 1, 0.2}}
end
simulate {scheme = "moreau", dt = 1e-3, t_end = 1}
