-- Independent woodpecker toys side by side (Glocker and Studer 2005, Table I): nothing connects them.
model("woodpeckers", "N woodpecker toys in one model")
local p = parameters { n = {10, "", "number of woodpeckers"} }
local rO, rM, hM, lM, lG, hS, lS = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
local mM, mS, JM, JS, c, g = 0.0003, 0.0045, 5e-9, 7e-7, 0.0056, 9.81
local list, T, V = {}, 0, 0
for i = 1, p.n do
  list[3 * i - 2] = {"y" .. i, velocity = "v" .. i, start = {0, -0.3411}}
  list[3 * i - 1] = {"phiM" .. i, velocity = "omegaM" .. i, start = {-0.1036, 0}}
  list[3 * i] = {"phiS" .. i, velocity = "omegaS" .. i, start = {-0.2788, -7.4583}}
end
local q, u = coordinates(list)
for i = 1, p.n do
  local y, M, S = q["y" .. i], q["phiM" .. i], q["phiS" .. i]
  local v, wM, wS = u["v" .. i], u["omegaM" .. i], u["omegaS" .. i]
  T = T + mM * v^2 / 2 + JM * wM^2 / 2 + JS * wS^2 / 2 + mS * (v + lM * wM + lG * wS)^2 / 2
  V = V + mM * g * y + mS * g * (y + lM * M + lG * S) + c * (M - S)^2 / 2
  contact {"beak" .. i, gap = lM + lG - lS - rO - hS * S, slip = v + lM * wM + (lG - lS) * wS, mu = 0.3, eN = 0.5}
  contact {"lower" .. i, gap = rM - rO + hM * M, slip = v + rM * wM, mu = 0.3}
  contact {"upper" .. i, gap = rM - rO - hM * M, slip = v + rM * wM, mu = 0.3}
end
kinetic(T)
potential(V)
simulate {scheme = "moreau", dt = 1e-4, t_end = 1}
