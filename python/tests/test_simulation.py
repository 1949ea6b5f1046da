"""Models, steps, runs, views, checkpoints and callbacks."""
import copy
import ctypes
import gc
import math
import pickle

import numpy as np
import pytest
from conftest import needs_hdf5

import picus


def test_load_by_name_and_parameters():
    model = picus.load("woodpecker", mu=0.35)
    assert model.parameters["mu"] == 0.35
    assert model.coordinates == ["y", "phiM", "phiS"]
    assert [law["name"] for law in model.laws] == ["beak", "lower", "upper"]
    assert "woodpecker" in picus.models() and "woodpecker" in repr(model)
    assert model.with_parameters(mu=0.2).parameters["mu"] == 0.2
    assert "<table>" in model._repr_html_()


def test_load_a_file(tmp_path):
    path = tmp_path / "own.lua"
    path.write_text(picus.load("bouncing-ball").text)
    assert picus.load(path, e=0.25).parameters["e"] == 0.25
    picus.load(path).save(tmp_path / "copy.lua")
    assert (tmp_path / "copy.lua").read_text() == path.read_text()


def test_errors_have_the_sentence_and_the_place(tmp_path):
    path = tmp_path / "wrong.lua"
    path.write_text("\ncontact {'a', gap = 1}\n")
    with pytest.raises(picus.ModelError) as caught:
        picus.load(path)
    assert caught.value.line == 2 and caught.value.file == str(path)
    assert caught.value.status.startswith("PICUS_ERROR")
    with pytest.raises(picus.UnknownName, match="did you mean 'dt_max'"):
        picus.load("woodpecker").simulate(dt_mx=1)
    with pytest.raises(picus.FileError):
        picus.load("no-such-model")
    with pytest.raises(picus.Error, match="nu"):
        picus.load("woodpecker", nu=1)


def test_steps_have_the_bits_of_a_run(woodpecker):
    other = woodpecker.copy()
    woodpecker.step(500)
    for _ in range(250):
        other.step()
    other.step(250, 1e-4)
    assert woodpecker.q.tobytes() == other.q.tobytes()
    assert woodpecker.t == other.t and woodpecker.info["dt"] == 1e-4


def test_views_are_alive_and_outlive(woodpecker):
    q = woodpecker.q
    before = q.copy()
    woodpecker.step(10)
    assert q is woodpecker.q and (q != before).any()
    assert not q.flags.writeable
    with pytest.raises(ValueError):
        q[0] = 1
    with pytest.raises(ValueError):
        q.flags.writeable = True
    with pytest.raises(AttributeError):
        woodpecker.q = before
    last = q.copy()
    del woodpecker
    gc.collect()
    assert (q == last).all()


def test_set_state(woodpecker):
    q, u = woodpecker.q.copy(), woodpecker.u.copy()
    woodpecker.step(50)
    woodpecker.set_state(q, u, t=0.0)
    assert (woodpecker.q == q).all() and woodpecker.t == 0
    for wrong in ([1, 2], np.zeros((3, 2)), ["a", "b", "c"], [np.nan] * 3):
        with pytest.raises((ValueError, TypeError)):
            woodpecker.set_state(wrong)
    woodpecker.set_state(np.float32(q))  # converted
    woodpecker.set_state(np.asfortranarray(np.tile(q, (2, 1)))[0])  # strided


def test_record(woodpecker):
    result = woodpecker.run(0.3, record=["y", "beak.*"])
    assert result.columns[:2] == ["t", "y"] and "beak.gap" in result
    assert len(result) == 3001 and result.t[-1] == 0.3
    assert result["y"].base is not None and not result["y"].flags.writeable
    assert result.units["y"] == "m" and result.summary["steps"] == 3000
    with pytest.raises(KeyError, match="beak.gap"):
        result["beak.gab"]
    nothing = woodpecker.run(0.31, record=False)
    assert len(nothing) == 0
    with pytest.raises(ValueError):
        nothing["y"]
    with pytest.raises(picus.UnknownName):
        woodpecker.run(0.32, record="nothing.*")
    again = woodpecker.run(0.4, record="y")
    assert again.t[0] == 0.31 and again.t[-1] == 0.4


@needs_hdf5
def test_states_at_events(tmp_path):
    """A counted bounce in memory and in a file: the same states, at closed forms."""
    model = picus.loads(
        "local q, u = coordinates { {'y', velocity = 'v', start = 1} }\n"
        "kinetic(u.v^2 / 2)\npotential(9.81 * q.y)\n"
        "contact {'floor', gap = q.y, eN = 0.5}\nlocal n = state {'n'}\n"
        "on {'hit', law = 'floor', becomes = 'impact', set = {n = n + 1}}\n"
        "on {'top', when = u.v, direction = 'falls'}\n"
    )
    sim = model.simulate(scheme="rattle", adaptive=True, dt=1e-3)
    path = str(tmp_path / "bounce.h5")
    result = sim.run(1, out=path)
    states = result.events.states
    v = np.sqrt(2 * 9.81)
    assert states.at("hit")["n"].tolist() == [0, 1]
    assert np.allclose(states.at("top")["t"], v / 9.81 * 1.5, atol=1e-6)
    assert np.allclose(states.at("floor")["v"][0], 0.5 * v, atol=1e-5)
    assert states[0]["event"] in ("hit", "floor") and len(states[:2]) == 2
    with pytest.raises(KeyError, match="no 'z'; they have"):
        states["z"]
    stored = picus.open(path).events.states
    assert stored.names == states.names and stored.columns == states.columns
    assert stored.values.tobytes() == states.values.tobytes()
    empty = model.simulate(scheme="rattle", dt=1e-3).run(0.01).events.states
    assert len(empty) == 0 and len(empty.at("hit")) == 0


