"""Models: loading them, looking at them, and models of functions."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from .arrays import numbers, view
from .errors import Error, move
from .simulation import Simulation

if TYPE_CHECKING:
    from .arrays import Numbers

Function = Union[Callable[..., Any], int]


class Model(_core.Model):
    """A mechanical model with its equations of motion; it does not change.

    :func:`picus.load` reads models from files, :class:`picus.Builder` builds them in
    Python, and :func:`picus.functions` makes them from functions for their matrices.
    Threads may share a model.

    Examples
    --------
    >>> import picus
    >>> model = picus.load("bouncing-ball", e=0.8)
    >>> model.parameters["e"]
    0.8
    >>> sim = model.simulate(dt=1e-3)
    """

    _lines: Optional[Callable[[int], tuple[str, int]]]
    _function_spec: Optional[dict[str, Any]]
    _path: str
    _given: dict[str, float]
    _handles: int

    def name(self) -> str:
        """Name of the model."""
        return "functions" if self._is_functions else super().name()

    @property
    def _is_functions(self) -> bool:
        return self.__dict__.get("_function_spec") is not None

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters and their values."""
        if self._is_functions:
            return {}
        found = (self.parameter(k) for k in range(self.parameter_count()))
        return {p["name"]: p["value"] for p in found}

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates q."""
        return [self.system_q_name(k) for k in range(self.system_nq())]

    @property
    def velocities(self) -> list[str]:
        """Names of the velocities u."""
        return [self.system_u_name(k) for k in range(self.system_nu())]

    @property
    def laws(self) -> list[_core.SystemLaw]:
        """The laws of the model: contacts, friction elements, constraints."""
        return [self.system_law_at(k) for k in range(self.system_law_count())]

    @property
    def inputs(self) -> list[str]:
        """Names of the inputs."""
        count = self.system_input_count()
        return [self.system_input_at(k)["name"] for k in range(count)]

    @property
    def initial_state(self) -> tuple[Numbers, Numbers]:
        """Initial q and u."""
        q, u = self.start()
        return view(q), view(u)

    @property
    def text(self) -> str:
        """The model file, in Lua."""
        return self.source()

    def simulate(self, *, threads: int = 1, **options: Any) -> Simulation:
        """Make a simulation.

        Parameters
        ----------
        threads : int
            Threads of a step of a large model; 0: one for each core.
        **options
            Run options with the names of ``simulate { ... }`` in model files, such as
            ``scheme="rattle"``, ``dt=1e-4``, ``t_end=2``, ``adaptive=True``,
            ``sample=0.01``. Default: those of the model. As for ``picus run``, an
            option of adaptive runs makes the run adaptive, and ``dt`` without one
            makes its steps fixed.
        """
        sim = _core.new_simulation(Simulation, self, options, threads)
        sim.model = self
        sim.settings = options
        sim.threads = threads
        return sim

    def with_parameters(self, **parameters: float) -> Model:
        """Read the model again with other parameters."""
        return _read(
            type(self),
            self._path,
            {**self._given, **parameter_values(parameters)},
            self.source(),
            self.files(),
            self._lines,
            handles=self._handles,
        )

    def with_handles(self, most: int = 64) -> Model:
        """Read the model again, with handles that :meth:`Simulation.push` pulls at.

        Handles are the frames of the drawing that move with coordinates, and objects of
        the inertial frame whose points do. ``handle_count()`` is their number, and
        ``handle(k)`` describes one.

        Parameters
        ----------
        most : int
            No more handles than that.
        """
        if self._is_functions:
            raise TypeError("a model of functions has no drawing, so no handles")
        text, files = self.source(), self.files()
        return _read(
            type(self), self._path, self._given, text, files, self._lines, handles=most
        )

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the model file, for ``picus run`` and :func:`picus.load`."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.source())

    def __reduce__(self) -> Any:
        if self._is_functions:
            return _restore_functions, (self._function_spec,)
        given = self._path, self._given, self.source(), self.files(), self._handles
        return _restore, given

    def __copy__(self) -> Model:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return self

    def __repr__(self) -> str:
        sizes = f"{self.system_nq()} coordinates, {self.system_law_count()} laws"
        return f"<picus.Model {self.name()!r}: {sizes}>"

    def _repr_html_(self) -> str:
        def table(head: Sequence[str], lines: Sequence[Sequence[Any]]) -> str:
            cells = "".join(f"<th>{h}</th>" for h in head)
            body = "".join(
                "<tr>" + "".join(f"<td>{_escape(c)}</td>" for c in line) + "</tr>"
                for line in lines
            )
            return f"<table><tr>{cells}</tr>{body}</table>" if lines else ""

        q, u = self.initial_state
        parameters = []
        if not self._is_functions:
            found = [self.parameter(k) for k in range(self.parameter_count())]
            parameters = [
                (p["name"], f"{p['value']:g}", p["unit"], p["description"])
                for p in found
            ]
        state = [(n, f"{v:g}") for n, v in zip(self.coordinates, q)]
        state += [(n, f"{v:g}") for n, v in zip(self.velocities, u)]
        laws = [
            (law["name"], KINDS[law["kind"]], f"{law['mu']:g}", f"{law['eN']:g}")
            for law in self.laws
        ]
        most = 40
        return (
            f"<b>{_escape(self.name())}</b>"
            + table(("parameter", "value", "unit", "meaning"), parameters)
            + table(("state", "initial value"), state[:most])
            + table(("law", "kind", "mu", "eN"), laws[:most])
        )


KINDS = ("bilateral", "unilateral", "coulomb", "reservoir", "rolling")


def _escape(value: Any) -> str:
    text = str(value)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _read(
    cls: type[Model],
    path: str,
    parameters: dict[str, float],
    text: Optional[str],
    files: Optional[dict[str, bytes]],
    lines: Optional[Callable[[int], tuple[str, int]]] = None,
    folder: Optional[str] = None,
    handles: int = 0,
) -> Model:
    try:
        model = _core.load_model(cls, path, parameters, text, files, folder, handles)
    except Error as error:
        if lines is None or error.line is None:
            raise
        raise move(error, lines, path) from None
    model._path = path
    model._given = parameters
    model._lines = lines
    model._handles = handles
    return model


def _restore(
    path: str,
    given: dict[str, float],
    text: str,
    files: dict[str, bytes],
    handles: int = 0,
) -> Model:
    return _read(Model, path, given, text, files, handles=handles)


def parameter_values(parameters: Mapping[str, Any]) -> dict[str, float]:
    """Parameters as numbers."""
    found = {}
    for name, value in parameters.items():
        try:
            found[name] = float(value)
        except (TypeError, ValueError):
            raise TypeError(f"parameter {name!r} is {value!r}, not a number") from None
    return found


def load(
    path: Union[str, os.PathLike[str]],
    parameters: Optional[Mapping[str, float]] = None,
    /,
    **more: float,
) -> Model:
    """Read a model.

    Parameters
    ----------
    path : str or path
        A model file, or the name of a shipped model: :func:`picus.models` lists them.
    parameters : dict, optional
        Values of parameters and initial values of inputs.
    **more : float
        The same by keyword.

    Examples
    --------
    >>> import picus
    >>> picus.load("woodpecker", mu=0.35)
    <picus.Model 'woodpecker': 3 coordinates, 3 laws>
    """
    given = parameter_values({**(parameters or {}), **more})
    return _read(Model, os.fspath(path), given, None, None)


def loads(
    text: str,
    parameters: Optional[Mapping[str, float]] = None,
    /,
    *,
    name: str = "model",
    files: Optional[Mapping[str, bytes]] = None,
    **more: float,
) -> Model:
    """Read a model from the text of a model file; files: those that it names."""
    given = parameter_values({**(parameters or {}), **more})
    return _read(Model, name, given, text, dict(files or {}))


def models() -> list[str]:
    """List the names of the models that come with Picus."""
    return _core.shipped_models()


class _Convert:
    """Calls a function of the user with arrays and gives the library arrays."""

    def __call__(
        self, function: Any, t: float, q: bytes, u: bytes, count: int
    ) -> tuple[Numbers, ...]:
        arguments = [view(q)] if not u else [view(q), view(u)]
        result = function(t, *arguments)
        if count == 1:
            return (numbers(result),)
        return tuple(numbers(part) for part in result)


def functions(
    q: Any,
    u: Any,
    *,
    mass: Function,
    force: Function,
    laws: Sequence[Mapping[str, Any]] = (),
    gaps: Optional[Function] = None,
    directions: Optional[Function] = None,
    rate: Optional[Function] = None,
    energy: Optional[Function] = None,
    constant_mass: bool = False,
    constant_directions: bool = False,
) -> Model:
    """Make a model M(t,q) du = h(t,q,u) dt + W dP from functions.

    Parameters
    ----------
    q, u : array_like
        Initial coordinates and velocities.
    mass : callable
        ``mass(t, q)``: matrix M, nu x nu.
    force : callable
        ``force(t, q, u)``: vector h, nu.
    laws : list of dict
        Each with ``name``, ``kind`` ("unilateral", "coulomb", "reservoir" or
        "bilateral"), ``slips`` (friction rows), ``mu`` or ``reservoir``, ``eN``,
        ``eF``, ``gap=False`` if it has no gap.
    gaps : callable
        ``gaps(t, q)``: a gap for each law.
    directions : callable
        ``directions(t, q)``: rows of W^T (rows x nu) and chi (rows).
    rate : callable, optional
        ``rate(t, q, u)``: q'; default: q' = u.
    energy : callable, optional
        ``energy(t, q, u)``: kinetic and potential energy.
    constant_mass, constant_directions : bool
        M, or W and chi, do not depend on t and q.

    Notes
    -----
    In place of a function of Python, the address of a function in C may be given, such
    as ``cfunc.address`` of numba, with the signature of ``picus_system_functions``.
    """
    spec = {
        "q": numbers(q).tolist(),
        "u": numbers(u).tolist(),
        "laws": [dict(law) for law in laws],
        "functions": {
            "mass": mass,
            "force": force,
            "gaps": gaps,
            "directions": directions,
            "rate": rate,
            "energy": energy,
        },
        "constant_mass": constant_mass,
        "constant_directions": constant_directions,
    }
    return _restore_functions(spec)


def _restore_functions(spec: dict[str, Any]) -> Model:
    rows = []
    for law in spec["laws"]:
        unknown = set(law) - set("name kind slips mu reservoir eN eF gap".split())
        if unknown or law.get("kind") not in KINDS[:4] or "name" not in law:
            raise ValueError(
                f"a law needs a name, and a kind of {KINDS[:4]}; unknown keys: "
                f"{sorted(unknown)}"
            )
        kind = KINDS.index(law["kind"])
        slips = law.get("slips", 1 if law["kind"] in ("coulomb", "reservoir") else 0)
        gap = law.get("gap", law["kind"] in ("unilateral", "coulomb"))
        radius = float(law.get("mu", law.get("reservoir", 0)))
        restitution = float(law.get("eN", 0)), float(law.get("eF", 0))
        rows.append(
            (str(law["name"]), kind, bool(gap), int(slips), radius, *restitution)
        )
    callables = {**spec["functions"], "convert": _Convert()}
    model = _core.model_from_functions(
        Model,
        numbers(spec["q"]),
        numbers(spec["u"]),
        rows,
        callables,
        spec["constant_mass"],
        spec["constant_directions"],
    )
    model._function_spec = spec
    return model
