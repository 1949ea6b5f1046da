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
expect_match stderr "'w.h5' has no table of contacts: all contacts of its model are laws of their own, with columns"
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
expect_match stderr 'contacts is for models whose contacts come and go'
check "no files" "$PICUS" export w.h5 --vtk x --frames 0
expect_status 2
check "a folder that cannot be" "$PICUS" export w.h5 --vtk w.csv/x
expect_status 2
expect_match stderr 'cannot create the folder'

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
        assert abs(force[0] - row[law + ".PN"] / 1e-5) < 1e-9 and abs(force[1] - row[law + ".PF"] / 1e-5) < 1e-9
        assert contacts.GetPointData().GetArray("mode").GetValue(i) == row[law + ".mode"]
        assert contacts.GetPointData().GetArray("gap").GetValue(i) == row[law + ".gap"]
print("read")
PYTHON
check "VTK reads the files, with the numbers of the result" "$python" read.py
expect_match stdout '^read$'
"$PICUS" run tippedisk --t-end 0.01 --out d.h5 --quiet
"$PICUS" export d.h5 --vtk space --frames 2 --quiet
check "VTK reads a mesh and a sphere" "$python" -c "
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
r = vtkXMLPolyDataReader(); r.SetFileName('space/shapes-00001.vtp'); r.Update()
print(r.GetErrorCode(), r.GetOutput().GetNumberOfPolys())"
expect_match stdout '^0 961$'
