"""Studies: many runs of a model, with a few values of each, kept in one file."""
from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from .arrays import numbers, view
from .simulation import Bar

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from .arrays import Numbers
    from .model import Model

    PathLike = Union[str, os.PathLike[str]]

SAMPLINGS = ("grid", "list", "random", "latin", "sobol")
CONTINUATIONS = ("none", "forth", "forth-and-back")


class Study(_core.Study):
    """Many runs of a model over parameters, initial states and options.

    ``study["mu"]`` is what varies, ``study["max(y)"]`` what was collected: arrays with
    a number for each point. The numbers are those of single runs, bit for bit, with
    any number of threads, parts and executors, and after any interruption. A pickled
    study has its points and the model, not its runs.

    Parameters
    ----------
    model : Model
        The model.
    parameters, starts, vary : dict, optional
        What varies, by name: parameters of the model (or initial values of inputs),
        initial values of coordinates and velocities, and run options that are numbers.
        Each is an array of values or one value; for samples a pair (low, high).
    sampling : str
        ``"grid"``: all combinations, the last one varies first; ``"list"``: the k-th
        values together; ``"random"``, ``"latin"``, ``"sobol"``: samples of ranges.
    samples : int, optional
        Number of samples of the last three.
    seed : int
        Seed of random and Latin samples.
    continuation : str
        ``"forth"``: each run along the last axis starts from the coordinates and
        velocities at the end of the one before; ``"forth-and-back"``: and back again
        through the values, for hysteresis; ``"none"``.
    collect : str or list of str, optional
        Values to keep: columns (their last value) by name or pattern, ``"max(y)"``,
        ``"min(y)"``, ``"mean(y)"``, and totals such as ``"impacts"``; default: the last
        coordinates and velocities.
    section : str or float, optional
        States of each run to keep, see :attr:`section`: at an event of the model or at
        all switching points of a law, ``"beak"``; at some of them, ``"beak:impact"``,
        ``":closes"``, ``":opens"``, ``":sticks"``, ``":slips"``; or, for a number, at
        multiples of this time.
    last : int
        The last states of each run that a section keeps.
    threads : int
        0: one for each core.
    **options
        Run options as for :meth:`Model.simulate`.

    Examples
    --------
    >>> import numpy as np, picus
    >>> ball = picus.load("bouncing-ball")
    >>> e = np.linspace(0.2, 0.8, 4)
    >>> study = picus.Study(ball, parameters={"e": e}, collect="impacts", dt=1e-3)
    >>> study.run()["impacts"].shape
    (4,)
    """

    _model: Model
    _definition: tuple[Any, ...]  # all but the model, for workers
    _shape: dict[str, Numbers]  # axes of a grid

    def __new__(
        cls,
        model: Model,
        *,
        parameters: Optional[Mapping[str, Any]] = None,
        starts: Optional[Mapping[str, Any]] = None,
        vary: Optional[Mapping[str, Any]] = None,
        sampling: str = "grid",
        samples: Optional[int] = None,
        seed: int = 0,
        continuation: str = "none",
        collect: Union[None, str, Iterable[str]] = None,
        section: Union[None, str, float] = None,
        last: int = 100,
        threads: int = 0,
        **options: Any,
    ) -> Study:
        """Prepare the points."""
        axes = _axes(sampling, parameters, starts, vary)
        first = {name: float(values[0]) for kind, name, values in axes if kind == 0}
        words = _words(collect) if isinstance(collect, str) else list(collect or ())
        base = model.with_parameters(**first) if first else model
        event = section if isinstance(section, str) else None
        period = 0.0 if section is None or event is not None else float(section)
        kept = (words, event, period, last)
        arguments = (axes, sampling, samples, seed, continuation, kept, options)
        return _make(cls, base, arguments, threads)

    def run(
        self,
        out: Optional[PathLike] = None,
        *,
        csv: Optional[PathLike] = None,
        part: Optional[tuple[int, int]] = None,
        executor: Optional[Executor] = None,
        parts: Optional[int] = None,
        progress: Union[bool, Callable[[int, int], object]] = False,
    ) -> Study:
        """Make the runs that are missing.

        Parameters
        ----------
        out, csv : path, optional
            Files for the results, as ``picus sweep`` writes them. Runs that end are
            kept in a journal beside them, so that the same call continues after an
            interruption; without a file they are kept in memory only.
        part : tuple of int, optional
            ``(i, n)``: only part i of n, from 1 on; its runs stay in the journal, and
            :meth:`merge` writes the files.
        executor : concurrent.futures.Executor, optional
            Makes the runs, for example on other machines; they get the model by pickle.
        parts : int, optional
            Tasks for the executor; default: 4 for each core of this machine.
        progress : bool or callable
            ``True``: a progress bar; or ``progress(done, count)``.

        Returns
        -------
        Study
            This study.
        """
        path = out if out is not None else csv
        journal = None if path is None else f"{os.fspath(path)}.journal"
        if part is not None and journal is None:
            raise ValueError("a part needs the name of a file for its journal")
        if executor is not None and part is not None:
            raise ValueError("give an executor or a part, not both")
        bar = Bar(self._model.name()) if progress is True else None

        def show(done: int, count: int) -> None:
            if bar:
                bar.show(done / count, f"{done} of {count} runs")

        tell = show if bar else progress if callable(progress) else None
        try:
            if executor is not None:
                self._run_with(executor, parts, journal, tell)
            elif part is not None:
                self.make_runs(f"{journal}.{part[0]}-of-{part[1]}", *part, tell)
                return self
            else:
                self.make_runs(journal, 0, 0, tell)
        finally:
            if bar:
                bar.close()
        self._write(out, csv)
        if journal is not None and executor is None:
            self.remove_journal(journal)
        return self

    def merge(
        self, parts: int, out: Optional[PathLike] = None, csv: Optional[PathLike] = None
    ) -> Study:
        """Take the runs of all parts from their journals, and write the files."""
        path = out if out is not None else csv
        if path is None:
            raise ValueError("merge needs the name of the file of the parts")
        for k in range(1, parts + 1):
            self.read_journal(f"{os.fspath(path)}.journal.{k}-of-{parts}")
        missing = len(self) - self.done()
        if missing:
            first = next(k for k in range(len(self)) if self.end_of(k)[0] is None)
            raise ValueError(
                f"{missing} of {len(self)} runs are missing; run part "
                f"{self.part_of(first, parts)} of {parts}"
            )
        self._write(out, csv)
        return self

    def _write(self, out: Optional[PathLike], csv: Optional[PathLike]) -> None:
        if out is not None:
            self.write_hdf5(os.fspath(out))
        if csv is not None:
            self.write_csv(os.fspath(csv))

    def _run_with(
        self,
        executor: Executor,
        parts: Optional[int],
        journal: Optional[str],
        tell: Optional[Callable[[int, int], object]],
    ) -> None:
        """Each part returns its journal, so that workers need not share a disk."""
        from concurrent.futures import as_completed

        count = parts or 4 * (os.cpu_count() or 1)
        count = max(1, min(count, len(self)))
        with tempfile.TemporaryDirectory() as folder:
            name = journal or os.path.join(folder, "journal")
            files = [Path(f"{name}.{k + 1}-of-{count}") for k in range(count)]
            futures = {}
            for k, file in enumerate(files):
                self.read_journal(os.fspath(file))
                if self._has_part(k + 1, count):
                    continue
                begun = file.read_bytes() if file.exists() else b""
                task = (self._model, self._definition, begun, k + 1, count)
                futures[executor.submit(_make_part, *task)] = file
            for future in as_completed(futures):
                file = futures[future]
                _replace(file, future.result())
                self.read_journal(os.fspath(file))
                if tell:
                    tell(self.done(), len(self))
            for file in files if self.done() == len(self) else ():
                file.unlink(missing_ok=True)

    def _has_part(self, part: int, parts: int) -> bool:
        points = (k for k in range(len(self)) if self.part_of(k, parts) == part)
        return all(self.end_of(k)[0] is not None for k in points)

    @property
    def axes(self) -> list[str]:
        """Names of what varies."""
        return [self.axis_name(k) for k in range(self.axis_count())]

    @property
    def values(self) -> list[str]:
        """Names of the collected values; "last q" if "q" varies as well."""
        axes = self.axes
        names = [self.value_name(k) for k in range(self.value_count())]
        return [f"last {name}" if name in axes else name for name in names]

    @property
    def failures(self) -> dict[int, str]:
        """Messages of the runs that failed, by point."""
        ends = ((k, self.end_of(k)) for k in range(len(self)))
        return {k: message for k, (status, message, _) in ends if status}

    def orders(self, name: str) -> dict[str, Numbers]:
        """Convergence of a value along points that differ in one number, such as dt.

        ``"x"``: that number, ``"difference"``: of the value to that of the next
        point, ``"order"``: with which the differences decrease; NaN where there is no
        next point, or where the numbers form no geometric sequence.
        """
        import numpy as np

        if name not in self.values:
            raise KeyError(f"the study has no {name!r}; it has {self.values}")
        value = self.values.index(name)
        found = [self.order_at(k, value) for k in range(len(self))]
        return {
            "x": np.array([f["x"] for f in found]),
            "difference": np.array([f["difference"] for f in found]),
            "order": np.array([f["order"] for f in found]),
        }

    @property
    def section(self) -> dict[str, Numbers]:
        """States of the section: ``"point"``, what varies, time, and the state.

        Each is an array with a number for each state, in the order of the points.
        """
        import numpy as np

        count = self.section_width()
        columns = [self.section_column(k) for k in range(count)]
        table = np.frombuffer(self.section_states()).reshape(-1, count + 1)
        points = table[:, 0].astype(int)
        states: dict[str, Numbers] = {"point": points}
        states.update((name, self[name][points]) for name in self.axes)
        for k, name in enumerate(columns):
            states[f"last {name}" if name in states else name] = table[:, k + 1]
        return states

    def __getitem__(self, name: str) -> Numbers:
        axes, values = self.axes, self.values
        if name in values:
            table, names = view(self.results()), values
        elif name in axes:
            table, names = view(self.points()), axes
        else:
            raise KeyError(f"the study has no {name!r}; it has {axes + values}")
        column: Numbers = table.reshape(len(self), len(names))[:, names.index(name)]
        return column

    def to_pandas(self) -> Any:
        """Make a table of pandas: points, values, status and message."""
        import pandas

        ends = [self.end_of(k) for k in range(len(self))]
        columns: dict[str, Any] = {n: self[n] for n in self.axes + self.values}
        columns["status"] = [
            "" if e[0] is None else _core.status_name(e[0]) for e in ends
        ]
        columns["message"] = [e[1] for e in ends]
        table = pandas.DataFrame(columns)
        table.index.name = "point"
        return table

    def to_xarray(self) -> Any:
        """Make a dataset of xarray; a grid has a dimension for each axis."""
        import xarray

        if not self._shape:
            dims, shape = ["point"], [len(self)]
            coords: dict[str, Any] = {n: ("point", self[n]) for n in self.axes}
        else:
            dims = list(self._shape)
            shape = [len(part) for part in self._shape.values()]
            coords = {name: part for name, part in self._shape.items()}
        data = {name: (dims, self[name].reshape(shape)) for name in self.values}
        return xarray.Dataset(data, coords=coords)

    @property
    def model(self) -> Model:
        """The model, with the parameters of the first point."""
        return self._model

    def __len__(self) -> int:
        return self.count()

    def __reduce__(self) -> Any:
        return _make, (type(self), self._model, self._definition, 0)

    def __repr__(self) -> str:
        names = ", ".join(self.axes)
        return f"<picus.Study: {self.done()} of {len(self)} runs over {names}>"


