"""Features of model files in the builder and in results: same bits, and by number."""
import numpy as np
import pytest
from conftest import needs_hdf5
from test_builder import same_bits

import picus


def tumbling(m):
    """An ellipsoid falls on a table that turns and sticks."""
    m.gravity(0, 0, -9.81)
    m.material("default", mu=0.4, eN=0.2, adhesion=0.5)
    m.half_space("table", normal=(0, 0, 1), surface_spin=1)
    m.ellipsoid("egg", radii=(0.1, 0.06, 0.05), density=500, position=(0.2, 0, 0.1))
    m.simulate(scheme="moreau-jean", dt=1e-3, t_end=0.5)


def belt(m):
    """A mass on a belt whose friction an event switches off."""
    q, u = m.coordinates(x=dict(velocity="v", unit="m"), y=dict(velocity="w"))
    m.kinetic((u.v**2 + u.w**2) / 2)
    m.potential(9.81 * q.y)
    m.contact("belt", gap=q.y, slip=u.v, mu=0.3, surface=2 + m.t, adhesion=3)
    m.friction("rail", slip=u.v, reservoir=0.5)
    m.on("free", when=m.t - 0.2005, switch=dict(rail="off"))
    m.simulate(scheme="moreau", dt=1e-3, t_end=0.4)


def cradle(m, **law):
    """Three balls that touch."""
    for k in range(3):
        speed = 1 if k == 0 else 0
        m.coordinates(**{f"x{k}": dict(velocity=f"v{k}", start=(0.1 * k, speed))})
        m.kinetic(m.u[k] ** 2 / 2)
    m.contact("left", gap=m.q.x1 - m.q.x0 - 0.1, eN=1, **law)
    m.contact("right", gap=m.q.x2 - m.q.x1 - 0.1, eN=1, **law)
    m.simulate(scheme="moreau", dt=1e-3, t_end=0.1, impact="sequential")


LUA = {
    tumbling: """
gravity {0, 0, -9.81}
material {"default", mu = 0.4, eN = 0.2, adhesion = 0.5}
half_space {"table", normal = {0, 0, 1}, surface_spin = 1}
ellipsoid {"egg", radii = {0.1, 0.06, 0.05}, density = 500, position = {0.2, 0, 0.1}}
simulate {scheme = "moreau-jean", dt = 1e-3, t_end = 0.5}
""",
    belt: """
local q, u = coordinates {{"x", velocity = "v", unit = "m"}, {"y", velocity = "w"}}
kinetic((u.v^2 + u.w^2) / 2)
potential(9.81 * q.y)
contact {"belt", gap = q.y, slip = u.v, mu = 0.3, surface = 2 + t, adhesion = 3}
friction {"rail", slip = u.v, reservoir = 0.5}
on {"free", when = t - 0.2005, switch = {rail = "off"}}
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.4}
""",
    cradle: """
for k = 0, 2 do
  local q, u = coordinates {{"x" .. k, velocity = "v" .. k,
                             start = {0.1 * k, k == 0 and 1 or 0}}}
  kinetic(u["v" .. k]^2 / 2)
end
local q = coordinates {}
contact {"left", gap = q.x1 - q.x0 - 0.1, eN = 1}
contact {"right", gap = q.x2 - q.x1 - 0.1, eN = 1}
simulate {scheme = "moreau", dt = 1e-3, t_end = 0.1, impact = "sequential"}
""",
}


def built(write, **more):
    m = picus.Builder(write.__name__)
    write(m, **more)
    return m.build()


@pytest.mark.parametrize("write", LUA)
def test_builder_and_model_file_have_the_same_bits(write):
    one, two = picus.loads(LUA[write]).simulate(), built(write).simulate()
    same_bits(one, two, one.options["t_end"])


def test_ellipsoid_follows_the_table():
    result = built(tumbling).simulate(pairs="bodies").run(contacts=True)
    last = result.contacts(-1)
    assert len(last) == 1 and abs(last["gap"][0]) < 1e-4
    assert result["E.diss.egg-table"][-1] > 0 and result["vy_egg"][-1] > 0.05


def test_friction_is_switched_by_an_event():
    result = built(belt).simulate().run()
    # the belt gives mu (g + A), the rail takes 0.5 N until the event
    slope = np.diff(result["v"]) / 1e-3
    pull = 0.3 * (9.81 + 3)
    assert slope[50:190] == pytest.approx(pull - 0.5)
    assert slope[205:-1] == pytest.approx(pull)
    assert result.summary["energy"]["driven"] > 0
    states = result.events.states
    assert states.at("free")["t"] == pytest.approx([0.2005], abs=1e-3)


def test_impact_laws_of_a_cradle():
    def ends(model, **options):
        result = model.simulate(**options).run()
        return [result[v][-1] for v in ("v0", "v1", "v2")]

    one_by_one, at_once = pytest.approx([0, 0, 1]), pytest.approx(
        [-1 / 3, 2 / 3, 2 / 3]
    )
    assert ends(built(cradle)) == one_by_one
    assert ends(built(cradle), impact="newton") == at_once
    assert ends(built(cradle, impact="sequential"), impact="newton") == one_by_one
    with pytest.raises(picus.Error, match="impact"):
        built(cradle).simulate(impact="galilei")


