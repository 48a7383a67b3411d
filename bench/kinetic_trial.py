#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How good automatic absolute tolerances are: kinetic, enzyme and semiconductor-like models with states from 1e-30 to 1e+20, of
which nothing is written but rates and initial values, by every method with default options; norm, references (two methods at
rtol = 1e-11 with an atol of 1e-14 of the size of each state) and verdicts are those of the yardstick (bench/yardstick/README.md).
usage: kinetic_trial.py PROGRAM [SEEDS]     of each of the ten families, 3; the table is written to bench/results/kinetic_trial.csv"""
import concurrent.futures
import csv
import math
import os
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "yardstick"))
# pylint: disable=wrong-import-position
import reference
import run
import summary
import template

TOP = pathlib.Path(__file__).resolve().parent.parent
CACHE = TOP / "build/yardstick"
HEAD = ("method", "rtol", "runs", "kept", "shaky", "missed, told", "silent", "false warnings", "stops", "worst e/rtol")


class Draw:
    """Numbers of a model, each drawn once: its parameters."""

    def __init__(self, name, seed):
        self.seed, self.random = seed, random.Random(f"{name}:{seed}")
        self.values = {}

    def log(self, name, low, high):
        self.values[name] = float(f"{math.exp(self.random.uniform(math.log(low), math.log(high))):.4g}")
        return name

    def logs(self, text):
        """`name low high, ...`"""
        for item in text.split(","):
            name, low, high = item.split()
            self.log(name, float(low), float(high))


def network(d):
    """Mass action among eight species, three of which are there, in mol/cm3, mol/mm3 or mol/nm3."""
    names, unit = [f"c{i}" for i in range(8)], (1, 1e-3, 1e-21)[d.seed % 3]
    starts = {name: d.log(f"{name}0", 1e-8 * unit, 1e-6 * unit) for name in names[:3]}
    lines = ["state " + ", ".join(f"{name} = {starts.get(name, 0)}" for name in names)]
    for j in range(14):
        left = names[:3] + names[3:3 + j // 2]      # what there may be by now
        a, b = d.random.choice(left), d.random.choice(left)
        c = next(name for name in names[3 + j % 5:] + names[3:] if name not in (a, b))
        e = d.random.choice([name for name in names if name not in (a, b, c)])
        if j % 2:
            lines.append(f"{a} + {b} -> {c} + {e}, {d.log(f'k{j}', 1e4 / unit, 1e9 / unit)}*{a}*{b}")
        else:
            lines.append(f"{a} -> {c}, {d.log(f'k{j}', 1e-3, 1e3)}*{a}")
    return lines, d.random.choice((1, 10, 100))


def enzyme(d):
    """Two substrates of nM to uM compete for an enzyme of pM to nM, in M."""
    d.logs("kon 1e6 1e8, koff 0.1 10, kcat 0.1 10, kinh 1e6 1e8, kout 1e-3 0.1, E0 1e-12 1e-8, S0 1e-9 1e-6, I0 1e-10 1e-7")
    return ["state E = E0, A = S0, ES = 0, P = 0, J = I0, EJ = 0", "E + A <-> ES, kon*E*A, koff*ES", "ES -> E + P, kcat*ES",
            "E + J <-> EJ, kinh*E*J, kout*EJ"], 300


def cell(d):
    """Molecules in a cell: a gene, its messenger, a protein that represses it as a dimer."""
    d.logs("km 0.01 1, dm 1e-3 0.1, kp 0.1 10, dp 1e-4 1e-2, kd 1e-6 1e-3, kr 1e-3 1, K 10 1e3")
    return ["state m = 0, p = 0, p2 = 0", "m' = km/(1 + p2/K) - dm*m", "p' = kp*m - dp*p - 2*kd*p^2 + 2*kr*p2", "p2' = kd*p^2 - kr*p2"], 2000


def carriers(d):
    """Electrons, holes and a trap of a semiconductor in 1/cm3, light switched on at 0 on a doped piece."""
    d.logs("G 1e15 1e21, B 1e-15 1e-13, C 1e-32 1e-30, cn 1e-9 1e-7, cp 1e-9 1e-7, Nt 1e10 1e14, N0 1e14 1e17, ni 1e9 1e11")
    return ["state n = N0, p = 0, f = Nt", "let r = B*(n*p - ni^2), a = C*n*n*p, e = cn*n*(Nt - f), h = cp*p*f",
            "n' = G - r - a - e", "p' = G - r - a - h", "f' = e - h"], 1e-4


def chain(d):
    """Radicals of 1e-15 beside 1e-6 mol/cm3: begun, carried on, ended."""
    d.logs("k1 1e-8 1e-3, k2 1e8 1e9, k3 1e4 1e6, k4 1e9 1e11, k5 1e12 1e14, C0 1e-8 1e-6")
    return ["state C = C0, M = 0, X = 0, R = 0, U = 0, Y = 0, Z = 0", "C -> 2 M, k1*C", "M + C -> X + R, k2*M*C", "R -> U + Y, k3*R",
            "Y + C -> Z + R, k4*Y*C", "2 Y -> Z, k5*Y^2"], 20


def logistic(d):
    """Growth from 0 by a source of 1e-14 to 1e-6."""
    d.logs("s 1e-14 1e-6, g 0.5 5, q 0.01 1")
    return ["state u = 0, w = 0", "u' = s + g*u*(1 - u)", "w' = q*u - 0.1*w"], 60


def decades(d):
    """From 0 through 20 decades: an avalanche that feeds another, and is quenched by what it makes."""
    d.logs("s 1e-12 1e-6, g 3 8, K 1e8 1e10, b 1e-12 1e-8, g2 1 3")
    return ["state x = 0, z = 0, v = 0", "x' = s + g*x*(1 - x/K)", "z' = b*x + g2*z*(1 - z/K)", "v' = 1e-10*x*z/(K + z)"], 20


def nuclei(d):
    """1e16 to 1e20 nuclei that decay one into the other, with rates six decades apart."""
    d.logs("N0 1e16 1e20, l1 1e-8 1e-4, l2 1e-3 10, l3 1e-6 1e-2, l4 1e-4 1, f 1e-6 1e-2")
    return ["state n1 = N0, b = 0, c = 0, e = 0, z = 0", "n1 -> b, l1*n1", "b -> c, (1 - f)*l2*b", "b -> e, f*l2*b", "c -> z, l3*c", "e -> z, l4*e"], 1e4


def termination(d):
    """A radical by H' = a - 2 k H^2 from 0, what scavenges it, and what both leave."""
    d.logs("w 1e-14 1e-8, k 1e12 1e14, ks 1e8 1e11, C0 1e-9 1e-7")
    return ["state H = 0, C = C0, P = 0, Q = 0", "H' = w - 2*k*H^2 - ks*H*C", "C' = -ks*H*C", "P' = k*H^2", "Q' = ks*H*C"], 10


