"""Many runs of one model on all cores."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _core
from .arrays import as_it_is, copied, numbers, real, rows, view

if TYPE_CHECKING:
    from .arrays import Numbers, Rows
    from .model import Model


class Rollout:
    """The rows of many runs.

    ``rollout["y"]`` is an array of runs x rows, or of runs if only the last row of each
    run was kept. Rows that a run did not reach are NaN.
    """

    if TYPE_CHECKING:  # of the classes below

        def values(self) -> Any:
            ...

        def ends(self) -> Any:
            ...

        def message(self, run: int, /) -> str:
            ...

        def count(self) -> int:
            ...

        def rows(self) -> int:
            ...

        def column_count(self) -> int:
            ...

        def column(self, column: int, /) -> str:
            ...

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return [self.column(k) for k in range(self.column_count())]

    @property
    def array(self) -> Numbers:
        """Everything: runs x rows x columns, without a copy."""
        shape = (self.count(), self.rows(), self.column_count())
        return view(self.values()).reshape(shape)

    def __getitem__(self, name: str) -> Numbers:
        names = self.columns
        if name not in names:
            raise KeyError(f"the rollout has no column {name!r}; columns: {names}")
        part: Numbers = self.array[:, :, names.index(name)]
        return part[:, 0] if self.rows() == 1 else part

    @property
    def runs(self) -> Rows:
        """How the runs ended: status, t, steps, impacts, rows."""
        return rows(self.ends(), "RolloutEnd")

    @property
    def failures(self) -> dict[int, str]:
        """Messages of the runs that did not reach t_end, by number."""
        return {int(k): self.message(int(k)) for k in self.runs["status"].nonzero()[0]}

    def __len__(self) -> int:
        return self.count()

    def __repr__(self) -> str:
        return f"<picus.Rollout: {self.count()} runs of {self.rows()} rows>"


class MadeRollout(_core.Rollout, Rollout):
    """A rollout that this process has made."""

    def __reduce__(self) -> Any:
        return as_it_is, (KeptRollout(self),)


class KeptRollout(Rollout):
    """A rollout as plain data: what a pickled one becomes."""

    def __init__(self, made: MadeRollout) -> None:
        self._values, self._ends = copied(made.values()), copied(made.ends())
        self._sizes = made.count(), made.rows()
        self._columns, self._messages = made.columns, made.failures

    def values(self) -> bytes:
        return self._values

    def ends(self) -> bytes:
        return self._ends

    def message(self, run: int, /) -> str:
        return self._messages.get(run, "")

    def count(self) -> int:
        return self._sizes[0]

    def rows(self) -> int:
        return self._sizes[1]

    def column_count(self) -> int:
        return len(self._columns)

    def column(self, column: int, /) -> str:
        return self._columns[column] if 0 <= column < len(self._columns) else ""


def _stack(table: Mapping[str, Any], count: Optional[int], depth: int) -> Any:
    """Stack arrays of a dictionary along the last axis: count (x intervals) x names."""
    import numpy as np

    parts = [real(part).astype(float) for part in table.values()]
    shape = np.broadcast_shapes(*(p.shape for p in parts))
    if len(shape) < depth:
        shape = (1,) * (depth - len(shape)) + shape
    if count is not None:
        shape = (count, *shape[1:])
    return numbers(np.stack([np.broadcast_to(p, shape) for p in parts], axis=-1))


def rollout(
    model: Model,
    *,
    parameters: Optional[Mapping[str, Any]] = None,
    starts: Optional[tuple[Any, Any]] = None,
    inputs: Optional[Mapping[str, Any]] = None,
    count: Optional[int] = None,
    collect: Union[None, str, Iterable[str]] = None,
    threads: int = 0,
    **options: Any,
) -> Rollout:
    """Make many runs of a model side by side, with the bits of single runs.

    Parameters
    ----------
    model : Model
        The model.
    parameters : dict, optional
        Parameters by name: an array with a value for each run, or one value.
    starts : tuple of arrays, optional
        Initial q (runs x nq) and u (runs x nu); either may be None.
    inputs : dict, optional
        Inputs by name: runs x intervals values, or intervals values for all runs. The
        time of the run has so many equal intervals; inputs are constant in each.
    count : int, optional
        Number of runs, if no array gives it.
    collect : str or list of str, optional
        Columns, as names or patterns; default: all.
    threads : int
        0: one for each core. The numbers do not depend on it.
    **options
        Run options as for :meth:`Model.simulate`. With ``sample`` each run has rows at
        these times, otherwise only its last row.

    Examples
    --------
    >>> import numpy as np, picus
    >>> ball = picus.load("bouncing-ball")
    >>> r = picus.rollout(ball, parameters={"e": np.linspace(0, 1, 5)}, t_end=1.5)
    >>> r["q"].shape
    (5,)
    """
    sizes = {} if count is None else {"count": count}
    import numpy as np

    for name, part in (parameters or {}).items():
        if np.ndim(part) > 1:
            raise ValueError(f"the parameter {name!r} needs one number for each run")
        if np.ndim(part) == 1:
            sizes[name] = len(part)
    for name, part in zip(("q", "u"), starts or ()):
        if part is not None:
            sizes[name] = len(part)
    for name, part in (inputs or {}).items():
        if np.ndim(part) > 2:
            raise ValueError(f"the input {name!r} needs runs x intervals numbers")
        if np.ndim(part) == 2:
            sizes[name] = len(part)
    if len(set(sizes.values())) > 1:
        raise ValueError(f"the arrays are of different numbers of runs: {sizes}")
    runs = next(iter(sizes.values()), 1)
    values = _stack(parameters, runs, 1) if parameters else None
    forces = _stack(inputs, runs, 2) if inputs else None
    q, u = starts if starts is not None else (None, None)
    columns = (
        collect if isinstance(collect, str) or collect is None else " ".join(collect)
    )
    return _core.rollout(
        MadeRollout,
        model,
        options,
        runs,
        list(parameters or {}),
        values,
        None if q is None else numbers(q),
        None if u is None else numbers(u),
        list(inputs or {}),
        0 if forces is None else forces.shape[1],
        forces,
        columns,
        threads,
    )
