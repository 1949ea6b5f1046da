"""What users do by mistake: nothing may crash."""
import copy
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import picus
from picus import _core


class Calls:
    """A model and a result file that tests share."""

    model = picus.load("woodpecker")
    stored = None


def python(code, **more):
    """Run code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, **more
    )


def test_parameters_are_numbers(woodpecker):
    for make in (picus.load, picus.load("woodpecker").with_parameters):
        arguments = ["woodpecker"] if make is picus.load else []
        with pytest.raises(TypeError, match="parameter 'mu' is 'a', not a number"):
            make(*arguments, mu="a")


def test_wrong_types(woodpecker, pushed):
    for cls in (_core.Model, _core.Simulation, _core.View, _core.Owner, picus.Model):
        with pytest.raises(TypeError):
            cls()
    for call in (
        lambda: _core.new_simulation(object, pushed, {}),
        lambda: _core.new_simulation(picus.Simulation, object(), {}),
        lambda: _core.new_simulation(picus.Simulation, pushed, None),
        lambda: _core.load_model(int, "woodpecker", {}),
        lambda: _core.load_model(picus.Model, "woodpecker", {"mu": "a"}),
        lambda: _core.load_model(picus.Model, "woodpecker", {1: 1.0}),
        lambda: _core.load_model(picus.Model, "woodpecker", {}, None, [1]),
        lambda: woodpecker.step("a"),
        lambda: woodpecker.step(1, "a"),
        lambda: woodpecker.step(1, 1, 1),
        lambda: woodpecker.step(1.5),
        lambda: woodpecker.set_input(1, 2, 3),
        lambda: woodpecker.set_input("a"),
        lambda: woodpecker._run(1.0, int),
        lambda: woodpecker.load("text"),
        lambda: picus.Simulation._q(3),
        lambda: picus.load(3),
    ):
        with pytest.raises(TypeError):
            call()
    for call in (
        lambda: woodpecker.step(-1),
        lambda: woodpecker.step(2**70),
        lambda: woodpecker.present_law(2**40),
        lambda: pushed.system_q_name(2**40),
    ):
        with pytest.raises(OverflowError):
            call()
    with pytest.raises(ValueError, match="NUL"):
        woodpecker.set_input("a\0b", 1.0, 0.0)
    assert woodpecker.present_law(-1)["law"]["name"] == ""
    assert pushed.system_q_name(99) is None
    with pytest.raises(picus.ArgumentError):
        woodpecker.step(1, -1.0)
    with pytest.raises(picus.ArgumentError):
        woodpecker.step(1, float("nan"))


def test_views_cannot_be_written(woodpecker):
    with pytest.raises(TypeError):
        memoryview(woodpecker._q())[0] = 1.0
    with pytest.raises(TypeError):
        (np.ctypeslib.ctypes.c_double * 3).from_buffer(woodpecker._q())


def test_objects_outlive_their_parents():
    sim = picus.load("woodpecker").simulate(dt=1e-4)  # the model is gone
    gc.collect()
    result = sim.run(0.2)
    events, y, capsule = result.events, result["y"], sim.handle
    del sim, result
    gc.collect()
    assert len(events) > 0 and np.isfinite(y).all() and capsule
    rollout = picus.rollout(picus.load("bouncing-ball"), t_end=0.1, count=2, dt=1e-2)
    array = rollout.array
    del rollout
    gc.collect()
    assert np.isfinite(array).any()


def test_two_threads_have_the_bits_of_one():
    model = picus.load("woodpecker")

    def work(out):
        sim = model.simulate(dt=1e-5)
        for _ in range(4):
            sim.step(4000)
        out.append(sim.q.copy())

    alone, both = [], []
    work(alone)
    threads = [threading.Thread(target=work, args=(both,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(q.tobytes() == alone[0].tobytes() for q in both) and len(both) == 2


def test_one_simulation_in_two_threads():
    sim = picus.load("woodpecker").simulate(dt=1e-6)
    thread = threading.Thread(target=lambda: sim.step(400000))
    thread.start()
    refused = 0
    while thread.is_alive():
        try:
            sim.step()
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused += 1
        time.sleep(0.001)
    thread.join()
    assert refused > 0


class Interrupt:
    """Sends Ctrl-C from another thread, and measures how long it takes to act.

    CPU time is what counts: on a busy machine the process waits for its turn.
    """

    def __init__(self, seconds):
        self._timer = threading.Timer(seconds, self._send)
        self._timer.start()
        self._begin = None

    def _send(self):
        self._begin = time.monotonic(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

    def delay(self):
        now = time.monotonic(), time.process_time()
        self._timer.join()
        return min(a - b for a, b in zip(now, self._begin))


@pytest.mark.parametrize("how", ["run", "events", "step", "rollout", "solve", "file"])
def test_ctrl_c(how, tmp_path):
    if how == "file" and not picus._core.HAS_HDF5:
        pytest.skip("no HDF5")
    model = Calls.model
    sim = model.simulate(dt=1e-6)
    interrupt = Interrupt(0.3)
    with pytest.raises(KeyboardInterrupt) as caught:
        if how == "run":
            sim.run(1e4, record=["y"])
        elif how == "events":
            sim.run(1e4, record=False, on_event=lambda sim, event: None)
        elif how == "file":
            sim.run(10, out=tmp_path / "w.h5")
        elif how == "step":
            sim.step(10**9)
        elif how == "solve":
            adaptive = model.simulate(adaptive=True, tolerance=1e-9)
            adaptive.run(1e4, record=False)
        else:
            picus.rollout(model, count=2, dt=1e-6, t_end=1e4, threads=2)
    # a file is completed before the exception
    assert interrupt.delay() < (0.5 if how == "file" else 0.1)
    if how in ("run", "file"):
        assert len(caught.value.result) > 100
    sim.step(3)


def test_ctrl_c_ends_a_long_step():
    def mass(t, q):
        end = time.monotonic() + 0.05
        while time.monotonic() < end:  # signals wait: their handlers run in Python
            pass
        return [[1.0]]

    slow = picus.functions([0.0], [1.0], mass=mass, force=lambda t, q, u: [0.0])
    sim = slow.simulate(dt=1e-3)
    begin = time.monotonic()
    sim.step()
    step = time.monotonic() - begin
    interrupt = Interrupt(1.5 * step)
    with pytest.raises(KeyboardInterrupt):
        sim.run(1e4)
    assert interrupt.delay() < 0.1 + 2 * step


def test_ctrl_c_of_a_terminal():
    code = """
