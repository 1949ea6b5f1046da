-- Two fingers press on a box from both sides and lift it. Friction must carry the weight and the acceleration of the
-- lift: mu F >= m (g + a) / 2 at every moment.
model("gripper", "two fingers lift a box that they hold by friction")
local p = parameters {
  a = {0.05, "m", "edge of the box"},
  m = {0.2, "kg", "mass of the box"},
  F = {5, "N", "force of each finger"},
  mu = {0.25, "", "friction coefficient"},
  lift = {0.1, "m", "height of the lift"},
  T = {1, "s", "duration of the lift"},
  m_finger = {0.1, "kg", "mass of a finger"},
  g = {9.81, "m/s^2", "gravity"},
}
gravity {0, -p.g}
material {"default", mu = p.mu}
-- the hand moves up by a fifth-order polynomial, at rest at both ends: its acceleration is at most 5.7735 lift / T^2
local s = min(t / p.T, 1)
local hand = frame {"hand", position = {0, p.lift * s^3 * (10 - 15 * s + 6 * s^2)}}
local w = 0.2 * p.a
local hand_x, hand_y = hand:point {0, 0.9 * p.a}
draw {"line", {hand_x - p.a, hand_y}, {hand_x + p.a, hand_y}, width = 4, line = "grey", name = "hand"}
local box = rectangle {"box", suffix = "", fill = "orange", size = {p.a, p.a}, mass = p.m, position = {0, 0}}
for k, side in ipairs {-1, 1} do
  local name = k == 1 and "left" or "right"
  local finger = rectangle {name, size = {w, p.a}, mass = p.m_finger, position = {side * (p.a + w) / 2, 0}}
  prismatic {"guide_" .. name, hand, finger, at = {side * (p.a + w) / 2, 0}, axis = {1, 0}}
  body_force {finger, force = {-side * p.F, 0}}
  local x, y = finger:point {0, p.a / 2}
  draw {"line", {x, y}, {x, hand_y}, width = 3, line = "grey", name = "hand"}
end
simulate {scheme = "rattle", dt = 1e-3, t_end = 1.5}
plot {y = {"y", "y_left"}}
