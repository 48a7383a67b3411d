#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the default stops, or is silently wrong, though bdf or dassl named by hand ends with the right solution: templates of the
yardstick at rtol = 1e-3 .. 1e-9, with automatic atol, atol = rtol and atol = rtol/100, with S and without.  Right is an error of
at most 100 rtol in the norm of the yardstick, with atol/rtol as the floor where that is larger; told as there.
usage: default_trial.py PROGRAM [TEMPLATES [SEEDS]]     ethane,co_oxidation,batch_reactor,robertson,radical_pool,enzyme_nM and 2"""
import concurrent.futures
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "yardstick"))
# pylint: disable=wrong-import-position
import norm
import program
import reference
import template

CACHE = pathlib.Path(__file__).resolve().parent.parent / "build/yardstick"
TEMPLATES = "ethane,co_oxidation,batch_reactor,robertson,radical_pool,enzyme_nM"
ATOLS = {"auto": 0, "rtol": 1, "rtol/100": 0.01}   # over rtol
LIMIT = 20  # CPU seconds of one run


def judge(it, made, run, rtol, share):
    """`right`, `told`, `silent`, or what else became of the run; with the error in units of rtol."""
    if run.status != "ok":
        return run.status, 0
    places = [made["names"].index(name) for name in run.names]
    exact = [[row[j] for j in places] for row in made["rows"]]
    size = {name: max(value, 1e3 * share) for name, value in made["size"].items()}   # floors are 1e-3 of it
    off = norm.error(run.names, exact, run.rows, size, it.values)[0] / rtol
    if off <= norm.PROMISE:
        return "right", off
    return "told" if norm.told(run.said, run.names) else "silent", off


def one_instance(job):
    """Lines of what is worse by default, and the number of cases."""
    words, path, seed = job
    it = template.draw(path, seed)
    made = reference.reference(words, it, CACHE)
    lines, count = [], 0
    for rtol in (10.0**-digits for digits in range(3, 10) if reference.serves(made, 10.0**-digits)):
        for atol, share in ATOLS.items():
            for sens in ("all", "none"):
                found = {}
                for method in ("auto", "bdf", "dassl"):
                    options = ["--method", method, "--rtol", repr(rtol), "--sens", sens, "--atol", "auto" if atol == "auto" else repr(share * rtol)]
                    found[method] = judge(it, made, program.solve(words, it.text, it.rows(), options, LIMIT), rtol, share)
                count += 1
                by_hand = [method for method in ("bdf", "dassl") if found[method][0] == "right"]
                if found["auto"][0] not in ("right", "told") and by_hand:
                    lines.append(f"{it.name} {seed}, rtol {rtol:.0e}, atol {atol}, S {sens}: {found['auto'][0]} ({found['auto'][1]:.3g} rtol); right: {', '.join(by_hand)}")
    return lines, count


def main():
    names = (sys.argv[2] if len(sys.argv) > 2 else TEMPLATES).split(",")
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 2
    jobs = [(os.path.abspath(sys.argv[1]), path, seed) for name in names for path in template.paths(name) for seed in range(seeds)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(one_instance, jobs))
    for lines, _ in found:
        print("\n".join(lines), end="\n" if lines else "")
    print(f"{sum(len(lines) for lines, _ in found)} of {sum(count for _, count in found)} cases are worse by default")


if __name__ == "__main__":
    main()
