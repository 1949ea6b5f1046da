"""The builder: the same bits as model files, symbols, and errors with their line."""
import copy
import inspect
import os
import pickle
import re

import numpy as np
import pytest
from conftest import manual

import picus


def blocks(root, page):
    text = (root / "docs" / f"{page}.md").read_text()
    return re.findall(r"```lua\n(.*?)```", text, re.S)


def same_bits(one, two, t_end):
    assert one.model.coordinates == two.model.coordinates
    assert one.model.velocities == two.model.velocities
    a, b = one.run(t_end), two.run(t_end)
    assert a.columns == b.columns and a.units == b.units and a.labels == b.labels
    for name in a:
        assert a[name].tobytes() == b[name].tobytes(), name
    assert a.events.rows["t"].tobytes() == b.events.rows["t"].tobytes()


def files(root, page):
    """Texts of the files of a page by name."""
    text = (root / "docs" / f"{page}.md").read_text()
    return dict(re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", text, re.S))


@pytest.mark.parametrize("page, number", manual.TWINS)
def test_twins_have_the_same_bits(root, page, number, tmp_path):
    lua = blocks(root, page)[number] + manual.TAILS[page, number]
    for name, text in files(root, page).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "one.lua").write_text(lua)
    builder = picus.Builder("twin", folder=tmp_path)
    manual.TWINS[page, number](builder)
    one, two = picus.load(tmp_path / "one.lua"), builder.build()
    # with a scheme for stiff parts, and with the options of the example
    t_end = 2 if re.search(r"\b(state|on) {", lua) else 0.02  # there are events in 2 s
    options = dict(scheme="moreau-jean", dt=1e-4, t_end=t_end, sample=0)
    same_bits(one.simulate(**options), two.simulate(**options), t_end)
    if "simulate {" in lua:
        sims = one.simulate(), two.simulate()
        assert sims[0].options == sims[1].options
        same_bits(*sims, 20 * sims[0].options["dt"])
    assert one.plots() == two.plots()


def test_every_example_of_the_manual_has_a_twin(root):
    docs = root / "docs"
    pages = [*docs.rglob("*.md"), root / "README.md"]
    names = [os.path.relpath(page, docs)[: -len(".md")] for page in pages]
    for page in names:
        all_of_page = blocks(root, page)
        parts = {
            text
            for name, text in files(root, page).items()
            if any(f'include "{name}"' in block for block in all_of_page)
        }
        whole = {
            line.strip()
            for k, block in enumerate(all_of_page)
            if (page, k) in manual.TWINS
            for line in block.splitlines()
        }
        for k, block in enumerate(all_of_page):
            if (page, k) in manual.TWINS or block in parts:
                continue
            if re.search(r"^study {", block, re.M):  # no model; its twin is picus.Study
                continue
            # lines that the page adds to an example: they stand in it
            lines = {line.strip() for line in block.splitlines()}
            assert lines <= whole, f"example {k} of {page}.md has no twin in Python"


def test_every_keyword_of_the_manual(root):
    table = (root / "docs/model-format.md").read_text().split("## Keywords")[1]
    table = table.split("### model")[0]
    words = set()
    for line in table.splitlines():
        if line.startswith("| [`"):
            words |= set(re.findall(r"`(\w+)`", line.split("](")[0]))
    functions = set(
        "t pi sqrt exp log sin cos tan asin acos atan atan2 sinh cosh tanh abs sign "
        "min max when lt le gt ge eq ne all any no model ground include".split()
    )
    builder = picus.Builder("words")
    for word in words - functions:
        assert callable(getattr(builder, word)), word
    for word in functions - set(
        "t pi abs lt le gt ge all any model ground include".split()
    ):
        assert callable(getattr(picus, word)), word


