"""Results as arrays, tables, figures and pages."""
import numpy as np
import pytest
from conftest import needs_hdf5

import picus


def test_csv(tmp_path, woodpecker):
    result = woodpecker.run(0.05, csv=tmp_path / "w.csv")
    table = np.genfromtxt(tmp_path / "w.csv", delimiter=",", names=True)
    assert (table["y"] == result["y"]).all()
    assert (result.to_numpy()[:, 0] == result.t).all()


@needs_hdf5
def test_file(tmp_path, woodpecker):
    path = tmp_path / "w.h5"
    result = woodpecker.run(0.4, out=path)
    stored = picus.open(path)
    assert list(stored) == list(result) and len(stored) == len(result)
    for name in result:
        assert stored[name].tobytes() == result[name].tobytes()
    assert list(stored.events) == list(result.events)
    assert stored.notes["model.name"] == "woodpecker"
    assert stored.notes["options.dt"] == 1e-4
    y = stored["y"]
    del stored
    assert (y == result["y"]).all()
    page = result.view(300)
    assert page._repr_html_().startswith("<iframe") and "woodpecker" in page.page
    page.save(tmp_path / "w.html")
    assert (tmp_path / "w.html").stat().st_size > 10000
    comparison = result.compare(path)
    assert comparison["columns"]["y"]["uniform"] == 0
    with pytest.raises(picus.FileError):
        picus.open(tmp_path / "none.h5")
    with pytest.raises(picus.UnsupportedError, match="out="):
        woodpecker.run(0.41).view()


@needs_hdf5
def test_reference(tmp_path):
    model = picus.load("falling-mass")
    path = tmp_path / "reference.h5"
    report = picus.reference(model, path, accuracy=1e-6, t_end=0.5)
    assert report["reached"] and report["accuracy"] <= 1e-6
    result = model.simulate(dt=1e-3, t_end=0.5).run(out=tmp_path / "run.h5")
    assert picus.compare(result, path)["common"] > 0


@pytest.mark.skipif(picus._core.HAS_HDF5, reason="this build has HDF5")
def test_without_hdf5(tmp_path, woodpecker):
    with pytest.raises(picus.UnsupportedError, match="without HDF5"):
        woodpecker.run(0.1, out=tmp_path / "w.h5")
    with pytest.raises(picus.UnsupportedError, match="without HDF5"):
        picus.open(tmp_path / "w.h5")


def test_tables(woodpecker):
    result = woodpecker.run(0.1, record="y v beak.*")
    frame = pytest.importorskip("pandas") and result.to_pandas()
    assert frame.index.name == "t" and (frame["y"].to_numpy() == result["y"]).all()
    assert frame.attrs["units"]["v"] == "m/s"
    assert len(result.events.to_pandas()) == len(result.events)
    assert "rows" in result._repr_html_() and "columns" in repr(result)


def test_xarray(woodpecker):
    pytest.importorskip("xarray")
    data = woodpecker.run(0.05).to_xarray()
    assert data["y"].attrs["units"] == "m" and data.sizes["t"] == 501


def test_plot(woodpecker):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = woodpecker.run(0.1)
    assert len(result.plot().axes) >= 1
    figure = result.plot("y", "v")
    assert len(figure.axes[0].lines) == 2
    with pytest.raises(KeyError):
        result.plot("nothing")
