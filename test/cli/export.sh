#!/usr/bin/env bash
# picus export --vtk: files for ParaView, read back by VTK itself where python3-vtk9 is installed.
. "$(dirname "$0")/../support/check.sh"

"$PICUS" run woodpecker --t-end 0.2 --sample 0.001 --out w.h5 --csv w.csv --quiet
check "files of VTK" "$PICUS" export w.h5 --vtk vtk --frames 5
expect_match stdout '^vtk/motion.pvd: 5 times; open it in ParaView$'
expect_equal "$(find vtk -type f | wc -l)" 11
expect_equal "$(grep -o 'timestep="[0-9.]*"' vtk/motion.pvd | sort -u | wc -l)" 5
expect_match vtk/motion.pvd '<DataSet timestep="0.2" part="1" file="contacts-00004.vtp"/>'
check "the same input, the same files" sh -c "'$PICUS' export w.h5 --vtk again --frames 5 --quiet && diff -r vtk again"
expect_empty stdout
check "all rows, at most 500" "$PICUS" export w.h5 --vtk all
expect_match stdout ': 201 times'
check "no folder" "$PICUS" export w.h5
expect_status 2
expect_match stderr '^picus: export needs --vtk DIR, the folder for the files, or --table NAME$'
check "the table of rows" sh -c "'$PICUS' export w.h5 --table rows --csv rows.csv && cmp rows.csv w.csv"
expect_empty stdout
"$PICUS" events w.h5 --csv events.csv
check "the table of events" sh -c "'$PICUS' export w.h5 --table events --csv switched.csv && cmp switched.csv events.csv"
check "no table of contacts" "$PICUS" export w.h5 --table contacts --csv contacts.csv
expect_status 2
expect_match stderr "'w.h5' has no table of contacts: all contacts of its model are declared and have columns"
expect_equal "$(ls contacts.csv* 2>/dev/null)" ""
check "no such table" "$PICUS" export w.h5 --table nodes --csv x.csv
expect_status 2
expect_match stderr "table is rows, events, contacts or a flexible component with a table of its nodes, not 'nodes'$"
"$PICUS" run cantilever-stop --t-end 0.05 --sample 0.01 --out beam.h5 --quiet
check "the nodes of a beam" "$PICUS" export beam.h5 --table beam --csv nodes.csv
expect_empty stdout
expect_equal "$(head -n 1 nodes.csv)" "t,row,node,x,y,z,ux,uy,rz,vx,vy,wz"
expect_equal "$(wc -l <nodes.csv)" 103
"$PICUS" export beam.h5 --table rows --csv rows.csv
check "as in the column of a node" sh -c "awk -F, '\$3 == 16 {print \$8}' nodes.csv >a && awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) if (\$i == \"beam.uy16\") c = i} NR > 1 {print \$c}' rows.csv >b && cmp a b && test -s a"
check "by its complete name" sh -c "'$PICUS' export beam.h5 --table nodes/beam --csv again.csv && cmp nodes.csv again.csv"
check "info lists it" "$PICUS" info beam.h5
expect_match stdout "^17 nodes of 'beam' in the table 'nodes/beam': ux uy rz, largest displacement [0-9.e-]* m$"
check "not the table of another component" "$PICUS" export beam.h5 --table bem --csv x.csv
expect_status 2
expect_match stderr "not 'bem'; 'picus info' lists them$"
check "CSV runs do not store it" "$PICUS" run cantilever-stop --t-end 0.01 --csv x.csv
expect_match stdout '^  nodes           tables not stored; use --out FILE.h5$'
rm -f x.csv
check "a table without a file" "$PICUS" export w.h5 --table rows
expect_status 2
expect_match stderr 'table needs --csv FILE.csv'
check "a file without a table" "$PICUS" export w.h5 --csv x.csv
expect_status 2
expect_match stderr 'csv needs --table NAME'
check "both" "$PICUS" export w.h5 --csv x.csv --table rows --vtk vtk
expect_status 2
expect_match stderr 'exclude each other'
check "the result itself" "$PICUS" export w.h5 --table rows --csv w.h5
expect_status 2
check "contacts of a model that has fixed ones" "$PICUS" run woodpecker --t-end 0.1 --contacts c.csv
expect_status 2
expect_match stderr 'contacts needs detected contacts'
check "no files" "$PICUS" export w.h5 --vtk x --frames 0
expect_status 2
check "a folder that cannot be" "$PICUS" export w.h5 --vtk w.csv/x
expect_status 2
expect_match stderr 'cannot create the folder'

