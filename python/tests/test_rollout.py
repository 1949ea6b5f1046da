"""Rollouts: the bits of single runs, for any number of threads."""
import numpy as np
import pytest

import picus


def test_bits_of_single_runs():
    model = picus.load("bouncing-ball")
    e = np.linspace(0, 1, 7)
    rollouts = [
        picus.rollout(
            model, parameters={"e": e}, t_end=2, dt=1e-3, sample=0.25, threads=k
        )
        for k in (1, 2, 0)
    ]
    for other in rollouts[1:]:
        assert other.array.tobytes() == rollouts[0].array.tobytes()
    r = rollouts[0]
    assert r["q"].shape == (7, 9) and len(r) == 7 and not r.failures
    for k in (0, 3, 6):
        single = picus.load("bouncing-ball", e=e[k]).simulate(dt=1e-3, sample=0.25)
        assert (single.run(2)["q"] == r["q"][k]).all()


def test_starts_and_inputs(pushed):
    q, u = np.array([[0.0], [0.5]]), np.array([[0.0], [-1.0]])
    r = picus.rollout(pushed, starts=(q, u), t_end=0.5, collect=["x", "v"])
    assert r.columns == ["t", "x", "v"] and r["v"].tolist() == [0.0, -1.0]
    forces = np.array([[1.0, 2.0], [0.0, -4.0]])
    r = picus.rollout(pushed, inputs={"push": forces}, t_end=0.5, collect="v")
    assert r["v"] == pytest.approx([0.25 * 1 + 0.25 * 2, -1.0])
    r = picus.rollout(pushed, inputs={"push": [1.0, 0.0]}, count=3, t_end=0.5)
    assert r["v"] == pytest.approx([0.25] * 3)


def test_failures():
    model = picus.load("bouncing-ball")
    r = picus.rollout(model, parameters={"e": [0.5, 7, 0.2]}, t_end=0.1, dt=1e-3)
    assert list(r.failures) == [1] and "eN" in r.failures[1]
    assert np.isnan(r["q"][1]) and np.isfinite(r["q"][[0, 2]]).all()
    assert r.runs["status"][1] < 0 and r.runs["steps"][0] == 100
    with pytest.raises(ValueError, match="different numbers"):
        picus.rollout(model, parameters={"e": [1, 2], "m": [1, 2, 3]}, t_end=1)
    with pytest.raises(ValueError):
        picus.rollout(model, parameters={"e": np.zeros((2, 2))}, t_end=1)
    with pytest.raises(picus.UnknownName, match="no parameter 'ee'"):
        picus.rollout(model, parameters={"ee": [0.1, 0.2]}, t_end=1)
    with pytest.raises(picus.UnknownName):
        picus.rollout(model, collect="nothing", t_end=1, dt=1e-3)
    with pytest.raises(picus.UnknownName):
        picus.rollout(model, inputs={"push": [1.0]}, t_end=1, dt=1e-3)
    with pytest.raises(ValueError):
        picus.rollout(model, starts=(np.zeros((2, 5)), None), t_end=1, dt=1e-3)
    with pytest.raises(KeyError):
        r["nothing"]
