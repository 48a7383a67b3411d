#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pulses of time (docs/program.md) that a step may pass unseen: random models, of widths from 1e-5 to 1e-1 of the run, with default
options by every method, against rk8, or rosenbrock where it is implicit, at rtol = 1e-11 with break times all over the pulse, and a
second reference at 1e-9 by rosenbrock, or limex.  A run is kept where the errors of y and of all columns are below 100 rtol or three times the
condition: what the solution changes by as all parameters move by +- rtol.  Others are missed, and silent where nothing was said; unseen
are those of them whose error is of the size of the solution, 0.5 and more, as it is where a pulse is not there.
usage: pulse_trial.py PROGRAM [FIRST:END]     seeds of each family, 0:40"""
import concurrent.futures
import csv
import math
import os
import random
import subprocess
import sys
import tempfile

RTOL = 1e-6
EXPLICIT = ("auto", "adams", "bdf", "dassl", "rk8", "rosenbrock", "limex")
IMPLICIT = ("auto", "dassl", "rosenbrock", "limex")
GAUSS = "A/w*exp(-((time - tc)/w)^2)"
ON = "1/(1 + exp(-(time - t1)/w))"
OFF = "1/(1 + exp(-(time - t2)/w))"
ROD = ("constant N = 12", "state u[1..N] = 0", "u[1]' = k*N^2*(u[2] - u[1]) + %s*exp(-1/4)",
       "u[i]' = k*N^2*(u[i-1] - 2*u[i] + u[i+1]) + %s*exp(-(i - N/2)^2/4) for i in 2..N-1", "u[N]' = k*N^2*(u[N-1] - u[N]) - u[N]")
FAMILIES = {
    "from rest": ("state x = 0", f"x' = {GAUSS} - k*x"),
    "steady state": ("state x = q/k, z = 1", f"x' = q - k*x + {GAUSS}", "z' = 0.3*x*(1 - z)/(1 + x)"),
    "factor of states": ("state x = 1, z = 0", f"x' = -{GAUSS}*x/(1 + x)", "z' = x - k*z"),
    "in an exponential": ("state T = 1, x = 0", "T' = 0.1*(1.2 - T)", f"x' = A/w*exp(-q/T - ((time - tc)/w)^2) - k*x"),
    "oscillator": ("state x = 0, v = 0", "x' = v", f"v' = -4*x - k*v + {GAUSS}"),
    "stiff": ("state x = 0, z = 0", f"x' = 1000*({GAUSS} - k*(x - z))", "z' = k*(x - z)"),
    "index 1": ("state x = 0", "algebraic z = 0", "x' = z - k*x", f"0 = z*(1 + 0.1*z*w/A) - {GAUSS}"),
    "rod": tuple(line.replace("%s", GAUSS) for line in ROD),
    "moving laser": ("constant N = 12", "state u[1..N] = 0", "u[1]' = k*N^2*(u[2] - u[1])",
                     "u[i]' = k*N^2*(u[i-1] - 2*u[i] + u[i+1]) + A/w*exp(-((time - tc)/w - 3*(i/N - 0.5))^2) for i in 2..N-1",
                     "u[N]' = k*N^2*(u[N-1] - u[N]) - u[N]"),
    "off as a product": ("state x = 0", f"x' = A/(t2 - t1)*{ON}*(1 - {OFF}) - k*x"),
    "off as a difference": ("state x = 0", f"x' = -k*x + A/(t2 - t1)*{ON} - A/(t2 - t1)*{OFF}"),
    "off by tanh": ("state x = q/k", "x' = q - k*x + A/(t2 - t1)/2*(tanh((time - t1)/w) - tanh((time - t2)/w))"),
    "two pulses": ("state x = 0, z = 0", f"x' = A/w*(exp(-((time - tc)/w)^2) + 0.1*exp(-((time - tc - 2 - 6*w)/w)^2)) - k*x",
                   "z' = x - z*(1 + sin(time))"),
}


def draw(family, seed):
    """The parameters, and the times that the pulse is made of."""
    r = random.Random(f"{family}:{seed}")
    value = {"A": r.uniform(0.5, 2), "k": r.uniform(0.05, 0.8), "q": r.uniform(0.3, 1.5)}
    w = 10 * 10 ** r.uniform(-5, -1)
    middle = r.uniform(2, 6)
    text = "\n".join(FAMILIES[family])
    value["w"] = w
    if "t1" in text:
        value["w"] = w / 8
        value.update(t1=middle, t2=middle + w * r.uniform(0.5, 2))
    else:
        value["tc"] = middle
    return {name: float(f"{x:.6g}") for name, x in value.items() if name in text or name in ("A",)}


def edges(value, family):
    w = value["w"]
    at = [value[name] for name in ("tc", "t1", "t2") if name in value]
    if family == "two pulses":
        at.append(value["tc"] + 2 + 6 * w)
    return at


def text_of(family, value, breaks):
    lines = ["parameter " + ", ".join(f"{name} = {x!r}" for name, x in value.items()), *FAMILIES[family]]
    if breaks:  # a term that is nothing, but for its break times
        times = sorted({t + j * value["w"] for t in edges(value, family) for j in range(-20, 21, 2)})
        steps = " + ".join(f"(if time > {t!r} then 1 else 0)" for t in times if 0 < t < 10)
        lines += ["state none = 0", f"none' = 1e-30*({steps})"]
    return "\n".join([*lines, "time 0 .. 10"]) + "\n"


def write(path, *what):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(*what))


def output_times(family, value):
    times = {10 * i / 40 for i in range(41)} | {t + j * value["w"] for t in edges(value, family) for j in (-2, -1, 0, 1, 2)}
    return sorted(t for t in times if 0 <= t <= 10)


def solve(program, path, method, times, *words):
    """Exit status, what was said, the table without the columns of `none`."""
    words = ["timeout", "-s", "KILL", "20", program, "solve", path, "--method", method, "--once", "--at", ",".join(map(repr, times)), *words]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    rows = list(csv.reader(line for line in run.stdout.splitlines() if not line.startswith("#")))
    if run.returncode or not rows:
        return run.returncode or 1, run.stderr, None
    kept = [i for i, name in enumerate(rows[0]) if not name.startswith(("none", "d(none)"))]
    return 0, run.stderr, ([rows[0][i] for i in kept], [[float(row[i]) for i in kept] for row in rows[1:]])


def error(exact, given, scale):
    """The largest error of norm: |delta s| scale/(|s| scale + 1e-3 max |y|)."""
    names, rows = exact
    if given is None or len(rows) != len(given[1]):
        return math.inf
    largest = {name: max(abs(row[i]) for row in rows) for i, name in enumerate(names)}
    worst = 0
    for i, name in enumerate(names[1:], 1):
        state, parameter = name[2:].split(")/d(") if name.startswith("d(") else (name, None)
        size = abs(scale[parameter[:-1]]) if parameter else 1
        floor = 1e-3 * largest[state]
        for right, is_ in zip(rows, given[1]):
            e = abs(right[i] - is_[i]) * size / (abs(right[i]) * size + floor + 1e-300)
            worst = max(worst, e if e == e else math.inf)
    return worst


def reference(folder, family, value, times):
    path = os.path.join(folder, "reference.tansy")
    write(path, family, value, True)
    methods = ("rosenbrock", "limex") if "algebraic" in "".join(FAMILIES[family]) else ("rk8", "rosenbrock")
    return [solve(PROGRAM, path, method, times, "--rtol", rtol, "--atol", atol)[2]
            for method, rtol, atol in zip(methods, ("1e-11", "1e-9"), ("1e-15", "1e-13"))]


def one_model(job):
    """For each method: (method, error over what it may be, told, evaluations); NaN where there is no reference."""
    family, seed = job
    value = draw(family, seed)
    times = output_times(family, value)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        exact, other = reference(folder, family, value, times)
        if exact is None or other is None or not error(exact, other, value) < 30 * RTOL:
            return [("none", math.nan, False, False)]
        condition = 0
        r = random.Random(seed)
        for _ in range(4):
            moved = {name: x * (1 + RTOL * r.choice((-1, 1))) for name, x in value.items()}
            near = reference(folder, family, moved, times)[0]
            condition = max(condition, error(exact, near, value))
        path = os.path.join(folder, "m.tansy")
        write(path, family, value, False)
        for method in IMPLICIT if "algebraic" in "".join(FAMILIES[family]) else EXPLICIT:
            status, said, table = solve(PROGRAM, path, method, times)
            e = error(exact, table, value) if status == 0 else math.inf
            told = status != 0 or "less exact" in said or "not kept" in said
            allowed = max(100 * RTOL, 3 * condition)
            results.append((method, e / allowed, told, e > max(0.5, allowed)))
            if e > allowed and VERBOSE:
                print(f"  {family} {seed} {method}: {e:.2g}, condition {condition:.2g}, {value}", file=sys.stderr)
    return results


def main():
    first, end = map(int, sys.argv[2].split(":")) if len(sys.argv) > 2 else (0, 40)
    print(f"{'family':20} {'method':10} {'runs':>5} {'missed':>7} {'silent':>7} {'unseen':>7} {'worst':>9}")
    total = [0, 0, 0, 0, 0]
    for family in FAMILIES:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = [x for of in pool.map(one_model, ((family, seed) for seed in range(first, end))) for x in of]
        total[3] += sum(1 for x in results if x[1] != x[1])
        for method in EXPLICIT:
            mine = [x for x in results if x[0] == method]
            missed = [x for x in mine if x[1] > 1]
            silent = sum(1 for x in missed if not x[2])
            if mine:
                worst = max(x[1] for x in mine)
                unseen = sum(x[3] for x in mine)
                print(f"{family:20} {method:10} {len(mine):5} {len(missed):7} {silent:7} {unseen:7} {worst:9.2g}")
                total = [total[0] + len(mine), total[1] + len(missed), total[2] + silent, total[3], total[4] + unseen]
    print(f"{total[0]} runs, {total[1]} missed, {total[2]} of them silent, {total[4]} unseen; {total[3]} models without a reference")
    return 0 if total[2] == 0 else 1


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    VERBOSE = "PULSE_TRIAL_SHOW" in os.environ
    sys.exit(main())
