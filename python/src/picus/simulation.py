"""Simulations: steps, runs and the state."""
from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

from . import _core
from .arrays import numbers, rows, view
from .result import Record, Result, open_result

if TYPE_CHECKING:
    from .arrays import Numbers, Rows
    from .model import Model

Columns = Union[None, bool, str, Iterable[str]]
MODES = ("open", "stick", "slip")


class Inputs(Mapping[str, float]):
    """The inputs of a simulation by name; setting one acts from the next step on.

    Examples
    --------
    >>> sim.inputs["torque"] = 0.2                      # doctest: +SKIP
    >>> sim.inputs.set("table", 0.1, rate=0.5)          # doctest: +SKIP
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        model = sim.model
        self._names = [
            model.system_input_at(k)["name"] for k in range(model.system_input_count())
        ]

    def __getitem__(self, name: str) -> float:
        return self._sim.input(self._index(name))["value"]

    def _index(self, name: str) -> int:
        try:
            return self._names.index(name)
        except ValueError:
            raise KeyError(
                f"the model has no input {name!r}; inputs: {self._names}"
            ) from None

    def __setitem__(self, name: str, value: float) -> None:
        self._sim.set_input_at(self._index(name), value, 0.0)

    def set(self, name: str, value: float, rate: float = 0.0) -> None:
        """Set an input with a rate: it is value + rate (time - now)."""
        self._sim.set_input_at(self._index(name), value, rate)

    def rate(self, name: str) -> float:
        """Rate of an input."""
        return self._sim.input(self._index(name))["rate"]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Bar:
    """A progress bar in a terminal or a notebook, after the first second."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._begin = self._last = time.monotonic()
        self._shown = False

    def __call__(self, t: float, t_end: float, steps: int) -> None:
        part = t / t_end if t_end > 0 else 0.0
        self.show(part, f"t = {t:.4g} of {t_end:.4g} s, {steps} steps")

    def show(self, part: float, text: str) -> None:
        """Show a part of the whole, five times per second."""
        now = time.monotonic()
        if now - self._begin < 1 or now - self._last < 0.2:
            return
        self._last = now
        self._shown = True
        bar = "#" * int(30 * min(1.0, part))
        sys.stderr.write(f"\r{self._name} [{bar:<30}] {text}")
        sys.stderr.flush()

    def close(self) -> None:
        """End the line."""
        if self._shown:
            sys.stderr.write("\n")