def test_states_events_and_tables(tmp_path):
    """A counter by samples, a thermostat by events, a table of an array and a file."""
    (tmp_path / "road.csv").write_text("s,height\n0,1\n1,3\n2,3\n")
    m = picus.Builder("signals", folder=tmp_path)
    q, u = m.coordinates(y=dict(velocity="v", start=(1, 2)))
    m.kinetic(u.v**2 / 2)
    m.force(y=-m.table(m.t, np.array([[0, 10.0], [1, 10.0]])))
    m.contact("floor", gap=q.y, eN=0.5)
    m.state("k", every=0.1, next=lambda k: k + m.table(k, [(0, 1), (20, 1)]))
    long = m.state("long", every=0.1, next=lambda x: sum([x * 0] * 100, x) + 2 * q.y)
    a = m.state("a", start=1, every=0.1)
    b = m.state("b", start=2, every=0.1)
    m.next_values(a=b, b=a)
    m.state("gap", every=0.1, next=m.gap("floor"))
    m.state("mode", every=0.1, next=m.mode("floor"))
    m.state("force", every=0.1, next=m.force("floor"))
    m.observe("road", m.table(m.t, "road.csv", column="height"))
    m.on("down", when=u.v, direction="falls", set=dict(a=7))
    m.stop_when(m.t > 0.95)
    result = m.build().simulate(dt=1e-3, t_end=2).run()
    assert result.t[-1] == pytest.approx(0.95, abs=1e-3) and result["k"][-1] == 9
    rows = [round(t / 1e-3) for t in (0.05, 0.15, 0.25)]
    assert [result["b"][r] for r in rows] == [2, 1, 7]  # v passes 0 at 0.2 s
    assert result["road"][500] == pytest.approx(2) and long is not None
    sampled = result["gap"][250], result["floor.gap"][200]
    assert sampled[0] == sampled[1] and result["mode"][250] == 0
    for wrong in (
        lambda: m.state("k", start=0),
        lambda: m.state("c", rate=1, every=1),
        lambda: m.on("down", law="floor", becomes="blue"),
        lambda: m.on("up", when=u.v, set=dict(nothing=1)),
        lambda: m.table(q.y, [[1, 2], [0, 1]]),
        lambda: m.table(q.y, "../road.csv"),
        lambda: m.next_values(nothing=1),
    ):
        with pytest.raises(picus.Error) as caught:
            wrong()
            m.build()
        assert caught.value.file == __file__


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


def here():
    """Line of the caller."""
    return inspect.currentframe().f_back.f_lineno


def test_errors_are_raised_at_the_keyword():
    m = picus.Builder("wrong")
    p = m.parameters(mu=0.3)
    q, u = m.coordinates(x=dict(velocity="v", start=1))
    m.kinetic(u.v**2 / 2)
    before = m.text
    with pytest.raises(picus.ArgumentError, match="mu of contact 'a' is -1") as caught:
        m.contact("a", gap=q.x, mu=-1)
    assert caught.value.line == here() - 1 and caught.value.file == __file__
    with pytest.raises(picus.UnknownName, match="did you mean 'slip'"):
        m.contact("a", gap=q.x, slipp=u.v, mu=0.1)
    with pytest.raises(picus.Error, match="'y'") as caught:
        m.observe("a", picus.sqrt(q.y))
    assert caught.value.line == here() - 1
    with pytest.raises(picus.Error):
        m.parameters(good=1, mu=2)  # twice: the good one is not defined either
    with pytest.raises(picus.Error):
        m.gravity("down")
    with pytest.raises(picus.Error):
        m.kinetic()
    assert m.text == before  # nothing of this is left
    m.parameters(good=1)
    m.contact("a", gap=q.x, slip=u.v, mu=p.mu)
    assert m.build().simulate(dt=1e-3).run(0.01).columns


def test_functions_without_counterpart():
    q, u = picus.Builder("x").coordinates(x=dict(velocity="v", start=0))
    with pytest.raises(TypeError, match="np.hypot of symbols has no counterpart"):
        np.hypot(q.x, 1)


