#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what a program prints with a stored text: words must be equal, numbers close.

usage: compare_output.py EXPECTED COMMAND [ARGUMENT]...
A first line `# tolerance R [A]` of EXPECTED allows |a - e| <= R max(|a|, |e|) + A; without it R = 1e-3, A = 0.
"""
import itertools
import re
import subprocess
import sys

MAX_SHOWN = 20


def number(word):
    try:
        return float(word)
    except ValueError:
        return None


def same(actual, expected, relative, absolute):
    a, e = number(actual), number(expected)
    if a is None or e is None:
        return actual == expected
    return abs(a - e) <= relative * max(abs(a), abs(e)) + absolute  # NaN and infinity differ from everything


def differences(actual, expected, relative, absolute):
    split = re.compile(r"[\s,;:=()\[\]|]+").split
    for row, (a, e) in enumerate(itertools.zip_longest(actual, expected), 1):
        if a is None or e is None:
            yield f"line {row}: got {a!r}, expected {e!r}"
            continue
        words = itertools.zip_longest(split(a.strip()), split(e.strip()), fillvalue="(nothing)")
        for column, (x, y) in enumerate(words, 1):
            if not same(x, y, relative, absolute):
                yield f"line {row}, word {column}: got {x}, expected {y}, tolerance {relative:g} {absolute:g}"


def main():
    path, command = sys.argv[1], sys.argv[2:]
    with open(path, encoding="utf-8") as file:
        expected = file.read().splitlines()
    relative, absolute = 1e-3, 0.0
    if expected and (first := re.match(r"#\s*tolerance\s+(\S+)\s*(\S+)?\s*$", expected[0])):
        relative, absolute = float(first[1]), float(first[2] or 0)
        del expected[0]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    found = list(differences(run.stdout.splitlines(), expected, relative, absolute))
    for line in found[:MAX_SHOWN]:
        print(line)
    if len(found) > MAX_SHOWN:
        print(f"and {len(found) - MAX_SHOWN} more")
    if run.returncode != 0:
        print(f"{command[0]} ended with status {run.returncode}")
    sys.exit(1 if found or run.returncode != 0 else 0)


if __name__ == "__main__":
    main()
