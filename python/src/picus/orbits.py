"""Periodic orbits, stable or not, with their multipliers."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from . import _core
from .arrays import view

if TYPE_CHECKING:
    from .arrays import Numbers
    from .model import Model
    from .simulation import Simulation

CHANGES = (
    "impact",
    "closes",
    "opens",
    "slips",
    "sticks",
    "reverses",
    "event",
    "switch",
    "time",
)
MODES = ("open", "stick", "slip")


class Orbit(_core.Orbit):
    """A periodic orbit of a model, found by Newton's method on a section.

    An adaptive run shows the sequence of switching points and gives the first guess;
    the orbit is then computed to about twelve digits, whether it is stable or not.
    Coordinates that nothing depends on may grow from period to period.

    Parameters
    ----------
    model : Model
        The model.
    section : str, optional
        A period begins at an event of the model or at the switching points of a law,
        ``"beak"``, or some of them: ``"beak:impact"``, ``":closes"``, ``":opens"``,
        ``":slips"``, ``":sticks"``. Default: the first ones that occur again.
    period : float, optional
        Period of the forces, s, for models that depend on time; without a section.
    skip : int
        Passages of the section, or periods, before the first guess.
    turns : int
        Passages of the section, or periods, in one period of the orbit.
    **options
        Run options as for :meth:`Model.simulate`; ``t_end`` is the length of the run
        that shows the sequence.

    Raises
    ------
    NoSolution
        Newton's method does not converge, or a contact grazes.
    UnsupportedError
        A law or a switching point has no derivative; the message names it.

    Examples
    --------
    >>> import picus
    >>> toy = picus.load("woodpecker")
    >>> orbit = picus.Orbit(toy, section="lower:slips")
    >>> orbit.is_stable, round(orbit.period, 9)
    (True, 0.145976065)
    >>> round(orbit.multipliers[0].real, 6)
    -0.839156
    """

    model: Model
    _definition: tuple[Any, ...]

    def __new__(
        cls,
        model: Model,
        *,
        section: Optional[str] = None,
        period: Optional[float] = None,
        skip: int = 0,
        turns: int = 1,
        **options: Any,
    ) -> Orbit:
        """Search for the orbit."""
        if section is not None and period is not None:
            raise ValueError("give a section or a period, not both")
        return _find(cls, model, (section, period, skip, turns, options))

    @property
    def t(self) -> float:
        """Time of the state, s; it matters if the system depends on time."""
        return self.data_of()["t"]

    @property
    def period(self) -> float:
        """Time until the state repeats, s."""
        return self.data_of()["period"]

    @property
    def is_stable(self) -> bool:
        """All multipliers are inside the unit circle."""
        return bool(self.data_of()["is_stable"])

    @property
    def q(self) -> Numbers:
        """Coordinates just after the section."""
        return view(self.state_view())[: self.model.system_nq()]

    @property
    def u(self) -> Numbers:
        """Velocities just after the section."""
        return view(self.state_view())[self.model.system_nq() :]

    @property
    def shift(self) -> dict[str, float]:
        """Growth of coordinates in each period, of those that do not repeat."""
        names = self.model.coordinates + self.model.velocities
        values = (float(x) for x in view(self.shift_view()))
        return {name: x for name, x in zip(names, values) if x != 0}

    @property
    def monodromy(self) -> Numbers:
        """d(q, u)(after a period)/d(q, u), a square matrix."""
        count = self.state_count()
        matrix: Numbers = view(self.monodromy_view()).reshape(count, count)
        return matrix

    @property
    def multipliers(self) -> Any:
        """Eigenvalues of the return map, complex, larger ones first.

        Those that the section, constraints and sticking contacts make zero are
        exactly 0.
        """
        import numpy as np

        found = [self.multiplier(k) for k in range(self.multiplier_count())]
        return np.array([complex(m["re"], m["im"]) for m in found])

    @property
    def points(self) -> list[dict[str, Any]]:
        """The switching points of a period, in the order of time.

        Each has its time ``t``, what changes (``"impact"``, ``"opens"``, ...), the name
        of the law or event, modes ``from`` and ``to``, and the approach velocity.
        """
        found = (self.point_at(k) for k in range(self.point_count()))
        return [
            {
                "t": point["t"],
                "change": CHANGES[point["change"]],
                "name": point["name"],
                "from": MODES[point["from"]],
                "to": MODES[point["to"]],
                "velocity": point["velocity"],
            }
            for point in found
        ]

    @property
    def margins(self) -> dict[str, tuple[float, str]]:
        """Distances from a change of the sequence, and the law of each.

        ``"velocity"``: smallest approach velocity of an impact (grazing);
        ``"reserve"``: smallest reserve of sticking friction (slip); ``"gap"``:
        smallest gap inside a flight, relative to the largest (another impact).
        """
        data, laws = self.data_of(), self.model.laws
        found = {
            "velocity": (data["velocity"], data["velocity_law"]),
            "reserve": (data["reserve"], data["reserve_law"]),
            "gap": (data["gap"], data["gap_law"]),
        }
        return {
            key: (value, laws[law]["name"])
            for key, (value, law) in found.items()
            if law >= 0
        }

    def simulate(self, *, threads: int = 1, **options: Any) -> Simulation:
        """Make a simulation that starts on the orbit, at its state and time."""
        given: dict[str, Any] = {"adaptive": True, **self._definition[4], **options}
        given["t_start"] = self.t
        given.setdefault("t_end", self.t + self.period)
        if given["t_end"] <= self.t:
            given["t_end"] = self.t + self.period
        sim = self.model.simulate(threads=threads, **given)
        sim.set_state(self.q, self.u, self.t)
        return sim

    def __reduce__(self) -> Any:
        return _find, (type(self), self.model, self._definition)

    def __repr__(self) -> str:
        kind = "stable" if self.is_stable else "unstable"
        name = self.model.name()
        return f"<picus.Orbit of {name!r}: {kind}, period {self.period:.9g} s>"


def _find(cls: type[Orbit], model: Model, definition: tuple[Any, ...]) -> Orbit:
    section, period, skip, turns, options = definition
    orbit = _core.orbit(
        cls, model, options, section, 0.0 if period is None else period, skip, turns
    )
    orbit.model = model
    orbit._definition = definition
    return orbit
