print(tonumber("0,5"), tostring(0.5), ("i"):upper(), ("\u{e4}"):upper())
local t = {"a b", "B", "a", "\u{e4}"} table.sort(t) print(t[1], t[2], t[3])
