"""A wheel in an empty venv, with nothing but the standard library."""
import os
import pathlib
import re
import subprocess
import sys
import time

begin = time.perf_counter()
import picus  # noqa: E402

seconds = time.perf_counter() - begin
assert "numpy" not in sys.modules
folder = pathlib.Path(picus.__file__).parent
assert sys.prefix in str(folder) and sys.prefix != sys.base_prefix
modules = list(folder.glob("_core*"))
assert [m.name for m in modules if m.suffix == ".so"] == ["_core.abi3.so"], modules
used = subprocess.run(
    ["ldd", str(folder / "_core.abi3.so")], capture_output=True, text=True
).stdout
outside = [
    line.split()[0]
    for line in used.splitlines()
    if "=>" in line and str(folder.resolve()) not in line
]
allowed = ("libc.so", "libm.so", "libpthread.so", "libdl.so")
assert all(name.startswith(allowed) for name in outside), outside
# the tag of the wheel is the glibc that its files need
tags = [
    line
    for path in folder.parent.glob("picus-*.dist-info/WHEEL")
    for line in path.read_text().splitlines()
    if line.startswith("Tag: ")
]
versions = [(2, 17)]
for path in folder.rglob("*.so*"):
    data = path.read_bytes()
    found = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", data)
    versions += [(int(a), int(b)) for a, b in found]
major, minor = max(versions)
assert tags == [f"Tag: cp311-abi3-manylinux_{major}_{minor}_x86_64"], (tags, versions)
assert list(folder.glob("libraries/*.copyright"))
sim = picus.load("woodpecker").simulate(dt=1e-4)
sim.step(1000)
assert memoryview(sim._q())[0] < 0
model = picus.Builder("b")
q, u = model.coordinates(y=dict(velocity="v", start=1))
model.kinetic(u.v**2 / 2)
model.contact("floor", gap=q.y)
model.build().simulate(dt=1e-3).step(10)
if os.environ.get("NUMPY"):
    sys.path.append(os.environ["NUMPY"])
    assert len(sim.run(0.2)["y"]) == 1001
    if not picus._core.HAS_HDF5:
        try:
            picus.open("x.h5")
        except picus.UnsupportedError as error:
            assert "without HDF5" in str(error)
print(f"{picus.__version__} in {sys.version.split()[0]}, import {seconds * 1e3:.1f} ms")
