-- A break, seen from above: a ball strikes fifteen others that touch. With impact = "sequential" they collide one after the
-- other, as if they had the same small gap; Newton's law would let all of them collide at once. `offset` makes it unsymmetric.
model("billiard", "a ball breaks a triangle of fifteen balls that touch")

local p = parameters {
  rows   = {5,       "",      "rows of the triangle"},
  r      = {0.02625, "m",     "radius of a ball"},
  m      = {0.16,    "kg",    "mass of a ball"},
  e      = {0.95,    "",      "restitution of balls"},
  e_rail = {0.75,    "",      "restitution of rails"},
  mu     = {0.01,    "",      "resistance of the cloth, over the weight"},
  v0     = {5,       "m/s",   "velocity of the striking ball"},
  offset = {0,       "m",     "distance of its line from the axis"},
  length = {1.98,    "m",     "table"},
  width  = {0.99,    "m",     "table"},
  g      = {9.81,    "m/s^2", "gravity"},
}

material {"ball", eN = p.e}
material {"ball", "rail", eN = p.e_rail}
material {"rail"}
for _, rail in ipairs {{"left", {-p.length / 2, 0}, {1, 0}}, {"right", {p.length / 2, 0}, {-1, 0}},
                       {"bottom", {0, -p.width / 2}, {0, 1}}, {"top", {0, p.width / 2}, {0, -1}}} do
  half_space {rail[1], position = rail[2], normal = rail[3], material = "rail", hidden = true}
end

local count = 0
local function add_ball(x, y, vx, fill)
  count = count + 1
  local ball = disk {"ball" .. count, suffix = tostring(count), radius = p.r, mass = p.m, position = {x, y},
    velocity = {vx, 0}, material = "ball", fill = fill}
  local sx, sy = ball:velocity()
  friction {"cloth" .. count, slip = {sx, sy}, reservoir = p.mu * p.m * p.g}
end

local apex = p.length / 4
add_ball(apex - p.length / 2, p.offset, p.v0, "white")
for row = 0, p.rows - 1 do
  for k = 0, row do add_ball(apex + row * p.r * math.sqrt(3), (2 * k - row) * p.r, 0, k % 2 == 0 and "red" or "orange") end
end
local x, y = p.length / 2, p.width / 2
draw {"line", {-x, -y}, {x, -y}, {x, y}, {-x, y}, {-x, -y}, name = "table", width = 3}

simulate {scheme = "rattle", impact = "sequential", dt = 1e-3, t_end = 2}
plot {x = "t", y = {"x1", "x2"}}
