-- A chain of n links falls on a cylinder, slides off it and folds on the floor: links that lie on each other hold contacts
-- by their joints alone. For test/unit/held_contacts.c.
model("chain-on-cylinder", "chain that falls on a cylinder and folds on the floor")
local p = parameters {
  n = {30, "", "links"}, l = {0.04, "m", "length of a link"}, r = {0.005, "m"}, R = {0.15, "m", "radius of the cylinder"},
  mu = {0.3, ""}, offset = {0.1, "m", "of the middle of the chain from the cylinder's axis"}
}
gravity {0, -9.81}
material {"default", mu = p.mu, eN = 0}
disk {"cylinder", radius = p.R, fixed = true}
floor {"floor", height = -0.6}
local left, y, before = p.offset - p.n * p.l / 2, p.R + 10 * p.r
for i = 1, p.n do
  local link = capsule {"link" .. i, length = p.l - 2 * p.r, radius = p.r, density = 500,
                        position = {left + (i - 0.5) * p.l, y}, suffix = tostring(i)}
  if before then revolute {"joint" .. i, before, link, at = {left + (i - 1) * p.l, y}} end
  before = link
end
simulate {scheme = "rattle", dt = 5e-4, t_end = 2}
