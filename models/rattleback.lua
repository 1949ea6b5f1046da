-- A rattleback: an ellipsoid whose axes of inertia are turned against its axes of curvature. Spun against its sense, it
-- begins to rattle, stops, and turns back. T. R. Kane, D. A. Levinson: Realistic mathematical modeling of the rattleback,
-- International Journal of Non-Linear Mechanics 17 (1982) 175-186.

model("rattleback", "a stone that turns back, an ellipsoid on a table")

local p = parameters {
  a1   = {0.2,    "m",      "long semi-axis"},
  a2   = {0.03,   "m",      "short semi-axis"},
  a3   = {0.02,   "m",      "vertical semi-axis"},
  m    = {1,      "kg",     "mass"},
  J1   = {2e-4,   "kg m^2", "inertia about the long axis"},
  J2   = {1.6e-3, "kg m^2", "inertia about the short axis"},
  J3   = {1.7e-3, "kg m^2", "inertia about the vertical axis"},
  J12  = {-2e-5,  "kg m^2", "product of inertia"},
  mu   = {2,      "",       "friction with the table"},
  spin = {-5,     "rad/s",  "initial spin"},
  tilt = {1,      "deg",    "initial tilt about the long axis"},
  g    = {9.81,   "m/s^2",  "gravity"},
}

gravity {0, 0, -p.g}
material {"default", mu = p.mu}
half_space {"table", normal = {0, 0, 1}, extent = 0.3}

local angle = p.tilt * pi / 180
local height = sqrt(p.a2^2 * sin(angle)^2 + p.a3^2 * cos(angle)^2)
local stone = spatial_body {"stone", mass = p.m, suffix = "",
  inertia = {{p.J1, p.J12, 0}, {p.J12, p.J2, 0}, {0, 0, p.J3}},
  position = {0, 0, height}, axis = {1, 0, 0}, angle = angle,
  velocity = {-(p.a2^2 - p.a3^2) * sin(angle) * cos(angle) * p.spin / height, 0, 0}, -- it rolls
  omega = {0, p.spin * sin(angle), p.spin * cos(angle)},
  shape = {"ellipsoid", radii = {p.a1, p.a2, p.a3}}}

local _, _, n1 = stone:direction {1, 0, 0}
local _, _, n2 = stone:direction {0, 1, 0}
local _, _, n3 = stone:direction {0, 0, 1}
local w1, w2, w3 = stone:omega()
observe {"spin", w1 * n1 + w2 * n2 + w3 * n3, unit = "rad/s", label = "spin about the vertical"}
observe {"tilt1", asin(n1), unit = "rad", label = "inclination of the long axis"}
observe {"tilt2", asin(n2), unit = "rad", label = "inclination of the short axis"}

simulate {scheme = "rattle", dt = 5e-4, t_end = 10, sample = 0.01}
plot {y = {"spin"}}
plot {y = {"tilt1", "tilt2"}}
