local p = parameters {m = {2, "kg"}, e = 0.5}
local q, u = coordinates {{"x", velocity = "v", start = {1, -1}}, {"y", velocity = "w"}}
kinetic(p.m * u.v^2 / 2 + u.w^2 / 2)
potential(when(lt(q.x, 0), q.x^2, abs(q.y)) + max(q.x, q.y) + atan2(q.x, 1 + q.y^2))
dissipation(0.1 * u.v^2)
force {x = sin(t)}
contact {"c", gap = q.x - 0.1 * sin(t), slip = u.w, mu = 0.3, eN = p.e}
friction {"f", slip = u.w, reservoir = 0.1}
constraint {"k", position = q.x - q.y - 1}
observe {"o", sqrt(q.x^2 + 1)}
stop_time(0.5)
simulate {scheme = "moreau-jean", theta = 0.6, dt = 1e-2, t_end = 1, adaptive = false}
plot {x = "t", y = {"x", "o"}}
