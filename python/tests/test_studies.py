"""Studies: the bits of single runs, files, interruptions, parts and executors."""
import concurrent.futures
import multiprocessing
import os
import pickle

import numpy as np
import pytest
from conftest import needs_hdf5

import picus

E = np.linspace(0.2, 0.8, 4)


@pytest.fixture
def ball():
    return picus.load("bouncing-ball")


def new(ball, **more):
    return picus.Study(
        ball,
        parameters={"e": E},
        starts={"q": [0.5, 1.0]},
        vary={"dt": [1e-3, 5e-4]},
        collect="impacts max(q), mean(E.kin) q",
        t_end=0.6,
        **more,
    )


def same(one, two):
    for name in one.axes + one.values:
        assert one[name].tobytes() == two[name].tobytes(), name


def test_values_are_those_of_single_runs(ball):
    study = new(ball).run()
    assert len(study) == study.done() == 16 and not study.failures
    assert study.axes == ["e", "q", "dt"]
    assert study.values == ["impacts", "max(q)", "mean(E.kin)", "last q"]
    for k in (0, 5, 15):
        sim = picus.load("bouncing-ball", e=study["e"][k]).simulate(dt=study["dt"][k])
        sim.set_state([study["q"][k]], [0.0])
        run = sim.run(0.6)
        assert run.summary["impacts"] == study["impacts"][k]
        assert run["q"].max() == study["max(q)"][k]
        assert run["q"][-1] == study["last q"][k]
    grid = study["e"].reshape(4, 2, 2)
    assert (grid == E[:, None, None]).all()
    for threads in (1, 2):
        same(study, new(ball, threads=threads).run())
    with pytest.raises(ValueError):
        study["q"][0] = 1
    with pytest.raises(KeyError, match="it has"):
        study["zz"]


def test_samples(ball):
    def study(**more):
        ranges = {"e": (0.1, 0.9)}
        return picus.Study(ball, parameters=ranges, dt=1e-3, t_end=0.5, **more)

    sobol = study(sampling="sobol", samples=8)
    assert sobol["e"] == pytest.approx(
        0.1 + 0.8 * np.array([0, 4, 6, 2, 3, 7, 5, 1]) / 8
    )
    one, other = (study(sampling="latin", samples=8, seed=k) for k in (1, 2))
    assert (one["e"] != other["e"]).any()
    assert np.isnan(one["q"]).all() and one.run()["q"].shape == (8,)
    with pytest.raises(ValueError, match="samples"):
        study(sampling="sobol")
    with pytest.raises(ValueError):
        study(sampling="random", samples=0)
    with pytest.raises(ValueError, match="there is no sampling"):
        study(sampling="rnd", samples=3)


def test_files_parts_and_interruptions(ball, tmp_path):
    whole, cut, parts = (tmp_path / name for name in ("a.csv", "b.csv", "c.csv"))
    new(ball).run(csv=whole)

    for k in (1, 3):
        new(ball).run(csv=parts, part=(k, 3))
    with pytest.raises(ValueError, match="5 of 16 runs are missing; run part 2 of 3"):
        new(ball).merge(3, csv=parts)
    new(ball).run(csv=parts, part=(2, 3))
    new(ball).merge(3, csv=parts)
    assert parts.read_bytes() == whole.read_bytes()
    with pytest.raises(ValueError, match="name of a file"):
        new(ball).run(part=(1, 2))
    with pytest.raises(picus.Error, match="another study"):
        other = picus.Study(ball, parameters={"e": E}, dt=1e-3)
        other.read_journal(f"{parts}.journal.1-of-3")
    with pytest.raises(picus.FileError):
        new(ball).run(csv=tmp_path / "none" / "a.csv")


def test_interruption(ball, tmp_path):
    def long(threads):
        e = np.linspace(0, 0.9, 200)
        return picus.Study(
            ball, parameters={"e": e}, dt=1e-4, t_end=0.5, threads=threads
        )

    def stop(done, count):
        if done:
            raise RuntimeError("enough")

    whole, cut = tmp_path / "a.csv", tmp_path / "b.csv"
    long(0).run(csv=whole)
    study = long(1)
    with pytest.raises(RuntimeError, match="enough"):
        study.run(csv=cut, progress=stop)
    assert 0 < study.done() < 200 and not cut.exists()
    told = []
    long(2).run(csv=cut, progress=lambda done, count: told.append(done))
    assert told[0] >= study.done() and cut.read_bytes() == whole.read_bytes()


@needs_hdf5
def test_hdf5(ball, tmp_path):
    new(ball).run(tmp_path / "a.h5")
    new(ball, threads=1).run(tmp_path / "b.h5")
    assert (tmp_path / "a.h5").read_bytes() == (tmp_path / "b.h5").read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["a.h5", "b.h5"]


def test_executors(ball, tmp_path):
    study = new(ball).run()
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        same(study, new(ball).run(executor=executor, parts=3))
    spawn = multiprocessing.get_context("spawn")
    path = tmp_path / "a.csv"
    new(ball).run(csv=path, part=(2, 4))  # a part of it is there
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as executor:
        told = []
        other = new(ball).run(
            csv=path,
            executor=executor,
            parts=4,
            progress=lambda done, count: told.append(done),
        )
        same(study, other)
        assert told == [8, 12, 16] and os.listdir(tmp_path) == ["a.csv"]


