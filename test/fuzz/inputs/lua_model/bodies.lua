gravity {0, 0, -9.81}
local ball = spatial_body {"ball", mass = 1, inertia = {4e-3, 5e-3, 6e-3}, position = {0, 0, 1}, omega = {0, 50, 20}}
plane_contact {"floor", ground, ball, normal = {0, 0, 1}, radius = 0.1, mu = 0.3, eN = 0.6, spin_radius = 0.01}
local bead = particle {"bead", mass = 0.1, position = {0.5, 0, 1}, velocity = {1, 0, 0}}
level_contact {"bowl", ground, bead, level = function(x, y, z) return z - (x^2 + y^2) / 2 end, mu = 0.1}
local rod = spatial_body {"rod", mass = 1, inertia = {0.02, 0.03, 0.01}, position = {2, 0, 0}}
revolute {"A", ground, rod, at = {1.5, 0, 0}, axis = {0, 0, 1}}
simulate {scheme = "rattle", dt = 1e-3, t_end = 1}
