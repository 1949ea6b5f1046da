-- A ball on a table that is shaken: impacts at any phase, accumulations, lift-off.
model("table2", "a ball on a vibrating table: chatter, stick")
local p = parameters { e = 0.5, A = {0.01,"m"}, w = {40,"rad/s"}, g = 9.81, y0 = {0.02, "m"}, v0 = {0, "m/s"} }
local q, u = coordinates { {"y", velocity = "v", start = {p.y0, p.v0}, unit = "m"} }
kinetic(u.v^2 / 2)  potential(p.g * q.y)
contact {"table", gap = q.y - p.A * sin(p.w * t), eN = p.e}
simulate {scheme = "moreau", dt = 1e-4, t_end = 2}
plot {y = {"y"}}