def test_events(woodpecker):
    events = woodpecker.run(0.5).events
    assert len(events) > 20 and events[0]["law"] in ("beak", "lower", "upper")
    assert (np.diff(events.rows["t"]) >= 0).all()
    assert events[-1]["to"] in ("open", "stick", "slip") and len(events[:3]) == 3


def test_contacts_of_shapes():
    sim = picus.load("disks", n=9).simulate()
    result = sim.run(0.2, contacts=True)
    rows = result.contacts(-1)
    assert len(rows) > 0 and rows["point"].shape == (len(rows), 3)
    assert len(sim.contacts) == len(sim.contact_names) == sim.present_count()
    with pytest.raises(IndexError):
        result.contacts(len(result))


def test_copy_and_pickle(woodpecker):
    woodpecker.step(777)
    twins = [
        woodpecker.copy(),
        copy.copy(woodpecker),
        copy.deepcopy(woodpecker),
        pickle.loads(pickle.dumps(woodpecker)),
    ]
    woodpecker.step(100)
    for twin in twins:
        twin.step(100)
        assert twin.q.tobytes() == woodpecker.q.tobytes() and twin.t == woodpecker.t
    model = pickle.loads(pickle.dumps(picus.load("woodpecker", mu=0.4)))
    assert model.parameters["mu"] == 0.4
    other = picus.load("bouncing-ball").simulate(dt=1e-3)
    with pytest.raises(picus.Error):
        other.load(woodpecker.save())
    with pytest.raises(picus.FileError):
        woodpecker.load(b"no checkpoint")


def test_inputs(pushed):
    sim = pushed.simulate()
    sim.inputs["push"] = 2.0
    sim.step(100)
    assert sim.u[0] == pytest.approx(0.2, rel=1e-12)
    assert dict(sim.inputs) == {"push": 2.0} and list(sim.inputs) == ["push"]
    for key in ("pull", ""):
        with pytest.raises(KeyError):
            sim.inputs[key] = 1
    with pytest.raises(picus.ArgumentError):
        sim.inputs.set("push", 1, rate=2)
    with pytest.raises(picus.NumberError):
        sim.inputs["push"] = float("nan")


def test_callbacks(pushed):
    sim = pushed.simulate()
    seen, events = [], []

    def control(s):
        s.inputs["push"] = 10.0 * (0.5 - s.q[0]) - s.u[0]
        seen.append(s.t)

    sim.run(0.5, on_step=control, on_event=lambda s, e: events.append(e))
    assert len(seen) == 501 and seen[0] == 0 and seen[-1] == 0.5
    sim.inputs["push"] = 50.0
    sim.run(2, on_event=lambda s, e: events.append(e))
    assert events and events[0]["name"] == "wall"
    result = sim.run(5, on_step=lambda s: s.t > 3)
    assert 3 < result.t[-1] < 3.01  # a true value ends the run


def test_exceptions_in_callbacks(pushed):
    sim = pushed.simulate()

    def fail(*arguments):
        if sim.t > 0.1:
            raise ZeroDivisionError("mine")

    for name in ("on_step", "progress"):
        with pytest.raises(ZeroDivisionError, match="mine") as caught:
            sim.run(50, **{name: fail})
        assert len(caught.value.result) > 0
    with pytest.raises(picus.ArgumentError, match="cannot change the state"):
        sim.run(60, on_step=lambda s: s.step())
    with pytest.raises(picus.ArgumentError):
        sim.run(60, on_step=lambda s: s.run(61))
    with pytest.raises(TypeError):
        sim.run(60, on_step=3)
    sim.step(10)  # still of use


def test_adaptive_and_schemes():
    model = picus.load("woodpecker")
    adaptive = model.simulate(dt_min=1e-7)
    assert adaptive.options["adaptive"]
    ball = picus.load("bouncing-ball").simulate(dt_min=1e-7)
    assert ball.options["scheme"] == "rattle"
    adaptive.advance(0.01)
    assert 0 < adaptive.t <= 0.01
    assert not model.simulate(dt=1e-4).options["adaptive"]
    for scheme in picus.schemes():
        sim = picus.load("bouncing-ball").simulate(scheme=scheme, dt=1e-4)
        sim.step(20)
        assert np.isfinite(sim.q).all()


