"""Results: rows of a run in memory or in a file, as arrays, tables and figures."""
from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _core
from .arrays import as_it_is, copied, rows, view
from .errors import FileError, UnsupportedError

if TYPE_CHECKING:
    from .arrays import Numbers, Rows
    from .model import Model

MODES = ("open", "stick", "slip")


class Record(_core.Record):
    """Rows of a run in memory."""

    def __reduce__(self) -> Any:
        return as_it_is, (KeptRecord(self),)


class KeptRecord:
    """Rows of a run as plain data: what a pickled record becomes."""

    def __init__(self, record: Record) -> None:
        columns, rows = range(record.column_count()), range(record.row_count())
        self._row_count = len(rows)
        self._columns = [record.column(k) for k in columns]
        self._values = [copied(record.values(k)) for k in columns]
        self._switchings = copied(record.switchings())
        self._states, self._laws = record.event_states(), record.laws()
        contacts = [copied(record.contacts(k)) for k in rows]
        self._contacts = contacts if any(contacts) else []
        self._tables = record.node_tables()
        self._nodes = [
            (copied(record.nodes(k, False)), copied(record.nodes(k, True)))
            for k in range(len(self._tables))
        ]

    def column_count(self) -> int:
        return len(self._columns)

    def column(self, index: int, /) -> _core.Column:
        return self._columns[index]

    def row_count(self) -> int:
        return self._row_count

    def values(self, column: int, /) -> bytes:
        return self._values[column]

    def switchings(self) -> bytes:
        return self._switchings

    def event_states(self) -> dict[str, Any]:
        return self._states

    def laws(self) -> dict[int, str]:
        return dict(self._laws)

    def contacts(self, row: int, /) -> bytes:
        return self._contacts[row] if self._contacts else b""

    def node_tables(self) -> list[dict[str, Any]]:
        return self._tables

    def nodes(self, table: int, velocities: bool, /) -> bytes:
        return self._nodes[table][velocities]


class ResultFile(_core.Result):
    """Rows of a run in a file; a pickle has its path."""

    path: str

    def __reduce__(self) -> Any:
        return open_file, (self.path,)


def open_file(path: Union[str, os.PathLike[str]]) -> ResultFile:
    """Open a file, whose path does not depend on the current folder."""
    source = _core.open_result(ResultFile, os.fspath(path))
    source.path = os.path.abspath(path)
    return source


class States(Sequence[dict[str, Any]]):
    """States at events of the model and at switching points, ordered by time.

    An item is a dictionary with the name of the event or of the law, and t,
    coordinates, velocities, inputs and states of controllers. ``states["phi"]`` is a
    column as an array, ``states.at("tick")`` has the states of one event or law.
    """

    def __init__(self, names: list[str], columns: list[str], values: Numbers) -> None:
        self.names = names
        self.columns = columns
        self.values: Numbers = values

    def at(self, name: str) -> States:
        """Give the states at one event of the model, or at one law."""
        places = [k for k, own in enumerate(self.names) if own == name]
        return States([name] * len(places), self.columns, self.values[places])

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            if index not in self.columns:
                raise KeyError(
                    f"states at events have no {index!r}; they have {self.columns}"
                )
            return self.values[:, self.columns.index(index)]
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        numbers = (float(x) for x in self.values[index])
        return {"event": self.names[index], **dict(zip(self.columns, numbers))}

    def to_pandas(self) -> Any:
        """Make a DataFrame with a line for each state."""
        import pandas

        frame = pandas.DataFrame(self.values, columns=self.columns)
        frame.insert(0, "event", self.names)
        return frame

    def __repr__(self) -> str:
        return f"<picus.States: {len(self)} states at events>"


class Events(Sequence[dict[str, Any]]):
    """The event log: switching points ordered by time.

    An item is a dictionary with time, law, modes before and after, percussion and
    dissipated energy. ``events.rows`` is a structured array without copies,
    ``events.states`` the states at events of the model and at switching points.
    """

    def __init__(
        self, source: Union[Record, KeptRecord, ResultFile], names: dict[int, str]
    ) -> None:
        self.rows: Rows = rows(source.switchings(), "Switching")
        self._names = names
        self._source = source

    @property
    def states(self) -> States:
        """The states at events of the model and at switching points."""
        import numpy as np

        read = self._source.event_states()
        names = [of if isinstance(of, str) else self._law(of) for of in read["of"]]
        values = np.frombuffer(read["values"]).reshape(len(names), len(read["columns"]))
        return States(names, read["columns"], values)

    def _law(self, row: int) -> str:
        law = int(self.rows[row]["law"])
        return self._names.get(law, str(law))

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        row = self.rows[index]
        return {
            "t": float(row["t"]),
            "law": self._law(index),
            "from": MODES[int(row["from"])],
            "to": MODES[int(row["to"])],
            "impact": bool(row["impact"]),
            "PN": float(row["PN"]),
            "PF": [float(x) for x in row["PF"]],
            "lost": float(row["lost"]),
            "bounces": int(row["bounces"]),
        }

    def to_pandas(self) -> Any:
        """Make a DataFrame with a line for each switching point."""
        import pandas

        return pandas.DataFrame(list(self))

    def __repr__(self) -> str:
        return f"<picus.Events: {len(self)} switching points>"


