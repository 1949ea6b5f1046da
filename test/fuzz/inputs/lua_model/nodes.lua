local q, u = coordinates {{"y", velocity = "v"}}
kinetic(u.v^2)
local b = beam {"b", length = 1, elements = 2, circle = 0.02, density = 7800, young = 2e9, motion = {0, 0.1 * sin(t)}, supports = {{0, "clamped"}}}
local p = planar_body {"p", mass = 1, inertia = 1, position = {1.2, 0}}
local f = follower {"f", position = {1, q.y}}
revolute {"h", b:node(2), p, at = {1, 0}}
spring {f, b:node(1), stiffness = 10, damping = 1, length = 0.2}
torsion_spring {b:node(2), p, stiffness = 1}
journal_contact {"j", f, b:node(2), radius_a = 0.2, radius_b = 0.1, mu = 0.1}
plane_contact {"k", ground, b:node(1), origin = {0, -1}, normal = {0, 1}, mu = 0.3}
potential((b.uy[1] - q.y)^4)
simulate {scheme = "moreau-jean", dt = 1e-3, t_end = 0.01}