def _axes(
    sampling: str, *kinds: Optional[Mapping[str, Any]]
) -> list[tuple[int, str, Numbers]]:
    """Kind, name and values of each axis; of samples the ends of the range."""
    if sampling not in SAMPLINGS:
        raise ValueError(f"there is no sampling {sampling!r}; there are {SAMPLINGS}")
    axes = []
    for kind, given in enumerate(kinds):
        for name, part in (given or {}).items():
            values = numbers(part).reshape(-1)
            if len(values) == 0:
                raise ValueError(f"{name!r} has no values")
            if sampling in SAMPLINGS[2:] and len(values) > 2:
                raise ValueError(f"samples of {name!r} need a pair (low, high)")
            axes.append((kind, name, values))
    return axes


def _words(text: str) -> list[str]:
    """Words between blanks and commas, but not those in brackets."""
    return [word for word in re.split(r"[\s,]+(?![^()]*\))", text) if word]


def _make(
    cls: type[Study], model: Model, definition: tuple[Any, ...], threads: int
) -> Study:
    import numpy as np

    axes, sampling, samples, seed, continuation, kept, options = definition
    words, event, period, last = kept
    if continuation not in CONTINUATIONS:
        raise ValueError(f"continuation is one of {CONTINUATIONS}")
    if (samples is not None) != (sampling in SAMPLINGS[2:]):
        raise ValueError("samples: the number of random, latin or sobol points")
    counts, values, ranges = [], [], []
    for _, _, part in axes:
        is_range = samples is not None and len(part) == 2
        counts.append(0 if is_range else len(part))
        values.append([] if is_range else part)
        ranges += [part[0], part[-1]]
    study = _core.study(
        cls,
        model,
        options,
        [name for _, name, _ in axes],
        np.array([kind for kind, _, _ in axes], dtype=np.int32),
        np.array(counts, dtype=np.int32),
        numbers(np.concatenate(values) if values else []),
        numbers(ranges),
        SAMPLINGS.index(sampling),
        1 if samples is None else samples,
        seed,
        CONTINUATIONS.index(continuation),
        words,
        event,
        period,
        last,
        threads,
    )
    study._model = model
    study._definition = definition
    grid = [(name, part) for _, name, part in axes if len(part) > 1]
    study._shape = dict(grid) if sampling == "grid" else {}
    if study._shape and continuation == "forth-and-back":
        name, part = grid[-1]
        study._shape[name] = np.concatenate([part, part[::-1]])
    return study


def _replace(file: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    new = file.with_name(file.name + ".new")
    new.write_bytes(content)
    os.replace(new, file)


def _make_part(
    model: Model, definition: tuple[Any, ...], begun: bytes, part: int, parts: int
) -> bytes:
    """Make a part of a study in a worker: its journal."""
    study = _make(Study, model, definition, 1)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "journal")
        if begun:
            file.write_bytes(begun)
        study.make_runs(os.fspath(file), part, parts, None)
        return file.read_bytes()
