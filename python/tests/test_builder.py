"""The builder: the same bits as model files, symbols, and errors with their line."""
import inspect
import re

import numpy as np
import pytest

import picus

TWINS = {}


def twin(page, number):
    """Marks a function as the twin of the k-th example in Lua of a page, from 0."""

    def mark(function):
        TWINS[page, number] = function
        return function

    return mark


@twin("model-format", 0)
def bouncing_ball(m):
    p = m.parameters(m=(1, "kg", "mass"), g=(9.81, "m/s^2"), e=0.5)
    q, u = m.coordinates(y=dict(velocity="v", start=(1, 0), unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.potential(p.m * p.g * q.y)
    m.contact("floor", gap=q.y, eN=p.e)
    m.simulate(scheme="moreau", dt=1e-3, t_end=3)
    m.plot(x="t", y="y")


@twin("model-format", 2)
def inputs(m):
    i = m.inputs(
        torque=dict(start=0, unit="N m", label="torque of the hip"),
        table=dict(start=0.1, rate=0, unit="m"),
    )
    q, u = m.coordinates(x=dict(velocity="v", start=1, unit="m"))
    m.kinetic(u.v**2 / 2)
    m.force(x=-i.torque / 0.3)
    m.contact("table-top", gap=q.x - i.table)


@twin("model-format", 4)
def wheel(m):
    q, u = m.coordinates(x=0, y=0, psi=0)
    m.velocities(s=dict(start=1, unit="m/s"), w=dict(start=0.5, unit="rad/s"))
    m.rates(x=u.s * np.cos(q.psi), y=u.s * np.sin(q.psi), psi=u.w)
    m.mass([[2, 0], [0, 0.1]])


@twin("model-format", 7)
def dynamics(m):
    p = m.parameters(m=1, g=9.81, d=0.2, F=3)
    q, u = m.coordinates(x=dict(velocity="vx"), y=dict(velocity="vy"))
    m.kinetic(p.m * (u.vx**2 + u.vy**2) / 2)
    m.potential(p.m * p.g * q.y)
    m.dissipation(p.d * u.vx**2 / 2)
    m.force(x=p.F * picus.sin(2 * m.t))


@twin("model-format", 8)
def matrices(m):
    q, u = m.coordinates(x=dict(velocity="v"), phi=dict(velocity="omega"))
    m.mass(np.array([[3, np.cos(q.phi)], [np.cos(q.phi), 1]]))
    m.force_vector([np.sin(q.phi) * u.omega**2, -9.81 * np.sin(q.phi)])


@twin("model-format", 9)
def laws(m):
    p = m.parameters(mu=0.3)
    q, u = m.coordinates(
        x=dict(velocity="vx"), y=dict(velocity="vy"), z=dict(velocity="vz", start=1)
    )
    m.kinetic((u.vx**2 + u.vy**2 + u.vz**2) / 2)
    m.contact("floor", gap=q.z, slip=(u.vx, u.vy), mu=p.mu, eN=0.5, eF=0)
    m.friction("guide", slip=u.vx, reservoir=2)
    m.constraint("rod", velocity=u.vy - 2 * u.vx)
    m.clutch("ratchet", velocity=u.vy)
    m.preload("seat", displacement=q.x, force=5)


@twin("model-format", 10)
def mass_on_bar(m):
    q, u = m.coordinates(y=dict(velocity="v", start=(0.01, -1), unit="m"))
    m.kinetic(0.5 * u.v**2 / 2)
    rod = m.bar(
        "rod",
        elements=100,
        length=1,
        area=3e-4,
        density=7800,
        young=2.1e11,
        damping=1e-7,
        start=(0, 0),
        record=(0, 50, 100),
    )
    m.contact("hit", gap=q.y - rod.x[100], eN=0)
    m.constraint("held", position=rod.x[0])
    m.force({"rod.x50": 100 * picus.sin(2e4 * m.t)})


@twin("model-format", 11)
def shaft(m):
    segments = [
        dict(length=0.2, elements=4, circle=0.01),
        dict(length=0.4, elements=8, circle=0.0125),
    ]
    shaft = m.beam(
        "shaft",
        spatial=True,
        density=7850,
        young=2.1e11,
        theory="rayleigh",
        segments=segments,
        supports=[(0, "hinged", "rx"), (12, "uy", "uz")],
        spin=300,
        damping=(10, 1e-6),
        bodies=[picus.item(4, mass=5, inertia=(0.01, 0.006, 0.006))],
        record=(4, 12),
    )
    m.contact("stop", gap=1e-3 - shaft.uy[4])


@twin("model-format", 12)
def output(m):
    p = m.parameters(t_off=3, F=2)
    q, u = m.coordinates(x=dict(velocity="v", start=1, unit="m"))
    m.kinetic(u.v**2 / 2)
    m.contact("stop", gap=q.x)
    m.observe("distance", abs(q.x - 2), unit="m", label="distance from the middle")
    m.force(x=picus.when(m.t < p.t_off, p.F, 0))
    m.stop_time(p.t_off)
    m.plot(x="x", y="v")
    m.plot(y=("stop.gap", "distance"))
    m.simulate(scheme="moreau", dt=1e-3, t_end=6, sample=0.01)


@twin("model-format", 13)
def drawing(m):
    p = m.parameters(l=1, r=0.1)
    q, u = m.coordinates(phi=dict(velocity="omega", start=1, unit="rad"))
    m.kinetic(p.l**2 * u.omega**2 / 2)
    m.potential(-9.81 * p.l * np.cos(q.phi))
    x, y = p.l * np.sin(q.phi), -p.l * np.cos(q.phi)
    slip = p.l * np.cos(q.phi) * u.omega
    m.contact("floor", gap=y + p.l * 1.1 - p.r, slip=slip, mu=0.1)
    m.draw("line", (0, 0), (x, y), width=2, name="pendulum")
    m.draw("circle", (x, y), radius=p.r, fill="blue", name="pendulum")
    m.draw("ground", (-1, -1.1), (1, -1.1))
    m.draw("text", (0, 0.1), text="pivot")
    m.draw("contact", "floor", at=(x, y - p.r), normal=(0, 1))


@twin("model-format", 14)
def condition(m):
    q, u = m.coordinates(x=dict(velocity="v"))
    m.kinetic(u.v**2 / 2)
    m.force(x=picus.when(picus.all_of(q.x > 0, m.t < 1), -100 * q.x, 0))


@twin("model-format", 16)
def chain(m):
    n = 10
    p = m.parameters(n=n, k=100, d=0.1)
    for i in range(1, n + 1):
        m.coordinates(**{f"x{i}": dict(velocity=f"v{i}", start=i * p.d)})
    q, u = m.coordinates()
    for i in range(n):
        m.kinetic(u[i] ** 2 / 2)
    for i in range(1, n):
        m.potential(p.k / 2 * (q[i] - q[i - 1] - p.d) ** 2)
        m.contact(f"c{i + 1}", gap=q[i] - q[i - 1])


def blocks(root, page):
    text = (root / "docs" / f"{page}.md").read_text()
    return re.findall(r"```lua\n(.*?)```", text, re.S)


@pytest.mark.parametrize("page, number", TWINS)
def test_twins_have_the_same_bits(root, page, number):
    lua = blocks(root, page)[number]
    builder = picus.Builder("twin")
    TWINS[page, number](builder)
    # examples with states only, and with a scheme for stiff parts
    options = dict(scheme="moreau-jean", dt=1e-4)
    one = picus.loads(lua).simulate(**options)
    two = builder.build().simulate(**options)
    assert one.model.coordinates == two.model.coordinates
    assert one.model.velocities == two.model.velocities
    a, b = one.run(0.02), two.run(0.02)
    assert a.columns == b.columns and a.units == b.units
    for name in a:
        assert a[name].tobytes() == b[name].tobytes(), name


# What model files have and the builder has not: tables, states of controllers, events.
LUA_ALONE = set("table state next_values gap mode on stop_when".split())


def test_every_example_is_a_twin_or_a_fragment(root):
    numbers = {k for page, k in TWINS if page == "model-format"}
    for k, lua in enumerate(blocks(root, "model-format")):
        if any(re.search(rf"\b{word}\s*[({{]", lua) for word in LUA_ALONE):
            numbers.add(k)
    for k, lua in enumerate(blocks(root, "model-format")):
        if k in numbers:
            continue
        with pytest.raises(picus.Error):  # a fragment: no model of its own
            picus.loads(lua).simulate(dt=1e-3)


def test_every_keyword_of_the_manual(root):
    table = (root / "docs/model-format.md").read_text().split("## Keywords")[1]
    table = table.split("### model")[0]
    words = set()
    for line in table.splitlines():
        if line.startswith("| [`"):
            words |= set(re.findall(r"`(\w+)`", line.split("](")[0]))
    functions = set(
        "t pi sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign "
        "min max when lt le gt ge eq ne all any no model ground".split()
    )
    builder = picus.Builder("words")
    for word in words - functions - LUA_ALONE:
        assert callable(getattr(builder, word)), word
    for word in functions - set("t pi abs lt le gt ge all any model ground".split()):
        assert callable(getattr(picus, word)), word


def test_bodies_and_functions():
    m = picus.Builder("bodies", "two bodies")
    m.gravity(0, -9.81)
    a = m.planar_body("a", mass=1, inertia=0.1, position=(0, 1), omega=2)
    b = m.particle("b", mass=1, position=(1, 1))
    m.revolute("pin", m.ground, a, at=(0, 1))
    m.spring(a, b, point_a=(0.5, 0), stiffness=100, length=0.5)
    x, y = a.point(0.5, 0)
    m.observe("height", y + 0 * x, unit="m")
    m.observe("turn", a.angle() + a.omega() * 0)
    m.level_contact("hill", m.ground, b, level=lambda x, y: y - 0.1 * picus.sin(x))
    m.plane_contact("floor", m.ground, b, origin=(0, 0), normal=(0, 1), mu=0.3)
    m.simulate(dt=1e-3, t_end=0.2)
    result = m.build().simulate().run()
    assert result["height"][0] == pytest.approx(1.0)
    assert result["turn"][-1] == result["phi_a"][-1]
    assert "hill.gap" in result


def test_shapes():
    m = picus.Builder("shapes")
    m.gravity(0, -9.81)
    m.material("default", mu=0.3)
    m.half_space("floor", position=(0, 0), normal=(0, 1))
    for k in range(4):
        m.disk(f"d{k}", radius=0.1, density=1000, position=(0.15 * k, 0.11 + 0.21 * k))
    m.simulate(dt=1e-3, t_end=0.3)
    sim = m.build().simulate()
    sim.run()
    assert sim.present_count() > 0


def test_errors_have_the_line_in_python():
    m = picus.Builder("wrong")
    q, u = m.coordinates(x=dict(velocity="v"))
    m.kinetic(u.v**2 / 2)
    m.contact("a", gap=q.x, mu=-1)
    line = inspect.currentframe().f_lineno - 1
    with pytest.raises(picus.Error) as caught:
        m.build()
    assert caught.value.line == line and caught.value.file == __file__
    assert "mu" in caught.value.message
    m = picus.Builder("wrong")
    m.observe("a", picus.sqrt(m.q.y))
    line = inspect.currentframe().f_lineno - 1
    with pytest.raises(picus.Error, match="'y'") as caught:
        m.build()
    assert caught.value.line == line


def test_parameters_stay_parameters():
    m = picus.Builder("p")
    bouncing_ball(m)
    assert m.build(e=0.25).parameters["e"] == 0.25
    assert m.build().with_parameters(g=1).parameters == {"m": 1, "g": 1, "e": 0.5}
    assert list(m.build().parameters) == ["m", "g", "e"]


def test_symbols():
    m = picus.Builder("s")
    q, u = m.coordinates(x=dict(velocity="v"), y=dict(velocity="w"))
    R = np.array([[0, -1], [1, 0]])
    turned = R @ np.array([q.x, q.y])
    assert isinstance(turned[0], picus.Symbol)
    assert repr(np.sin(q.x)) == "sin(v.q.x)" and repr(q["x"]) == "v.q.x"
    assert np.sin(np.array([q.x, q.y])).shape == (2,)
    assert (np.array([1.0, 2.0]) * q.x).shape == (2,)
    assert (q.x * np.array([1.0, 2.0])).shape == (2,)
    assert repr(np.float64(0.1) * q.x) == "(0.1 * v.q.x)"
    assert repr(2 - q.x) == "(2 - v.q.x)" and repr(-(q.x**2)) == "(-(v.q.x ^ 2))"
    assert repr(np.maximum(q.x, -1)) == "max(v.q.x, (-1))"
    assert repr(q.x < 1) == "lt(v.q.x, 1)" and repr(abs(q.x)) == "abs(v.q.x)"
    assert picus.max(1, 2) == 2 and picus.sin(0.0) == 0.0
    for wrong in (lambda: bool(q.x < 1), lambda: float(q.x), lambda: max(q.x, 0)):
        with pytest.raises(TypeError):
            wrong()
    for wrong in ("a", None, [1], 1j):
        with pytest.raises(TypeError):
            q.x + wrong
    with pytest.raises(ValueError, match="finite"):
        q.x * float("inf")
    with pytest.raises(ValueError, match="two models"):
        q.x + picus.Builder("other").q.x
    with pytest.raises(AttributeError, match="did you mean 'contact'"):
        m.contct("a")
    with pytest.raises(TypeError):
        m.contact("a", gap=object())


def test_long_expressions():
    m = picus.Builder("long")
    q, u = m.coordinates(x=dict(velocity="v", start=0.1))
    total = q.x
    for k in range(2000):
        total = total * 0.999 + picus.sin(total) * 1e-6
    m.kinetic(u.v**2 / 2)
    m.potential(total)
    m.build().simulate(dt=1e-3).step()


def test_hostile_texts():
    m = picus.Builder('a"b\n]]--', "d\\\0e")
    with pytest.raises(picus.Error):
        m.build()
    for name in ('x"', "x\n y", "end", "é", "", "a" * 5000, "x]] error('!')"):
        m = picus.Builder("hostile")
        m.coordinates(**{name: dict(velocity="v")})
        with pytest.raises(picus.Error):
            m.build()
