model("belt", "a block on a shaken belt")
gravity {0,-9.81}
material {"default",mu=0.25}
frame {"belt",position={0.08*sin(9*t),0},shape={"half_space",normal={0,1}}}
rectangle {"b",suffix="",size={0.4,0.2},mass=1.3,position={0,0.1},velocity={0.72,0}}
simulate {scheme="moreau",dt=1e-3,t_end=3}
