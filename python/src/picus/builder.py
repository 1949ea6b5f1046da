"""Models in Python, with the keywords of model files."""
from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union, overload

from . import _core
from .errors import Error, ModelSyntaxError, UnknownName, place_at
from .model import Model, _read, parameter_values
from .symbols import ARGUMENT, Symbol, number_text

Statement = Callable[..., None]
Definition = Callable[..., "Part"]
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
LUA_WORDS = set(
    "and break do else elseif end false for function goto if in local nil not or "
    "repeat return then true until while".split()
)
# keywords that are called with values instead of a table
CALLS = ("kinetic", "potential", "dissipation", "stop_time", "stop_when")
# keywords whose table is one list, a matrix or a vector
LISTS = ("mass", "force_vector")
# components of points of a body; 0: as many as its position has
BODIES = {
    "particle": 0,
    "planar_body": 2,
    "spatial_body": 3,
    "frame": 0,
    "follower": 0,
    "disk": 2,
    "rectangle": 2,
    "polygon": 2,
    "polyline": 2,
    "sphere": 3,
    "box": 3,
    "cylinder": 3,
    "ellipsoid": 3,
    "polyhedron": 3,
    "mesh": 3,
    "capsule": 0,
    "segment": 0,
    "half_space": 0,
    "plane": 0,
    "floor": 0,
}
COMPONENTS = ("bar", "beam", "framework", "structure")
STATEMENTS = (
    "rates next_values on contact friction constraint clutch preload revolute "
    "spherical prismatic cylindrical universal weld distance gear motor linear_motor "
    "gravity spring torsion_spring actuator body_force plane_contact "
    "notch_contact ball_contact hole_contact journal_contact rim_contact "
    "level_contact material collide observe plot simulate draw"
).split()
KEYWORDS = (*CALLS, *LISTS, *BODIES, *COMPONENTS, *STATEMENTS)


class Item:
    """A table of a model file with values and named values; made by :func:`item`."""

    def __init__(self, values: tuple[Any, ...], keys: dict[str, Any]) -> None:
        self.values, self.keys = values, keys


def item(*values: Any, **keys: Any) -> Item:
    """Make an entry of a list that has values and keys, as ``{4, mass = 5}`` in Lua.

    Examples
    --------
    >>> import picus
    >>> bodies = [picus.item(4, mass=5, inertia=(0.01, 0.006, 0.006))]
    """
    return Item(values, keys)


