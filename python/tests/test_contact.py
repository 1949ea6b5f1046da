"""Contact problems alone."""
import numpy as np
import pytest
from conftest import needs_hdf5
from hypothesis import given, settings
from hypothesis import strategies as st

import picus
from picus import contact


def random_problem(seed, contacts, velocities):
    random = np.random.default_rng(seed)
    W = random.standard_normal((velocities, 3 * contacts))
    M = np.diag(random.uniform(0.5, 2, velocities))
    c = random.standard_normal(3 * contacts)
    return M, W, c, random.uniform(0, 1, contacts)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5))
def test_solutions_fulfil_the_laws(seed, contacts):
    M, W, c, mu = random_problem(seed, contacts, 3 * contacts + 2)
    s = contact.solve(M=M, W=W, c=c, mu=mu)
    assert s.converged and s.residual <= 1e-12
    G = W.T @ np.linalg.solve(M, W)
    assert s.xi == pytest.approx(G @ s.P + c, abs=1e-9)
    for k in range(contacts):
        P, xi, mode = s.P[3 * k : 3 * k + 3], s.xi[3 * k : 3 * k + 3], s.modes[k]
        scale = 1e-7 * (1 + np.abs(s.P).max() + np.abs(s.xi).max())
        assert P[0] >= -scale and xi[0] >= -scale and abs(P[0] * xi[0]) < scale
        assert np.hypot(P[1], P[2]) <= mu[k] * P[0] + scale
        if mode == "stick":
            assert np.abs(xi).max() < scale
        if mode == "slip" and mu[k] > 0.01 and P[0] > 0.01:
            assert P[1] * xi[1] + P[2] * xi[2] <= scale


def test_sparse_equals_dense():
    sparse = pytest.importorskip("scipy.sparse")
    M, W, c, mu = random_problem(3, 6, 12)
    W[:6, 9:] = 0
    W[6:, :9] = 0
    G = W.T @ np.linalg.solve(M, W)
    dense = contact.solve(G, c, mu)
    blocks = contact.solve(sparse.csr_matrix(G), c, mu)
    assert blocks.P == pytest.approx(dense.P, abs=1e-9)
    both = contact.solve(M=sparse.csc_matrix(M), W=sparse.csc_matrix(W), c=c, mu=mu)
    assert both.P == pytest.approx(dense.P, abs=1e-9)


def test_all_solvers_and_kinds():
    M, W, c, mu = random_problem(5, 3, 12)
    exact = contact.solve(M=M, W=W, c=c, mu=mu)
    for name in contact.solvers():
        s = contact.solve(M=M, W=W, c=c, mu=mu, solver=name, tolerance=1e-9)
        if s.converged:
            assert s.P == pytest.approx(exact.P, abs=1e-6)
    bilateral = contact.solve(2 * np.eye(1), [3.0], laws=["bilateral"])
    assert bilateral.P.tolist() == [-1.5]
    laws = [("unilateral", 1), ("reservoir", 1)]
    s = contact.solve(np.eye(2), [-1.0, 5.0], mu=[0, 2.0], laws=laws)
    assert s.P.tolist() == [1.0, -2.0] and s.modes == ["stick", "slip"]
    pressed = np.where(np.arange(9) % 3 == 0, -1.0, c)  # all contacts close
    limited = contact.solve(
        M=M, W=W, c=pressed, mu=mu, solver="gs", max_iterations=1, no_fallback=True
    )
    assert not limited.converged and limited.residual > 1e-12


def test_misuse():
    with pytest.raises(TypeError, match="needs G"):
        contact.solve(c=[1.0])
    with pytest.raises(ValueError, match="G is"):
        contact.solve(np.eye(2), [1.0, 2.0, 3.0], mu=0.1)
    with pytest.raises(ValueError, match="divided"):
        contact.solve(np.eye(5), np.zeros(5), mu=[1, 2])
    with pytest.raises(ValueError, match="7 rows .* 1 friction coefficient: give mu"):
        contact.solve(np.eye(7), np.zeros(7), mu=0.3)
    with pytest.raises(ValueError, match="kind"):
        contact.solve(np.eye(1), [1.0], laws=["glue"])
    with pytest.raises(TypeError, match="unknown"):
        contact.solve(np.eye(3), np.zeros(3), mu=0.1, tol=1)
    with pytest.raises(picus.Error):
        contact.solve(np.eye(3), [np.nan, 0, 0], mu=0.1)
    with pytest.raises(picus.Error):
        contact.solve(np.eye(3), np.zeros(3), mu=-1)
    with pytest.raises(picus.UnknownName):
        contact.solve(np.eye(3), np.zeros(3), mu=0.1, solver="none")
    with pytest.raises(ValueError):
        contact.solve(np.eye(3), -np.ones(3), mu=0.1, guess=[1.0])


@needs_hdf5
def test_problem_files(root):
    files = sorted((root / "test/data").rglob("*.hdf5"))[:6]
    if not files:
        pytest.skip("no problem files")
    for path in files:
        try:
            problem = contact.read(path)
        except picus.Error:
            continue
        if problem.size < 300:
            assert problem.solve().residual < 1e-6


def test_every_pair_of_dense_and_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    M = np.diag([2.0, 1.0, 4.0, 1.0])
    W = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 2], [0, 1, 0]])
    expected = contact.solve(W.T @ np.linalg.solve(M, W), [-1, 0.4, 0], mu=0.3).P
    for of_M in (np.asarray, sparse.csr_matrix, sparse.coo_array):
        for of_W in (np.asarray, sparse.csc_matrix, sparse.csr_array):
            P = contact.solve(M=of_M(M), W=of_W(W), c=[-1, 0.4, 0], mu=0.3).P
            assert np.allclose(P, expected, rtol=1e-14)


def test_contiguous_arrays_are_not_copied():
    G, c = np.eye(3), np.array([-1.0, 0.4, 0.0])
    made = contact.problem(G, c, mu=0.3)
    assert np.shares_memory(made.G, G) and np.shares_memory(made.c, c)
    assert not np.shares_memory(contact.problem(np.eye(6)[::2, ::2], c, 0.3).G, G)
