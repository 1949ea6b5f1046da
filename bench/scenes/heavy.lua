-- A box of 1e6 kg on a box of 1e-3 kg: percussions cancel at the light box, to round-off (bench/notes/auto.md).
model("heavy", "a heavy box on a light one")
local p = parameters { light = 1e-3, heavy = 1e6 }
gravity {0, 0, -9.81}
material {"default", mu = 0.5}
floor {"floor"}
box {"light", size = {0.2, 0.2, 0.2}, mass = p.light, position = {0, 0, 0.1}}
box {"heavy", size = {0.3, 0.3, 0.3}, mass = p.heavy, position = {0.02, 0, 0.35}}
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.3}
