-- Balls in a row on a line, in pairs that touch; the first ball hits the row. Newton's cradle without gravity.
model("balls-in-a-row", "N balls of 1 kg and 1 m diameter on a line, in touching pairs")
local p = parameters {
  n   = {10,   "",    "number of balls"},
  gap = {0.1,  "m",   "distance between pairs"},
  v   = {0,    "m/s", "velocity of the first ball"},
}
local list, T = {}, 0
local x = 0
for i = 1, p.n do
  list[i] = {"x" .. i, velocity = "v" .. i, start = {x, i == 1 and p.v or 0}}
  x = x + 1 + (i % 2 == 0 and p.gap or 0)
end
local q, u = coordinates(list)
for i = 1, p.n do T = T + u["v" .. i]^2 / 2 end
kinetic(T)
for i = 2, p.n do contact {"c" .. i, gap = q["x" .. i] - q["x" .. i - 1] - 1, eN = 1} end
simulate {scheme = "moreau", dt = 1e-3, t_end = 1}
