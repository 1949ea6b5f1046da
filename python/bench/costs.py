"""Costs of the Python package: calls, runs, rows, import. Prints a table.

    PYTHONPATH=python/src python3 python/bench/costs.py [LOOP]

LOOP: the program of costs.c, which makes the same steps in C. Times are CPU times; the
machine should be idle.
"""
import os
import subprocess
import sys
import time

import numpy  # noqa: F401  # the first use of an array would load it

import picus


def best(function, repeats=7):
    """Least CPU time of some calls, s."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        function()
        times.append(time.process_time() - begin)
    return min(times)


def loop(sim, count):
    step = sim.step
    for _ in range(count):
        step()


def empty(count):
    for _ in range(count):
        pass


def in_c(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return float(done.stdout)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else None
    model = picus.load("woodpecker")
    count = 100000
    rows = []

    def new(**more):
        return model.simulate(dt=1e-5, **more)

    one = best(lambda: loop(new(), count)) / count
    many = best(lambda: new().step(count)) / count
    frame = best(lambda: empty(count)) / count
    rows.append(("sim.step(), us", 1e6 * (one - frame)))
    rows.append(("sim.step(n), us per step", 1e6 * many))
    rows.append(("overhead of sim.step() over step(n), us", 1e6 * (one - frame - many)))
    run = best(lambda: new().run(5, record=False), 5)
    rows.append(("run of 500000 steps, s", run))
    if program:
        c_step = min(in_c(program, "step", str(count)) for _ in range(7)) / count
        c_run = min(in_c(program, "run", "5") for _ in range(5))
        rows.append(("picus_sim_step in C, us", 1e6 * c_step))
        rows.append(("overhead of sim.step() over C, us", 1e6 * (one - frame - c_step)))
        rows.append(("picus_sim_run in C, s", c_run))
        rows.append(("run in Python / run in C", run / c_run))
    result = new().run(10, record="y")
    begin = time.perf_counter()
    y, t = result["y"], result.t
    rows.append((f"{len(y)} rows to NumPy, ms", 1e3 * (time.perf_counter() - begin)))
    assert y.base is not None and len(t) == len(y)
    code = (
        "import time; t = time.process_time(); import picus; "
        "print(time.process_time() - t)"
    )
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times = [
        float(
            subprocess.check_output([sys.executable, "-c", code], text=True, env=plain)
        )
        for _ in range(9)
    ]
    rows.append(("import picus, ms", 1e3 * min(times)))
    wall, cpu = {}, {}
    for threads in (1, 2):
        begin, used = time.perf_counter(), time.process_time()
        picus.rollout(
            model, count=1000, dt=1e-4, t_end=0.5, threads=threads, collect="y"
        )
        wall[threads] = time.perf_counter() - begin
        cpu[threads] = time.process_time() - used
    rows.append(("1000 woodpeckers, speed-up by 2 threads", wall[1] / wall[2]))
    rows.append(("1000 woodpeckers, CPU time with 2 threads / 1", cpu[2] / cpu[1]))
    for name, value in rows:
        print(f"{name:<48}{value:10.4g}")


main()
