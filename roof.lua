model 'roof'
for i = -60, 60 do
  local top = (60 - (i > 0 and 2 or 1) * abs(i)) * 0.5
  for k = 0, top do disk {'d' .. i + 60 .. '_' .. k, radius = 0.01, density = 1, position = {0.02 * i, 0.02 * k}} end
end
simulate {scheme = 'moreau', dt = 1e-3, t_end = 1e-3}