PARTS = """
local parts = {}
function parts.mass(name, m)
  local q, u = coordinates {{name, velocity = "v" .. name}}
  kinetic(m * u["v" .. name]^2 / 2)
  return q[name]
end
function parts.disk(name)
  return planar_body {name, mass = 1, inertia = 1, position = {0, 0}}
end
function parts.ball(name)
  return spatial_body {name, mass = 1, inertia = {1, 1, 1}, position = {0, 0, 0}}
end
return parts
"""


def test_include(tmp_path):
    (tmp_path / "parts.lua").write_text(PARTS)
    for dimension, kind in (2, "disk"), (3, "ball"):
        m = picus.Builder("including", folder=tmp_path)
        parts = m.include(tmp_path.relative_to(tmp_path) / "parts.lua")
        x = parts.mass("x", 2)
        body = parts[kind]("b")
        assert len(body.point()) == len(body.velocity()) == dimension
        assert np.size(body.omega()) == (1 if dimension == 2 else 3)
        m.force(x=1)
        m.observe("twice", 2 * x)
        result = m.build().simulate(dt=1e-3).run(1)
        assert result["twice"][-1] == pytest.approx(0.5, rel=2e-3)


def test_errors_in_included_files(tmp_path):
    (tmp_path / "parts.lua").write_text(PARTS)
    (tmp_path / "wrong.lua").write_text("local x = 1\nkinetic('a')")
    (tmp_path / "late.lua").write_text(
        "local q, u = coordinates {{'x', velocity = 'v'}}\n"
        "kinetic(u.v^2 / 2)\n"
        "friction {'a', slip = u.v, reservoir = parameters {late = 1}.late}"
    )
    m = picus.Builder("including", folder=tmp_path)
    parts = m.include("parts.lua")
    for wrong, message in (
        (lambda: m.include("wrong.lua"), "wrong.lua:2: .*kinetic"),
        (lambda: parts.mass(1), "parts.lua:4: .*coordinate"),
        (lambda: parts.nothing(), "nothing"),
        (lambda: m.include("none.lua"), "none.lua"),
        (lambda: m.include("/etc/passwd"), "relative"),
        (lambda: m.contact("a", gap=parts), "table"),
        (lambda: parts.point(), "point"),
    ):
        before = m.text
        with pytest.raises(picus.Error, match=message) as caught:
            wrong()
        assert caught.value.file == __file__ and m.text == before
    m.include("late.lua")
    with pytest.raises(picus.Error) as caught:
        m.build(late=-1)  # nothing of this mistake stands in Python
    assert (caught.value.file, caught.value.line) == ("late.lua", 3)


CONTROLLED = """
local q, u = coordinates {{"x", velocity = "v", start = {0.3, 1}}}
kinetic(u.v^2 / 2)
potential(q.x^2)
local i = inputs {{"push", start = 0.1}}
local n = state {"n", start = 2, every = 0.1, next = function(n) return n + 1 end}
state {"k", rate = n}
force {x = i.push}
simulate {dt = 1e-3, t_end = 1}
"""


def check_start(model, result):
    row = int(np.searchsorted(result.t, 0.5504, side="right")) - 1
    sim = model.simulate()
    sim.start_from(result, 0.5504)
    assert sim.t == 0 and sim.q[0] == result["x"][row] and sim.u[0] == result["v"][row]
    assert dict(sim.inputs) == {"push": 0.7, "n": 7} and sim.q[1] == result["k"][row]
    sim.start_from(result)
    assert sim.q.tolist() == [result["x"][-1], result["k"][-1]]
    assert result.state(0).motion["x"] == 0.3 and result.state().t == result.t[-1]


def test_start_from_a_result():
    model = picus.loads(CONTROLLED)
    sim = model.simulate()
    sim.inputs["push"] = 0.7
    result = sim.run()
    check_start(model, result)
    fresh = model.simulate()
    for t in (9, -1, float("nan")):
        with pytest.raises(ValueError, match="not among them"):
            fresh.start_from(result, t)
    with pytest.raises(ValueError, match="different coordinates"):
        fresh.start_from(model.simulate().run(0.1, record="x"))
    with pytest.raises(ValueError, match="different coordinates"):
        fresh.start_from(picus.load("woodpecker").simulate(dt=1e-3).run(0.01))
    with pytest.raises(ValueError, match="no rows"):
        fresh.start_from(model.simulate().run(0.1, record=False))
    with pytest.raises(TypeError):
        fresh.start_from(3)
    assert fresh.q.tolist() == [0.3, 0] and fresh.inputs["push"] == 0.1


@needs_hdf5
def test_start_from_a_file(tmp_path):
    model = picus.loads(CONTROLLED)
    sim = model.simulate()
    sim.inputs["push"] = 0.7
    sim.run(out=tmp_path / "first.h5")
    check_start(model, picus.open(tmp_path / "first.h5"))
    again = model.simulate()
    again.start_from(tmp_path / "first.h5")
    assert again.q.tobytes() == sim.q.tobytes()
    with pytest.raises(picus.FileError):
        again.start_from(tmp_path / "none.h5")