import picus, time
sim = picus.load("woodpecker").simulate(dt=1e-6)
print("runs", flush=True)
try:
    sim.run(1e4, record=["y"])
except KeyboardInterrupt as error:
    print("ended", len(error.result), flush=True)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "runs\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    words = process.stdout.readline().split()
    assert words[0] == "ended" and int(words[1]) > 1
    assert process.wait(timeout=20) == 0


def test_numbers_of_any_layout():
    """Strides, byte orders and types give the numbers that they mean, or an error."""
    sim = picus.load("woodpecker").simulate(dt=1e-4)
    plain = np.array([0.0, 1.0, 2.0])
    same = [
        plain.astype(letter) for letter in ("f4", "f2", ">f8", ">i4", "u1", "g", "O")
    ] + [np.arange(5.0)[:3], np.repeat(plain, 2)[::2], plain[::-1].copy()[::-1]]
    same += [plain.reshape(3, 1), [0, 1, 2], (0, 1.0, True + 1), memoryview(plain)]
    for values in same:
        sim.set_state(q=values)
        assert sim.q.tolist() == [0, 1, 2]
    for values, error in (
        (plain + 1j, TypeError),
        (np.array(["0", "1", "2"]), TypeError),
        (np.array([0, 1, 2], "M8[s]"), TypeError),
        (np.zeros(3, [("a", "f8")]), TypeError),
        (np.ma.array(plain, mask=[0, 1, 0]), picus.NumberError),
        (plain * np.nan, picus.NumberError),
        (plain[:2], ValueError),
        ([[0], [1, 2]], ValueError),
        ((x for x in plain), TypeError),
    ):
        with pytest.raises(error):
            sim.set_state(q=values)
        with pytest.raises((error, ValueError)):
            picus.contact.solve(np.eye(3), values, mu=0.3)
        if error is TypeError and hasattr(values, "dtype"):
            with pytest.raises(TypeError):
                picus.contact.solve(np.diag(values), plain, mu=0.3)
            with pytest.raises(TypeError):
                picus.contact.solve(np.eye(3), plain, mu=values)
            with pytest.raises(TypeError):
                picus.rollout(sim.model, parameters={"mu": values}, dt=1e-3, t_end=0.01)
    eye = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for G in (eye, np.asfortranarray(eye), np.eye(6, dtype=">f4")[::2, ::2]):
        P = picus.contact.solve(G, [-1.0, 0.4, 0.0], mu=0.3).P
        assert P.tolist() == [1, -0.3, 0]


