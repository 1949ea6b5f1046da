-- A box tumbles on a floor, slides and comes to rest. Collision detection finds its contacts; the parameters are those of
-- no paper. The energy that contacts dissipate balances the energy that the box loses.
model("box-tumbling", "a box tumbles on a floor and comes to rest; contacts found by collision detection")

local p = parameters {
  m  = {1,    "kg",    "mass"},
  a  = {0.3,  "m",     "size along x"},
  b  = {0.2,  "m",     "size along y"},
  c  = {0.1,  "m",     "size along z"},
  g  = {9.81, "m/s^2", "gravity"},
  mu = {0.4,  "",      "friction coefficient"},
  eN = {0.2,  "",      "normal restitution"},
  z0 = {0.6,  "m",     "height of the centre at the start"},
}

gravity {0, 0, -p.g}
material {"default", mu = p.mu, eN = p.eN}
floor {"floor", extent = 1}
box {"box", size = {p.a, p.b, p.c}, mass = p.m, position = {0, 0, p.z0}, axis = {0.6, 0.8, 0}, angle = 0.9,
     velocity = {1.5, 0.3, 0}, omega = {3, 6, 2}}

simulate {scheme = "moreau", dt = 1e-3, t_end = 2}
plot {y = {"x_box", "y_box", "z_box"}}
plot {y = {"wx_box", "wy_box", "wz_box"}}
