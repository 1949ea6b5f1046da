"""Derivatives of runs and periodic orbits, against the values of the literature."""
import pickle

import numpy as np
import pytest

import picus
from picus import _core, orbits


@pytest.fixture(scope="module")
def toy():
    return picus.load("woodpecker")


@pytest.fixture(scope="module")
def orbit(toy):
    return picus.Orbit(toy, section="lower:slips")


def test_changes_are_those_of_the_library():
    names = [name for name in dir(_core) if name.startswith("CHANGE_")]
    assert len(names) == len(orbits.CHANGES)
    for name in names:
        number = getattr(_core, name)
        assert orbits.CHANGES[number] == name.removeprefix("CHANGE_").lower()


def test_orbit_of_the_woodpecker(orbit, toy):
    assert orbit.period == pytest.approx(0.145976065143744, abs=1e-13)
    assert orbit.shift == {"y": pytest.approx(-0.0194453792847168, abs=1e-13)}
    assert orbit.is_stable and orbit.multipliers.dtype == complex
    assert orbit.multipliers[0] == pytest.approx(-0.83915565, abs=1e-8)
    assert (orbit.multipliers[1:] == 0).all() and len(orbit.multipliers) == 5
    assert [p["change"] for p in orbit.points][-1] == "slips"
    assert orbit.points[0]["name"] == "lower" and orbit.points[0]["to"] == "open"
    assert 0 < orbit.margins["velocity"][0] < 0.01
    assert orbit.monodromy.shape == (6, 6) and len(orbit.q) == len(orbit.u) == 3
    with pytest.raises(ValueError):
        orbit.q[0] = 1
    again = pickle.loads(pickle.dumps(orbit))
    assert again.period == orbit.period and "stable" in repr(again)


def test_a_run_that_starts_on_the_orbit_returns_to_it(orbit, toy):
    sim = orbit.simulate(rtol=1e-9, atol=1e-11)
    run = sim.run()
    names = toy.coordinates + toy.velocities
    end = np.array([run[name][-1] for name in names])
    start = np.concatenate([orbit.q, orbit.u])
    start[names.index("y")] += orbit.shift["y"]
    assert np.abs(end - start).max() < 1e-5 * np.abs(start).max()


def test_unstable_orbits_are_found():
    walker = picus.load("simplest-walker", theta0=0.1939, omega0=-0.2039)
    orbit = picus.Orbit(walker, t_end=8.0)
    assert not orbit.is_stable
    assert orbit.multipliers[0].real == pytest.approx(4.00386435892974, abs=1e-8)
    assert orbit.period == pytest.approx(3.096105868078164, abs=1e-9)


def test_forced_orbits():
    model = picus.load("forced-impact-oscillator")
    orbit = picus.Orbit(model, period=2 * np.pi)
    pair = orbit.multipliers
    assert pair[0] == pytest.approx(-0.584295314342 + 0.005600351492j, abs=1e-9)
    assert pair[1] == pytest.approx(pair[0].conjugate(), abs=1e-15)
    with pytest.raises(ValueError, match="not both"):
        picus.Orbit(model, section="stop", period=1.0)
    with pytest.raises(picus.ArgumentError, match="give the period"):
        picus.Orbit(model)
    with pytest.raises(picus.UnknownName, match="bek"):
        picus.Orbit(picus.load("woodpecker"), section="bek")


def test_derivatives_of_a_ball_in_flight():
    model = picus.load("bouncing-ball", f=-3)
    sim = model.simulate(adaptive=True, sample=0.05)
    run = sim.run(0.2, sensitivity=["f", "q"])
    t = run.t
    assert run.sensitivity("f") == pytest.approx(np.stack([t**2 / 2, t], 1))
    assert run.sensitivity("q") == pytest.approx(np.stack([1 + 0 * t, 0 * t], 1))
    assert run["dq_df"][-1] == run.sensitivity("f")[-1, 0] and sim.t == 0
    with pytest.raises(KeyError, match="no derivatives by 'e'"):
        run.sensitivity("e")


def test_derivatives_are_differences_of_runs(toy):
    def end(mu):
        sim = picus.load("woodpecker", mu=mu).simulate(rtol=1e-10, atol=1e-12)
        run = sim.run(0.12)
        return np.array([run[name][-1] for name in toy.coordinates + toy.velocities])

    mu, step = 0.3, 1e-4
    model = picus.load("woodpecker", mu=mu)
    run = model.simulate(adaptive=True).run(0.12, sensitivity="mu, phiS")
    slope = (end(mu + step) - end(mu - step)) / (2 * step)
    ours = run.sensitivity("mu")[-1]
    assert np.abs(ours - slope).max() < 1e-3 * np.abs(slope).max()
    assert run.sensitivity("phiS").shape == (1, 6)


def test_what_has_no_derivatives(toy, tmp_path):
    sim = toy.simulate(adaptive=True)
    with pytest.raises(picus.UnknownName, match="zz"):
        sim.run(0.1, sensitivity=["zz"])
    with pytest.raises(ValueError, match="rows only"):
        sim.run(0.1, sensitivity=["mu"], on_step=print)
    with pytest.raises(picus.UnsupportedError):
        picus.load("disks").simulate(adaptive=True).run(0.01, sensitivity=["mu"])
    sim.run(0.01)
    with pytest.raises(ValueError, match="initial state"):
        sim.run(0.1, sensitivity=["mu"])
    file = tmp_path / "d.csv"
    toy.simulate(adaptive=True, sample=0.01).run(
        0.12, "phiS dphiS_dmu", sensitivity=["mu"], csv=file
    )
    assert file.read_text().splitlines()[0].startswith("t")


def test_branch_through_grazing():
    model = picus.load("forced-impact-oscillator")
    branch = picus.Branch(model, "sigma", 1.0, 12.0, period="2*pi/omega", longest=0.3)
    kinds = [s["kind"] for s in branch.special]
    assert kinds[0] == "start" and kinds[-1] == "end" and "grazing" in kinds
    grazing = branch.special[kinds.index("grazing")]
    assert grazing["parameter"] == pytest.approx(10.0, abs=1e-9)  # closed form
    assert len(branch.kinds) == len(branch) and len(branch.sequences) >= 2
    assert set(branch["stable"]) == {0.0, 1.0} and "re1" in branch.columns
    again = pickle.loads(pickle.dumps(branch))
    assert (again["period"] == branch["period"]).all() and "12" in repr(again)
    with pytest.raises(ValueError, match="not both"):
        picus.Branch(model, "sigma", 1, 2, section="stop", period=1.0)
    with pytest.raises(picus.Error):
        picus.Branch(model, "sgma", 1, 2, period="2*pi/omega")