def test_numbers_that_are_no_addresses():
    def force(t, q, u):
        return [0.0]

    for wrong, error in (
        (0, ValueError),
        (1, ValueError),
        (True, ValueError),
        (2**63, ValueError),
        (-5, OverflowError),
        (2**64, OverflowError),
        (1.5, TypeError),
    ):
        with pytest.raises(error):
            picus.functions([0.0], [0.0], mass=wrong, force=force)


def round_trip(thing):
    """The pickle of a thing, read by another process."""
    code = """
import pickle, sys, picus
thing = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps(thing))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(thing), capture_output=True
    )
    assert done.returncode == 0, done.stderr
    return pickle.loads(done.stdout)


def same_result(one, two):
    assert one.columns == two.columns and one.units == two.units
    assert all(one[name].tobytes() == two[name].tobytes() for name in one)
    assert list(one.events) == list(two.events) and len(one.events) > 0
    assert one.events.states.values.tobytes() == two.events.states.values.tobytes()
    assert one.contacts(-1).tobytes() == two.contacts(-1).tobytes()
    assert one.summary == two.summary and one.notes == two.notes


def test_results_are_pickled(tmp_path):
    result = picus.load("disks", n=20).simulate().run(0.2, contacts=True)
    assert len(result.contacts(-1)) > 0
    read = round_trip(result)
    same_result(result, read)
    same_result(result, pickle.loads(pickle.dumps(read)))
    same_result(result, copy.deepcopy(result))
    assert list(round_trip(result.events)) == list(result.events)
    with pytest.raises(KeyError):
        read["nothing"]
    rollout = picus.rollout(
        Calls.model, parameters={"mu": [0.2, -1]}, dt=1e-4, t_end=0.1
    )
    other = round_trip(rollout)
    assert isinstance(other, picus.Rollout) and other.columns == rollout.columns
    assert other.array.tobytes() == rollout.array.tobytes()
    assert other.failures == rollout.failures and other.failures.keys() == {1}
    assert other.runs.tobytes() == rollout.runs.tobytes() and len(other) == 2
    if picus._core.HAS_HDF5:
        Calls.model.simulate(dt=1e-4).run(0.2, out=tmp_path / "w.h5")
        stored = picus.open(tmp_path / "w.h5")
        same_result(stored, round_trip(stored))


def test_nodes_are_pickled():
    m = picus.Builder("bar")
    rod = m.bar("rod", elements=4, length=1, area=1e-4, density=7800, young=2.1e11)
    m.constraint("held", position=rod.x[0])
    sim = m.build().simulate(scheme="moreau-jean", dt=1e-4)
    result = sim.run(1e-2, nodes=True)
    read = round_trip(result).nodes["rod"]
    assert read.velocities.tobytes() == result.nodes["rod"].velocities.tobytes()
    assert read["x"].tobytes() == result.nodes["rod"]["x"].tobytes()


def test_exceptions_of_runs_are_pickled():
    sim = Calls.model.simulate(dt=1e-4)
    with pytest.raises(picus.Error) as caught:
        sim.run(0.1, record="y", on_step=lambda s: s.step())
    read = round_trip(caught.value)
    assert isinstance(read, type(caught.value)) and str(read) == str(caught.value)
    assert len(read.result) == len(caught.value.result)
    with pytest.raises(ZeroDivisionError) as caught:
        sim.run(0.1, on_step=lambda s: s.t > 0.01 and 1 / 0)
    assert len(round_trip(caught.value).result) == len(caught.value.result) > 10


def test_fork():
    if not hasattr(os, "fork"):
        pytest.skip("no fork")
    code = """
