"""Refused allocations, of the interpreter and the library: MemoryError alone."""
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
KINDS = "load run look fail reader nodes functions rollout contact".split()


# The same allocations in every run: no random order of hashes, no threads of NumPy.
REPEATED = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}


def refuse(where, kind, library=None):
    more = {}
    if library:  # by its number: LD_PRELOAD takes blanks in a path for separators
        more["LD_PRELOAD"] = f"/proc/self/fd/{library.fileno()}"
    done = subprocess.run(
        [sys.executable, HERE / "refused_memory.py", where, kind],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **REPEATED, **more},
        pass_fds=(library.fileno(),) if library else (),
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[0])


@pytest.mark.parametrize("kind", KINDS)
def test_refused_by_the_interpreter(kind):
    pytest.importorskip("_testcapi")
    assert refuse("python", kind) > 10


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler or not sys.platform.startswith("linux"):
        pytest.skip("no compiler")
    path = tmp_path_factory.mktemp("refuse") / "refuse.so"
    options = ["-shared", "-fPIC", "-O1", "-o"]
    subprocess.check_call([compiler, *options, path, HERE / "refuse.c"])
    return path


@pytest.mark.parametrize("kind", [*KINDS, "build"])
def test_refused_by_malloc(kind, library):
    if os.environ.get("PICUS_REFUSE"):  # the extension itself can refuse
        assert refuse("c", kind) > 5
        return
    before = os.environ.get("LD_PRELOAD")
    if before:
        pytest.skip(f"{before} is loaded before the interpreter")
    with open(library, "rb") as opened:
        assert refuse("c", kind, opened) > 10
