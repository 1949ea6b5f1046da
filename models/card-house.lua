-- A house of cards in the plane: pairs of cards that lean on each other, with sheets between the levels. It stands if mu is
-- larger than about the tangent of the angle.
model("card-house", "a house of cards that stands by friction alone")
local p = parameters {
  levels = {3, "", "number of levels"},
  l = {0.088, "m", "length of a card"},
  d = {4e-4, "m", "thickness of a card"},
  lean = {20, "deg", "angle of a card with the vertical"},
  mass = {0.002, "kg", "mass of a card"},
  mu = {0.6, "", "friction coefficient"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu}
floor {"floor", extent = 1.5 * p.levels * p.l * sin(p.lean * pi / 180)}
local lean = p.lean * pi / 180
local pitch = 2.2 * p.l * sin(lean)
-- a card whose lower corner stands at height y; its foot is at x, it leans by the angle, to the right if positive
local function card(name, x, y, angle)
  local s, c, side = sin(angle), cos(angle), angle > 0 and 1 or -1
  -- from the lowest corner to the centre: half a length along the card, half a thickness across it
  return rectangle {name, suffix = "_" .. name, size = {p.d, p.l}, mass = p.mass, angle = -angle,
    position = {x + p.l / 2 * s - side * p.d / 2 * c, y + p.l / 2 * c + side * p.d / 2 * s}}
end
local y = 0
for level = 1, p.levels do
  local pairs_here = p.levels - level + 1
  for i = 1, pairs_here do
    local x0 = (i - (pairs_here + 1) / 2) * pitch
    card("L" .. level .. i, x0 - p.l * sin(lean), y, lean) -- the upper inner corners meet at x0
    card("R" .. level .. i, x0 + p.l * sin(lean), y, -lean)
  end
  y = y + p.l * cos(lean) + p.d * sin(lean)
  if level < p.levels then
    rectangle {"sheet" .. level, size = {(pairs_here - 1) * pitch + 0.6 * p.l, p.d}, mass = p.mass * pairs_here,
      position = {0, y + p.d / 2}}
    y = y + p.d
  end
end
simulate {scheme = "moreau", dt = 5e-3, t_end = 5}
plot {y = {"y_L" .. p.levels .. 1, "y_sheet1"}}
