-- A tower of cubes that stands by itself: nothing may drift, twist or sag.
model("tower", "a tower of cubes that stands")
local p = parameters {
  n = {20, "", "number of cubes"},
  a = {0.2, "m", "edge of a cube"},
  m = {1, "kg", "mass of a cube"},
  mu = {0.5, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, 0, -p.g}
material {"default", mu = p.mu}
floor {"floor", extent = 4 * p.a}
for i = 1, p.n do
  box {"cube" .. i, suffix = tostring(i), size = {p.a, p.a, p.a}, mass = p.m, position = {0, 0, (i - 0.5) * p.a},
    fill = i % 2 == 0 and "blue" or "orange"}
end
simulate {scheme = "moreau", dt = 5e-3, t_end = 10}
plot {y = {"x" .. p.n, "y" .. p.n}}