class Part(Symbol):
    """A body or component, or what it has: symbols of its motion.

    ``beam.uy[4]`` is a displacement of a node, ``beam.section(0).Mz`` a section force;
    both are symbols.
    """

    __slots__ = ("_size", "_parent")
    _parent: Builder

    def __init__(self, builder: Builder, text: str, size: int) -> None:
        super().__init__(builder, text)
        self._parent, self._size = builder, size

    def __getattr__(self, name: str) -> Part:
        if name.startswith("_"):
            raise AttributeError(name)
        text = f"{self._text}.{name}"
        self._parent._look(text)
        return Part(self._parent, text, self._size)

    def __getitem__(self, key: Union[int, str]) -> Part:
        if isinstance(key, str):
            text = f"{self._text}[{lua_string(key)}]"
            self._parent._look(text)
        else:
            text = f"{self._text}[{int(key)}]"
            self._parent._look(text, int(key))
        return Part(self._parent, text, self._size)

    def __call__(self, *arguments: Any) -> Part:
        values = ", ".join(lua_value(x) for x in arguments)
        kept = self._parent._keep(f"{self._text}({values})")
        return Part(self._parent, kept, self._size)

    def _ask(self, method: str, arguments: tuple[Any, ...], size: int) -> Any:
        table = lua_table(arguments, {}) if arguments else "()"
        kept = self._parent._keep(f"{{{self._text}:{method}{table}}}")
        found = tuple(Symbol(self._parent, f"{kept}[{k + 1}]") for k in range(size))
        return found[0] if size == 1 else found

    def _components(self) -> int:
        """2 in the plane, 3 in space; the library says it of a body of another file."""
        if not self._size:
            try:
                self._parent._look(f"({{{self._text}:point()}})[3]", 3)
                self._size = 3
            except NoSuchNumber:
                self._size = 2
        return self._size

    def point(self, *at: Any) -> Any:
        """Position of a point fixed in the body; default: its centre of mass."""
        return self._ask("point", at, len(at) or self._components())

    def velocity(self, *at: Any) -> Any:
        """Velocity of a point fixed in the body."""
        return self._ask("velocity", at, len(at) or self._components())

    def direction(self, *along: Any) -> Any:
        """Direction fixed in the body, in the inertial frame."""
        return self._ask("direction", along, len(along))

    def angle(self) -> Any:
        """Angle of a planar body."""
        return self._ask("angle", (), 1)

    def omega(self) -> Any:
        """Angular velocity: a symbol, in space three in the body frame."""
        return self._ask("omega", (), 1 if self._components() == 2 else 3)

    def node(self, number: int) -> Part:
        """Node of a beam as a body."""
        kept = self._parent._keep(f"{self._text}:node({int(number)})")
        return Part(self._parent, kept, self._size)

    def section(self, *at: Any) -> Part:
        """Section of a beam: sensor of section forces and stresses."""
        numbers = ", ".join(lua_value(x) for x in at)
        kept = self._parent._keep(f"{self._text}.section({numbers})")
        return Part(self._parent, kept, 1)

    def __repr__(self) -> str:
        return f"<picus.Part {self._text}>"


class Names:
    """Symbols by name, ``q.x``, or by number from 0, ``q[0]``."""

    def __init__(self, builder: Builder, text: str) -> None:
        self._builder, self._text = builder, text

    def __getattr__(self, name: str) -> Symbol:
        if name.startswith("_"):  # no name of a model file
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: Any) -> Symbol:
        key = lua_string(name) if isinstance(name, str) else str(int(name) + 1)
        text = f"{self._text}[{key}]"
        if isinstance(name, str) and IDENTIFIER.match(name) and name not in LUA_WORDS:
            text = f"{self._text}.{name}"
        self._builder._look(text, None if isinstance(name, str) else int(name))
        return Symbol(self._builder, text)


def _place_of_caller() -> tuple[str, int]:
    """File and line that called the package."""
    frame: Any = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame else ("", 0)


def lua_string(text: str) -> str:
    """Write a text as a string of Lua, on one line."""

    def escape(match: re.Match[str]) -> str:
        return f"\\{ord(match.group()):03d}"

    return '"' + re.sub(r'[\x00-\x1f"\\\x7f]', escape, text) + '"'


def lua_value(value: Any) -> str:
    """Write a value of Python as an expression of Lua."""
    if isinstance(value, (Symbol, Part)):
        return value._text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, os.PathLike)):
        return lua_string(os.fsdecode(value))
    if isinstance(value, Item):
        return lua_table(value.values, value.keys)
    if isinstance(value, Mapping):
        return lua_table((), value)
    dimensions: int = getattr(value, "ndim", 0)
    if dimensions and hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return lua_table(value, {})
    if callable(value):
        return lua_function(value)
    text = number_text(value)
    if text is None:
        raise TypeError(f"a model cannot contain {value!r}")
    return text


def lua_function(function: Callable[..., Any]) -> str:
    """Write a function of symbols: ``level`` of a contact, ``next`` of a state."""
    names = ("x", "y", "z")[: function.__code__.co_argcount]
    value = function(*(Symbol(ARGUMENT, name) for name in names))
    return f"function({', '.join(names)}) return {lua_value(value)} end"


