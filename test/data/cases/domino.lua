model("domino", "a row of dominoes")
local p = parameters { n = 10, h = 0.05, w = 0.008, d = {0.025,"m","pitch"}, m = 0.01, mu = 0.3, muf = 0.6, e = 0, push = {-2.5,"rad/s"} }
gravity {0, -9.81}
local D = {}
for i = 1, p.n do
  local om = (i == 1) and p.push or 0
  -- the first turns about its right lower corner
  D[i] = planar_body {"d" .. i, mass = p.m, inertia = p.m / 12 * (p.h^2 + p.w^2), position = {(i - 1) * p.d, p.h / 2},
    omega = om, velocity = {-om * p.h / 2, om * (-p.w / 2)}}
  plane_contact {"L" .. i, ground, D[i], normal = {0, 1}, point = {-p.w / 2, -p.h / 2}, mu = p.muf, eN = p.e}
  plane_contact {"R" .. i, ground, D[i], normal = {0, 1}, point = {p.w / 2, -p.h / 2}, mu = p.muf, eN = p.e}
  plane_contact {"T" .. i, ground, D[i], normal = {0, 1}, point = {p.w / 2, p.h / 2}, mu = p.muf, eN = p.e}
  if i > 1 then
    -- the upper right corner of the one before against the left face of this one
    plane_contact {"c" .. i, D[i], D[i - 1], origin = {-p.w / 2, 0}, normal = {-1, 0}, point = {p.w / 2, p.h / 2}, mu = p.mu, eN = p.e}
  end
end
simulate {scheme = "moreau", dt = 1e-4, t_end = 1.5, sample = 1e-3}
plot {y = {"phi_d1", "phi_d2", "phi_d3", "phi_d5"}}
