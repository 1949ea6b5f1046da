-- Balls fall on the ground and bounce without loss. Energy is all there is to keep.
-- J. Hwangbo, J. Lee, M. Hutter: SimBenchmark (2018), "bouncing". The radius is not printed: assumed.
model("elastic-balls", "balls bounce on the ground without loss (SimBenchmark)")
local p = parameters {
  n = {7, "", "balls in a row and in a column"},
  m = {10, "kg", "mass of a ball"},
  r = {0.5, "m", "radius"},
  h = {5, "m", "height of fall"},
  e = {1, "", "restitution"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", eN = p.e}
floor {"floor", extent = 2 * p.n * p.r}
for i = 1, p.n do
  for j = 1, p.n do
    local k = (i - 1) * p.n + j
    sphere {"ball" .. k, suffix = tostring(k), radius = p.r, mass = p.m,
      position = {4 * p.r * (i - (p.n + 1) / 2), 4 * p.r * (j - (p.n + 1) / 2), p.r + p.h}}
  end
end
simulate {scheme = "rattle", dt = 1e-3, t_end = 20}
plot {y = {"z1", "E.total"}}
