#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What two versions of the program cost at the same error: evaluations and factorisations of
BEFORE.csv and AFTER.csv (run.py) are interpolated on their work-precision curves, log against log,
over the errors that both curves have; prints the geometric mean of the ratios by method, and the
templates with the largest.
usage: equal_error.py BEFORE.csv AFTER.csv"""
import collections
import csv
import math
import sys

POINTS = 5  # at which curves are compared


def curves(path):
    """(log error, log count) of every instance and method, by falling error."""
    found = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["status"] != "ok" or not row["error_rtol"] or not float(row["error_rtol"]) > 0:
                continue
            error = float(row["error_rtol"]) * float(row["rtol"])
            key = row["template"], row["seed"], row["method"]
            for what in ("evaluations", "factorisations"):
                if float(row[what] or 0) > 0:
                    found[(*key, what)].append((math.log(error), math.log(float(row[what]))))
    return {key: sorted(points) for key, points in found.items() if len(points) > 1}


def at(points, x):
    """The curve at log error x, which is within it."""
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y0
    return points[-1][1]


def ratio(before, after):
    """The geometric mean over the common errors, as a logarithm; None: there are none."""
    low, high = max(before[0][0], after[0][0]), min(before[-1][0], after[-1][0])
    if low >= high:
        return None
    places = [low + (high - low) * k / (POINTS - 1) for k in range(POINTS)]
    return sum(at(after, x) - at(before, x) for x in places) / POINTS


def main():
    before, after = curves(sys.argv[1]), curves(sys.argv[2])
    groups, worst = collections.defaultdict(list), collections.defaultdict(list)
    for key in before.keys() & after.keys():
        value = ratio(before[key], after[key])
        if value is not None:
            template, _, method, what = key
            groups[method, what].append(value)
            worst[template, method, what].append(value)
    print("| method | count | curves | after/before at equal error |\n|---|---|---|---|")
    for (method, what), values in sorted(groups.items()):
        print(f"| {method} | {what} | {len(values)} | {math.exp(sum(values) / len(values)):.2f} |")
    print("\nLargest by template, default method:")
    default = {k: math.exp(sum(v) / len(v)) for k, v in worst.items() if k[1] == "default"}
    for (template, _, what), value in sorted(default.items(), key=lambda item: -item[1])[:12]:
        print(f"- {template}, {what}: {value:.2f}")


if __name__ == "__main__":
    main()
