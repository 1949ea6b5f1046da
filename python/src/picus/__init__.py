"""Picus: nonsmooth dynamics, with impacts and friction as set-valued laws.

>>> import picus
>>> result = picus.load("bouncing-ball").simulate(dt=1e-3).run(2.5)
>>> result.summary["impacts"]
2
"""
from __future__ import annotations

from . import contact, errors
from ._core import VERSION as __version__
from .builder import Builder, Item, Part, item
from .contact import read as read_problem
from .errors import (
    ArgumentError,
    DimensionError,
    Error,
    FileError,
    Interrupted,
    LimitError,
    ModelError,
    ModelSyntaxError,
    NoSolution,
    NotConverged,
    NumberError,
    OutOfMemory,
    SingularError,
    StepError,
    UnknownName,
    UnsupportedError,
)
from .model import Model, functions, load, loads, models
from .orbits import Branch, Orbit
from .result import Events, NodeTable, Result, States, compare, reference
from .result import open_result as open
from .rollouts import Rollout, rollout
from .simulation import Simulation
from .studies import Study
from .symbols import (
    Symbol,
    acos,
    all_of,
    any_of,
    asin,
    atan,
    atan2,
    cos,
    cosh,
    eq,
    exp,
    log,
    ne,
    no,
    sign,
    sin,
    sinh,
    sqrt,
    tan,
    tanh,
    when,
)
from .symbols import _max as max
from .symbols import _min as min


def schemes() -> dict[str, str]:
    """Give the names of all time-stepping schemes, with their summaries."""
    from . import _core

    return _core.names("schemes")


__all__ = [
    "ArgumentError",
    "Branch",
    "Builder",
    "DimensionError",
    "Error",
    "Events",
    "FileError",
    "Interrupted",
    "Item",
    "LimitError",
    "Model",
    "ModelError",
    "ModelSyntaxError",
    "NoSolution",
    "NodeTable",
    "NotConverged",
    "NumberError",
    "Orbit",
    "OutOfMemory",
    "Part",
    "Result",
    "Rollout",
    "Simulation",
    "SingularError",
    "States",
    "StepError",
    "Study",
    "Symbol",
    "UnknownName",
    "UnsupportedError",
    "__version__",
    "acos",
    "all_of",
    "any_of",
    "asin",
    "atan",
    "atan2",
    "compare",
    "contact",
    "cos",
    "cosh",
    "eq",
    "errors",
    "exp",
    "functions",
    "item",
    "load",
    "loads",
    "log",
    "max",
    "min",
    "models",
    "ne",
    "no",
    "open",
    "read_problem",
    "reference",
    "rollout",
    "schemes",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "when",
]
