"""Calls with one refused allocation each, in a process of its own: see test_memory.py.

    refused_memory.py python|c KIND

Prints how many allocations were refused. Each may end in MemoryError only, and the
calls after it must give what they gave before.
"""
import array
import ctypes
import os
import sys

import numpy as np

import picus

MODEL = picus.load("bouncing-ball")
BAR = """
bar {'rod', elements = 3, length = 1, area = 1e-4, density = 7800, young = 2.1e11}
simulate {scheme = 'moreau-jean', dt = 1e-4, t_end = 1e-3}
"""


def load():
    model = picus.load("bouncing-ball", e=0.25)
    model.laws, model.plots(), model.files(), model.initial_state, model._repr_html_()
    return list(model.parameters.values())


def run():
    sim = MODEL.simulate(dt=1e-2)
    sim.step(2)
    result = sim.run(0.6)
    source = result._source
    return bytes(source.values(1)), source.laws(), sim.save()


def look():
    sim = MODEL.simulate(dt=1e-2)
    other = sim.copy()
    other.step(60)
    assert sim.handle and sim.options
    return other.contacts.tobytes(), str(other.info), other.contact_names


def fail():
    sim = MODEL.simulate(dt=1e-2)
    caught = []
    for call in (
        lambda: sim.step(1, -1.0),
        lambda: sim.run(1, on_step=lambda s: 1 / 0),
    ):
        try:
            call()
        except (picus.ArgumentError, ZeroDivisionError) as error:
            caught.append(type(error).__name__)
    return caught


def build():
    m = picus.Builder("built")
    q, u = m.coordinates(y=dict(velocity="v", start=1))
    m.kinetic(u.v**2 / 2)
    m.contact("floor", gap=q.y, eN=0.5)
    try:
        m.contact("floor", gap=q.y)
    except (picus.UnknownName, picus.ModelError, picus.ArgumentError) as error:
        m.observe("a", picus.sin(q.y))
        return str(error), m.build().text
    return None


def nodes():
    result = picus.loads(BAR).simulate().run(nodes=True)
    return result.nodes["rod"].velocities.tobytes()


def reader():
    found = picus._core.new_reader("read.lua", ".")
    found.add("v = {} v.q, v.u = coordinates {{'y', velocity = 'v'}}")
    try:
        found.add("contact {'floor', gap = v.q.y, mu = -1}")
    except picus.ArgumentError as error:
        if str(error) == "an argument is out of range":
            raise MemoryError from error  # no memory for the sentence
        return str(error)


def convert(function, t, q, u, count):
    return (array.array("d", function),)


def functions():  # without NumPy, which does not survive all refusals
    numbers = array.array("d", [1.0]), array.array("d", [0.0])
    made = {"mass": MASS, "force": FORCE, "convert": convert}
    model = picus._core.model_from_functions(picus.Model, *numbers, [], made)
    sim = picus._core.new_simulation(picus.Simulation, model, {"dt": 1e-2})
    sim.step()
    sim.step(3)
    return bytes(sim._q())


class Numbers(list):
    """A list that is also a function, for convert."""

    def __call__(self):
        return self


MASS, FORCE = Numbers([1.0]), Numbers([-1.0])
ROLLOUT = ["e"], np.array([[0.1], [0.2]]), None, None, [], 0, None, "q", 1
LAWS = np.array([[2, 3]], dtype=np.int32), np.array([0.3])
FREE = np.array([-1.0, 0.4, 0.0])
EYE = np.eye(3)
BLOCKS = (np.array([0, 1], np.int32), np.array([0], np.int32), EYE.ravel().copy())


def rollout():  # without NumPy, which does not survive all refusals
    options = {"dt": 1e-2, "t_end": 0.1}
    found = picus._core.rollout(picus.rollouts.MadeRollout, MODEL, options, 2, *ROLLOUT)
    for k in range(2):
        if found.message(k):
            raise MemoryError(found.message(k))
    return bytes(found.values()), bytes(found.ends())


def contact():
    found = []
    for G in (EYE, BLOCKS):
        P, modes, xi, info, _ = picus._core.solve_contacts(*LAWS, G, FREE, {}, FREE)
        found.append((P, modes, xi, info["iterations"]))
    return found


class Python:
    """Refuses an allocation of the interpreter."""

    def __init__(self):
        import _testcapi

        self.capi = _testcapi

        self.calm = 0  # calls in sequence in which nothing was refused

    def refuse(self, k):
        self.capi.set_nomemory(k, k + 1)

    def allow(self, failed):
        self.capi.remove_mem_hooks()
        self.calm = 0 if failed else self.calm + 1
        return self.calm < 40


class C:
    """Refuses an allocation of malloc, with refuse.c loaded before or linked to us."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ.get("PICUS_REFUSE"))
        self.library.refuse_allocation.argtypes = [ctypes.c_long]
        self.library.refuse_allocation.restype = ctypes.c_long

    def refuse(self, k):
        self.library.refuse_allocation(k)

    def allow(self, failed):
        return self.library.refuse_allocation(0) <= 0


def is_of_interpreter(error):
    """Whether CPython itself lost an exception: a frame could not be made."""
    text = str(error)
    return text == "error return without exception set" or (
        text.startswith("<function ") and text.endswith("setting an exception")
    )


def main():
    refuser = {"python": Python, "c": C}[sys.argv[1]]()
    call = globals()[sys.argv[2]]
    call()
    wanted = call()
    refused = k = 0
    goes_on = True
    while goes_on:
        k += 1 if k < 400 else 13
        found = None
        failed = False
        refuser.refuse(k)
        try:
            found = call()
        except (MemoryError, SystemError) as error:
            failed = True
            goes_on = refuser.allow(failed)
            assert isinstance(error, MemoryError) or is_of_interpreter(error), (
                k,
                error,
            )
            refused += 1
        else:
            goes_on = refuser.allow(failed)
            assert found == wanted, k
    assert call() == wanted
    print(refused, k)


main()
