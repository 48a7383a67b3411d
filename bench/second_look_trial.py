#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the second look (docs/program.md) is right: random models with conditions, by four methods (implicit ones by
three) at three tolerances, against two runs at rtol = 1e-11 by different methods; a run counts where these agree to 0.3 of its
promise. Told is how many miss the promise, how many of those have no warning, and how many others are warned of.
usage: second_look_trial.py PROGRAM [FIRST:END]     seeds of each of the two families, 0:300"""
import concurrent.futures
import csv
import math
import os
import random
import re
import subprocess
import sys
import tempfile

RTOLS = (1e-4, 1e-6, 1e-8)
PULSE = "if x < c and %s < top then D else 0"
PULSES = (  # begun by x, ended by another state
    ("state x = 1, a = 0, z = 1, full = 0", "x' = -k*x", "a' = (if x < c and full < 1 then D else 0) - g*a",
     "full' = if x < c and full < 1 then D/top else 0"),
    ("state x = 1, a = 0, z = 1, h = 0", "x' = -k*x", f"h' = {PULSE % 'h'}", f"a' = ({PULSE % 'h'}) - g*a^1.5/(1 + a)"),
    ("state x = 1, a = 0.1, z = 1, s = 0", "x' = -k*x", "s' = if x < c and s < top then D*(0.2 + a) else 0",
     "a' = (if x < c and s < top then D*(1 - a) else 0)*0.5/top - g*a"),
    ("state x = 1, a = 0, z = 1, h = 0", "algebraic w = 0", "x' = -k*x", f"0 = w - ({PULSE % 'h'})", "h' = w", "a' = w - g*a"),
    ("state x = 1, a = 0, z = 1", "x' = -k*x",
     "a' = (if x < c and a < top then D*(1.2*top - a) else 0) - g*a*(if x < c and a < top then 0 else 1)"),
    ("state x = 1, a = 0, z = 1, m = 0", "x' = -k*x*(1 + 0.3*sin(time))", "m' = if x < c and m < top then D*(1 + m) else 0",
     "a' = (if x < c and m < top then D*(1 + m)*x else 0) - g*a"),
)
TAILS = ("z' = -kz*a*z*z + 0.1", "z' = kz*a*(1 - z) - 0.5*z", "z' = -kz*a*z/(1 + z) + 0.2*(1 - z)")
NATURAL = (  # ranges of the parameters, then the model
    ("k .05 .5, Ta 0 10, P 5 20, lo 17 19, hi 20 23", "state T = 15, q = 1", "T' = P*q - k*(T - Ta)",
     "q' = if T < lo then 20*(1 - q) else if T > hi then -20*q else 0", "time 0 .. 20"),
    ("q .1 .5, c1 .3 1, c2 .3 1, w .3 .8", "state h1 = 0.4, h2 = 0.5", "let o = if h1 > w then c1*(h1 - w)^1.5 else 0",
     "h1' = q*(1 + 0.5*sin(time)) - o", "h2' = o - c2*sqrt(max(h2, 0))", "time 0 .. 30"),
    ("k 200 2000, m .5 2, c .05 .5, h0 .5 2", "state x = h0, v = 0", "x' = v",
     "v' = -9.81 + (if x < 0 then (-k*x - c*v)/m else 0)", "time 0 .. 2"),
    ("vm .5 2, km .1 1, ki .3 3, s0 1 4, tl .5 2", "state s = s0, p = 0, e = 0",
     "let rate = vm*s/(km + s + s^2/ki)*(if time > tl then 1 else 0.2)", "s' = -rate", "p' = rate",
     "e' = (if p > 0.5*s0 then 1 else 0) - 0.3*e", "time 0 .. 10"),
    ("a .5 1.5, b .05 .5, th .2 .8, n0 .1 .5", "state n = n0, w = 1", "n' = a*n*(1 - n) - b*w*n",
     "w' = -w + max(n - th, 0)*3 + 0.1", "time 0 .. 40"),
    ("mu 2 20, A .1 1, lim .8 1.5", "state x = 2, v = 0, c = 0", "x' = v", "v' = mu*(1 - x^2)*v - x",
     "c' = if x > lim then A else -A*c", "time 0 .. 20"),
    ("R .5 2, L .2 1, C .2 1, V 1 5", "state i = 0, v = 0", "algebraic vd = 0", "L*i' = V*sin(3*time) - R*i - vd",
     "0 = vd - (if v > 0 then v else 0.01*v)", "C*v' = i - v/2", "time 0 .. 15"),
    ("ka .5 2, ke .1 .5, V 5 20, dose 50 150, tau 6 9", "state g = 0, c = 0, e = 0",
     "let given = if time < 0.5 then 2*dose else if time > tau and time < tau + 0.5 then 2*dose else 0",
     "g' = -ka*g + given", "c' = ka*g/V - ke*c", "e' = (if c > 2 then 1 else 0) - 0.2*e", "time 0 .. 24"),
)


def pulses(r):
    value = {"D": 10**r.uniform(1, 6), "top": r.uniform(0.5, 3), "g": r.uniform(0.05, 0.8), "k": r.uniform(0.1, 0.6),
             "c": r.uniform(0.3, 0.8), "kz": r.uniform(0.2, 1)}
    return value, (*r.choice(PULSES), r.choice(TAILS), "time 0 .. 10")


def natural(r):
    ranges, *lines = r.choice(NATURAL)
    each = (words.split() for words in ranges.split(","))
    return {name: r.uniform(float(low), float(high)) for name, low, high in each}, lines


def solve(path, method, rtol):
    """Exit status, what was said, the table."""
    words = [PROGRAM, "solve", path, "--method", method, "--rtol", repr(rtol), "--atol", repr(1e-3 * rtol)]
    run = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    table = list(csv.reader(line for line in run.stdout.splitlines() if not line.startswith("#")))
    return run.returncode, run.stderr, (table[0], [[float(x) for x in row] for row in table[1:]]) if table else None


def error(exact, given, scale):
    """The largest of DESIGN 12's errors; atol/rtol is 1e-3."""
    names, rows = exact
    if len(rows) != len(given[1]):
        return math.inf
    floor = {name: max(1e-3, 1e-3 * max(abs(row[i]) for row in rows)) for i, name in enumerate(names)}
    worst = 0
    for i, name in enumerate(names[1:], 1):
        column = re.fullmatch(r"d\((\w+)\)/d\((\w+)\)", name)
        size, least = (scale[column[2]], floor[column[1]]) if column else (1, floor[name])
        for right, is_ in zip(rows, given[1]):
            e = abs(right[i] - is_[i]) * size / (abs(right[i]) * size + least)
            worst = max(worst, e if e == e else math.inf)
    return worst


