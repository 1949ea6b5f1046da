"""Results as arrays, tables, figures and pages."""
import gc
import sys

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
    for name in ("steps", "impacts", "seconds", "t_end"):
        assert stored.summary[name] == result.summary[name]
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
    with pytest.raises(KeyError, match="'nothing'"):
        result.plot("nothing")


def test_plot_without_matplotlib(woodpecker, tmp_path, monkeypatch):
    pytest.importorskip("picus._figure")
    from picus import _figure

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    result = woodpecker.run(0.1)
    figure = result.plot()
    assert figure._repr_svg_().lstrip().startswith("<?xml") and "panels" in repr(figure)
    for ending in ("png", "svg", "pdf"):
        result.plot("y", "v").save(tmp_path / f"w.{ending}")
        assert (tmp_path / f"w.{ending}").stat().st_size > 1000
    with pytest.raises(KeyError, match="'nothing'"):
        result.plot("nothing")
    with pytest.raises(ValueError, match="png"):
        figure.save(tmp_path / "w.gif")
    x = np.zeros(3)
    for wrong in (
        ["a"],
        [("a", "b")],
        [("a", "b", [("c", x, x[:2])])],
        [("a", "b", [("c", x, x[::2])])],
        [("a", "b", [("c", x, np.zeros(3, dtype=int))])],
        [("a", "b", [("c", x, None)])],
    ):
        with pytest.raises((TypeError, ValueError, BufferError)):
            _figure.save(str(tmp_path / "wrong.png"), "", wrong)
    monkeypatch.setitem(sys.modules, "picus._figure", None)
    monkeypatch.delattr(picus, "_figure")
    with pytest.raises(ImportError, match="Cairo"):
        result.plot()


@needs_hdf5
def test_results_show_their_motion(woodpecker, tmp_path):
    result = woodpecker.run(0.05, out=tmp_path / "w.h5")
    assert result._repr_html_().startswith("<iframe srcdoc=")
    assert picus.open(tmp_path / "w.h5")._repr_html_().startswith("<iframe srcdoc=")
    (tmp_path / "w.h5").unlink()
    assert "<table>" in result._repr_html_()  # the file is gone
    assert "<table>" in woodpecker.run(0.06)._repr_html_()


def bar():
    m = picus.Builder("bar")
    rod = m.bar("rod", elements=4, length=1, area=1e-4, density=7800, young=2.1e11)
    m.force({"rod.x4": 100 * picus.sin(1e4 * m.t)})
    b = m.beam(
        "b",
        length=1,
        elements=3,
        circle=0.01,
        density=7800,
        young=2.1e11,
        supports=[(0, "clamped")],
        gravity=(0, -9.81),
    )
    m.constraint("held", position=rod.x[0])
    m.observe("tip", b.uy[3])
    return m.build().simulate(scheme="moreau-jean", dt=1e-4)


def check_nodes(result):
    assert list(result.nodes) == ["rod", "b"]
    rod, b = result.nodes["rod"], result.nodes["b"]
    rows = len(result)
    assert rod["x"].shape == (rows, 5) and b["uy"].shape == (rows, 4)
    assert b.displacements.shape == b.velocities.shape == (rows, 4, 3)
    for k in range(5):
        assert rod["x"][:, k].tobytes() == result[f"rod.x{k}"].tobytes()
    assert b["uy"][:, 3].tobytes() == result["tip"].tobytes()
    assert (b["uy"][:, 0] == 0).all() and b["vy"][1:, 3].all()
    assert b.units["uy"] == "m" and b.units["vy"] == "m/s" and "nodes" in repr(b)
    assert b.positions[:, 0] == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert b.elements.tolist() == [[0, 1], [1, 2], [2, 3]]
    with pytest.raises(KeyError, match="they have"):
        b["nothing"]


def test_nodes_in_memory():
    result = bar().run(0.02, nodes=True)
    check_nodes(result)
    uy = result.nodes["b"]["uy"]
    assert not uy.flags.writeable
    last = uy[-1].copy()
    del result
    gc.collect()
    assert (uy[-1] == last).all()
    assert bar().run(0.01).nodes == {}
    assert picus.load("woodpecker").simulate(dt=1e-4).run(0.01, nodes=True).nodes == {}


@needs_hdf5
def test_nodes_of_files(tmp_path):
    result = bar().run(0.02, nodes=True, out=tmp_path / "bar.h5")
    stored = picus.open(tmp_path / "bar.h5")
    check_nodes(stored)
    for name in ("rod", "b"):
        mine, read = result.nodes[name], stored.nodes[name]
        assert mine.displacements.tobytes() == read.displacements.tobytes()
        assert mine.velocities.tobytes() == read.velocities.tobytes()
        assert mine.positions.tobytes() == read.positions.tobytes()
    for wrong in ((7, False), (-1, True)):
        with pytest.raises(picus.Error):
            stored._source.nodes(*wrong)
        assert len(result._source.nodes(*wrong)) == 0


def test_pairs():
    """Energy and forces by pair of bodies are columns."""
    model = picus.loads(
        "gravity {0, -9.81}\nmaterial {'default', mu = 0.2}\nfloor {'floor'}\n"
        "rectangle {'box', size = {0.2, 0.1}, mass = 2, position = {0, 0.05},\n"
        "  velocity = {1, 0}}\n"
    )
    result = model.simulate(dt=1e-3, t_end=1, pairs="bodies").run()
    assert np.isclose(result["E.diss.box-floor"][-1], 1, rtol=1e-9)
    assert np.isclose(result["box-floor.Py"].sum(), 2 * 9.81)
    assert np.isclose(result["box-floor.Px"].sum(), -2)
