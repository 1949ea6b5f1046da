"""Symbols of models: expressions of coordinates, velocities, inputs and parameters.

A symbol is an expression of a model file. Operators, comparisons, the functions below
and those of NumPy build larger ones; arrays of NumPy may hold symbols.
"""
from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Callable, Optional, Union

if TYPE_CHECKING:
    from .builder import Builder


class _Argument:
    """Owner of the arguments of a function: what has one is written in one piece."""

    def _keep(self, text: str) -> str:
        return text


ARGUMENT = _Argument()
Owner = Union["Builder", _Argument]
Expression = Union["Symbol", float]
LONGEST = 400  # characters of an expression that is written in one piece


def number_text(value: Any) -> Optional[str]:
    """Write a number with all its digits; None: it is no number."""
    if isinstance(value, (bool, complex)):
        return None
    try:
        return str(operator.index(value))
    except TypeError:
        pass
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if not math.isfinite(number):
        raise ValueError(f"a model needs finite numbers, not {number}")
    return repr(number)


class Symbol:
    """An expression of a model."""

    __slots__ = ("_builder", "_text")

    def __init__(self, builder: Optional[Owner], text: str) -> None:
        if len(text) > LONGEST and builder is not None:
            text = builder._keep(text)
        self._builder, self._text = builder, text

    # --- operators

    def __add__(self, other: Any) -> Symbol:
        return _infix("+", self, other)

    def __radd__(self, other: Any) -> Symbol:
        return _infix("+", other, self)

    def __sub__(self, other: Any) -> Symbol:
        return _infix("-", self, other)

    def __rsub__(self, other: Any) -> Symbol:
        return _infix("-", other, self)

    def __mul__(self, other: Any) -> Symbol:
        return _infix("*", self, other)

    def __rmul__(self, other: Any) -> Symbol:
        return _infix("*", other, self)

    def __truediv__(self, other: Any) -> Symbol:
        return _infix("/", self, other)

    def __rtruediv__(self, other: Any) -> Symbol:
        return _infix("/", other, self)

    def __pow__(self, other: Any) -> Symbol:
        return _infix("^", self, other)

    def __rpow__(self, other: Any) -> Symbol:
        return _infix("^", other, self)

    def __neg__(self) -> Symbol:
        return Symbol(self._builder, f"(-{self._text})")

    def __pos__(self) -> Symbol:
        return self

    def __abs__(self) -> Symbol:
        return call("abs", self)

    def __lt__(self, other: Any) -> Symbol:
        return call("lt", self, other)

    def __le__(self, other: Any) -> Symbol:
        return call("le", self, other)

    def __gt__(self, other: Any) -> Symbol:
        return call("gt", self, other)

    def __ge__(self, other: Any) -> Symbol:
        return call("ge", self, other)

    def __bool__(self) -> bool:
        raise TypeError(
            f"the expression {self._text} has no value while a model is built; use "
            "picus.when for a choice, picus.min and picus.max, and numbers of Python "
            "for the structure of a model"
        )

    def __float__(self) -> float:
        raise TypeError(f"the expression {self._text} has no value yet")

    def __repr__(self) -> str:
        return self._text

    # --- functions of NumPy: np.sin(q), and np.sin of arrays that hold symbols

    def __array_ufunc__(
        self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any
    ) -> Any:
        function = UFUNCS.get(ufunc.__name__)
        if function is None or method != "__call__" or kwargs:
            raise TypeError(
                f"np.{ufunc.__name__} of symbols has no counterpart in models; these "
                f"functions have one: {', '.join(sorted(UFUNCS))}"
            )
        import numpy as np

        if all(np.ndim(x) == 0 for x in inputs if not isinstance(x, Symbol)):
            # numbers of Python: those of NumPy would come back here
            plain = (x.item() if hasattr(x, "item") else x for x in inputs)
            return function(*plain)
        boxed = []
        for x in inputs:
            box = np.empty((), dtype=object)
            box[()] = x
            boxed.append(box if isinstance(x, Symbol) else np.asarray(x, dtype=object))
        return np.frompyfunc(function, len(boxed), 1)(*boxed)

    def sqrt(self) -> Symbol:
        """Square root."""
        return call("sqrt", self)

    def exp(self) -> Symbol:
        """Exponential function."""
        return call("exp", self)

    def log(self) -> Symbol:
        """Natural logarithm."""
        return call("log", self)

    def sin(self) -> Symbol:
        """Sine."""
        return call("sin", self)

    def cos(self) -> Symbol:
        """Cosine."""
        return call("cos", self)

    def tan(self) -> Symbol:
        """Tangent."""
        return call("tan", self)

    def arcsin(self) -> Symbol:
        """Inverse sine."""
        return call("asin", self)

    def arccos(self) -> Symbol:
        """Inverse cosine."""
        return call("acos", self)

    def arctan(self) -> Symbol:
        """Inverse tangent."""
        return call("atan", self)

    def arctan2(self, other: Any) -> Symbol:
        """Angle of the vector (other, self)."""
        return call("atan2", self, other)

    def sinh(self) -> Symbol:
        """Hyperbolic sine."""
        return call("sinh", self)

    def cosh(self) -> Symbol:
        """Hyperbolic cosine."""
        return call("cosh", self)

    def tanh(self) -> Symbol:
        """Hyperbolic tangent."""
        return call("tanh", self)