"$PICUS" export beam.h5 --vtk beam-vtk --frames 3 --quiet
check "the nodes of a beam for ParaView" cat beam-vtk/motion.pvd
expect_match stdout '<DataSet timestep="0.05" part="2" file="nodes-1-00002.vtu"/>'
expect_equal "$(find beam-vtk -name '*.vtu' | wc -l)" 3
cat >bare.lua <<'LUA'
model("bare", "a bar without a drawing")
bar {"bar", length = 1, elements = 4, area = 1e-4, density = 1000, young = 1e6, start = {0, 1}}
simulate {scheme = "moreau", dt = 0.001, t_end = 0.01}
LUA
check "nodes without a drawing" sh -c "'$PICUS' run bare.lua --out bare.h5 --quiet && '$PICUS' export bare.h5 --vtk bare-vtk --frames 2 --quiet && ls bare-vtk | tr '\n' ' '"
expect_match stdout '^motion.pvd nodes-1-00000.vtu nodes-1-00001.vtu $'

# The structure that ParaView reads: elements and attributes of the formats, arrays that zlib unpacks to their lengths.
cat >structure.py <<'PYTHON'
import glob, struct, sys, xml.etree.ElementTree as tree, zlib

sizes = {"Float64": 8, "Int64": 8, "Int32": 4, "UInt8": 1}
counts = {"PolyData": ["NumberOfPoints", "NumberOfVerts", "NumberOfLines", "NumberOfStrips", "NumberOfPolys"],
          "UnstructuredGrid": ["NumberOfPoints", "NumberOfCells"]}
checked = packed = plain = 0
for path in sorted(sum((glob.glob(folder + "/*.vt?") for folder in sys.argv[1:]), [])):
    content = open(path, "rb").read()
    at = content.index(b'<AppendedData encoding="raw">\n_')
    data = content[at + len(b'<AppendedData encoding="raw">\n_'):]
    root = tree.fromstring(content[:at] + b"</VTKFile>")
    assert root.tag == "VTKFile" and root.get("version") == "1.0" and root.get("header_type") == "UInt64"
    assert root.get("byte_order") == "LittleEndian" and root.get("compressor") == "vtkZLibDataCompressor"
    kind = root.get("type")
    assert kind == {"p": "PolyData", "u": "UnstructuredGrid"}[path[-1]] and len(root) == 1 and root[0].tag == kind
    piece = root[0][0]
    assert piece.tag == "Piece" and sorted(piece.keys()) == sorted(counts[kind])
    number = {name: int(piece.get(name)) for name in counts[kind]}
    cells = number.get("NumberOfCells", sum(number.values()) - number["NumberOfPoints"])
    end = 0
    for section in piece:
        for array in section:
            assert array.tag == "DataArray" and array.get("format") == "appended" and int(array.get("offset")) == end
            width = sizes[array.get("type")] * int(array.get("NumberOfComponents"))
            blocks, size, last = struct.unpack_from("<3Q", data, end)
            end += 24
            unpacked = b""
            if blocks:
                assert blocks == 1 and last == 0
                length, = struct.unpack_from("<Q", data, end)
                unpacked = zlib.decompress(data[end + 8:end + 8 + length])
                end += 8 + length
                packed += length
            assert len(unpacked) == size and size % width == 0
            plain += size
            expected = {"Points": number["NumberOfPoints"], "PointData": number["NumberOfPoints"], "CellData": cells}.get(section.tag)
            if array.get("Name") == "offsets" or array.get("Name") == "types":
                expected = number[{"Cells": "NumberOfCells"}.get(section.tag, "NumberOf" + section.tag)]
            assert expected is None or size == expected * width, (path, array.get("Name"))
            checked += 1
    assert data[end:] == b"\n</AppendedData>\n</VTKFile>\n"
print("checked", checked > 100, packed < plain / 2)
PYTHON
if command -v python3 >/dev/null; then
  check "files have the structure that ParaView reads" python3 structure.py vtk beam-vtk bare-vtk
  expect_match stdout '^checked True True$'
else
  skip "files have the structure that ParaView reads" "python3 is not installed"
fi

