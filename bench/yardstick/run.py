#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The yardstick: how good the program is on natural models with random parameters, by every method;
see README.md."""
import argparse
import concurrent.futures
import csv
import os
import pathlib
import sys

import norm
import program
import reference
import summary
import template

METHODS = ("default", "adams", "bdf", "dassl", "rk8", "rosenbrock", "limex")
RTOLS = ("1e-4", "1e-6", "1e-8")
LIMIT = 20  # CPU seconds of one run
TOP = pathlib.Path(__file__).resolve().parent.parent.parent
COUNTS = {"steps": "steps", "evaluations": "rhs_evals", "tangents": "tangent_evals",
          "jacobians": "jacobian_evals", "factorisations": "factorizations", "seconds": "seconds"}
FIELDS = ("template", "seed", "method", "rtol", "status", "error_rtol", "where", "condition_rtol",
          "told", "verdict", "false_warning", *COUNTS, "cpu")


def judge(run, made, rtol, values):
    """Error, condition (both in units of rtol), told, verdict and false warning."""
    condition = made["condition"] / made["move"]
    off, where, told = 0.0, "", False
    if run.status == "ok":
        places = [made["names"].index(name) for name in run.names]   # a twin has more, elsewhere
        exact = [[row[j] for j in places] for row in made["rows"]]
        off, where = norm.error(run.names, exact, run.rows, made["size"], values)
        told = norm.told(run.said, run.names)
    judged = (run.status, off / rtol, condition, told)
    row = {"verdict": norm.verdict(*judged), "false_warning": int(norm.false_warning(*judged))}
    if run.status == "ok":
        row.update(error_rtol=f"{off / rtol:.4g}", condition_rtol=f"{condition:.4g}", where=where,
                   told=int(told))
    return row


def measure(path, instance, method, rtol, made, options=None):
    """One row of the table, of the method, or of what the options ask for."""
    row = {"template": instance.name, "seed": instance.seed, "method": method, "rtol": rtol}
    if not reference.serves(made, float(rtol)):
        return {**row, "status": "no_reference", "verdict": "no_reference"}
    if options is None:
        options = [] if method == "default" else ["--method", method]
    words = ["--rtol", rtol, *options]
    run = program.solve(path, instance.text, instance.rows(), words, LIMIT)
    counts = {field: run.counts.get(name, "") for field, name in COUNTS.items()}
    return {**row, "status": run.status, **judge(run, made, float(rtol), instance.values),
            **counts, "cpu": f"{run.cpu:.3f}"}


def one_instance(words, path, seed):
    instance = template.draw(path, seed)
    made = reference.reference(words.reference_program, instance, words.cache)
    return [measure(words.program, instance, method, rtol, made)
            for method in words.methods for rtol in words.rtol]


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("program", type=os.path.abspath)
    add("--seeds", default="0:3", help="first:end, of every template (0:3)")
    add("--methods", default=",".join(METHODS))
    add("--rtol", default=",".join(RTOLS))
    add("--templates", default="*", help="names with commas between; * is any part of one")
    add("--out", type=pathlib.Path, default=TOP / "bench/results/yardstick.csv")
    add("--jobs", type=int, default=2)
    add("--cache", type=pathlib.Path, default=TOP / "build/yardstick", help="of references")
    add("--reference-program", type=os.path.abspath, help="makes references (PROGRAM)")
    add("--show", action="store_true", help="print the instances, solve nothing")
    words = parser.parse_args(argv)
    words.reference_program = words.reference_program or words.program
    words.methods, words.rtol = words.methods.split(","), words.rtol.split(",")
    words.paths = sorted({path for pattern in words.templates.split(",")
                          for path in template.paths(pattern)})
    words.seeds = range(*map(int, words.seeds.split(":")))
    if not words.paths or not words.seeds:
        parser.error("no template has such a name, or there is no seed")
    return words


def main(argv):
    words = arguments(argv)
    jobs = [(path, seed) for path in words.paths for seed in words.seeds]
    if words.show:
        for path, seed in jobs:
            print(f"# {path.stem}, seed {seed}\n{template.draw(path, seed).text}")
        return
    words.out.parent.mkdir(parents=True, exist_ok=True)
    with open(words.out, "w", encoding="utf-8", newline="") as file, \
            concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        table = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        table.writeheader()
        made = pool.map(lambda job: one_instance(words, *job), jobs)
        for done, rows in enumerate(made, 1):
            table.writerows(rows)
            file.flush()
            print(f"{done}/{len(jobs)} {rows[0]['template']} {rows[0]['seed']}", file=sys.stderr)
    summary.main([str(words.out)])


if __name__ == "__main__":
    main(sys.argv[1:])
