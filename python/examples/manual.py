"""The examples of the manual in Lua, written in Python.

Each function is the twin of one example: ``@twin(page, k)`` names the page in docs/ and
the number of the example on it, from 0. A test compares the results of both, bit for
bit. A page shows the Lua, this file the same words in Python.

    PYTHONPATH=python/src python3 python/examples/manual.py bodies 0

builds a twin, prints the model file that the builder writes, and runs it.
"""
from __future__ import annotations

import math
import sys
from collections.abc import Callable

import numpy as np

import picus

Twin = Callable[[picus.Builder], None]
TWINS: dict[tuple[str, int], Twin] = {}
TAILS: dict[tuple[str, int], str] = {}


def twin(page: str, number: int, tail: str = "") -> Callable[[Twin], Twin]:
    """Mark a twin; tail: Lua that makes a fragment a model."""

    def mark(function: Twin) -> Twin:
        TWINS[page, number] = function
        TAILS[page, number] = tail
        return function

    return mark


@twin("model-format", 0)
def bouncing_ball(m: picus.Builder) -> None:
    p = m.parameters(m=(1, "kg", "mass"), g=(9.81, "m/s^2"), e=0.5)
    q, u = m.coordinates(y=dict(velocity="v", start=(1, 0), unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.potential(p.m * p.g * q.y)
    m.contact("floor", gap=q.y, eN=p.e)
    m.simulate(scheme="moreau", dt=1e-3, t_end=3)
    m.plot(x="t", y="y")


@twin(
    "model-format",
    1,
    'local q, u = coordinates {{"x", velocity = "v", start = p.rO}} '
    "kinetic(p.mu * u.v^2 / 2)",
)
def parameters(m: picus.Builder) -> None:
    p = m.parameters(
        rM=(0.0031, "m", "inner radius of the sleeve"),
        eN=picus.item(0.5, "", "restitution", range=(0, 1)),
        mu=0.3,
    )
    p = m.parameters(rO=(0.8 * p.rM, "m"))
    q, u = m.coordinates(x=dict(velocity="v", start=p.rO))
    m.kinetic(p.mu * u.v**2 / 2)


@twin("model-format", 2)
def inputs(m: picus.Builder) -> None:
    i = m.inputs(
        torque=dict(start=0, unit="N m", label="torque of the hip"),
        table=dict(start=0.1, rate=0, unit="m"),
    )
    q, u = m.coordinates(x=dict(velocity="v", start=1, unit="m"))
    m.kinetic(u.v**2 / 2)
    m.force(x=-i.torque / 0.3)
    m.contact("table-top", gap=q.x - i.table)


@twin("model-format", 3, "kinetic((u.vx^2 + u.omega^2) / 2)")
def coordinates(m: picus.Builder) -> None:
    q, u = m.coordinates(
        x=dict(velocity="vx", start=(0, 2), unit="m"),
        phi=dict(velocity="omega", start=0.1, unit="rad", label="angle"),
    )
    m.kinetic((u.vx**2 + u.omega**2) / 2)


@twin("model-format", 4)
def wheel(m: picus.Builder) -> None:
    q, u = m.coordinates(x=0, y=0, psi=0)
    m.velocities(s=dict(start=1, unit="m/s"), w=dict(start=0.5, unit="rad/s"))
    m.rates(x=u.s * np.cos(q.psi), y=u.s * np.sin(q.psi), psi=u.w)
    m.mass([[2, 0], [0, 0.1]])


@twin("model-format", 5)
def states(m: picus.Builder) -> None:
    p = m.parameters(m=2, kp=40, ki=30, kd=12, limit=50)
    q, u = m.coordinates(x=dict(velocity="v", unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.contact("stop", gap=1.5 - q.x, eN=0.3)

    error = 1 - q.x
    saturated = abs(p.kp * error) < p.limit
    i = m.state("I", start=0, rate=picus.when(saturated, error, 0))
    pid = p.kp * error + p.ki * i - p.kd * u.v
    bounded = picus.max(-p.limit, picus.min(p.limit, pid))
    motor = m.state("F", start=0, every=1e-3, unit="N", next=bounded)
    m.force(x=motor)

    def count(n: picus.Symbol) -> picus.Symbol:
        return picus.when(m.force("stop") > 0, n + 1, n)

    m.state("hits", every=1e-3, next=count)


@twin("model-format", 6)
def events(m: picus.Builder) -> None:
    q, u = m.coordinates(y=dict(velocity="v", start=1, unit="m"))
    m.kinetic(u.v**2 / 2)
    m.potential(9.81 * q.y)
    m.contact("floor", gap=q.y, eN=0.7)
    m.contact("lid", gap=0.8 - q.y + 1)

    hits = m.state("hits")
    m.on("hit", law="floor", becomes="impact", set=dict(hits=hits + 1))
    m.on("kick", when=m.t - 1.5, set=dict(v=4), switch=dict(lid="off"))
    m.on("top", when=u.v, direction="falls", set=dict(hits=0))
    m.stop_when(hits > 9.5)


@twin("model-format", 7)
def dynamics(m: picus.Builder) -> None:
    p = m.parameters(m=1, g=9.81, d=0.2, F=3)
    q, u = m.coordinates(x=dict(velocity="vx"), y=dict(velocity="vy"))
    m.kinetic(p.m * (u.vx**2 + u.vy**2) / 2)
    m.potential(p.m * p.g * q.y)
    m.dissipation(p.d * u.vx**2 / 2)
    m.force(x=p.F * picus.sin(2 * m.t))


@twin("model-format", 8)
def matrices(m: picus.Builder) -> None:
    q, u = m.coordinates(x=dict(velocity="v"), phi=dict(velocity="omega"))
    m.mass(np.array([[3, np.cos(q.phi)], [np.cos(q.phi), 1]]))
    m.force_vector([np.sin(q.phi) * u.omega**2, -9.81 * np.sin(q.phi)])


@twin("model-format", 9)
def laws(m: picus.Builder) -> None:
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
def bead_on_rod(m: picus.Builder) -> None:
    q, u = m.coordinates(
        r=dict(velocity="v", start=(0.5, 0.2)), phi=dict(velocity="w", start=(0, 2))
    )
    m.kinetic((u.v**2 + q.r**2 * u.w**2) / 2)
    m.constraint("drive", velocity=u.w - 2)
    m.friction("rod", slip=u.v, mu=0.3 / q.r, load="drive")


@twin("model-format", 11)
def stribeck(m: picus.Builder) -> None:
    p = m.parameters(mu_s=0.4, mu_k=0.2, v_s=0.1, rise=0.02, v_belt=0.2)
    q, u = m.coordinates(x=dict(velocity="vx"), y=dict(velocity="vy"))
    m.kinetic((u.vx**2 + u.vy**2) / 2)
    m.potential(50 * q.x**2 + 10 * q.y)
    s = m.slip_speed()
    mu = p.mu_k + (p.mu_s - p.mu_k) * picus.exp(-s / p.v_s) + p.rise * s
    m.contact("belt", gap=q.y, slip=u.vx - p.v_belt, mu=mu)
    m.friction("guide", slip=u.vx, reservoir=2 + picus.sin(m.t))


@twin("model-format", 12)
def ball_on_turntable(m: picus.Builder) -> None:
    m.gravity(0, 0, -9.81)
    inertia = (0.001, 0.001, 0.001)
    ball = m.spatial_body("ball", mass=1, inertia=inertia, position=(0.5, 0, 0.05))
    x, y, _ = ball.point(0, 0, 0)
    m.plane_contact(
        "turntable",
        m.ground,
        ball,
        normal=(0, 0, 1),
        radius=0.05,
        mu=0.5,
        surface=(-2 * y, 2 * x, 0),
    )


@twin("model-format", 13)
def mass_on_bar(m: picus.Builder) -> None:
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


@twin("model-format", 14)
def shaft(m: picus.Builder) -> None:
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


@twin("model-format", 15)
def output(m: picus.Builder) -> None:
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


@twin("model-format", 16)
def drawing(m: picus.Builder) -> None:
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


@twin("model-format", 17)
def condition(m: picus.Builder) -> None:
    q, u = m.coordinates(x=dict(velocity="v"))
    m.kinetic(u.v**2 / 2)
    m.force(x=picus.when(picus.all_of(q.x > 0, m.t < 1), -100 * q.x, 0))


@twin("model-format", 18)
def tables(m: picus.Builder) -> None:
    q, u = m.coordinates(x=dict(velocity="v", start=0.1, unit="m"))
    m.kinetic(u.v**2 / 2)
    spring = np.array([[-1, -30], [0, 0], [0.5, 5], [1, 30]])
    m.force(x=-m.table(q.x, spring))
    m.force(x=m.table(m.t, [(0, 0), (1, 2), (3, 0)], kind="cubic"))


@twin("model-format", 19)
def chain(m: picus.Builder) -> None:
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


@twin("bodies", 0)
def pendulum(m: picus.Builder) -> None:
    p = m.parameters(m=2, l=0.8, g=9.81, e=0.5)
    m.gravity(0, -p.g)
    rod = m.planar_body(
        "rod", mass=p.m, inertia=p.m * p.l**2 / 12, position=(p.l / 2, 0)
    )
    m.revolute("hinge", m.ground, rod, at=(0, 0))
    m.plane_contact(
        "wall",
        m.ground,
        rod,
        origin=(-0.3, 0),
        normal=(1, 0),
        point=(p.l / 2, 0),
        mu=0.2,
        eN=p.e,
    )
    x, y = rod.point(p.l / 2, 0)  # expressions of the free end
    m.observe("height", y, unit="m")
    m.simulate(scheme="rattle", dt=1e-3, t_end=3)
    m.plot(y=("phi_rod", "height"))


@twin("bodies", 1)
def shaker(m: picus.Builder) -> None:
    shaker = m.frame("shaker", position=(0.01 * picus.sin(50 * m.t), 0))
    mass = m.planar_body("mass", mass=1, inertia=0.1, position=(0.5, 0))
    m.spring(shaker, mass, stiffness=200, length=0.5, damping=1)
    m.prismatic("guide", m.ground, mass, axis=(1, 0))
    m.simulate(dt=1e-3, t_end=2)


@twin("bodies", 2)
def ball_and_bead(m: picus.Builder) -> None:
    m.gravity(0, 0, -9.81)
    ball = m.spatial_body(
        "ball",
        mass=1,
        inertia=(4e-3, 4e-3, 4e-3),
        position=(0, 0, 1),
        omega=(0, 50, 20),
    )
    m.plane_contact(
        "floor",
        m.ground,
        ball,
        normal=(0, 0, 1),
        radius=0.1,
        mu=0.3,
        eN=0.6,
        spin_radius=0.01,
    )
    bead = m.particle("bead", mass=0.1, position=(0.5, 0, 1), velocity=(1, 0, 0))
    m.level_contact(
        "bowl", m.ground, bead, level=lambda x, y, z: z - (x**2 + y**2) / 2, mu=0.1
    )
    m.simulate(dt=1e-4, t_end=2)


@twin("bodies", 3)
def four_bar(m: picus.Builder) -> None:
    m.gravity(0, -9.81, 0)

    def link(name: str, x1: float, y1: float, x2: float, y2: float) -> picus.Part:
        return m.spatial_body(
            name,
            mass=1,
            inertia=(0.02, 0.03, 0.01),
            position=((x1 + x2) / 2, (y1 + y2) / 2, 0),
            axis=(0, 0, 1),
            angle=math.atan2(y2 - y1, x2 - x1),
        )

    a = link("a", 0, 0, 0.3, 0.4)
    b = link("b", 0.3, 0.4, 1.5, 0.9)
    c = link("c", 1.5, 0.9, 1.2, 0)
    m.revolute("A", m.ground, a, at=(0, 0, 0), axis=(0, 0, 1))
    m.revolute("B", a, b, at=(0.3, 0.4, 0), axis=(0, 0, 1))
    m.revolute("C", b, c, at=(1.5, 0.9, 0), axis=(0, 0, 1))
    m.revolute("D", c, m.ground, at=(1.2, 0, 0), axis=(0, 0, 1))
    m.simulate(scheme="rattle", dt=1e-3, t_end=1)


@twin("shapes", 0)
def crate(m: picus.Builder) -> None:
    m.gravity(0, 0, -9.81)
    m.material("default", mu=0.3, eN=0.1)
    m.half_space("slope", normal=(0.5, 0, 0.866), extent=2)
    m.box(
        "crate",
        size=(0.4, 0.3, 0.2),
        density=500,
        position=(0, 0, 0.5),
        velocity=(0, 0.5, 0),
    )
    m.simulate(scheme="moreau", dt=1e-3, t_end=1)
    m.plot(y=("x_crate", "z_crate"))


@twin("shapes", 1)
def hammer(m: picus.Builder) -> None:
    m.gravity(0, -9.81)
    m.material("default", mu=0.4)
    m.half_space("belt", position=(0, 0), normal=(0, 1), surface=(2, 0))
    handle = picus.item("rectangle", size=(0.5, 0.05))
    head = picus.item("rectangle", size=(0.1, 0.2), at=(0.3, 0))
    m.planar_body("hammer", density=3, position=(0, 0.3), shape=(handle, head))
    m.simulate(dt=1e-3, t_end=1)


@twin("flexible", 0)
def portal_frame(m: picus.Builder) -> None:
    portal = m.framework(
        "portal",
        nodes=[(0, 0), (0, 3), (4, 3), (4, 0)],
        members=[(1, 2), picus.item(2, 3, rectangle=(0.2, 0.1)), (3, 4)],
        elements=4,
        rectangle=(0.1, 0.1),
        density=7800,
        young=2.1e11,
        damping=(0.5, 1e-5),
        supports=[(1, "clamped"), (4, "clamped")],
        record=(2, 3),
    )
    m.contact("stop", gap=0.01 - portal.ux[3])
    m.force({"portal.ux2": picus.when(m.t < 0.05, 4e4, 0)})
    m.simulate(scheme="moreau-jean", dt=1e-4, t_end=0.2)


@twin("flexible", 1)
def beam_with_bob(m: picus.Builder) -> None:
    m.gravity(0, -9.81)
    b = m.beam(
        "b",
        length=1,
        elements=8,
        rectangle=(0.02, 0.02),
        density=7800,
        young=2.1e11,
        damping=(1, 1e-5),
        gravity=(0, -9.81),
        supports=[(0, "clamped")],
        record=[8],
    )
    bob = m.planar_body("bob", mass=2, inertia=0.01, position=(1.3, 0))
    m.revolute("hinge", b.node(8), bob, at=(1, 0))
    m.torsion_spring(b.node(8), bob, stiffness=2, damping=0.05)
    m.spring(m.ground, b.node(4), stiffness=5000, damping=10, point_a=(0.5, 0))
    m.plane_contact(
        "stop", m.ground, b.node(8), origin=(0, -0.004), normal=(0, 1), mu=0.2
    )
    m.simulate(scheme="moreau-jean", theta=0.5, dt=1e-4, t_end=0.5)


@twin("flexible", 2)
def sections(m: picus.Builder) -> None:
    b = m.beam(
        "b",
        length=0.4,
        elements=8,
        rectangle=(0.002, 0.02),
        density=7800,
        young=2.1e11,
        damping=(5, 1e-5),
        supports=[(0, "clamped")],
        record=[8],
    )
    m.force({"b.uy8": -0.2})
    root = b.section(0)
    m.observe("moment", root.Mz, unit="N m", label="bending moment at the support")
    gauge = root.fibre(0.001)
    m.observe("gauge", gauge, unit="N/m^2", label="stress at the upper side")
    m.observe("mises", root.mises, unit="N/m^2")
    m.observe("shear", b.section(0.2, "before").Qy, unit="N")
    m.simulate(scheme="moreau-jean", dt=1e-3, t_end=8, sample=2)


@twin("flexible", 3)
def rotor(m: picus.Builder) -> None:
    p = m.parameters(spin=(1000, "rad/s", "spin"))
    m.beam(
        "b",
        length=0.5,
        elements=20,
        circle=0.01,
        density=7800,
        young=2.1e11,
        spatial=True,
        theory="rayleigh",
        spin=p.spin,
        supports=[(0, "clamped")],
        bodies=[picus.item(20, mass=3, inertia=(0.03, 0.015, 0.015))],
        record=[20],
    )


@twin("flexible", 4)
def beam_on_a_stop(m: picus.Builder) -> None:
    b = m.beam(
        "b",
        length=1,
        elements=10,
        circle=0.01,
        density=7800,
        young=2.1e11,
        supports=[(0, "clamped")],
        gravity=(0, -9.81),
        record=[10],
    )
    m.contact("stop", gap=b.uy[10], slip=b.vx[10], mu=0.5)
    m.force({"b.ux10": 3})


@twin("troubleshooting", 0)
def belt_with_stop(m: picus.Builder) -> None:
    p = m.parameters(
        m=(1, "kg"), k=(100, "N/m"), belt=(0.2, "m/s"), F=(4, "N"), e=0.5, d=(0.1, "m")
    )
    q, u = m.coordinates(x=dict(velocity="v", start=(0, 0), unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.potential(p.k * q.x**2 / 2)
    m.friction("rub", slip=u.v - p.belt, reservoir=p.F)
    m.contact("stop", gap=p.d - q.x, eN=p.e)
    m.simulate(scheme="moreau", dt=1e-3, t_end=4)


@twin("troubleshooting", 1)
def fast_ball(m: picus.Builder) -> None:
    q, u = m.coordinates(z=dict(velocity="v", start=(0.6, -100), unit="m"))
    m.kinetic(u.v**2 / 2)
    m.contact("floor", gap=q.z)
    m.simulate(dt=1e-2, t_end=0.01)


@twin("tutorial", 0)
def belt(m: picus.Builder) -> None:
    p = m.parameters(
        m=(1, "kg", "mass"),
        k=(100, "N/m", "stiffness of the spring"),
        belt=(0.2, "m/s", "speed of the belt"),
        F=(4, "N", "largest friction force"),
    )
    q, u = m.coordinates(x=dict(velocity="v", start=(0, 0), unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.potential(p.k * q.x**2 / 2)
    m.friction("rub", slip=u.v - p.belt, reservoir=p.F)
    m.simulate(scheme="moreau", dt=1e-3, t_end=4)
    m.plot(x="x", y="v")
    m.plot(x="t", y="v")


def mass_on_belt(m: picus.Builder, with_stop: bool) -> None:
    p = m.parameters(
        m=(1, "kg", "mass"),
        k=(100, "N/m", "stiffness of the spring"),
        belt=(0.2, "m/s", "speed of the belt"),
        F=(4, "N", "largest friction force at rest"),
        drop=(2, "N", "decrease of friction at high slip velocity"),
        vs=(0.1, "m/s", "slip velocity of the decrease"),
    )
    if with_stop:
        p = m.parameters(
            d=(0.03, "m", "position of the stop"),
            e=(0.6, "", "coefficient of restitution"),
        )
    q, u = m.coordinates(x=dict(velocity="v", start=(0, 0), unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.potential(p.k * q.x**2 / 2)
    slip = u.v - p.belt
    m.friction("rub", slip=slip, reservoir=p.F)
    m.force(x=p.drop * (1 - picus.exp(-abs(slip) / p.vs)) * picus.sign(slip))
    if with_stop:
        m.contact("stop", gap=p.d - q.x, eN=p.e)
    m.observe("slip", slip, unit="m/s")
    m.simulate(scheme="moreau", dt=1e-3, t_end=4)
    m.plot(x="x", y="v")
    m.plot(x="t", y=("v", "slip"))


@twin("tutorial", 1)
def stick_slip(m: picus.Builder) -> None:
    mass_on_belt(m, with_stop=False)


@twin("tutorial", 4)
def stop(m: picus.Builder) -> None:
    mass_on_belt(m, with_stop=True)


@twin("tutorial", 5)
def domino_row(m: picus.Builder) -> None:
    n = 8
    p = m.parameters(
        n=(n, "", "number of dominoes"),
        v=(0.8, "m/s", "initial speed of the ball"),
        mu=(0.3, "", "friction coefficient"),
    )
    m.gravity(0, -9.81)
    m.material("default", mu=p.mu, eN=0.1)
    m.floor("floor", extent=0.3)
    m.disk(
        "ball",
        radius=0.02,
        density=500,
        fill="orange",
        position=(-0.06, 0.02),
        velocity=(p.v, 0),
        omega=-p.v / 0.02,
    )
    for i in range(1, n + 1):
        m.rectangle(
            f"d{i}", size=(0.01, 0.06), density=800, position=(0.035 * (i - 1), 0.03)
        )
    m.simulate(scheme="moreau", dt=5e-4, t_end=0.8, gap_term=True)
    m.plot(y=("phi_d1", "phi_d8"))


@twin("../README", 0)
def block(m: picus.Builder) -> None:
    p = m.parameters(
        m=(2, "kg", "mass"),
        g=(9.81, "m/s^2", "gravity"),
        alpha=(math.pi / 180 * 20, "rad", "slope of the incline"),
        mu=(0.5, "", "friction coefficient"),
    )
    q, u = m.coordinates(
        x=dict(velocity="vx", start=(0, 3), unit="m"),  # along the incline, uphill
        z=dict(velocity="vz", start=(0.1, 0), unit="m"),  # away from it
    )
    m.kinetic(p.m * (u.vx**2 + u.vz**2) / 2)
    height = picus.sin(p.alpha) * q.x + picus.cos(p.alpha) * q.z
    m.potential(p.m * p.g * height)
    m.contact("incline", gap=q.z, slip=u.vx, mu=p.mu, eN=0.4)
    m.simulate(scheme="moreau", dt=1e-4, t_end=1)
    m.plot(x="t", y=("vx", "vz"))


@twin("theory/moreau", 0)
def balls(m: picus.Builder) -> None:
    q, u = m.coordinates(
        x1=dict(velocity="v1", start=(-0.01, 1), unit="m"),
        x2=dict(velocity="v2", start=(0, 0), unit="m"),
        x3=dict(velocity="v3", start=(0, 0), unit="m"),  # without the diameters
    )
    m.kinetic((u.v1**2 + u.v2**2 + u.v3**2) / 2)
    m.contact("left", gap=q.x2 - q.x1, eN=1)
    m.contact("right", gap=q.x3 - q.x2, eN=1)
    m.simulate(dt=1e-3, t_end=0.02)


@twin("theory/half-explicit", 0)
def own_tableau(m: picus.Builder) -> None:
    q, u = m.coordinates(x=dict(velocity="v", start=(1, 0)))
    m.kinetic(u.v**2 / 2)
    m.potential(q.x**2 / 2)
    tableau = picus.item([1 / 3], [-1, 2], [0, 3 / 4, 1 / 4], order=3)
    m.simulate(scheme="half-explicit-rk", dt=0.01, t_end=1, tableau=tableau)


@twin("live", 0)
def sliding_mass(m: picus.Builder) -> None:
    p = m.parameters(mu=picus.item(0.3, "", "friction coefficient", range=(0, 1)))
    q, u = m.coordinates(x=dict(velocity="v", start=(0, 1)))
    m.kinetic(0.5 * u.v**2)
    m.friction("floor", slip=u.v, reservoir=9.81 * p.mu)
    m.simulate(dt=1e-3, t_end=1)


@twin("recipes", 0)
def pid(m: picus.Builder) -> None:
    p = m.parameters(m=2, kp=40, ki=30, kd=12, limit=50)
    q, u = m.coordinates(x=dict(velocity="v", unit="m"))
    m.kinetic(p.m * u.v**2 / 2)
    m.friction("guide", slip=u.v, reservoir=3)

    error = 1 - q.x
    free = abs(p.kp * error) < p.limit
    i = m.state("I", rate=picus.when(free, error, 0))
    wanted = p.kp * error + p.ki * i - p.kd * u.v
    bounded = picus.max(-p.limit, picus.min(p.limit, wanted))
    m.force(x=m.state("F", every=1e-3, unit="N", next=bounded))
    m.simulate(scheme="moreau", dt=1e-4, t_end=3, sample=0.01)
    m.plot(y=["x"])
    m.plot(y=["F"])


@twin("recipes", 1)
def relay(m: picus.Builder) -> None:
    q, u = m.coordinates(x=dict(velocity="v", start=(-0.2, 0), unit="m"))
    m.kinetic(u.v**2 / 2)
    on_off = m.state("on_off", start=1)
    m.on("off", when=q.x - 0.1, direction="rises", set=dict(on_off=0))
    m.on("on", when=q.x + 0.1, direction="falls", set=dict(on_off=1))
    m.force(x=2 * on_off - 1 - 0.5 * u.v)
    m.simulate(scheme="rattle", dt=1e-3, t_end=30)


@twin("recipes", 2)
def cam(m: picus.Builder) -> None:
    p = m.parameters(speed=60, m=0.2, k=400, preload=20)
    slope = [(-1.2, 0), (-0.6, 0.004), (0, 0.01), (0.6, 0.004), (1.2, 0)]
    lift = [(-math.pi, 0), *slope, (math.pi, 0)]
    q, u = m.coordinates(
        y=dict(velocity="v", unit="m"),
        phi=dict(velocity="omega", start=(-2, p.speed), unit="rad"),
    )
    m.kinetic(p.m * u.v**2 / 2 + u.omega**2 / 2)
    m.constraint("drive", velocity=u.omega - p.speed)
    m.potential(p.k * q.y**2 / 2 + p.preload * q.y)
    angle = np.arctan2(np.sin(q.phi), np.cos(q.phi))  # without whole turns
    m.contact("cam", gap=q.y - m.table(angle, lift, kind="cubic"))
    m.simulate(scheme="moreau-jean", dt=2e-5, t_end=0.5, sample=1e-3)


@twin("recipes", 3)
def rope(m: picus.Builder) -> None:
    p = m.parameters(L=1, m=1, g=9.81)
    q, u = m.coordinates(
        x=dict(velocity="vx", start=0.8, unit="m"), y=dict(velocity="vy", unit="m")
    )
    m.kinetic(p.m * (u.vx**2 + u.vy**2) / 2)
    m.potential(p.m * p.g * q.y)
    m.contact("rope", gap=p.L - np.sqrt(q.x**2 + q.y**2), eN=0)
    m.draw("line", (0, 0), (q.x, q.y))
    m.draw("circle", (q.x, q.y), radius=0.05, fill="blue")
    m.simulate(scheme="rattle", dt=1e-3, t_end=3)


@twin("recipes", 4)
def rising_stribeck(m: picus.Builder) -> None:
    p = m.parameters(v=0.1, mu_s=0.4, mu_k=0.2, v_s=0.05, rise=0.05)
    q, u = m.coordinates(x=dict(velocity="vx", unit="m"))
    m.kinetic(u.vx**2 / 2)
    m.potential(20 * q.x**2)
    s = m.slip_speed()
    mu = p.mu_k + (p.mu_s - p.mu_k) * picus.exp(-s / p.v_s) + p.rise * s
    m.friction("belt", slip=u.vx - p.v, reservoir=9.81 * mu)
    m.simulate(scheme="moreau-jean", dt=1e-3, t_end=20)


@twin("recipes", 5)
def road(m: picus.Builder) -> None:
    p = m.parameters(speed=10, m=40, M=400, kt=2e5, k=2e4, c=1500, g=9.81)
    sag, tyre = p.M * p.g / p.k, (p.M + p.m) * p.g / p.kt
    q, u = m.coordinates(
        wheel=dict(velocity="vw", start=-tyre, unit="m"),
        car=dict(velocity="vc", start=-tyre - sag, unit="m"),
    )
    m.kinetic(p.m * u.vw**2 / 2 + p.M * u.vc**2 / 2)
    weight = p.m * q.wheel + p.M * q.car
    m.potential(p.g * weight + p.k * (q.car - q.wheel) ** 2 / 2)
    m.dissipation(p.c * (u.vc - u.vw) ** 2 / 2)
    height = m.table(p.speed * m.t, "road.csv", column="height")
    m.force(wheel=p.kt * picus.max(0, height - q.wheel))  # the tyre only presses
    m.simulate(scheme="rattle", dt=1e-3, t_end=1.5)


@twin("recipes", 6)
def section(m: picus.Builder) -> None:
    p = m.parameters(A=1.2, W=2 / 3, d=0.5)
    q, u = m.coordinates(phi=dict(velocity="omega", start=0.5, unit="rad"))
    m.kinetic(u.omega**2 / 2)
    m.potential(-np.cos(q.phi))
    m.dissipation(p.d * u.omega**2 / 2)
    m.force(phi=p.A * np.cos(p.W * m.t))
    m.on("period", when=np.sin(p.W * m.t / 2))
    m.simulate(scheme="rattle", dt=1e-2, t_end=200, sample=1)


@twin("recipes", 7)
def bounces(m: picus.Builder) -> None:
    q, u = m.coordinates(y=dict(velocity="v", start=1, unit="m"))
    m.kinetic(u.v**2 / 2)
    m.potential(9.81 * q.y)
    m.contact("floor", gap=q.y, eN=0.8)
    n = m.state("n")
    m.on("hit", law="floor", becomes="impact", set=dict(n=n + 1))
    m.stop_when(n > 4.5)  # the run ends with the fifth impact
    m.simulate(scheme="rattle", dt=1e-3, t_end=10)


@twin("recipes", 8)
def swing(m: picus.Builder) -> None:
    p = m.parameters(A=1)
    q, u = m.coordinates(phi=dict(velocity="omega", start=1, unit="rad"))
    m.kinetic(u.omega**2 / 2)
    m.potential(-9.81 * np.cos(q.phi))
    m.dissipation(0.1 * u.omega**2 / 2)
    m.force(phi=p.A * np.sin(3 * m.t))
    m.simulate(scheme="rattle", dt=2e-3, t_end=40)


@twin("recipes", 9)
def drawn_beam(m: picus.Builder) -> None:
    n = 8
    b = m.beam(
        "b",
        length=1,
        elements=n,
        circle=0.005,
        density=7800,
        young=2.1e11,
        supports=[(0, "clamped")],
        gravity=(0, -9.81),
        record=range(n + 1),
    )
    points = [(i / n + b.ux[i], b.uy[i]) for i in range(n + 1)]
    m.draw("line", *points, width=4)
    m.draw("ground", (0, -0.1), (0, 0.1))
    m.simulate(scheme="moreau-jean", dt=1e-3, t_end=0.2)


@twin("recipes", 11)
def two_masses(m: picus.Builder) -> None:
    parts = m.include("parts.lua")  # a function of Python is simpler
    x, y = parts.mass("x", 1, (0, 1)), parts.mass("y", 2, 0.5)
    m.contact("hit", gap=y - x, eN=0.8)
    m.simulate(scheme="moreau", dt=1e-3, t_end=1)


@twin("recipes", 12)
def bead(m: picus.Builder) -> None:
    m.gravity(0, -9.81)
    rod = m.planar_body("rod", mass=1, inertia=0.1, position=(0, 0))
    m.revolute("pivot", m.ground, rod, at=(0, 0))
    m.motor("drive", m.ground, rod, speed=1)
    bead = m.particle("bead", mass=0.2, position=(0.2, 0))
    x, y = bead.point()
    cos, sin = np.cos(rod.angle()), np.sin(rod.angle())
    s = x * cos + y * sin
    px, py = rod.point(s, 0)
    m.constraint("on_rod", position=-x * sin + y * cos)
    vx, vy = bead.velocity()
    rx, ry = rod.velocity(s, 0)  # of the rod, where the bead is
    slip = (vx - rx) * cos + (vy - ry) * sin
    m.friction("slide", slip=slip, mu=0.1, load="on_rod")
    m.observe("distance", np.sqrt((px - x) ** 2 + (py - y) ** 2), unit="m")
    m.simulate(scheme="moreau", dt=1e-3, t_end=1)


@twin("recipes", 13)
def clock(m: picus.Builder) -> None:
    p = m.parameters(g=9.81, l=0.994, d=0.02, kick=0.02)
    q, u = m.coordinates(phi=dict(velocity="omega", start=(0.05, 0), unit="rad"))
    m.kinetic(p.l**2 * u.omega**2 / 2)
    m.potential(p.g * p.l * q.phi**2 / 2)
    m.dissipation(p.d * p.l**2 * u.omega**2 / 2)
    ticks = m.state("ticks")
    kicked = u.omega + p.kick * np.sign(u.omega)
    m.on("tick", when=q.phi, set=dict(omega=kicked, ticks=ticks + 1))
    m.simulate(scheme="rattle", dt=1e-3, t_end=100, sample=0.1)
    m.plot(y=["phi"])


@twin("recipes", 14)
def yoyo(m: picus.Builder) -> None:
    p = m.parameters(m=0.05, r=0.004, J=2e-5, L=0.8, g=9.81)
    q, u = m.coordinates(
        y=dict(velocity="v", unit="m", label="depth"),
        phi=dict(velocity="omega", unit="rad"),
    )
    m.kinetic(p.m * u.v**2 / 2 + p.J * u.omega**2 / 2)
    m.potential(-p.m * p.g * q.y)
    m.contact("unwinding", gap=p.r * q.phi - q.y)
    m.contact("winding", gap=2 * p.L - p.r * q.phi - q.y)
    m.on("top", when=u.v, direction="rises", stop=True)
    m.simulate(scheme="rattle", dt=1e-4, t_end=6, sample=0.01)


@twin("recipes", 15)
def wedge(m: picus.Builder) -> None:
    p = m.parameters(mw=1, ml=10, F=40, angle=math.pi / 18, mu=0.1, g=9.81)
    m.gravity(0, -p.g)
    wedge = m.planar_body("wedge", mass=p.mw, inertia=0.01, position=(0, 0))
    load = m.planar_body("load", mass=p.ml, inertia=0.1, position=(0, 0.2))
    m.prismatic("rail", m.ground, wedge, at=(0, 0), axis=(1, 0), mu=p.mu)
    m.prismatic("guide", m.ground, load, at=(0, 0.2), axis=(0, 1), mu=p.mu)
    m.plane_contact(
        "face",
        wedge,
        load,
        origin=(0, 0.1),
        normal=(np.sin(p.angle), np.cos(p.angle)),
        point=(0, -0.1),
        mu=p.mu,
    )
    m.body_force(wedge, force=(p.F, 0))
    m.simulate(scheme="moreau", dt=1e-4, t_end=0.2)


@twin("recipes", 16)
def screw_jack(m: picus.Builder) -> None:
    p = m.parameters(m=100, J=0.02, r=0.015, lead=0.005, mu=0.12, T=3, g=9.81)
    a = np.arctan(p.lead / (2 * math.pi * p.r))  # lead angle
    q, u = m.coordinates(
        z=dict(velocity="vz", unit="m"), phi=dict(velocity="omega", unit="rad")
    )
    m.kinetic(p.m * u.vz**2 / 2 + p.J * u.omega**2 / 2)
    m.potential(p.m * p.g * q.z)
    m.force(phi=p.T)
    m.constraint("thread", velocity=u.vz * np.cos(a) - p.r * u.omega * np.sin(a))
    slip = u.vz * np.sin(a) + p.r * u.omega * np.cos(a)
    m.friction("face", slip=slip, mu=p.mu, load="thread")
    m.simulate(scheme="moreau", dt=1e-3, t_end=1)


@twin("recipes", 17)
def antilock(m: picus.Builder) -> None:
    p = m.parameters(m=400, J=1.2, r=0.3, v0=30, g=9.81, T=2400, low=0.12, high=0.22)
    q, u = m.coordinates(
        x=dict(velocity="v", start=(0, p.v0), unit="m"),
        phi=dict(velocity="omega", start=(0, p.v0 / p.r), unit="rad"),
    )
    m.kinetic(p.m * u.v**2 / 2 + p.J * u.omega**2 / 2)
    speed = m.state("speed", start=p.v0, every=1e-3, next=picus.max(u.v, 0.5))
    points = [(0, 0), (0.08, 0.8), (0.15, 1), (0.3, 0.9), (1, 0.65)]
    mu = m.table(m.slip_speed() / speed, points, kind="cubic")
    m.friction("tyre", slip=u.v - p.r * u.omega, reservoir=p.m * p.g * mu)
    ratio = 1 - p.r * u.omega / speed

    def switched(open: picus.Symbol) -> picus.Symbol:
        return picus.when(ratio > p.high, 0, picus.when(ratio < p.low, 1, open))

    valve = m.state("valve", start=1, every=5e-3, next=switched)
    torque = m.state("torque", rate=lambda T: 60 * (p.T * valve - T))
    m.friction("disc", slip=u.omega, reservoir=torque)
    m.stop_when(1 - u.v)
    m.simulate(scheme="rattle", dt=1e-3, t_end=10, adaptive=True, sample=0.5)


@twin("recipes", 18)
def geneva_drive(m: picus.Builder) -> None:
    p = m.parameters(a=0.1, w=5, pin=0.006, play=2e-5, J=1e-3, drag=0.02)
    # crank; half of the width of a slot
    r, half = p.a * np.sin(math.pi / 4), p.pin + p.play
    m.material("default", mu=0.1)
    sectors = []
    for k in range(4):
        b = k * math.pi / 2 + math.pi / 4
        cos, sin = np.cos(b), np.sin(b)
        x = r * np.cos(math.pi / 4) + half * np.sin(math.pi / 4)
        y = r * np.sin(math.pi / 4) - half * np.cos(math.pi / 4)
        corners = (half * np.sqrt(2), 0), (x, y), (x, -y)
        points = [(x * cos - y * sin, x * sin + y * cos) for x, y in corners]
        sectors.append(picus.item("polygon", points=points))
    wheel = m.planar_body(
        "wheel",
        mass=1,
        inertia=p.J,
        position=(p.a, 0),
        angle=math.pi / 4,
        shape=sectors,
    )
    crank = m.planar_body(
        "crank",
        mass=1,
        inertia=1e-3,
        position=(0, 0),
        angle=-1.2,
        shape=picus.item("disk", radius=p.pin, at=(r, 0)),
    )
    m.revolute("axle", m.ground, wheel, at=(p.a, 0))
    m.revolute("shaft", m.ground, crank, at=(0, 0))
    m.motor("drive", m.ground, crank, speed=p.w)
    m.friction("drag", slip=wheel.omega(), reservoir=p.drag)
    m.draw("line", (0, 0), (r, 0), body=crank, width=4)
    m.simulate(scheme="rattle", dt=5e-5, t_end=1, sample=0.01)
    m.plot(y=["omega_wheel"])


@twin("recipes", 19)
def juggler(m: picus.Builder) -> None:
    p = m.parameters(m=0.05, M=0.5, e=0.7, g=9.81, h=1, kp=8000, kd=120)
    q, u = m.coordinates(
        ball=dict(velocity="vb", start=0.4, unit="m"),
        paddle=dict(velocity="vp", unit="m"),
    )
    m.kinetic(p.m * u.vb**2 / 2 + p.M * u.vp**2 / 2)
    m.potential(p.m * p.g * q.ball)
    m.contact("strike", gap=q.ball - q.paddle, eN=p.e)
    at, speed = m.state("at", start=-1, unit="s"), m.state("speed", unit="m/s")
    fall, rise = np.sqrt(2 * p.g * q.ball), np.sqrt(2 * p.g * p.h)
    wanted = ((p.m + p.M) * rise + (p.m - p.e * p.M) * fall) / (p.M * (1 + p.e))
    strike = dict(at=m.t + fall / p.g, speed=wanted)
    m.on("apex", when=u.vb, direction="falls", set=strike)
    near = abs(m.t - at) < 0.1
    position = picus.when(near, speed * (m.t - at), 0)
    velocity = picus.when(near, speed, 0)
    m.force(paddle=p.kp * (position - q.paddle) + p.kd * (velocity - u.vp))
    m.simulate(scheme="rattle", dt=1e-4, t_end=10, adaptive=True, sample=0.01)
    m.plot(y=["ball", "paddle"])


@twin("recipes", 20)
def capstan(m: picus.Builder) -> None:
    p = m.parameters(m1=10, m2=3, mu=0.2, g=9.81)
    q, u = m.coordinates(  # downwards
        x1=dict(velocity="v1", unit="m"), x2=dict(velocity="v2", unit="m")
    )
    m.kinetic(p.m1 * u.v1**2 / 2 + p.m2 * u.v2**2 / 2)
    m.potential(-p.g * (p.m1 * q.x1 + p.m2 * q.x2))
    m.constraint("rope", position=q.x1 + q.x2)
    mu = 2 * np.tanh(p.mu * math.pi / 2)
    m.friction("drum", slip=(u.v1 - u.v2) / 2, mu=mu, load="rope")
    m.simulate(scheme="rattle", dt=1e-3, t_end=1)


@twin("recipes", 21)
def trebuchet(m: picus.Builder) -> None:
    p = m.parameters(
        M=1000, m=20, mb=80, L1=1.5, L2=6, S=5, h=4.2, release=0.75, g=9.81
    )
    m.gravity(0, -p.g)
    # the long arm points to the ground; centre of the beam
    a, c = -np.arcsin(p.h / p.L2), (p.L2 - p.L1) / 2
    hook = -p.L1 * np.cos(a), -p.L1 * np.sin(a)
    beam = m.planar_body(
        "beam",
        mass=p.mb,
        inertia=p.mb * (p.L1 + p.L2) ** 2 / 12,
        position=(c * np.cos(a), c * np.sin(a)),
        angle=a,
    )
    weight = m.particle("weight", mass=p.M, position=hook)
    stone = m.particle("stone", mass=p.m, position=(p.L2 * np.cos(a) - p.S, -p.h))
    m.revolute("axle", m.ground, beam, at=(0, 0))
    m.revolute("hook", beam, weight, at=hook)
    m.distance("sling", beam, stone, points=((p.L2 - c, 0), (0, 0)))
    x, y = stone.point()
    vx, vy = stone.velocity()
    m.contact("trough", gap=y + p.h)
    m.on(
        "release",
        when=vy + p.release * vx,
        direction="falls",
        switch=dict(sling="off"),
    )
    m.on("lands", law="trough", becomes="closed", stop=True)
    m.draw("line", (-p.L1 - c, 0), (p.L2 - c, 0), body=beam, width=4)
    m.draw("circle", (x, y), radius=0.2, fill="grey")
    m.simulate(scheme="rattle", dt=1e-3, t_end=8)


def main() -> None:
    """Build and run the twin of the command line."""
    page, number = sys.argv[1], int(sys.argv[2])
    m = picus.Builder(TWINS[page, number].__name__)
    TWINS[page, number](m)
    print(m.text)
    print(m.build().simulate().run())


if __name__ == "__main__":
    main()
