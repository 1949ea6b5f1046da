"""Periodic orbits, stable or not, with their multipliers."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from .arrays import view
from .result import Record, Result

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


class Branch:
    """Periodic orbits over a parameter, by continuation: stable or not.

    The branch passes folds, and continues with another sequence of switching points
    where the sequence changes: see :attr:`special`. ``branch["period"]`` is a column:
    the parameter, ``"period"``, coordinates and velocities, ``"stable"``,
    ``"unstable"``, ``"sequence"``, margins, and multipliers ``"re1"``, ``"im1"`` and
    so on.

    Parameters
    ----------
    model : Model
        The model.
    parameter : str
        The parameter of the model that changes.
    start, stop : float
        Its values at the first orbit and at the end.
    section, skip, turns
        As for :class:`Orbit`.
    period : float or str, optional
        Period of the forces, s; a text may have parameters, ``"2*pi/omega"``.
    longest : float
        Longest step along the branch, as a part of the range.
    orbits : int
        The most orbits.
    doublings : int
        The number of flips at which the branch of twice the period is followed.
    **options
        Run options as for :meth:`Model.simulate`.

    Examples
    --------
    >>> import picus
    >>> oscillator = picus.load("forced-impact-oscillator")
    >>> branch = picus.Branch(
    ...     oscillator, "sigma", 1.0, 1.2, period="2*pi/omega", longest=0.1
    ... )
    >>> branch.special[0]["kind"], bool(branch["stable"].all())
    ('start', True)
    """

    def __init__(
        self,
        model: Model,
        parameter: str,
        start: float,
        stop: float,
        *,
        section: Optional[str] = None,
        period: Union[None, float, str] = None,
        skip: int = 0,
        turns: int = 1,
        longest: float = 0.02,
        orbits: int = 1000,
        doublings: int = 0,
        **options: Any,
    ) -> None:
        if section is not None and period is not None:
            raise ValueError("give a section or a period, not both")
        text = period if isinstance(period, str) else None
        number = 0.0 if period is None or text is not None else float(period)
        first = model.with_parameters(**{parameter: start})
        record, self.kinds, self.sequences = _core.follow_branch(
            Record,
            first,
            options,
            section,
            number,
            text,
            skip,
            turns,
            parameter,
            float(start),
            float(stop),
            longest,
            0.0,
            orbits,
            doublings,
        )
        self.model = model
        self.parameter = parameter
        self._result = Result(record, first)

    def __getitem__(self, name: str) -> Numbers:
        return self._result[name]

    def __len__(self) -> int:
        return len(self._result)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._result.columns

    @property
    def special(self) -> list[dict[str, Any]]:
        """The special orbits: start, fold, flip, grazing, ..., end.

        Each has its ``kind``, its number ``point`` in the branch, the ``parameter`` and
        a ``note``.
        """
        values = self[self.parameter]
        return [
            {"kind": kind, "point": k, "parameter": float(values[k]), "note": note}
            for k, (kind, note) in enumerate(self.kinds)
            if kind
        ]

    def to_pandas(self) -> Any:
        """Make a DataFrame with a line for each orbit."""
        import pandas

        table = pandas.DataFrame({name: self[name] for name in self.columns})
        table["kind"] = [kind for kind, _ in self.kinds]
        return table

    def __repr__(self) -> str:
        values = self[self.parameter]
        ends = f"{self.parameter} = {values[0]:.6g} to {values[-1]:.6g}"
        return f"<picus.Branch of {self.model.name()!r}: {len(self)} orbits, {ends}>"


def _find(cls: type[Orbit], model: Model, definition: tuple[Any, ...]) -> Orbit:
    section, period, skip, turns, options = definition
    orbit = _core.orbit(
        cls, model, options, section, 0.0 if period is None else period, skip, turns
    )
    orbit.model = model
    orbit._definition = definition
    return orbit