def test_functions():
    def model(**more):
        return picus.functions(
            [1.0],
            [0.0],
            mass=lambda t, q: [[2.0]],
            force=lambda t, q, u: [-2.0 * 9.81],
            laws=[dict(name="floor", kind="unilateral", eN=0.5)],
            gaps=lambda t, q: [q[0]],
            directions=lambda t, q: ([[1.0]], [0.0]),
            **more,
        )

    lua = (
        'local q, u = coordinates {{"q1", velocity = "u1", start = 1}}\n'
        "mass {{2}} force_vector {-2 * 9.81} contact {'floor', gap = q.q1, eN = 0.5}"
    )
    twin = picus.loads(lua).simulate(dt=1e-3)
    sim = model().simulate(dt=1e-3)
    sim.step(1000)
    twin.step(1000)
    assert sim.q[0] == pytest.approx(twin.q[0], abs=1e-12)
    result = model(energy=lambda t, q, u: (u[0] ** 2, 2 * 9.81 * q[0])).simulate(
        dt=1e-3
    )
    assert len(result.run(0.5)) == 501
    with pytest.raises(ValueError, match="mine"):
        picus.functions(
            [1.0], [0.0], mass=lambda t, q: [[1.0]], force=_raise, laws=()
        ).simulate(dt=1e-3).step()
    with pytest.raises(ValueError, match="must have 1"):
        picus.functions(
            [1.0], [0.0], mass=lambda t, q: [[1.0]], force=lambda t, q, u: [1, 2]
        ).simulate(dt=1e-3).step()
    with pytest.raises(TypeError):
        picus.functions([1.0], [0.0], mass=3.5, force=None)


def _raise(t, q, u):
    raise ValueError("mine")


def test_functions_by_address():
    pointer = ctypes.POINTER(ctypes.c_double)
    matrix = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_double, pointer, pointer
    )
    vector = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_void_p, ctypes.c_double, pointer, pointer, pointer
    )
    calls = []

    @matrix
    def mass(user, t, q, M):
        M[0] = 2.0
        return 0

    @vector
    def force(user, t, q, u, h):
        h[0] = -2.0
        calls.append(t)
        return 1 if t > 1.5 else 0  # the model fails then

    def address(function):
        return ctypes.cast(function, ctypes.c_void_p).value

    model = picus.functions([0.0], [0.0], mass=address(mass), force=address(force))
    sim = model.simulate(dt=1e-2)
    sim.step(50)
    result = sim.run(1.0)
    assert sim.u[0] == pytest.approx(-1.0) and len(result) == 51 and len(calls) >= 100
    with pytest.raises(picus.StepError, match="force h failed"):
        sim.run(2.0)
    assert sim.t == pytest.approx(1.5)  # the state before the failure is there


def test_functions_of_numba():
    numba = pytest.importorskip("numba")
    types = numba.types
    pointer = types.CPointer(types.double)

    @numba.cfunc(types.int32(types.voidptr, types.double, pointer, pointer))
    def mass(user, t, q, M):
        M[0] = 2.0
        return 0

    @numba.cfunc(types.int32(types.voidptr, types.double, pointer, pointer, pointer))
    def force(user, t, q, u, h):
        h[0] = -2.0
        return 0

    model = picus.functions([0.0], [0.0], mass=mass.address, force=force.address)
    sim = model.simulate(dt=1e-2)
    sim.step(100)
    assert sim.u[0] == pytest.approx(-1.0)


def test_capsule_and_energy(woodpecker):
    assert "picus_sim" in repr(woodpecker.handle)
    kinetic, potential = woodpecker.energy()
    assert kinetic > 0 and isinstance(potential, float)


def pulled_mass():
    m = picus.Builder("pulled")
    m.planar_body(
        "b", mass=2, inertia=1, position=(0, 0), shape=picus.item("disk", radius=0.1)
    )
    return m.build()


def test_push_is_a_spring():
    model = pulled_mass().with_handles()
    assert model.handle_count() == 1 and model.with_parameters().handle_count() == 1
    sim = pickle.loads(pickle.dumps(model)).simulate(scheme="rattle", dt=1e-4)
    sim.push(0, (1, 0), stiffness=8)  # omega = 2 rad/s
    assert sim.run(1, record=["x_b"])["x_b"][-1] == pytest.approx(1 - math.cos(2))
    sim.push()
    speed = sim.u[0]
    sim.run(1.5)
    assert sim.u[0] == speed == pytest.approx(2 * math.sin(2))


def test_pushes_that_cannot_be():
    sim = pulled_mass().with_handles().simulate(dt=1e-3)
    for arguments in [(3, (0, 0)), (0, (math.nan, 0)), (0, (0, 0, 0, 0)), (-1, (0, 0))]:
        with pytest.raises(ValueError):
            sim.push(*arguments, stiffness=1)
    with pytest.raises(ValueError):
        sim.push(0, (0, 0), stiffness=-1)
    with pytest.raises(picus.Error, match="handle"):
        pulled_mass().simulate(dt=1e-3).push(0, (0, 0), stiffness=1)