import os, picus
one = picus.load("woodpecker").simulate(dt=1e-4)
many = picus.load("disks", n=400).simulate(threads=2)
many.step(3)
pid = os.fork()
if pid == 0:
    one.step(10)
    try:
        many.step()
    except RuntimeError as error:
        assert "fork" in str(error)
        del many
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
many.step()
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_shutdown():
    code = """
import threading, picus
sim = picus.load("woodpecker").simulate(dt=1e-6)
keep = [sim, sim.q, sim.run(1e-3), sim.handle]
keep.append(keep)
picus.leak = keep
t = threading.Thread(target=lambda: sim.run(1e-1), daemon=True)
t.start()
"""
    done = python(code)
    assert done.returncode == 0 and not done.stderr


def test_multiprocessing():
    code = """
import concurrent.futures, multiprocessing, picus
def work(sim):
    sim.step(100)
    return sim.q.tobytes()
if __name__ == "__main__":
    sim = picus.load("woodpecker").simulate(dt=1e-4)
    sim.step(50)
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        found = set(pool.map(work, [sim, sim, sim]))
    sim.step(100)
    assert found == {sim.q.tobytes()}
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_subinterpreters_and_reload():
    code = """
import sys, picus
for name in [n for n in sys.modules if n.startswith("picus")]:
    del sys.modules[name]
import picus
picus.load("woodpecker").simulate(dt=1e-4).step(3)
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def test_another_interpreter():
    code = """
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters
for _ in range(2):
    other = interpreters.create()
    interpreters.run_string(other, '''
import picus
sim = picus.load("woodpecker").simulate(dt=1e-4)
sim.step(100)
kept = sim._q(), sim.run(0.02, record=False)
''')
    interpreters.destroy(other)
import picus
picus.load("woodpecker").simulate(dt=1e-4).step(3)
"""
    done = python(code)
    assert done.returncode == 0, done.stderr


def cycle():
    model = picus.load("bouncing-ball")
    sim = model.simulate(dt=1e-2)
    sim.step(2)
    q, result = sim.q, sim.run(0.1)
    result.events, result["q"], sim.contacts, sim.info, sim.options
    try:
        sim.run(0.01)
    except picus.Error:
        pass
    try:
        sim.run(1, on_step=lambda s: 1 / 0)
    except ZeroDivisionError:
        pass
    own = picus.functions(
        [1.0], [0.0], mass=lambda t, q: [[1.0]], force=lambda t, q, u: [model and 0.0]
    )
    own.self = own  # a cycle through a function
    own.simulate(dt=1e-2).step()
    return q


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def blocks_in_use():
    """Blocks of memory that live objects hold.

    The interpreter's cache of attributes keeps the names of its 4096 last look-ups,
    which grows for some thousand cycles: it is emptied.
    """
    gc.collect()
    for name in ("_clear_internal_caches", "_clear_type_cache"):
        if hasattr(sys, name):
            getattr(sys, name)()
            break
    return sys.getallocatedblocks()


