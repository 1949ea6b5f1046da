"""The notebooks run, and hold no outputs."""
import os
import pathlib

import pytest

import picus

NOTEBOOKS = sorted((pathlib.Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
nbformat = pytest.importorskip("nbformat")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_no_outputs(path):
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs") and not cell.get("execution_count")


def test_the_page_shows_their_code(root):
    page = (root / "docs/notebooks.md").read_text()
    for path in NOTEBOOKS:
        for cell in nbformat.read(path, as_version=4).cells:
            text = cell.source.removeprefix("# ")
            assert text in page, f"{path.name}: run scripts/python-notebooks gallery"


@pytest.mark.skipif(
    not os.environ.get("PICUS_TEST_NOTEBOOKS"), reason="PICUS_TEST_NOTEBOOKS runs them"
)
@pytest.mark.skipif(not picus._core.HAS_HDF5, reason="this build has no HDF5")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook(path, tmp_path, root, monkeypatch):
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PROBLEMS", str(root / "test/data/problems"))
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    out = os.environ.get("PICUS_TEST_NOTEBOOKS", "1")
    if out != "1":  # keep the executed notebook, for pages
        nbformat.write(notebook, pathlib.Path(out) / path.name)
