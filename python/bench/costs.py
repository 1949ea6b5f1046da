"""Costs of the Python package: calls, runs, rows, rollouts, import.

    scripts/python-package bench [PART...]

compiles costs.c, which makes the same steps in C, and runs this program with it. It
prints a table with the limits that the package keeps. Parts: steps runs rows rollouts
imports; default: all. Times are CPU times, the least
of many attempts, in C and in Python by turns: other programs may run meanwhile.
"""
import os
import statistics
import subprocess
import sys
import time

import numpy  # noqa: F401  # the first use of an array would load it

import picus

COUNT = 200000  # steps
T_END = 10.0  # of runs, s
ATTEMPTS = 15
RUNS = 1000  # of a rollout


def cpu(function):
    """CPU time of a call, s."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def loop(sim):
    step = sim.step
    for _ in range(COUNT):
        step()


def empty():
    for _ in range(COUNT):
        pass


def in_c(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return float(done.stdout)


def least(**functions):
    """Least values of functions that are called by turns."""
    found = {name: [] for name in functions}
    for _ in range(ATTEMPTS):
        for name, function in functions.items():
            found[name].append(function())
    return {name: min(values) for name, values in found.items()}


def steps(program, model):
    def new():
        return model.simulate(dt=1e-5)

    found = least(
        c=lambda: in_c(program, "step", str(COUNT)),
        one=lambda: cpu(lambda sim=new(): loop(sim)),
        many=lambda: cpu(lambda sim=new(): sim.step(COUNT)),
        loop=lambda: cpu(empty),
    )
    us = {name: 1e6 * value / COUNT for name, value in found.items()}
    yield "picus_sim_step in C, us", us["c"], None
    yield "sim.step(n), us per step", us["many"], None
    yield "sim.step() beyond C, us", us["one"] - us["loop"] - us["c"], 0.1


def runs(program, model):
    def run():
        sim = model.simulate(dt=1e-5)
        return cpu(lambda: sim.run(T_END, record=False))

    found = least(c=lambda: in_c(program, "run", str(T_END)), python=run)
    yield "run in Python / run in C", found["python"] / found["c"], 1.02


def rows(model):
    result = model.simulate(dt=1e-5).run(10, record="y")

    def convert():
        begin = time.perf_counter()
        y, t = result["y"], result.t
        seconds = time.perf_counter() - begin
        assert y.base is not None and len(t) == len(y) == 1000001
        return 1e3 * seconds

    yield "a million rows to NumPy, ms", least(convert=convert)["convert"], 5


class Half:
    """Another process, which makes half of the runs in one thread when it is told."""

    def __init__(self):
        command = [sys.executable, __file__, "half"]
        pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process = subprocess.Popen(command, **pipes)
        self.wait()

    def tell(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def wait(self):
        return float(self._process.stdout.readline())

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def roll(model, count, threads):
    """Wall time and CPU time of a rollout, s."""
    begin, before = time.perf_counter(), time.process_time()
    picus.rollout(model, count=count, dt=1e-4, t_end=1, threads=threads, collect="y")
    return time.perf_counter() - begin, time.process_time() - before


def serve_half():
    model = picus.load("woodpecker")
    print(roll(model, 10, 1)[1], flush=True)
    for _ in sys.stdin:
        print(roll(model, RUNS // 2, 1)[1], flush=True)


def roll_beside(halves):
    """The same runs by two processes: what the machine makes of two cores."""
    begin = time.perf_counter()
    for half in halves:
        half.tell()
    used = sum(half.wait() for half in halves)
    return time.perf_counter() - begin, used


def rollouts(model):
    """One thread, two threads and two processes by turns.

    A busy machine slows all three: the middle of the ratios counts.
    """
    halves = [Half(), Half()]
    turns = []
    roll(model, RUNS, 2)  # memory and threads
    for _ in range(7):
        ways = roll(model, RUNS, 1), roll(model, RUNS, 2), roll_beside(halves)
        turns.append(ways)
    for half in halves:
        half.close()

    def middle(way, which):
        return statistics.median(t[way][which] / t[0][which] for t in turns)

    speed_ups = sorted(one[0] / two[0] for one, two, _ in turns)
    speed_up, cpu_ratio = statistics.median(speed_ups), middle(1, 1)
    yield "1000 woodpeckers in one thread, s", min(t[0][1] for t in turns), None
    yield "speed-up by 2 threads", speed_up, None
    yield "  least of 7", speed_ups[0], None
    yield "  most of 7", speed_ups[-1], None
    yield "CPU time of 2 threads / 1", cpu_ratio, None
    yield "speed-up by 2 processes, for comparison", 1 / middle(2, 0), None
    yield "CPU time of 2 processes / 1 thread", middle(2, 1), None
    # One limit, two ways to keep it: on a busy machine there is no second core, and
    # the threads must at least not use more CPU time.
    excess = min(1.8 - speed_up, cpu_ratio - 1.05)
    yield "below speed-up 1.8 and above CPU ratio 1.05 by", excess, 0


def imports():
    code = (
        "import sys, time; t = time.process_time(); import picus; "
        "print(time.process_time() - t); assert 'numpy' not in sys.modules"
    )
    plain = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def measure():
        command = [sys.executable, "-c", code]
        return 1e3 * float(subprocess.check_output(command, text=True, env=plain))

    yield "import picus, ms", least(measure=measure)["measure"], 30


def main():
    if sys.argv[1] == "half":
        return serve_half()
    program, *wanted = sys.argv[1:]
    model = picus.load("woodpecker")
    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    print(f"{load:.1f} busy programs per core; beyond 1, ratios vary by 0.1 and more")
    print(f"{'quantity':<46}{'value':>10}{'limit':>8}")
    is_kept = True
    parts = {
        "steps": lambda: steps(program, model),
        "runs": lambda: runs(program, model),
        "rows": lambda: rows(model),
        "rollouts": lambda: rollouts(model),
        "imports": imports,
    }
    for part in wanted or parts:
        for name, value, limit in parts[part]():
            kept = limit is None or value <= limit
            is_kept = is_kept and kept
            mark = "" if kept else "  exceeded"
            print(f"{name:<46}{value:10.4g}{'' if limit is None else limit:>8}{mark}")
    return 0 if is_kept else 1


if __name__ == "__main__":
    sys.exit(main())