class Simulation(_core.Simulation):
    """A simulation of a model, made by :meth:`Model.simulate`.

    Attributes
    ----------
    t : float
        Current time, s.
    q, u : numpy.ndarray
        Coordinates and velocities: read-only views that show the current state as
        long as anyone holds them. Copy them to keep a state.
    inputs : Inputs
        Values that a program sets while the simulation runs.
    model : Model
        The model.

    Notes
    -----
    A simulation serves one thread at a time. ``run`` and ``step(n)`` release the
    interpreter's lock; another thread that uses the same simulation meanwhile gets a
    ``RuntimeError``.
    """

    model: Model
    settings: dict[str, Any]
    threads: int
    q: Numbers
    u: Numbers
    inputs: Inputs

    def __getattr__(self, name: str) -> Any:
        # views and inputs are made on first use and kept
        if name == "q":
            value: Any = view(self._q())
        elif name == "u":
            value = view(self._u())
        elif name == "inputs":
            value = Inputs(self)
        else:
            raise AttributeError(f"a Simulation has no attribute {name!r}")
        self.__dict__[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("q", "u"):
            raise AttributeError(f"{name} is read-only; use set_state")
        super().__setattr__(name, value)

    def run(
        self,
        t_end: Optional[float] = None,
        record: Columns = None,
        *,
        out: Union[None, str, os.PathLike[str]] = None,
        csv: Union[None, str, os.PathLike[str]] = None,
        events: bool = True,
        contacts: bool = False,
        nodes: bool = False,
        on_step: Optional[Callable[[Simulation], object]] = None,
        on_event: Optional[Callable[[Simulation, dict[str, Any]], object]] = None,
        progress: Union[bool, Callable[[float, float, int], object]] = False,
        stop_times: Optional[Iterable[float]] = None,
        sensitivity: Union[None, str, Iterable[str]] = None,
    ) -> Result:
        """Step from the current state to t_end.

        Parameters
        ----------
        t_end : float, optional
            End of the run, s; default: that of the options.
        record : str or list of str or bool, optional
            Columns to record, as names or patterns such as ``"beak.*"``; default: all.
            ``False``: none, the fastest run.
        out, csv : path, optional
            Also write an HDF5 file or a CSV file.
        events : bool
            Keep the event log.
        contacts : bool
            Keep the detected contacts of every row.
        nodes : bool
            Keep the nodes of flexible components of every row: ``Result.nodes``.
        on_step : callable, optional
            ``on_step(sim)`` before the first step and after every step. It may set
            inputs. A true value ends the run.
        on_event : callable, optional
            ``on_event(sim, event)`` at every switching point; event is a dictionary.
        progress : bool or callable
            ``True``: a progress bar; or ``progress(t, t_end, steps)`` about 50 times
            per second.
        stop_times : list of float, optional
            Times at which a step must end exactly, s.
        sensitivity : str or list of str, optional
            Parameters, coordinates or velocities: the rows, at multiples of the
            option ``sample``, also have derivatives by parameters and initial values,
            ``result.sensitivity("mu")`` and columns such as ``"dphiS_dmu"``. The run
            is adaptive and begins at the initial state of the model; the simulation
            itself stays there.

        Returns
        -------
        Result
            Rows, events and summary of the run.

        Raises
        ------
        Error
            The run failed; ``error.result`` has the rows until then.
        """
        end = self._options()["t_end"] if t_end is None else t_end
        bar = Bar(self.model.name()) if progress is True else None
        watch = bar if bar else progress if callable(progress) else None
        if isinstance(record, bool) or record is None:
            columns = None
        else:
            columns = record if isinstance(record, str) else " ".join(record)
        keeps = record is not False
        if sensitivity is not None:
            watched = on_step or on_event or progress or stop_times or contacts or nodes
            if watched or not keeps:
                raise ValueError(
                    "a run with derivatives has rows only: without callbacks, "
                    "progress, stop times, contacts and nodes"
                )
            return self._differentiate(float(end), sensitivity, columns, out, csv)
        try:
            rows_of_run = self._run(
                float(end),
                Record if keeps else None,
                columns=columns,
                switchings=events,
                contacts=contacts,
                nodes=nodes,
                hdf5=None if out is None else os.fspath(out),
                csv=None if csv is None else os.fspath(csv),
                command="python",
                step=on_step,
                event=on_event,
                progress=watch,
                stops=None if stop_times is None else numbers(list(stop_times)),
            )
        except BaseException as error:
            kept = getattr(error, "record", None)
            if kept is not None:
                error.result = Result(  # type: ignore[attr-defined]
                    kept, self.model, self._summary()
                )
            raise
        finally:
            if bar:
                bar.close()
        path = None if out is None else os.fspath(out)
        return Result(rows_of_run, self.model, self._summary(), path=path)

    def _differentiate(
        self,
        end: float,
        sensitivity: Union[str, Iterable[str]],
        columns: Optional[str],
        out: Union[None, str, os.PathLike[str]],
        csv: Union[None, str, os.PathLike[str]],
    ) -> Result:
        if isinstance(sensitivity, str):
            names = sensitivity.replace(",", " ").split()
        else:
            names = list(sensitivity)
        q, u = self.model.initial_state
        start = self._options()["t_start"]
        if self.t != start or (self.q != q).any() or (self.u != u).any():
            raise ValueError(
                "derivatives are those of a run from the initial state of the model: "
                "make another simulation"
            )
        record = _core.differentiate(
            Record,
            self.model,
            {**self.settings, "t_end": end},
            names,
            columns,
            None if out is None else os.fspath(out),
            None if csv is None else os.fspath(csv),
        )
        path = None if out is None else os.fspath(out)
        return Result(record, self.model, path=path)

    def set_state(
        self, q: Any = None, u: Any = None, t: Optional[float] = None
    ) -> None:
        """Restart from another state, like a new simulation that starts there.

        Parameters
        ----------
        q, u : array_like, optional
            Coordinates and velocities; default: the current ones.
        t : float, optional
            Time, s; default: the current one.
        """
        self._set_state(
            self.t if t is None else t,
            numbers(self.q.copy() if q is None else q),
            numbers(self.u.copy() if u is None else u),
        )

    def push(
        self,
        handle: Optional[int] = None,
        target: Sequence[float] = (0, 0, 0),
        *,
        place: Sequence[float] = (0, 0, 0),
        stiffness: float = 0,
        time: float = 0,
    ) -> None:
        """Pull a place of the drawing towards a target, as by a spring with a damper.

        The force is stiffness (target - place - time velocity), from the next step on.
        One handle is pulled at a time. Its work is the work term ``push``.

        Parameters
        ----------
        handle : int, optional
            Handle of a model from :meth:`Model.with_handles`; without it, let go.
        target : sequence of float
            Where to, m; 2 numbers in the plane, 3 in space.
        place : sequence of float
            Where it is pulled: coordinates in the frame of the handle, m.
        stiffness : float
            N/m.
        time : float
            Damping over stiffness, s.

        Examples
        --------
        >>> import picus
        >>> model = picus.load("rocking-block").with_handles()
        >>> sim = model.simulate()
        >>> sim.push(0, (0.5, 1.0), stiffness=2000, time=0.05)
        >>> result = sim.run(0.1)
        >>> sim.push()
        """
        if handle is None:
            self._push()
            return
        self._push(handle, _triple(place), _triple(target), stiffness, time)

    def start_from(
        self,
        result: Union[Result, str, os.PathLike[str]],
        t: Optional[float] = None,
    ) -> None:
        """Restart from the state in a row of a result, as ``picus run --start``.

        Coordinates, velocities, inputs and states of controllers are found by name;
        both must have the same coordinates and velocities. The time stays.

        Parameters
        ----------
        result : Result or path
            Rows of another run, in memory or in a file.
        t : float, optional
            The row is the last one up to this time; default: the last row.
        """
        rows = result if isinstance(result, Result) else open_result(result)
        state, inputs = rows.state(t), self.inputs
        names = [*self.model.coordinates, *self.model.velocities]
        if set(names) != set(state.motion):
            raise ValueError(
                "the model and the result have different coordinates or velocities: "
                f"{sorted(set(names) ^ set(state.motion))}"
            )
        count = len(self.model.coordinates)
        values = [state.motion[name] for name in names]
        self.set_state(values[:count], values[count:])
        for name, value in state.inputs.items():
            if name in inputs:
                inputs.set(name, value, inputs.rate(name))

    @property
    def contacts(self) -> Rows:
        """Present laws as a structured array, copied: gap, PN, PF, mode and others."""
        return rows(self._laws(), "LawState")

    @property
    def contact_names(self) -> list[str]:
        """Names of the present laws, in the order of :attr:`contacts`."""
        return [self.present_law(k)["law"]["name"] for k in range(self.present_count())]

    @property
    def info(self) -> _core.StepInfo:
        """Data of the last step: order, impacts, solver, gaps and others."""
        return self._info()

    @property
    def options(self) -> _core.SimOptions:
        """Options of the run."""
        return self._options()

    def copy(self) -> Simulation:
        """Make a simulation that continues from here with the same bits."""
        twin = self.model.simulate(threads=self.threads, **self.settings)
        twin.load(self.save())
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> Any:
        return _restore, (self.model, self.settings, self.threads, self.save())

    def __repr__(self) -> str:
        name, scheme = self.model.name(), self._options()["scheme"]
        return f"<picus.Simulation of {name!r} by {scheme}, t = {self.t:g} s>"


def _triple(point: Sequence[float]) -> tuple[float, float, float]:
    """A point of the plane or of space."""
    if len(point) not in (2, 3):
        raise ValueError(f"a point has 2 or 3 numbers, not {len(point)}")
    return point[0], point[1], point[2] if len(point) == 3 else 0


def _restore(
    model: Model, settings: dict[str, Any], threads: int, checkpoint: bytes
) -> Simulation:
    sim = model.simulate(threads=threads, **settings)
    sim.load(checkpoint)
    return sim