def test_continuation(tmp_path):
    well = picus.Builder("well")
    p = well.parameters(F=0.0)
    q, u = well.coordinates(x=dict(velocity="v", start=(-1, 0)))
    well.kinetic(u.v**2 / 2)
    well.potential(q.x**4 / 4 - q.x**2 / 2 - p.F * q.x)
    well.force(x=-2 * u.v)
    model, forces = well.build(), np.linspace(-0.5, 0.5, 21)

    def study():
        return picus.Study(
            model,
            parameters={"F": forces},
            continuation="forth-and-back",
            collect="mean(x)",
            dt=0.02,
            t_end=100,
        )

    both = study().run()
    fold = 2 / 27**0.5
    edges = np.repeat([fold, -fold], 21)
    assert both.values == ["mean(x)", "x", "v"]
    assert ((both["x"] > 0) == (both["F"] > edges)).all()
    assert both.to_xarray()["x"].shape == (42,)
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        same(both, study().run(csv=tmp_path / "a.csv", executor=executor))
    with pytest.raises(ValueError, match="continuation"):
        picus.Study(model, continuation="up")


def test_sections(tmp_path):
    oscillator = picus.load("forced-impact-oscillator")
    period = 2 * np.pi

    def study(section):
        return picus.Study(
            oscillator,
            parameters={"e": [0.7, 0.8, 0.9]},
            section=section,
            last=4,
            dt=period / 2000,
            t_end=10 * period,
        )

    strobe = study(period).run()
    assert strobe.section["point"].tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert strobe.section["e"].tolist() == [0.7] * 4 + [0.8] * 4 + [0.9] * 4
    times = strobe.section["t"].reshape(3, 4)
    assert np.allclose(times, np.arange(7, 11) * period, rtol=0, atol=1e-9)
    assert (strobe.section["x"].reshape(3, 4)[:, -1] == strobe["x"]).all()
    impacts = study("stop:impact").run()
    assert np.allclose(impacts.section["x"], 1, rtol=0, atol=0.02)
    assert (impacts.section["v"] <= 0).all() and len(impacts.section["v"]) == 12
    again = pickle.loads(pickle.dumps(impacts))
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        again.run(csv=tmp_path / "a.csv", executor=executor)
    for name, states in impacts.section.items():
        assert (again.section[name] == states).all()
    assert len(study(None).run().section["point"]) == 0
    for wrong in ("nothing", "stop:falls", -1.0, float("nan")):
        with pytest.raises((ValueError, picus.Error)):
            study(wrong)


def test_tables(ball):
    study = new(ball).run()
    again = pickle.loads(pickle.dumps(study))
    assert again.done() == 0 and again.axes == study.axes
    pandas = pytest.importorskip("pandas")
    table = study.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.shape == (16, 9)
    assert (table["q"] == study["q"]).all() and (table["status"] == "PICUS_OK").all()
    pytest.importorskip("xarray")
    data = study.to_xarray()
    assert dict(data.sizes) == {"e": 4, "q": 2, "dt": 2}
    assert float(data["impacts"].sel(e=0.8, q=0.5, dt=1e-3)) == study["impacts"][12]


def test_failures_and_misuse(ball):
    study = picus.Study(ball, parameters={"e": [0.5, 7]}, dt=1e-3, t_end=0.1).run()
    assert list(study.failures) == [1] and "eN" in study.failures[1]
    assert np.isnan(study["q"][1]) and study.done() == 2
    for wrong in (
        dict(parameters={"ee": 1}),
        dict(starts={"z": [1]}),
        dict(vary={"scheme": [1]}),
        dict(collect="zz"),
        dict(collect="median(q)"),
        dict(dtt=1),
        dict(parameters={"e": []}),
        dict(vary={"dt": [-1.0]}),
    ):
        with pytest.raises((picus.Error, ValueError)):
            picus.Study(ball, **wrong)
    busy = picus.Study(ball, parameters={"e": E}, dt=1e-3, t_end=0.2, threads=1)
    with pytest.raises(RuntimeError, match="running in another thread"):
        busy.run(progress=lambda done, count: busy.run())
    assert busy.run().done() == 4


def test_orders():
    oscillator = picus.load("linear-oscillator", v0=1.0)
    steps = 8e-3 / 2 ** np.arange(5)
    study = picus.Study(
        oscillator, vary={"dt": steps}, collect="q v", t_end=0.8, scheme="moreau"
    )
    found = study.run().orders("v")
    assert found["order"][:3] == pytest.approx([2, 2, 2], abs=0.01)
    assert np.isnan(found["order"][3:]).all() and (found["x"][:4] == steps[:4]).all()
    with pytest.raises(KeyError, match="it has"):
        study.orders("w")


@needs_hdf5
def test_more_values_of_the_same_runs(ball, tmp_path):
    few, other = tmp_path / "few.h5", tmp_path / "other.h5"
    new(ball).run(few)
    more = picus.Study(
        ball,
        parameters={"e": E},
        starts={"q": [0.5, 1.0]},
        vary={"dt": [1e-3, 5e-4]},
        collect="impacts max(q), mean(E.kin) q E.pot",
        t_end=0.6,
    )
    more.run().check(str(few))
    picus.Study(ball, parameters={"e": E}, collect="q", t_end=0.6).run(other)
    with pytest.raises(picus.ArgumentError, match="another study"):
        more.check(str(other))
    with pytest.raises(picus.FileError):
        more.check(str(tmp_path / "none.h5"))