def test_wrong_words_of_symbols():
    m = picus.Builder("wrong")
    p = m.parameters(mu=0.3)
    q, u = m.coordinates(x=dict(velocity="v"))
    i = m.inputs(push=0)
    for look in (
        lambda: q.xx,
        lambda: u["w"],
        lambda: p.nu,
        lambda: i.pull,
        lambda: q[7],
        lambda: m.particle("a", mass=1, position=(0, 0)).nothing.more,
    ):
        with pytest.raises(picus.Error) as caught:
            look()
        assert caught.value.file == __file__
    assert not hasattr(q, "xx") and not hasattr(q, "_repr_html_") and hasattr(q, "x")
    with pytest.raises(AttributeError, match="there is no coordinate 'xx'"):
        q.xx
    assert [repr(x) for x in q] == ["v.q[1]", "v.q[2]", "v.q[3]"]
    with pytest.raises(IndexError):
        q[3]


def test_errors_of_the_complete_model_have_a_line():
    m = picus.Builder("wrong")
    p = m.parameters(mu=0.3)
    q, u = m.coordinates(x=dict(velocity="v"))
    m.kinetic(u.v**2 / 2)
    m.contact("a", gap=q.x, slip=u.v, mu=p.mu)
    line = here() - 1
    with pytest.raises(picus.ArgumentError, match="mu of contact 'a'") as caught:
        m.build(mu=-1)
    assert caught.value.line == line and caught.value.file == __file__
    with pytest.raises(picus.ArgumentError) as caught:
        m.build().with_parameters(mu=-1)
    assert caught.value.line == line
    with pytest.raises(picus.Error, match="nu"):
        m.build(nu=1)


def test_builders_are_copied_and_pickled():
    m = picus.Builder("original")
    manual.bouncing_ball(m)
    for twin in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m)):
        twin.friction("extra", slip=twin.u.v, reservoir=1)
        assert "extra" not in m.text and len(twin.build().laws) == 2
    assert len(m.build().laws) == 1


def test_files_of_a_folder(tmp_path):
    matrix = "%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 2.0\n"
    (tmp_path / "M.mtx").write_text(matrix)
    m = picus.Builder("files", folder=tmp_path)
    s = m.structure("s", mass="M.mtx", stiffness="M.mtx", start=[1])
    assert s is not None
    model = pickle.loads(pickle.dumps(m.build()))
    assert set(model.files()) == {"M.mtx"}
    with pytest.raises(picus.FileError, match="N.mtx"):
        m.structure("n", mass="N.mtx", stiffness="M.mtx")


def test_parts_are_symbols():
    m = picus.Builder("parts")
    b = m.beam(
        "b",
        length=1,
        elements=4,
        circle=0.01,
        density=7800,
        young=2.1e11,
        supports=[(0, "clamped")],
    )
    m.observe("twice", 2 * b.section(0).Mz + np.abs(b.uy[4]))
    a = m.planar_body("a", mass=1, inertia=1, position=(0, 0))
    x, y = a.point()
    m.observe("norm", np.sqrt(x**2 + y**2 + 1))
    with pytest.raises(picus.Error):
        m.observe("wrong", a + 1)
    result = m.build().simulate(scheme="moreau-jean", dt=1e-4).run(1e-3)
    assert (result["twice"] == 0).all() and result["norm"][0] == 1


def test_parameters_stay_parameters():
    m = picus.Builder("p")
    manual.bouncing_ball(m)
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
    other = picus.Builder("other")
    other.coordinates(x=dict(velocity="v"))
    with pytest.raises(ValueError, match="two models"):
        q.x + other.q.x
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
    with pytest.raises(picus.Error):
        picus.Builder('a"b\n]]--', "d\\\0e")
    for name in ('x"', "x\n y", "é", "", "x]] error('!')"):
        m = picus.Builder("hostile")
        with pytest.raises(picus.Error):
            m.coordinates(**{name: dict(velocity="v")})
        m.coordinates(x=dict(velocity="v"))
        with pytest.raises(picus.Error):
            m.q[name]
    for name in ("end", "a" * 5000):  # long, a word of Lua: names all the same
        m = picus.Builder("hostile")
        q, u = m.coordinates(**{name: dict(velocity="v")})
        assert repr(q[name])