class NodeTable:
    """The nodes of a flexible component in all rows.

    ``table["uy"]`` is an array of rows x nodes; so are the velocities, ``table["vy"]``.

    Attributes
    ----------
    name : str
        The component.
    first : int
        Number of its first node in names of columns, such as ``rod.uy4``.
    units : dict
        Units of the displacements and velocities by name.
    positions : numpy.ndarray
        Nodes x 3: positions without displacements, m; empty if they are unknown.
    elements : numpy.ndarray
        Elements x 2: the nodes that each element joins, from 0; empty if unknown.
    """

    def __init__(
        self,
        source: Union[Record, KeptRecord, ResultFile],
        number: int,
        table: dict[str, Any],
    ) -> None:
        import numpy as np

        self._source, self._number = source, number
        self._names = (table["displacements"], table["velocities"])
        self._kept: list[Optional[Numbers]] = [None, None]
        self.name: str = table["name"]
        self.first: int = table["first"]
        self.node_count: int = table["node_count"]
        units = table["displacement_units"] + table["velocity_units"]
        self.units: dict[str, str] = dict(zip(self._names[0] + self._names[1], units))
        self.positions: Numbers = view(table["positions"]).reshape(-1, 3)
        self.elements = np.frombuffer(table["elements"], np.int32).reshape(-1, 2)

    def _values(self, which: int) -> Numbers:
        kept = self._kept[which]
        if kept is None:
            shape = (-1, self.node_count, len(self._names[which]))
            memory = self._source.nodes(self._number, bool(which))
            kept = self._kept[which] = view(memory).reshape(shape)
        return kept

    @property
    def displacements(self) -> Numbers:
        """All displacements: rows x nodes x components."""
        return self._values(0)

    @property
    def velocities(self) -> Numbers:
        """All velocities: rows x nodes x components."""
        return self._values(1)

    def __getitem__(self, name: str) -> Numbers:
        for which, names in enumerate(self._names):
            if name in names:
                part: Numbers = self._values(which)[:, :, names.index(name)]
                return part
        known = [*self._names[0], *self._names[1]]
        raise KeyError(
            f"the nodes of {self.name!r} have no {name!r}; they have {known}"
        )

    def __repr__(self) -> str:
        names = ", ".join([*self._names[0], *self._names[1]])
        return f"<picus.NodeTable {self.name!r}: {self.node_count} nodes, {names}>"


class State(NamedTuple):
    """The state in a row of a result.

    Attributes
    ----------
    t : float
        Time, s.
    motion : dict
        Coordinates and velocities by name.
    inputs : dict
        Inputs and states of controllers by name.
    """

    t: float
    motion: dict[str, float]
    inputs: dict[str, float]


