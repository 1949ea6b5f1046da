-- Point mass falling on a table.
-- C. Studer, R. Leine, Ch. Glocker: Step size adjustment and extrapolation for time-stepping schemes in non-smooth
-- dynamics. International Journal for Numerical Methods in Engineering 76 (2008), section 10.1.
--
-- The impacts accumulate at t = 0.677 s; afterwards the mass remains on the table. The paper does not print g.
model("falling-mass", "a point mass falls on a table and bounces to rest (Studer et al. 2008, 10.1)")

local p = parameters {
  m  = {1,    "kg",    "mass"},
  g  = {9.81, "m/s^2", "gravity"},
  e  = {0.7,  "",      "restitution at the table"},
  z0 = {0.07, "m",     "height at the start"},
}

local q, u = coordinates {
  {"z", velocity = "vz", start = {p.z0, 0}, unit = "m"},
}

kinetic(p.m * u.vz^2 / 2)
potential(p.m * p.g * q.z)

contact {"table", gap = q.z, eN = p.e}

simulate {scheme = "moreau", adaptive = true, dt_min = 1e-5, dt_max = 0.05, dt = 1e-4, t_end = 1.5}
plot {x = "t", y = "z"}
plot {x = "t", y = "vz"}

local r = 0.004 -- of the drawn mass, m
draw {"ground", {-0.04, 0}, {0.04, 0}, name = "table"}
draw {"circle", {0, q.z + r}, radius = r, fill = "blue", name = "mass"}
draw {"contact", "table", at = {0, q.z}, normal = {0, 1}}
