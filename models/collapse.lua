-- A cube of spheres without friction falls on the ground and collapses.
-- J. Hwangbo, J. Lee, M. Hutter: SimBenchmark (2018), "666". Radius, distance and disorder are not printed: assumed.
model("collapse", "a cube of spheres without friction collapses (SimBenchmark)")
local p = parameters {
  n = {6, "", "spheres along an edge"},
  m = {10, "kg", "mass of a sphere"},
  r = {0.5, "m", "radius"},
  gap = {0.1, "m", "distance between neighbours at the start"},
  disorder = {0.02, "m", "largest random displacement at the start"},
  e = {0, "", "restitution"},
  mu = {0, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", mu = p.mu, eN = p.e}
local state = 12345
local function displacement()
  state = (1664525 * state + 1013904223) % 2^32
  return p.disorder * (2 * state / 2^32 - 1)
end
local pitch = 2 * p.r + p.gap
floor {"floor", extent = 1.5 * p.n * pitch}
for i = 0, p.n^3 - 1 do
  local c, d, k = i % p.n, i // p.n % p.n, i // p.n^2
  sphere {"sphere" .. i + 1, suffix = tostring(i + 1), radius = p.r, mass = p.m,
    position = {pitch * (c - (p.n - 1) / 2) + displacement(), pitch * (d - (p.n - 1) / 2) + displacement(),
      p.r + p.gap + pitch * k + displacement()},
    fill = k % 2 == 0 and "orange" or "blue"}
end
simulate {scheme = "rattle", dt = 1e-2, t_end = 2}
plot {y = "E.kin"}