def wrong_builder():
    m = picus.Builder("leak")
    q, u = m.coordinates(y=dict(velocity="v"))
    m.kinetic(u.v**2 / 2)
    for mistake in (lambda: q.z, lambda: m.contact("a", gap=q.y, mu=-1)):
        with pytest.raises(picus.Error):
            mistake()
    m.build()


def views_and_rows():
    sim = Calls.model.simulate(dt=1e-4)
    result = sim.run(1e-3)
    assert len(result["y"]) == 11
    return sim.q, sim.contacts, sim.handle, result.events, sim.save(), sim.copy()


def short_study():
    return picus.Study(Calls.model, starts={"y": [0, 1]}, dt=1e-4, t_end=1e-3)


CYCLES = {
    "everything": cycle,
    "builder": wrong_builder,
    "views": views_and_rows,
    "rollout": lambda: picus.rollout(Calls.model, count=2, dt=1e-4, t_end=1e-3).array,
    "study": lambda: short_study().run(progress=lambda *_: None)["phiM"],
    "contact": lambda: picus.contact.solve(np.eye(3), [-1.0, 0.4, 0.0], mu=0.3).P,
}


@pytest.mark.parametrize("name", CYCLES)
def test_no_leaks(name):
    cycles = int(os.environ.get("PICUS_TEST_CYCLES", "150"))
    for _ in range(50):
        CYCLES[name]()
    blocks, memory = blocks_in_use(), resident()
    for _ in range(cycles):
        CYCLES[name]()
    # a leak would be a block per cycle or more
    assert blocks_in_use() - blocks < 20
    assert resident() - memory < 8e6


def targets():
    """Objects of all classes of the extension, by name."""
    sim = Calls.model.simulate(dt=1e-4)
    found = {
        "Simulation": sim,
        "Model": Calls.model,
        "Record": sim.run(1e-3)._source,
        "Rollout": picus.rollout(Calls.model, count=2, dt=1e-4, t_end=1e-3),
        "Reader": _core.new_reader("random.lua"),
        "Study": short_study(),
    }
    if Calls.stored is not None:
        found["Result"] = Calls.stored._source
    return found


METHODS = [
    (kind, name)
    for kind in "Simulation Model Record Rollout Reader Result Study".split()
    for name in sorted(vars(getattr(_core, kind)))
    if not name.startswith("__") and name not in ("handle", "t")
]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    if picus._core.HAS_HDF5:
        path = tmp_path_factory.mktemp("random") / "w.h5"
        Calls.model.simulate(dt=1e-4).run(1e-2, out=path)
        Calls.stored = picus.open(path)
    yield
    Calls.stored = None


VALUES = st.one_of(
    st.integers(-3, 5),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.binary(max_size=16),
    st.none(),
    st.booleans(),
    st.lists(st.floats(), max_size=4),
    st.builds(lambda n: np.zeros(n), st.integers(0, 4)),
    st.just({}),
    st.just(picus.result.Record),
)


@settings(
    max_examples=int(os.environ.get("PICUS_TEST_CALLS", "600")) // 10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(st.sampled_from(METHODS), st.lists(VALUES, max_size=4)),
        min_size=10,
        max_size=10,
    )
)
def test_random_calls(stored, in_tmp, calls):
    objects = targets()
    for (kind, name), arguments in calls:
        if kind not in objects:
            continue
        if name in ("step", "advance", "_run") and arguments:
            # not for hours
            number = isinstance(arguments[0], (int, float))
            if number and not abs(arguments[0]) < 1000:
                continue
            if name != "step" and number:
                arguments = [arguments[0] * 1e-6, *arguments[1:]]
        try:
            getattr(objects[kind], name)(*arguments)
        except (TypeError, ValueError, OverflowError, picus.Error, BufferError):
            pass
    assert objects["Simulation"].q.shape == (3,)
    assert Calls.model.coordinates == ["y", "phiM", "phiS"]


@pytest.fixture
def in_tmp(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # methods that export write there
