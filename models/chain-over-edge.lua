-- A chain of links lies on a table; its end hangs over the edge and pulls it down.
model("chain-over-edge", "a chain slides over the edge of a table")
local p = parameters {
  n = {100, "", "number of links"},
  hanging = {40, "", "links that hang at the start"},
  l = {0.01, "m", "length of a link between its joints"},
  r = {0.003, "m", "radius of a link"},
  m = {0.005, "kg", "mass of a link"},
  mu = {0.2, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu}
local on_table = p.n - p.hanging
rectangle {"table", fixed = true, size = {1.1 * p.n * p.l, 0.05}, position = {-0.55 * p.n * p.l, -0.025}}
local before
for i = 1, p.n do
  local hangs = i > on_table
  local k = hangs and i - on_table or i
  local position = hangs and {p.r, p.r - (k - 0.5) * p.l} or {p.r - (on_table - k + 0.5) * p.l, p.r}
  local link = capsule {"link" .. i, suffix = tostring(i), length = p.l, radius = p.r, mass = p.m, position = position,
    angle = hangs and -pi / 2 or 0}
  if before then
    revolute {"joint" .. i - 1, before, link, at = hangs and {p.r, p.r - (k - 1) * p.l} or {position[1] - p.l / 2, p.r}}
  end
  before = link
end
simulate {scheme = "moreau", gap_term = true, dt = 1e-3, t_end = 0.8}
plot {y = {"x1", "y" .. p.n}}
