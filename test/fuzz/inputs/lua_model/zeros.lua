for k in pairs {["k\0a"] = 1, ["k\0b"] = 2, ["k\0c"] = 3} do print(k) end
print(string.format("\0%s", "x"))
