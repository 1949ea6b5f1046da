"""The blocks of the pages about Python run, in the order of a page."""
import importlib.util
import os
import re

import pytest

import picus

PAGES = ("python.md", "tutorial-python.md")


@pytest.mark.parametrize("page", PAGES)
def test_page(root, page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (root / "docs" / page).read_text()
    names = {"__name__": "page"}
    for block in re.findall(r"```py\n(.*?)```", text, re.S):
        if "out=" in block and not picus._core.HAS_HDF5:
            continue
        if "matplotlib" in block and not importlib.util.find_spec("matplotlib"):
            continue
        exec(compile(block, os.fspath(page), "exec"), names)
    assert capsys.readouterr().out