class Result:
    """Rows, events and summary of a run.

    ``result["y"]`` is a column as an array, without a copy. ``for name in result``
    visits the names of the columns, ``len(result)`` is the number of rows.

    Attributes
    ----------
    summary : dict
        Totals of the run: steps, impacts, penetration, energy and others. For a file,
        those that it stores: ``notes`` that begin with "statistics.".
    path : str or None
        The HDF5 file with the same rows.
    """

    def __init__(
        self,
        source: Union[Record, KeptRecord, ResultFile, None],
        model: Optional[Model] = None,
        summary: Optional[_core.Summary] = None,
        *,
        path: Optional[str] = None,
    ) -> None:
        self._source = source
        self._model = model
        self.summary: dict[str, Any] = {}
        if summary is not None:
            self.summary.update(summary)
        elif isinstance(source, ResultFile):
            for name, value in source.notes().items():
                group, _, key = name.partition(".")
                if group == "statistics":
                    self.summary[key] = value
        self.path = path
        count = source.column_count() if source is not None else 0
        self._columns = [source.column(k) for k in range(count)] if source else []
        self._places = {c["name"]: k for k, c in enumerate(self._columns)}

    # --- columns

    def _rows(self) -> Union[Record, KeptRecord, ResultFile]:
        if self._source is None:
            raise ValueError("this run recorded nothing: record was False")
        return self._source

    def __getitem__(self, name: str) -> Numbers:
        place = self._places.get(name)
        if place is None:
            from difflib import get_close_matches

            self._rows()
            near = get_close_matches(name, self._places, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise KeyError(f"the result has no column {name!r}{hint}")
        return view(self._rows().values(place))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return self._rows().row_count() if self._source is not None else 0

    @property
    def t(self) -> Numbers:
        """The times of the rows, s."""
        return self["t"]

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._places)

    @property
    def units(self) -> dict[str, str]:
        """Units of the columns; an empty text: unknown."""
        return {c["name"]: c["unit"] for c in self._columns}

    @property
    def labels(self) -> dict[str, str]:
        """Labels of the columns in figures."""
        return {c["name"]: c["label"] for c in self._columns}

    def sensitivity(self, name: str) -> Numbers:
        """Derivatives of the state by a parameter or an initial value.

        An array of rows x (coordinates, then velocities), of a run with derivatives:
        ``sim.run(sensitivity=["mu"])``. A column of it is ``result["dphiS_dmu"]``.
        """
        import numpy as np

        ends = (f"_d{name}", f"_d{name}(0)")
        found = [c for c in self._places if c.startswith("d") and c.endswith(ends)]
        if not found:
            raise KeyError(f"the result has no derivatives by {name!r}")
        return np.stack([self[c] for c in found], axis=1)

    # --- events and contacts

    @property
    def events(self) -> Events:
        """The event log."""
        source = self._rows()
        if isinstance(source, ResultFile):
            laws = range(source.law_count())
            names = {k: source.law_at(k)["name"] for k in laws}
        else:
            names = source.laws()
            if self._model is not None:
                for k, law in enumerate(self._model.laws):
                    names[k] = law["name"]
        return Events(source, names)

    def contacts(self, row: int) -> Rows:
        """Give the detected contacts of a row as a structured array.

        A run in memory has them with ``run(contacts=True)``; files always have them.
        """
        count = len(self)
        if not -count <= row < count:
            raise IndexError(f"row {row} of {count}")
        return rows(self._rows().contacts(row % count), "ContactPoint")

    @property
    def nodes(self) -> dict[str, NodeTable]:
        """The nodes of flexible components by the name of the component.

        A run in memory has them with ``run(nodes=True)``; files have those of
        components with at most 1000 nodes.
        """
        source = self._rows()
        tables = enumerate(source.node_tables())
        return {table["name"]: NodeTable(source, k, table) for k, table in tables}

    @property
    def notes(self) -> dict[str, Union[str, float]]:
        """Texts and numbers that a file stores with the run."""
        source = self._rows()
        return source.notes() if isinstance(source, ResultFile) else {}

    def state(self, t: Optional[float] = None) -> State:
        """Give the state in the last row up to a time; default: in the last row."""
        import numpy as np

        if not len(self):
            raise ValueError("this result has no rows to start from")
        times = self.t
        row = len(times) - 1
        if t is not None:
            if not times[0] <= float(t) <= times[-1]:
                raise ValueError(
                    f"the rows are from t = {times[0]:.9g} to {times[-1]:.9g}; "
                    f"{t!r} is not among them"
                )
            row = int(np.searchsorted(times, t, side="right")) - 1
        kinds = {c["name"]: c["kind"] for c in self._columns}
        of_motion = (_core.COLUMN_COORDINATE, _core.COLUMN_VELOCITY)
        return State(
            float(times[row]),
            {n: float(self[n][row]) for n in self if kinds[n] in of_motion},
            {n: float(self[n][row]) for n in self if kinds[n] == _core.COLUMN_INPUT},
        )

    # --- tables

    def to_numpy(self) -> Numbers:
        """Make an array of rows x columns, a copy."""
        import numpy as np

        return np.column_stack([self[name] for name in self])

    def to_pandas(self) -> Any:
        """Make a DataFrame with the time as index; ``attrs["units"]`` has the units."""
        import pandas

        frame = pandas.DataFrame({name: self[name] for name in self if name != "t"})
        frame.index = pandas.Index(self.t, name="t")
        frame.attrs["units"] = self.units
        return frame

    def to_xarray(self) -> Any:
        """Make a Dataset along t, whose variables have units and labels."""
        import xarray

        labels = self.labels
        variables = {
            name: ("t", self[name], {"units": unit, "long_name": labels[name]})
            for name, unit in self.units.items()
            if name != "t"
        }
        return xarray.Dataset(variables, coords={"t": ("t", self.t, {"units": "s"})})

    # --- figures

    def _panels(self, names: Sequence[str]) -> list[tuple[str, list[str]]]:
        if names:
            return [("t", list(names))]
        source = self._rows()
        if isinstance(source, ResultFile):
            panels = source.plots()
        else:
            panels = self._model.plots() if self._model is not None else []
        found = [
            (x, [y for y in ys if y in self])
            for x, ys in panels
            if x == "t" or x in self
        ]
        found = [(x, ys) for x, ys in found if ys]
        return found or [("t", [n for n in self if n != "t"][:1])]

    def plot(self, *names: str, x: str = "t", axes: Any = None) -> Any:
        """Draw columns against x; default: the figure of the model.

        Parameters
        ----------
        *names : str
            Columns.
        x : str
            Column of the horizontal axis.
        axes : matplotlib.axes.Axes, optional
            Draw there instead of in a new figure.

        Returns
        -------
        matplotlib.figure.Figure or Figure
            Where matplotlib is not installed, the figure that ``picus plot`` draws.
        """
        from .figure import draw

        return draw(self, [(x, list(names))] if names else self._panels(names), axes)

    # --- the motion

    def page(self) -> str:
        """Give the page that shows the motion, as text of HTML."""
        source = self._source
        if not isinstance(source, ResultFile):
            if self.path is None:
                raise UnsupportedError(
                    "the page of a motion comes from a file; use run(out='run.h5')"
                )
            source = open_file(self.path)
        return source.page(os.path.basename(self.path or "result"))

    def view(self, height: int = 480) -> Frame:
        """Show the motion in a notebook, in a frame of this height in pixels."""
        return Frame(self.page(), height)

    def _repr_html_(self) -> str:
        """Show the motion if there is a file, else a table of the columns."""
        try:
            return self.view()._repr_html_()
        except (UnsupportedError, FileError):
            return self._table()

    def _table(self) -> str:
        lines = "".join(
            f"<tr><td>{name}</td><td>{unit}</td><td>{self[name][0]:.6g}</td>"
            f"<td>{self[name][-1]:.6g}</td></tr>"
            for name, unit in list(self.units.items())[:30]
            if len(self)
        )
        return (
            f"<b>{len(self)} rows</b><table><tr><th>column</th><th>unit</th>"
            f"<th>first</th><th>last</th></tr>{lines}</table>"
        )

    def compare(self, reference: Union[Result, str]) -> dict[str, Any]:
        """Compare a result file with a reference: see :func:`picus.compare`."""
        return compare(self, reference)

    def __repr__(self) -> str:
        if self._source is None:
            return "<picus.Result: nothing recorded>"
        return f"<picus.Result: {len(self)} rows of {len(self._columns)} columns>"


