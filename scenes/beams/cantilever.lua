-- A cantilever of n beam elements on a stop under its tip: one chain, so its matrices have a narrow band.
local p = parameters {n = {100, "", "elements"}}
local n = p.n
local b = beam {"b", length = 1, elements = n, rectangle = {0.01, 0.02}, density = 7800, young = 2.1e11, damping = {1, 0},
                supports = {{0, "clamped"}}, gravity = {0, -9.81}, record = {n}}
contact {"stop", gap = b.uy[n], slip = b.vx[n], mu = 0.3}
-- below the stability limit of explicit schemes, which follows the square of the elements' length
simulate {scheme = "moreau-jean", dt = 1.5e-3 / n^2, t_end = 1}
