-- A solid ball rolls on a turntable, whose surface moves: in a circle, with 2/7 of the angular velocity of the table,
-- wherever the axis is (Weltner 1979). `tilt` lets it drift across the slope, with the same circle.
model("turntable", "a ball that rolls on a turntable moves in circles")

local p = parameters {
  w    = {2,    "rad/s", "angular velocity of the table"},
  r    = {0.05, "m",     "radius of the ball"},
  m    = {0.5,  "kg",    "mass of the ball"},
  mu   = {0.5,  "",      "friction"},
  x0   = {0.3,  "m",     "distance of the ball from the axis at the start"},
  R    = {0.2,  "m",     "radius of the circle"},
  tilt = {0,    "deg",   "slope of the table"},
  g    = {9.81, "m/s^2", "gravity"},
}

local a, v = p.tilt * pi / 180, 2 / 7 * p.w * p.R
gravity {-p.g * math.sin(a), 0, -p.g * math.cos(a)}
material {"default", mu = p.mu}
half_space {"table", normal = {0, 0, 1}, position = {0, 0, 0}, surface_spin = p.w, extent = 1.4}
sphere {"ball", radius = p.r, mass = p.m, position = {p.x0, 0, p.r},
  velocity = {0, v, 0}, omega = {(p.w * p.x0 - v) / p.r, 0, 0}}
local b = 0.7
for i = 0, 2 do -- marks that move with the table
  local turn = p.w * t + i * pi / 3
  draw {"line", {-b * cos(turn), -b * sin(turn), 0}, {b * cos(turn), b * sin(turn), 0}, name = "table", line = "ink"}
end

simulate {scheme = "rattle", dt = 2e-3, t_end = 22}
plot {x = "x_ball", y = "y_ball"}
