#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The yardstick: how good the program is on natural models with random parameters, by every method; see README.md."""
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
FIELDS = ("template", "seed", "method", "rtol", "status", "error_rtol", "where", "condition_rtol", "told", "verdict",
          "false_warning", "steps", "evaluations", "tangents", "jacobians", "factorisations", "cpu")
COUNTS = {"steps": "steps", "evaluations": "rhs_evals", "tangents": "tangent_evals", "jacobians": "jacobian_evals",
          "factorisations": "factorizations"}


def measure(path, instance, method, rtol, made):
    """One row of the table."""
    row = {"template": instance.name, "seed": instance.seed, "method": method, "rtol": rtol, "status": "no_reference"}
    if not reference.serves(made, float(rtol)):
        return {**row, "verdict": "no_reference"}
    words = ["--rtol", rtol] + ([] if method == "default" else ["--method", method])
    run = program.solve(path, instance.text, instance.rows(), words, LIMIT)
    row["status"] = run.status
    row.update({field: run.counts.get(name, "") for field, name in COUNTS.items()}, cpu=f"{run.cpu:.3f}")
    condition = made["condition"] / made["move"]   # for moves of rtol, in units of rtol
    off, where, told = 0.0, "", False
    if run.status == "ok":
        places = [made["names"].index(name) for name in run.names]   # a twin has more names, in another order
        exact = [[row[j] for j in places] for row in made["rows"]]
        off, where = norm.error(run.names, exact, run.rows, made["size"], instance.values)
        told = norm.told(run.said, run.names)
        row.update(error_rtol=f"{off / float(rtol):.4g}", where=where, condition_rtol=f"{condition:.4g}", told=int(told))
    judged = (run.status, off / float(rtol), condition, told)
    return {**row, "verdict": norm.verdict(*judged), "false_warning": int(norm.false_warning(*judged))}


def one_instance(words, path, seed):
    instance = template.draw(path, seed)
    made = reference.reference(words.reference_program, instance, words.cache)
    return [measure(words.program, instance, method, rtol, made) for method in words.methods for rtol in words.rtol]


def arguments(argv):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--seeds", default="0:3", help="first:end of every template (0:3)")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--rtol", default=",".join(RTOLS))
    parser.add_argument("--templates", default="*", help="names, with commas between, that may have * in them")
    parser.add_argument("--out", type=pathlib.Path, default=TOP / "bench/results/yardstick.csv")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--cache", type=pathlib.Path, default=TOP / "build/yardstick", help="of references")
    parser.add_argument("--reference-program", type=os.path.abspath, help="that makes references (the program itself)")
    parser.add_argument("--show", action="store_true", help="print the instances, solve nothing")
    words = parser.parse_args(argv)
    words.reference_program = words.reference_program or words.program
    words.methods, words.rtol = words.methods.split(","), words.rtol.split(",")
    words.paths = sorted({path for pattern in words.templates.split(",") for path in template.paths(pattern)})
    words.seeds = range(*map(int, words.seeds.split(":")))
    if not words.paths or not words.seeds:
        parser.error("no template has such a name, or there is no seed")
    return words


def main(argv):
    words = arguments(argv)
    jobs = [(path, seed) for path in words.paths for seed in words.seeds]
    if words.show:
        print("\n".join(f"# {path.stem}, seed {seed}\n{template.draw(path, seed).text}" for path, seed in jobs))
        return
    words.out.parent.mkdir(parents=True, exist_ok=True)
    with open(words.out, "w", encoding="utf-8", newline="") as file, concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        table = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        table.writeheader()
        for done, rows in enumerate(pool.map(lambda job: one_instance(words, *job), jobs), 1):
            table.writerows(rows)
            file.flush()
            print(f"{done}/{len(jobs)} {rows[0]['template']} {rows[0]['seed']}", file=sys.stderr)
    summary.main([str(words.out)])


if __name__ == "__main__":
    main(sys.argv[1:])