def _text(value: Any) -> str:
    if isinstance(value, Symbol):
        return value._text
    text = number_text(value)
    if text is None:
        raise TypeError(f"{value!r} is neither a number nor a symbol of a model")
    return f"({text})" if text.startswith("-") else text


def _builder_of(*values: Any) -> Optional[Owner]:
    found: Optional[Owner] = None
    for value in values:
        builder = value._builder if isinstance(value, Symbol) else None
        if builder is ARGUMENT:
            return ARGUMENT
        if builder is None or builder is found:
            continue
        if found is not None:
            raise ValueError("an expression has symbols of two models")
        found = builder
    return found


def _infix(op: str, a: Any, b: Any) -> Symbol:
    if not isinstance(a, Symbol) and number_text_or_none(a) is None:
        return NotImplemented
    if not isinstance(b, Symbol) and number_text_or_none(b) is None:
        return NotImplemented
    return Symbol(_builder_of(a, b), f"({_text(a)} {op} {_text(b)})")


def number_text_or_none(value: Any) -> Optional[str]:
    """Write a number; None for arrays, which multiply element by element."""
    if getattr(value, "ndim", 0):
        return None
    return number_text(value)


def call(name: str, *arguments: Any) -> Symbol:
    """Apply a function of model files."""
    return Symbol(
        _builder_of(*arguments), f"{name}({', '.join(map(_text, arguments))})"
    )


def _function(name: str, plain: Callable[..., float], text: str) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:
        if any(getattr(a, "ndim", 0) for a in arguments):
            import numpy as np

            return np.frompyfunc(function, len(arguments), 1)(*arguments)
        if any(isinstance(a, Symbol) for a in arguments):
            return call(name, *arguments)
        return plain(*arguments)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{text}, of numbers, symbols or arrays of them."
    return function


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


sqrt = _function("sqrt", math.sqrt, "Square root")
exp = _function("exp", math.exp, "Exponential function")
log = _function("log", math.log, "Natural logarithm")
sin = _function("sin", math.sin, "Sine")
cos = _function("cos", math.cos, "Cosine")
tan = _function("tan", math.tan, "Tangent")
asin = _function("asin", math.asin, "Inverse sine")
acos = _function("acos", math.acos, "Inverse cosine")
atan = _function("atan", math.atan, "Inverse tangent")
atan2 = _function("atan2", math.atan2, "Angle of the vector (x, y) from y, x")
sinh = _function("sinh", math.sinh, "Hyperbolic sine")
cosh = _function("cosh", math.cosh, "Hyperbolic cosine")
tanh = _function("tanh", math.tanh, "Hyperbolic tangent")
sign = _function("sign", _sign, "-1, 0 or 1")
_min = _function("min", min, "Smallest value")
_max = _function("max", max, "Largest value")


def when(condition: Any, a: Expression, b: Expression) -> Symbol:
    """Choose a if the condition holds, such as ``q.x < 0``, otherwise b."""
    return call("when", condition, a, b)


def eq(a: Expression, b: Expression) -> Symbol:
    """Make the condition a = b."""
    return call("eq", a, b)


def ne(a: Expression, b: Expression) -> Symbol:
    """Make the condition that a and b differ."""
    return call("ne", a, b)


def all_of(*conditions: Symbol) -> Symbol:
    """Make the condition that all conditions hold."""
    return call("all", *conditions)


def any_of(*conditions: Symbol) -> Symbol:
    """Make the condition that one of the conditions holds."""
    return call("any", *conditions)


def no(condition: Symbol) -> Symbol:
    """Make the condition that the condition does not hold."""
    return call("no", condition)


UFUNCS: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "true_divide": operator.truediv,
    "power": operator.pow,
    "float_power": operator.pow,
    "negative": operator.neg,
    "positive": operator.pos,
    "square": lambda x: x**2,
    "absolute": abs,
    "fabs": abs,
    "sqrt": sqrt,
    "exp": exp,
    "log": log,
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "arcsin": asin,
    "arccos": acos,
    "arctan": atan,
    "arctan2": atan2,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
    "sign": sign,
    "minimum": _min,
    "maximum": _max,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