class Frame:
    """A page inside of a notebook."""

    def __init__(self, page: str, height: int) -> None:
        self.page, self.height = page, height

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Write the page to a file that any browser opens."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page)

    def _repr_html_(self) -> str:
        inside = self.page.replace("&", "&amp;").replace('"', "&quot;")
        return (
            f'<iframe srcdoc="{inside}" width="100%" height="{self.height}" '
            'style="border:0" sandbox="allow-scripts"></iframe>'
        )


def open_result(path: Union[str, os.PathLike[str]]) -> Result:
    """Open a result file; columns are read when they are used.

    Parameters
    ----------
    path : str or path
        An HDF5 file of ``picus run --out`` or of ``Simulation.run(out=...)``.
    """
    return Result(open_file(path), path=os.fspath(path))


def _path_of(result: Union[Result, str, os.PathLike[str]]) -> str:
    path = result.path if isinstance(result, Result) else os.fspath(result)
    if path is None:
        raise UnsupportedError("only results with a file can be compared; run(out=...)")
    return path


def compare(
    result: Union[Result, str, os.PathLike[str]],
    reference: Union[Result, str, os.PathLike[str]],
) -> dict[str, Any]:
    """Compare a result with a reference, column by column and event by event.

    Returns
    -------
    dict
        ``columns``: errors by name (``uniform``, ``l1``, ``l2`` and others), ``laws``:
        matched and missing switching points by name, ``common`` rows.
    """
    return _core.compare_results(_path_of(result), _path_of(reference))


def reference(
    model: Model,
    out: Union[str, os.PathLike[str]],
    *,
    accuracy: float = 1e-10,
    work: float = 2e7,
    **options: Any,
) -> dict[str, Any]:
    """Search for a reference solution and write it to a file.

    Parameters
    ----------
    model : Model
        The model.
    out : path
        HDF5 file of the best run.
    accuracy : float
        Requested accuracy, relative to the range of each column.
    work : float
        Limit of base steps, all runs together.
    **options
        Run options, such as ``t_end``.

    Returns
    -------
    dict
        ``reached``, ``accuracy`` (estimated), ``attempts``, ``base_steps``.
    """
    return _core.search_reference(model, options, os.fspath(out), accuracy, work)