def one_model(job):
    """A list of (error in promises, told by the second look, any warning)."""
    family, seed = job
    value, lines = FAMILIES[family](random.Random(seed))
    implicit = any(line.startswith("algebraic") for line in lines)
    results = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.tansy")
        with open(path, "w", encoding="utf-8") as file:
            value = {name: float(f"{x:.4g}") for name, x in value.items()}
            file.write("parameter " + ", ".join(f"{name} = {x}" for name, x in value.items()) + "\n" + "\n".join(lines) + "\n")
        exact, other = (solve(path, method, 1e-11) for method in ("limex", "rosenbrock" if implicit else "rk8"))
        if exact[0] or other[0]:
            return results
        unsure = error(exact[2], other[2], value)
        for rtol in RTOLS:
            for method in ("auto", "limex", "dassl") if implicit else ("auto", "bdf", "rosenbrock", "limex"):
                status, said, table = solve(path, method, rtol)
                if status == 0 and unsure < 0.3 * 100 * rtol:
                    results.append((error(exact[2], table, value) / (100 * rtol), "less exact than promised" in said, "warning" in said))
    return results


def main():
    first, end = map(int, sys.argv[2].split(":")) if len(sys.argv) > 2 else (0, 300)
    for family in FAMILIES:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = [x for of in pool.map(one_model, ((family, seed) for seed in range(first, end))) for x in of]
        missed = [x for x in results if x[0] > 1]
        silent = [x[0] for x in missed if not x[2]]
        falsely = [x[0] for x in results if x[0] <= 1 and x[1]]
        print(f"{family}: {len(results)} runs, {len(missed)} miss the promise, {len(silent)} of these without a warning, by {max(silent, default=0):.2g} "
              f"promises at most; of {len(results) - len(missed)} others {len(falsely)} are told of, at least {min(falsely, default=1):.2g} promises off")


FAMILIES = {"pulses": pulses, "natural": natural}
if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    main()
