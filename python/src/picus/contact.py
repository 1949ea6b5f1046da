"""Contact problems alone: a bench for solvers.

Find percussions P with xi = G P + c, G = W^T M^-1 W, and the law of each contact
between P and xi: see the page on contact solvers of the manual.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from . import _core
from .arrays import numbers, real, view

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .arrays import Numbers

KINDS = ("bilateral", "unilateral", "coulomb", "reservoir", "rolling")


class Problem(NamedTuple):
    """A contact problem.

    Attributes
    ----------
    G : array, or tuple of arrays
        Dense and row-major, or its blocks: (row_start, column, values).
    c : array
        Free velocities.
    laws : array of int32
        Kind and number of rows of each law.
    mu : array
        Friction coefficient, or radius, of each law.
    """

    G: Any
    c: Numbers
    laws: NDArray[np.int32]
    mu: Numbers
    title: str = ""
    guess: Optional[Numbers] = None
    solution: Optional[Numbers] = None

    def solve(self, **options: Any) -> Solution:
        """Solve the problem; options as for :func:`solve`."""
        return _solve(self, options)

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.c)


class Solution(NamedTuple):
    """Percussions of a contact problem and how well they solve it.

    Attributes
    ----------
    P, xi : array
        Percussions (contact impulses) and relative velocities G P + c.
    modes : list of str
        "open", "stick" or "slip" for each law.
    converged : bool
        The residual is below the tolerance.
    info : dict
        Solver, iterations, fallbacks and residual.
    residuals : dict
        Residual of each condition: Signorini, cone, dissipation, de Saxce, FCLIB.
    """

    P: Numbers
    xi: Numbers
    modes: list[str]
    converged: bool
    info: _core.SolveInfo
    residuals: _core.Residuals

    @property
    def residual(self) -> float:
        """Relative residual."""
        return self.info["residual"]["relative"]


def solvers() -> dict[str, str]:
    """Give the names of all contact solvers, with their summaries."""
    return _core.names("solvers")


def _laws(kinds: Any, mu: Any, size: int) -> tuple[NDArray[np.int32], Numbers]:
    import numpy as np

    radii = np.atleast_1d(real(mu).astype(float))
    if kinds is None:  # contacts with friction of equal size
        dim = size // len(radii) if len(radii) else 0
        if len(radii) and (dim * len(radii) != size or dim not in (1, 2, 3, 4)):
            one = "1 friction coefficient" if len(radii) == 1 else ""
            raise ValueError(
                f"{size} rows cannot be divided among "
                f"{one or f'{len(radii)} friction coefficients'}: give mu as an array "
                "with a value for each contact, or laws"
            )
        kinds = [("unilateral" if dim == 1 else "coulomb", dim)] * len(radii)
    pairs = []
    for law in kinds:
        if isinstance(law, str):
            law = (law, {"coulomb": 3}.get(law, 1))
        kind, dim = law
        if kind not in KINDS:
            raise ValueError(f"there is no kind of law {kind!r}; kinds: {KINDS}")
        pairs.append((KINDS.index(kind), int(dim)))
    laws = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    if len(radii) == 1 and len(pairs) != 1:
        radii = np.full(len(pairs), radii[0])
    return laws, numbers(radii)


def _blocks(G: Any, laws: NDArray[np.int32]) -> tuple[Any, Any, Any]:
    """The blocks of a sparse matrix that hold an entry, and those of the diagonal."""
    import numpy as np

    rows = laws[:, 1]
    of_row = np.repeat(np.arange(len(rows)), rows)
    first = np.concatenate([[0], np.cumsum(rows)])
    entries = G.tocoo()
    i, j = of_row[entries.row], of_row[entries.col]
    pairs = np.unique(
        np.concatenate([i * len(rows) + j, np.arange(len(rows)) * (len(rows) + 1)])
    )
    block_i, block_j = pairs // len(rows), pairs % len(rows)
    offset = np.concatenate([[0], np.cumsum(rows[block_i] * rows[block_j])])
    values = np.zeros(int(offset[-1]))
    at = np.searchsorted(pairs, i * len(rows) + j)
    place = offset[at] + (entries.row - first[i]) * rows[j] + entries.col - first[j]
    np.add.at(values, place, entries.data)
    start = np.searchsorted(block_i, np.arange(len(rows) + 1)).astype(np.int32)
    return start, block_j.astype(np.int32), values


def problem(
    G: Any = None,
    c: Any = None,
    mu: Any = 0.0,
    laws: Optional[Sequence[Any]] = None,
    *,
    M: Any = None,
    W: Any = None,
) -> Problem:
    """Make a contact problem from G, or from M and W, as arrays or sparse matrices.

    Parameters
    ----------
    G : array or sparse matrix
        Delassus matrix W^T M^-1 W; a contiguous array of float64 is not copied.
    c : array
        Free velocities, a number for each row.
    mu : float or array
        Friction coefficient of each contact.
    laws : list, optional
        A kind ("coulomb", "unilateral", "bilateral", "reservoir", "rolling") or a pair
        (kind, rows) for each law; default: len(mu) contacts with equally many rows, the
        normal one first.
    M, W : array or sparse matrix
        Mass matrix (nu x nu) and generalized force directions (nu x rows).
    """
    import numpy as np

    if G is None:
        if M is None or W is None:
            raise TypeError("a contact problem needs G, or M and W")
        if hasattr(W, "tocoo"):
            from scipy.sparse import csc_matrix
            from scipy.sparse.linalg import spsolve

            G = W.T @ csc_matrix(spsolve(csc_matrix(M), csc_matrix(W))).reshape(W.shape)
        elif hasattr(M, "tocoo"):
            from scipy.sparse import csc_matrix
            from scipy.sparse.linalg import splu

            G = np.asarray(W).T @ splu(csc_matrix(M)).solve(np.array(W, dtype=float))
        else:
            G = np.asarray(W).T @ np.linalg.solve(M, W)
    if not hasattr(G, "tocoo"):
        G = real(G)
    free = numbers(c)
    kinds, radii = _laws(laws, mu, len(free))
    if G.shape != (len(free), len(free)):
        raise ValueError(f"G is {G.shape}; c has {len(free)} numbers")
    if int(kinds[:, 1].sum()) != len(free):
        raise ValueError(f"the laws have {kinds[:, 1].sum()} rows, c has {len(free)}")
    if hasattr(G, "tocoo"):
        return Problem(_blocks(G, kinds), free, kinds, radii)
    return Problem(numbers(G), free, kinds, radii)


def _solve(given: Problem, options: dict[str, Any]) -> Solution:
    import numpy as np

    known = (
        "solver tolerance max_iterations relaxation facets no_fallback minimum_norm "
        "accept_residual guess"
    ).split()
    unknown = set(options) - set(known)
    if unknown:
        raise TypeError(f"unknown options {sorted(unknown)}; options: {known}")
    guess = options.pop("guess", None)
    P, modes, xi, info, residuals = _core.solve_contacts(
        given.laws,
        given.mu,
        given.G,
        given.c,
        options,
        None if guess is None else numbers(guess),
    )
    names = ("open", "stick", "slip")
    return Solution(
        P=np.frombuffer(P),
        xi=np.frombuffer(xi),
        modes=[names[k] for k in np.frombuffer(modes, dtype=np.int32)],
        converged=info["status"] == _core.OK,
        info=info,
        residuals=residuals,
    )


def solve(
    G: Any = None,
    c: Any = None,
    mu: Any = 0.0,
    laws: Optional[Sequence[Any]] = None,
    *,
    M: Any = None,
    W: Any = None,
    **options: Any,
) -> Solution:
    """Solve a contact problem; see :func:`problem` for G, c, mu, laws, M and W.

    Parameters
    ----------
    **options
        ``solver`` ("auto" or a name of :func:`solvers`), ``tolerance``,
        ``max_iterations``, ``relaxation``, ``facets``, ``no_fallback``,
        ``minimum_norm``, ``accept_residual``, and ``guess`` for P.

    Returns
    -------
    Solution
        Also if the solver did not converge: ``converged`` is then False.

    Examples
    --------
    >>> import numpy as np, picus
    >>> s = picus.contact.solve(np.eye(3), [-1.0, 0.2, 0.0], mu=0.5)
    >>> s.modes, s.converged
    (['stick'], True)
    """
    return _solve(problem(G, c, mu, laws, M=M, W=W), options)


def read(path: Union[str, os.PathLike[str]]) -> Problem:
    """Read a contact problem from an HDF5 file in the layout of FCLIB."""
    import numpy as np

    kinds, radii, G, c, title, guess, solution = _core.read_problem(os.fspath(path))
    laws = np.frombuffer(kinds, dtype=np.int32).reshape(-1, 2)
    if isinstance(G, tuple):
        start, column, values = G
        matrix: Any = (
            np.frombuffer(start, dtype=np.int32),
            np.frombuffer(column, dtype=np.int32),
            view(values),
        )
    else:
        matrix = view(G)
    return Problem(
        matrix,
        view(c),
        laws,
        view(radii),
        title or "",
        None if guess is None else view(guess),
        None if solution is None else view(solution),
    )