def lua_table(values: Any, keys: Mapping[str, Any]) -> str:
    """Write a table of Lua."""
    parts = [lua_value(v) for v in values]
    for name, value in keys.items():
        plain = IDENTIFIER.match(name) and name not in LUA_WORDS
        key = name if plain else f"[{lua_string(name)}]"
        parts.append(f"{key} = {lua_value(value)}")
    return "{" + ", ".join(parts) + "}"


class NoSuchSymbol(UnknownName, AttributeError):
    """A model has no symbol of this name."""


class NoSuchNumber(UnknownName, IndexError):
    """A model has no symbol of this number."""


class Builder:
    """Builds a model with the keywords of model files.

    ``contact {"floor", gap = q.y, eN = 0.5}`` of a model file is
    ``m.contact("floor", gap=q.y, eN=0.5)``. The result is the model that the same model
    file gives; :attr:`text` is that file.

    The library reads each keyword when it is called, with the default values of the
    parameters. A mistake raises its exception there, and the model stays as it was
    before. What only the complete model shows, such as a mass matrix that is not
    positive, is found in :meth:`build`, with the line in Python.

    Parameters
    ----------
    name : str
        Name of the model.
    description : str
        One line about it.
    folder : path, optional
        Folder of the meshes and matrices that the model names; default: the current
        one.

    Examples
    --------
    >>> import picus
    >>> m = picus.Builder("ball")
    >>> p = m.parameters(m=(1, "kg"), g=9.81, e=0.5)
    >>> q, u = m.coordinates(y=dict(velocity="v", start=1, unit="m"))
    >>> m.kinetic(p.m * u.v**2 / 2)
    >>> m.potential(p.m * p.g * q.y)
    >>> m.contact("floor", gap=q.y, eN=p.e)
    >>> m.simulate(dt=1e-3, t_end=3)
    >>> ball = m.build(e=0.8)
    """

    def __init__(
        self,
        name: str,
        description: str = "",
        *,
        folder: Optional[os.PathLike[str]] = None,
    ) -> None:
        self._name = name
        self._file = name + ".lua"
        self._folder = os.fspath(folder) if folder is not None else ""
        self._lines: list[str] = []
        self._places: list[tuple[str, int]] = []
        self._kept = 0
        self._has_state = False
        self._reader: Optional[_core.Reader] = None
        self._seen: set[str] = set()
        words = lua_string(name) + (
            ", " + lua_string(description) if description else ""
        )
        self._write("local v = {}")
        self._write(f"model({words})")
        self.t = Symbol(self, "t")
        self.ground = Part(self, "ground", 3)

    def _write(self, *lines: str) -> None:
        """Check lines and add them, all or none."""
        place = _place_of_caller()
        self._check(place, *lines)
        self._lines += lines
        self._places += [place] * len(lines)

    def _check(self, place: tuple[str, int], *lines: str) -> None:
        """Let the library read the next lines; an error is one of the place."""
        try:
            if self._reader is None:  # also after a mistake: without what it left
                self._reader = _core.new_reader(self._file, self._folder or ".")
                for k, line in enumerate(self._lines):
                    self._reader.add("\n" * k + line.removeprefix("local "))
            count = len(self._lines)
            for k, line in enumerate(lines):
                self._reader.add("\n" * (count + k) + line.removeprefix("local "))
        except BaseException as error:
            self._reader = None
            if isinstance(error, Error):
                raise place_at(error, *place, self._file) from None
            raise

    def _look(self, text: str, number: Optional[int] = None) -> None:
        """Check that there is such a symbol, by name or number."""
        if text in self._seen:
            return
        line = f"v.look = {text}"
        if number is not None:
            line += f" if v.look == nil then error('there is no number {number}') end"
        try:
            self._check(_place_of_caller(), line)
        except (UnknownName, ModelSyntaxError) as error:
            kind = NoSuchSymbol if number is None else NoSuchNumber
            missing = kind(str(error))
            missing.__dict__.update(error.__dict__)
            raise missing from None
        self._seen.add(text)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_reader": None}

    def _keep(self, text: str) -> str:
        """Write an expression once; later ones refer to it."""
        self._kept += 1
        name = f"v[{self._kept}]"
        self._write(f"{name} = {text}")
        return name

    # --- keywords that return symbols

    def parameters(self, **values: Any) -> Names:
        """Define parameters: a value, or (value, unit, description); returns all."""
        # one by one: in this order
        tables = [lua_table((), {name: value}) for name, value in values.items()]
        self._write(*(f"v.p = parameters {table}" for table in tables or ["{}"]))
        return Names(self, "v.p")

    def _entries(self, values: Mapping[str, Any]) -> str:
        entries = []
        for name, given in values.items():
            keys = given if isinstance(given, Mapping) else {"start": given}
            entries.append(Item((name,), dict(keys)))
        return lua_value(entries)

    def inputs(self, **values: Any) -> Names:
        """Define inputs: an initial value, or a dictionary of keys."""
        self._write(f"v.i = inputs {self._entries(values)}")
        return Names(self, "v.i")

    def coordinates(self, **values: Any) -> tuple[Names, Names]:
        """Define coordinates by dictionaries of keys; returns q and u of all."""
        self._write(f"v.q, v.u = coordinates {self._entries(values)}")
        self._has_state = True
        return Names(self, "v.q"), Names(self, "v.u")

    def velocities(self, **values: Any) -> Names:
        """Define velocities that are not derivatives of coordinates."""
        self._write(f"v.u = velocities {self._entries(values)}")
        return Names(self, "v.u")

    @property
    def q(self) -> Names:
        """All coordinates, those of bodies among them."""
        if not self._has_state:
            self.coordinates()
        return Names(self, "v.q")

    @property
    def u(self) -> Names:
        """All velocities."""
        if not self._has_state:
            self.coordinates()
        return Names(self, "v.u")

    def state(self, name: str, **keys: Any) -> Symbol:
        """Define a state of a controller; returns its symbol.

        ``rate`` and ``next`` may be functions of the state:
        ``m.state("n", every=1e-3, next=lambda n: n + 1)``.
        """
        return Symbol(self, self._keep(f"state {lua_table((name,), keys)}"))

    def table(self, x: Any, points: Any, /, **options: Any) -> Symbol:
        """Make a function of x by points: rows of x and y, or the name of a file."""
        values = [lua_value(x), lua_value(points)]
        if options:
            values.append(lua_table((), options))
        text = f"table({', '.join(values)})"
        inside = isinstance(x, Symbol) and x._builder is ARGUMENT
        return Symbol(ARGUMENT, text) if inside else Symbol(self, self._keep(text))

    def include(self, path: Union[str, os.PathLike[str]]) -> Part:
        """Run a part of a model in another file; gives what the file returns.

        The file is in the folder of the builder. A function of the table that it
        returns is called as in Lua: ``m.include("parts.lua").mass("x", 1)``.
        """
        return Part(self, self._keep(f"include {lua_value(path)}"), 0)

    def _signal(self, signal: str, law: str) -> Symbol:
        text = f"{signal}({lua_string(law)})"
        self._look(text)
        return Symbol(self, text)

    def gap(self, law: str) -> Symbol:
        """Gap of a law at the end of the last step, for ``next`` and events."""
        return self._signal("gap", law)

    def mode(self, law: str) -> Symbol:
        """Mode of a law in the last step: 0 open, 1 closed or stick, 2 slip."""
        return self._signal("mode", law)

    @overload
    def force(self, law: str, /) -> Symbol:
        ...

    @overload
    def force(self, first: Mapping[str, Any] = ..., /, **keys: Any) -> None:
        ...

    def force(self, first: Any = (), /, **keys: Any) -> Optional[Symbol]:
        """Add forces by coordinate; with the name of a law: its last mean force."""
        if isinstance(first, str) and not keys:
            return self._signal("force", first)
        self._say("force", *([first] if first != () else []), **keys)
        return None

    def slip_speed(self) -> Symbol:
        """The slip speed of the law whose mu, reservoir, rolling, eN or eF has it."""
        return Symbol(self, "slip_speed()")

    # --- all others

    if TYPE_CHECKING:  # for editors and type checkers
        kinetic: Statement
        potential: Statement
        dissipation: Statement
        stop_time: Statement
        mass: Statement
        force_vector: Statement
        rates: Statement
        next_values: Statement
        on: Statement
        stop_when: Statement
        contact: Statement
        friction: Statement
        constraint: Statement
        clutch: Statement
        preload: Statement
        revolute: Statement
        spherical: Statement
        prismatic: Statement
        cylindrical: Statement
        universal: Statement
        weld: Statement
        distance: Statement
        gear: Statement
        motor: Statement
        linear_motor: Statement
        gravity: Statement
        spring: Statement
        torsion_spring: Statement
        actuator: Statement
        body_force: Statement
        plane_contact: Statement
        notch_contact: Statement
        ball_contact: Statement
        hole_contact: Statement
        journal_contact: Statement
        rim_contact: Statement
        level_contact: Statement
        material: Statement
        collide: Statement
        observe: Statement
        plot: Statement
        simulate: Statement
        draw: Statement
        particle: Definition
        planar_body: Definition
        spatial_body: Definition
        frame: Definition
        follower: Definition
        disk: Definition
        rectangle: Definition
        polygon: Definition
        polyline: Definition
        sphere: Definition
        box: Definition
        cylinder: Definition
        ellipsoid: Definition
        polyhedron: Definition
        mesh: Definition
        capsule: Definition
        segment: Definition
        half_space: Definition
        plane: Definition
        floor: Definition
        bar: Definition
        beam: Definition
        framework: Definition
        structure: Definition

    else:

        def __getattr__(self, keyword: str) -> Callable[..., Any]:
            if keyword.startswith("_"):
                raise AttributeError(keyword)
            if keyword not in KEYWORDS:
                from difflib import get_close_matches

                near = get_close_matches(keyword, KEYWORDS, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise AttributeError(f"model files have no keyword {keyword!r}{hint}")

            def write(*values: Any, **keys: Any) -> Any:
                return self._say(keyword, *values, **keys)

            write.__name__ = keyword
            write.__doc__ = f"The keyword {keyword} of model files."
            return write

    def _say(self, keyword: str, /, *values: Any, **keys: Any) -> Any:
        """Write a keyword with its values and keys."""
        if keyword in CALLS:
            if keys:
                raise TypeError(f"{keyword} takes no keys")
            numbers = ", ".join(lua_value(v) for v in values)
            return self._write(f"{keyword}({numbers})")
        if len(values) == 1 and (
            keyword in LISTS or isinstance(values[0], Mapping) and not keys
        ):
            table = lua_value(values[0])
        else:
            table = lua_table(values, keys)
        if keyword in BODIES or keyword in COMPONENTS:
            size = BODIES.get(keyword) or len(keys.get("position", ()))
            if keyword in COMPONENTS:
                size = 3 if keys.get("spatial") else 2
            return Part(self, self._keep(f"{keyword} {table}"), size or 3)
        return self._write(f"{keyword} {table}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *KEYWORDS})

    # --- the model

    @property
    def text(self) -> str:
        """The model file."""
        return "\n".join(self._lines) + "\n"

    def build(self, **parameters: float) -> Model:
        """Make the model, with other values of parameters if given."""
        given = parameter_values(parameters)
        path = os.path.join(self._folder, self._file)
        self._reader = None  # its memory is no longer needed
        places = list(self._places)

        def find(line: int) -> tuple[str, int]:
            return places[line - 1] if 0 < line <= len(places) else ("", 0)

        return _read(Model, path, given, self.text, None, find, self._folder or ".")

    def __repr__(self) -> str:
        return f"<picus.Builder {self._name!r}: {len(self._lines)} lines>"
