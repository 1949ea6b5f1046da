-- A pendulum of point masses on rods without mass, by absolute angles: one large formula, with a dense mass matrix.
model("pendulum", "N point masses of 1 kg on rods of 0.1 m swing")
local p = parameters {
  n = {10,   "",      "number of rods"},
  l = {0.1,  "m",     "length of a rod"},
  g = {9.81, "m/s^2", "gravity"},
}
local list = {}
for i = 1, p.n do list[i] = {"phi" .. i, velocity = "omega" .. i, start = {0.1 * (i % 7), 0}, unit = "rad"} end
local q, u = coordinates(list)
local T, V = 0, 0
for i = 1, p.n do
  local phi, omega, below = q["phi" .. i], u["omega" .. i], p.n + 1 - i
  V = V - below * p.g * p.l * cos(phi)
  T = T + below * p.l ^ 2 / 2 * omega ^ 2
  for j = 1, i - 1 do T = T + below * p.l ^ 2 * cos(phi - q["phi" .. j]) * omega * u["omega" .. j] end
end
kinetic(T)
potential(V)
simulate {scheme = "moreau", dt = 1e-4, t_end = 1}
