#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints which lines of src/ and include/ a test run did not reach, and the percentage it did, from gcov's counts.

usage: coverage.py BUILD_DIR"""
import collections
import itertools
import json
import pathlib
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent


def counts(build):
    """{file: {line: executions}} over all objects of the library; a file compiled more than once adds up."""
    total = collections.defaultdict(collections.Counter)
    notes = sorted(path for path in build.rglob("*.gcno") if "/tansy_" in path.as_posix())
    for note in notes:
        run = subprocess.run(["gcov", "--json-format", "--stdout", str(note)], capture_output=True, text=True, check=True)
        for document in filter(None, run.stdout.splitlines()):
            parsed = json.loads(document)
            for file in parsed["files"]:
                path = (pathlib.Path(parsed["current_working_directory"]) / file["file"]).resolve()
                if path.is_relative_to(TOP / "src") or path.is_relative_to(TOP / "include"):
                    for line in file["lines"]:
                        total[path.relative_to(TOP).as_posix()][line["line_number"]] += line["count"]
    return total


def ranges(numbers):
    """1 2 3 7 -> 1-3 7"""
    for _, group in itertools.groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        yield str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}"


def main():
    total = counts(pathlib.Path(sys.argv[1]).resolve())
    lines = sum(len(file) for file in total.values())
    reached = sum(1 for file in total.values() for count in file.values() if count > 0)
    for name, file in sorted(total.items()):
        missed = [line for line, count in file.items() if count == 0]
        if missed:
            print(f"{name}: not reached: {' '.join(ranges(missed))}")
    if not lines:
        sys.exit("no counts found")
    print(f"coverage: {reached} of {lines} lines, {100 * reached / lines:.1f} %")


if __name__ == "__main__":
    main()
