local t, s = {}, ""
for i = 1, 6 do t["k\0" .. string.char(96 + i)] = i end
for k, v in pairs(t) do s = s .. v .. #k end
print(s, next(t), string.format("\0%s", {}), string.format("\0%d%%%s", 3, print))
local list = { { 2, "a" }, { 1, "b" }, { 2, "c" } }
table.sort(list, function(a, b) return a[1] < b[1] end)
for i, entry in ipairs(list) do print(entry[2], tostring(t), ("%g %a"):format(i / 3, 0.5), tonumber("0,5")) end
local q, u = coordinates { { "x", velocity = "v" } }
kinetic(u.v^2 / 2)
