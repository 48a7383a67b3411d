#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every model in examples/models against examples/models/expected: NAME.csv, some columns of a run at rtol 1e-10, which a run at
1e-6 must meet to 100 rtol in the norm of docs/design.md, section 12 (largest error over the states, so error control
is asked for the same); implicit models against tests/reference too. Multipliers of index 2, which no error test holds, count relative
to the largest value of their column.
usage: models_test.py TANSY [--replace [NAME]...]"""
import csv
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = TOP / "examples" / "models"
# These amplify errors: over their whole span columns miss the promise (tests/cli/models.py), so they are held to it this far.
WELL_CONDITIONED_TO = {"brusselator": 6, "brusselator_1d": 3, "brusselator_2d": 0.5, "lotka_volterra": 5}
POINTS, MOST_COLUMNS, RTOL, DEFAULT_ATOL = 5, 48, 1e-6, 1e-9
LEFT_OUT = {"heat_400"}  # 160,000 states take too long here; tests/cli/models.py solves it on a smaller grid
MULTIPLIERS = {"pendulum": {"x5"}}
# Model: file in tests/reference, its names for states and parameters where they differ.
REFERENCES = {
    "akzo_nobel": ("akzo_nobel", {}),
    "crane": ("crane_8", {f"u{c}_{k}": f"u{c}[{k}]" for c in (1, 2) for k in range(1, 9)}),
    "batch_reactor": ("batch_reactor", {}),
    "pendulum": ("pendulum", {"p1": "length"}),
    "robertson_dae": ("robertson", {"y1": "A", "y2": "B", "y3": "C", "p1": "k1", "p2": "k2", "p3": "k3"}),
    "transistor_amplifier": ("transistor", {f"y{i}": f"U{i}" for i in range(1, 9)}),
}


def solve(tansy, model, rtol, at=None):
    """Names and rows of a run."""
    times = ["--at", ",".join(at)] if at else ["--points", str(POINTS)]
    command = [tansy, "solve", str(model), *times, "--rtol", str(rtol), "--norm", "max", "--quiet"]
    if not at and model.stem in WELL_CONDITIONED_TO:
        command += ["--to", str(WELL_CONDITIONED_TO[model.stem])]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {run.returncode}: {run.stderr}")
    rows = list(csv.reader(line for line in run.stdout.splitlines() if not line.startswith("#")))
    return rows[0], [[float(value) for value in row] for row in rows[1:]]


def keep(names):
    """The first column and at most MOST_COLUMNS others, evenly spread."""
    others = range(1, len(names))
    step = max(1, -(-len(others) // MOST_COLUMNS))
    return [0, *others[::step]]


def parts(name):
    """d(x)/d(p) -> (x, p); x -> (x, None)."""
    match = re.fullmatch(r"d\((.*)\)/d\((.*)\)", name)
    return match.groups() if match else (name, None)


class Norm:
    """Errors in the norm of docs/design.md, section 12, for a run of a model."""

    def __init__(self, tansy, model, names, rows):
        self.names, self.rows, self.multipliers = names, rows, MULTIPLIERS.get(model.stem, set())
        self.size = {names[j]: max(abs(row[j]) for row in rows) for j in range(1, len(names))}
        text = model.read_text("utf-8")
        self.atol = {x: float(value) for x, value in re.findall(r"(\w+)[^,\n]* atol (\S+?)[,\n]", text)}
        self.parameters = parameters_of(tansy, model)

    def error(self, column, row, want):
        x, p = parts(column)
        scale = abs(self.parameters[p]) or 1.0 if p else 1.0
        floor = max(self.atol.get(x, DEFAULT_ATOL) / RTOL, 1e-3 * self.size[x])
        value = self.size[column] if x in self.multipliers else abs(want)
        return abs(row[self.names.index(column)] - want) * scale / (value * scale + floor)


def verdict(name, columns, worst):
    print(f"{name}: {columns} columns, e/rtol = {worst / RTOL:.2g}")
    return worst <= 100 * RTOL


def compare(name, tansy, model):
    norm = Norm(tansy, model, *solve(tansy, model, RTOL))
    with open(MODELS / "expected" / f"{name}.csv", encoding="utf-8", newline="") as file:
        table = list(csv.reader(file))
    expected_names, expected = table[0], [[float(value) for value in row] for row in table[1:]]
    worst = max(norm.error(column, got, want[j]) for j, column in list(enumerate(expected_names))[1:]
                for got, want in zip(norm.rows, expected))
    return verdict(name, len(expected_names), worst) and len(norm.rows) == len(expected) == POINTS


def compare_reference(name, tansy, model):
    """The values of tests/reference: t, quantity, parameter (or empty), value."""
    file, other = REFERENCES[name]
    lines = (TOP / "tests" / "reference" / f"{file}.csv").read_text("utf-8").splitlines()
    table = [row for row in csv.reader(line for line in lines if not line.startswith("#")) if row[0] != "t"]
    times = sorted({row[0] for row in table}, key=float)
    norm = Norm(tansy, model, *solve(tansy, model, RTOL, times))
    at = {float(time): row for time, row in zip(times, norm.rows)}
    worst, columns = 0.0, set()
    for t, x, p, value, *_ in table:
        x, p = other.get(x, x), other.get(p, p)
        column = f"d({x})/d({p})" if p else x
        if column not in norm.names:  # a constant of the model
            continue
        columns.add(column)
        worst = max(worst, norm.error(column, at[float(t)], float(value)))
    return verdict(f"{name}, tests/reference/{file}.csv", len(columns), worst)


def parameters_of(tansy, model):
    text = subprocess.run([tansy, "check", str(model)], capture_output=True, text=True, check=False).stdout
    block = text.split("\nparameters\n")[1].split("\n\n")[0] if "\nparameters\n" in text else ""
    return {line.split()[0]: float(line.split()[1]) for line in block.splitlines() if len(line.split()) > 1}


def replace(name, tansy, model):
    names, rows = solve(tansy, model, 1e-10)
    with open(MODELS / "expected" / f"{name}.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([names[j] for j in keep(names)])
        writer.writerows([[f"{row[j]:.12g}" for j in keep(names)] for row in rows])


def main():
    tansy, good = str(pathlib.Path(sys.argv[1]).resolve()), True
    models = sorted(MODELS.glob("*.tansy"))
    for model in models:
        name = model.stem
        if name in LEFT_OUT:
            continue
        if "--replace" in sys.argv and (len(sys.argv) == 3 or name in sys.argv):
            replace(name, tansy, model)
        good = compare(name, tansy, model) and good
        if name in REFERENCES:
            good = compare_reference(name, tansy, model) and good
    sys.exit(0 if good and len(models) > 10 else 1)


if __name__ == "__main__":
    main()
