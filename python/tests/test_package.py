"""The package itself: stubs, generated code, import, documents."""
import ast
import doctest
import subprocess
import sys

import pytest

import picus
from picus import _core


def test_generated_code_is_fresh(root):
    script = root / "scripts/python-api"
    if not script.exists():
        pytest.skip("not in the sources of Picus")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True)
    assert done.returncode == 0, done.stderr


def test_stubs_name_what_there_is(root):
    tree = ast.parse((root / "python/src/picus/_core.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            assert hasattr(_core, node.name), node.name
        if isinstance(node, ast.AnnAssign):
            assert hasattr(_core, node.target.id), node.target.id
        if isinstance(node, ast.ClassDef) and not node.bases:
            cls = getattr(_core, node.name)
            stubs = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            assert all(hasattr(cls, name) for name in stubs), node.name
            there = {n for n in vars(cls) if not n.startswith("__")}
            assert there <= stubs, (node.name, there - stubs)


def test_import_is_light():
    code = "import sys, picus; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_documents_of_functions():
    import picus.builder
    import picus.contact
    import picus.model
    import picus.rollouts

    for module in (picus, picus.model, picus.builder, picus.rollouts, picus.contact):
        failed, tried = doctest.testmod(module)
        assert failed == 0
    for name in picus.__all__:
        thing = getattr(picus, name)
        assert not callable(thing) or thing.__doc__, name


def test_version(root):
    text = (root / "CMakeLists.txt").read_text()
    assert f"VERSION {picus.__version__} " in text
    assert (
        f'version = "{picus.__version__}"'
        in (root / "python/pyproject.toml").read_text()
    )
