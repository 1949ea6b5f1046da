gravity {0, -9.81}
material {'default', mu = 0.3, eN = 0.2}
disk {'a', radius = 0.5, density = 1, position = {0, 0.5}, velocity = {1, 0}}
disk {'b', radius = 0.5, density = 1, position = {0.1, 1.51}}
disk {'c', radius = 0.4, density = 1, position = {1.1, 0.9}, velocity = {-1, 0}}
rectangle {'d', size = {0.3, 0.2}, density = 1, position = {-0.9, 0.12}, velocity = {0, -1}, omega = 1}
half_space {'floor', normal = {0, 1}, position = {0, 0}, extent = 2}
simulate {dt = 1e-3, t_end = 0.1}
