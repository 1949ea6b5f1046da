-- A plane truss of n beam elements with rigid joints on a stop under its tip: two chords, rungs and diagonals, four
-- elements in each bay of 1 m.
local p = parameters {n = {100, "", "elements"}}
local bays = p.n // 4
local nodes, members = {}, {}
for i = 0, bays do
  nodes[#nodes + 1] = {i, 0}
  nodes[#nodes + 1] = {i, 1}
  local low, high = 2 * i + 1, 2 * i + 2
  if i > 0 then
    members[#members + 1] = {low - 2, low}
    members[#members + 1] = {high - 2, high}
    members[#members + 1] = {low - 2, high}
    members[#members + 1] = {low, high}
  end
end
local b = framework {"b", nodes = nodes, members = members, circle = 0.02, density = 7800, young = 2.1e11, damping = {1, 0},
                     supports = {{1, "clamped"}, {2, "clamped"}}, gravity = {0, -9.81}, record = {2 * bays + 1}}
contact {"stop", gap = b.uy[2 * bays + 1], slip = b.vx[2 * bays + 1], mu = 0.3}
simulate {scheme = "moreau-jean", dt = 1e-5, t_end = 1}
