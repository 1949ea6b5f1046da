"""What the tests share."""
import importlib
import pathlib
import sys

import pytest

import picus

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python/examples"))
manual = importlib.import_module("manual")
MODEL_FILE = """
local i = inputs {{"push", start = 0}}
local q, u = coordinates {{"x", velocity = "v", start = {0, 0}}}
kinetic(u.v^2 / 2)
force {x = i.push}
contact {"wall", gap = 1 - q.x, eN = 0.5}
simulate {dt = 1e-3, t_end = 1}
"""


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def pushed():
    return picus.loads(MODEL_FILE, name="pushed")


@pytest.fixture
def woodpecker():
    return picus.load("woodpecker").simulate(dt=1e-4)


needs_hdf5 = pytest.mark.skipif(
    not picus._core.HAS_HDF5, reason="this build has no HDF5"
)
