gravity {0, -9.81}
for i = 1, 510 do
  disk {'d' .. i, radius = 0.4, density = 1, position = {i, i == 7 and 0.41 or 9}, velocity = {0, -1}}
end
half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}
simulate {dt = 1e-3, t_end = 0.04}
