"""Exceptions: one class for each status of the C library, with its message."""
from __future__ import annotations

from typing import Any, Callable, Optional

from . import _core


class Error(Exception):
    """An error of Picus.

    Attributes
    ----------
    status : str
        Name of the status in C, such as ``"PICUS_ERROR_NAME"``.
    message : str
        The message of the library, without a place.
    file : str or None
        Model file, or Python file of a builder, that the error comes from.
    line : int or None
        Line in this file, from 1.
    result : Result or None
        Rows of a run until it failed.
    """

    status: str = ""
    message: str = ""
    file: Optional[str] = None
    line: Optional[int] = None
    record: Any = None
    result: Any = None


class NotConverged(Error):
    """An iteration did not reach its tolerance."""


class NoSolution(Error):
    """The contact problem has no solution."""


class Interrupted(Error):
    """Interrupted on request."""


class OutOfMemory(Error, MemoryError):
    """Out of memory."""


class ArgumentError(Error, ValueError):
    """An argument is out of range."""


class UnknownName(Error, ValueError):
    """An unknown or repeated name."""


class DimensionError(Error, ValueError):
    """Sizes do not match."""


class NumberError(Error, ValueError):
    """Not a finite number."""


class ModelError(Error, ValueError):
    """The model is mechanically inconsistent."""


class ModelSyntaxError(ModelError):
    """The model file cannot be run."""


class LimitError(ModelError):
    """A model exceeds a memory or work limit."""


class SingularError(Error, ArithmeticError):
    """A matrix that must be regular is singular."""


class StepError(Error):
    """A step of the simulation failed."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class UnsupportedError(Error, NotImplementedError):
    """Not supported in this combination."""


CLASSES: dict[int, type[Error]] = {
    _core.NOT_CONVERGED: NotConverged,
    _core.NO_SOLUTION: NoSolution,
    _core.INTERRUPTED: Interrupted,
    _core.ERROR_MEMORY: OutOfMemory,
    _core.ERROR_ARGUMENT: ArgumentError,
    _core.ERROR_NAME: UnknownName,
    _core.ERROR_DIMENSION: DimensionError,
    _core.ERROR_NUMBER: NumberError,
    _core.ERROR_MODEL: ModelError,
    _core.ERROR_FILE_SYNTAX: ModelSyntaxError,
    _core.ERROR_FILE_LIMIT: LimitError,
    _core.ERROR_SINGULAR: SingularError,
    _core.ERROR_STEP: StepError,
    _core.ERROR_IO: FileError,
    _core.ERROR_UNSUPPORTED: UnsupportedError,
}


def make(status: int, message: str, file: str, line: int) -> Error:
    """Make the exception of a status; called by the extension."""
    place = f"{file}:{line}: " if file and line else f"{file}: " if file else ""
    error = CLASSES.get(status, Error)(place + message)
    error.status = _core.status_name(status)
    error.message = message
    error.file = file or None
    error.line = line or None
    return error


def place_at(error: Error, file: str, line: int, text_name: str) -> Error:
    """Make an error one of another place; outside of the text, its message names it."""
    status = next(k for k, c in CLASSES.items() if c is type(error))
    is_outside = error.line is not None and error.file != text_name
    inside = f"{error.file}:{error.line}: " if is_outside else ""
    return make(status, inside + error.message, file, line)


def move(error: Error, find: Callable[[int], tuple[str, int]], text_name: str) -> Error:
    """Make an error of generated text one of the line that generated it.

    An error in a file that the text includes stays there.
    """
    if error.line is None or error.file != text_name:
        return error
    return place_at(error, *find(error.line), text_name)