def air(d):
    """Ozone in the air, in molecules/cm3: O of 1e3 and less beside O2 of 1e18."""
    d.logs("j1 1e-13 1e-10, j3 1e-5 1e-3, k2 1e-35 1e-33, k4 1e-15 1e-14, k5 1e-15 1e-13, j6 1e-3 1e-2, M 1e17 1e19, N0 1e8 1e10")
    return ["state O = 0, O2 = 0.2*M, O3 = 0, NO = N0, NO2 = 0", "O2 -> 2 O, j1*O2", "O + O2 -> O3, k2*M*O*O2", "O3 -> O + O2, j3*O3",
            "O + O3 -> 2 O2, k4*O*O3", "NO + O3 -> NO2 + O2, k5*NO*O3", "NO2 -> NO + O, j6*NO2"], 1e4


FAMILIES = (network, enzyme, cell, carriers, chain, logistic, decades, nuclei, termination, air)


def instance(family, seed):
    d = Draw(family.__name__, seed)
    lines, end = family(d)
    lines = [f"r{j}: {line}" if "->" in line else line for j, line in enumerate(lines)]
    rows = f"#rows: log {1e-6 * end!r}"     # radicals are largest in the first moment
    text = "\n".join([rows, *(f"parameter {name} = {value!r}" for name, value in d.values.items()), *lines, f"time 0 .. {end}", ""])
    return template.Instance(family.__name__, seed, text, text, template.output_times(text), 1e-3 * end, d.values)


def one_model(job):
    program, family, seed = job
    it = instance(family, seed)
    made = reference.reference(program, it, CACHE)
    return [run.measure(program, it, method, rtol, made) for method in run.METHODS for rtol in run.RTOLS]


def line(key, rows):
    """Of HEAD, from summary's figures (the last two of which are costs)."""
    worst = max((float(row["error_rtol"]) for row in rows if row.get("error_rtol")), default=0)
    return [*key, *summary.figures([{**row, "steps": "", "evaluations": ""} for row in rows])[:-2], f"{worst:.3g}"]


def main():
    program, seeds = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3
    jobs = [(program, family, seed) for family in FAMILIES for seed in range(seeds)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        rows = [row for of in pool.map(one_model, jobs) for row in of]
    with open(TOP / "bench/results/kinetic_trial.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, run.FIELDS, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    groups = summary.groups([{"false_warning": "0", **row} for row in rows], "method", "rtol")
    without = {(row["template"], row["seed"]) for row in rows if row["verdict"] == "no_reference"}
    print(f"{len(jobs)} models; no reference for some rtol of: {sorted(without) or 'none'}\n")
    print("\n".join(summary.table(HEAD, (line(key, of) for key, of in groups.items()))))
    for row in rows:
        if row["verdict"] not in ("kept", "shaky", "refused", "no_reference"):
            print(*(row.get(field, "") for field in ("template", "seed", "method", "rtol", "verdict", "error_rtol", "condition_rtol", "where")))


if __name__ == "__main__":
    main()
