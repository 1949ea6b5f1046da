"""Arrays of NumPy from memory of the C library; NumPy is loaded on first use."""
from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.float64]
    Rows = NDArray[np.void]


def as_it_is(kept: Any) -> Any:
    """Give what a pickle of an object of the extension contains."""
    return kept


def copied(memory: Any) -> bytes:
    """Copy memory of the C library."""
    return bytes(memory)


def view(memory: Any) -> Numbers:
    """Make a read-only array of float64 without a copy."""
    import numpy as np

    array: Numbers = np.frombuffer(memory, dtype=np.float64)
    array.flags.writeable = False
    return array


def real(values: Any) -> NDArray[Any]:
    """Make an array, if values are real numbers; masked ones become NaN."""
    import numpy as np

    if isinstance(values, np.ma.MaskedArray):
        masked: Any = values.astype(np.float64)
        values = masked.filled(np.nan)
    array = np.asarray(values)
    if array.dtype.kind not in "biufO":
        raise TypeError(f"real numbers are needed, not {array.dtype}")
    return array


def numbers(values: Any) -> Numbers:
    """Make a contiguous array of float64; a copy only if values are another."""
    import numpy as np

    return np.ascontiguousarray(real(values), dtype=np.float64)


@lru_cache(maxsize=None)
def row_dtype(name: str) -> np.dtype[Any]:
    """Give the dtype of a structure of the library, such as ``"LawState"``."""
    import numpy as np

    size, fields = _core.row_types[name]
    return np.dtype(
        {
            "names": list(fields),
            "formats": [
                (letters, (length,)) if length else letters
                for letters, _, length in fields.values()
            ],
            "offsets": [offset for _, offset, _ in fields.values()],
            "itemsize": size,
        }
    )


def rows(memory: Any, name: str) -> Rows:
    """Make a structured array of memory that holds structures of the library."""
    import numpy as np

    dtype = row_dtype(name)
    array: Rows = np.frombuffer(memory, dtype=np.uint8).view(dtype)
    return array