# valid FILE: as the schema has it. Raw data are no XML: what follows their underscore is cut.
valid() {
  LC_ALL=C sed '/^<AppendedData/q' "$1" >valid.xml
  ! grep -q '^<AppendedData' valid.xml || echo '_</AppendedData></VTKFile>' >>valid.xml
  xmllint --noout --schema "$TEST_DATA/vtk.xsd" valid.xml 2>&1 | sed "s|^valid.xml|$1|"
  return "${PIPESTATUS[0]}"
}
# all_valid FOLDER...: prints how many files of each kind are.
all_valid() {
  local file wrong=0
  for file in "$@"; do valid "$file" >>valid.log || { cat valid.log && wrong=1; }; done
  for file in pvd vtp vtu; do echo "$file $(grep -c "\.$file validates$" valid.log)"; done
  return $wrong
}
if command -v xmllint >/dev/null; then
  check "files keep to the schema" all_valid ./*vtk/*
  expect_match stdout '^pvd 3$'
  expect_match stdout '^vtp 16$'
  expect_match stdout '^vtu 5$'
  # the schema sees what is wrong
  rejected() {
    sed "$2" "$1" >"wrong-$(basename "$1")" && ! valid "wrong-$(basename "$1")" >/dev/null && ! cmp -s "$1" "wrong-$(basename "$1")"
  }
  for edit in 's/NumberOfPolys/NumberOfPolygons/' 's/Float64/Double/' 's/ offset="0"//' 's/Name="points"//' 's/type="PolyData"/type="Polydata"/' \
    's/Components="3"/Components="2"/' 's/zlib\|ZLib/LZ4/' 's/format="appended"/format="ascii"/' 's/NumberOfPoints="/&-/' 's/Points>/Nodes>/'; do
    check "a file is not valid after $edit" rejected vtk/shapes-00000.vtp "$edit"
  done
  for edit in 's/timestep="0.2"/timestep="late"/' 's/ file="[^"]*"//' 's/part=/piece=/' 's|shapes-00000|../shapes|' 's/ byte_order="[^"]*"//'; do
    check "a series is not valid after $edit" rejected vtk/motion.pvd "$edit"
  done
else
  skip "files keep to the schema" "xmllint is not installed"
fi

python=''
for candidate in python3 /usr/bin/python3; do
  if [ -z "$python" ] && "$candidate" -c 'import vtkmodules.vtkIOXML' 2>/dev/null; then python=$candidate; fi
done
if [ -z "$python" ]; then
  skip "VTK reads the files" "python3-vtk9 is not installed"
  exit
fi

cat >read.py <<'PYTHON'
import csv, sys
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0
    return reader.GetOutput()

rows = list(csv.DictReader(open("w.csv")))
for k in range(5):
    row = {name: float(value) for name, value in rows[50 * k].items()}
    shapes, contacts = read("vtk/shapes-%05d.vtp" % k), read("vtk/contacts-%05d.vtp" % k)
    assert shapes.GetNumberOfLines() == 1 and shapes.GetNumberOfPolys() == 8
    assert shapes.GetCellData().GetArray("shape").GetNumberOfTuples() == 9
    assert contacts.GetNumberOfVerts() == 3
    # the lower edge of the sleeve: rM = 0.0031, hM = 0.0058
    x, y, z = contacts.GetPoint(1)
    assert abs(x - (0.0031 + 0.0058 * row["phiM"])) < 1e-15 and abs(y - (row["y"] - 0.0058 + 0.0031 * row["phiM"])) < 1e-15
    for i, law in enumerate(["beak", "lower", "upper"]):
        force = contacts.GetPointData().GetArray("force").GetTuple(i)
        assert abs(force[0] - row[law + ".PN"] / 1e-3) < 1e-9 and abs(force[1] - row[law + ".PF"] / 1e-3) < 1e-9 # since the row before
        assert contacts.GetPointData().GetArray("mode").GetValue(i) == row[law + ".mode"]
        assert contacts.GetPointData().GetArray("gap").GetValue(i) == row[law + ".gap"]
print("read")
PYTHON
check "VTK reads the files, with the numbers of the result" "$python" read.py
expect_match stdout '^read$'
cat >nodes.py <<'PYTHON'
import csv
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

table = list(csv.DictReader(open("nodes.csv")))
for k, row in enumerate([0, 2, 5]):
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName("beam-vtk/nodes-1-%05d.vtu" % k)
    reader.Update()
    assert reader.GetErrorCode() == 0
    grid = reader.GetOutput()
    assert grid.GetNumberOfPoints() == 17 and grid.GetNumberOfCells() == 16 and grid.GetCellType(0) == 3
    values = {name: grid.GetPointData().GetArray(name) for name in ["displacement", "rotation", "velocity", "angular velocity"]}
    moved = 0
    for line in table:
        if int(line["row"]) != row: continue
        node = int(line["node"])
        x = {name: float(value) for name, value in line.items()}
        assert grid.GetPoint(node) == (x["x"], x["y"], x["z"])
        assert values["displacement"].GetTuple(node) == (x["ux"], x["uy"], 0)
        assert values["rotation"].GetTuple(node) == (0, 0, x["rz"])
        assert values["velocity"].GetTuple(node) == (x["vx"], x["vy"], 0)
        assert values["angular velocity"].GetTuple(node) == (0, 0, x["wz"])
        moved += 1
    assert moved == 17
print("read")
PYTHON
check "VTK reads the nodes, with the numbers of the table" "$python" nodes.py
expect_match stdout '^read$'
"$PICUS" run tippedisk --t-end 0.01 --out d.h5 --quiet
"$PICUS" export d.h5 --vtk space --frames 2 --quiet
check "VTK reads a mesh and a sphere" "$python" -c "
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
r = vtkXMLPolyDataReader(); r.SetFileName('space/shapes-00001.vtp'); r.Update()
print(r.GetErrorCode(), r.GetOutput().GetNumberOfPolys())"
expect_match stdout '^0 961$'
