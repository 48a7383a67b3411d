#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A page about one table of the yardstick, or about two: before and after.
usage: summary.py CSV [AFTER.csv]        The page is written beside the (last) table, as NAME.md."""
import csv
import math
import pathlib
import statistics
import sys

RANK = ("kept", "shaky", "told", "refused", "stopped", "timeout", "silent", "crash")  # to worse
HEAD = ("runs", "kept", "shaky", "missed, told", "silent", "false warnings", "stops",
        "median steps", "median evaluations")
WHICH = ("template", "seed", "method", "rtol")
COSTS = ("steps", "evaluations", "tangents", "factorisations")
WORSE_COST = 1.25  # evaluations of a run that was kept before and after
LEAST_COST = 100   # evaluations: below this the ratio says nothing


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def median(rows, field):
    values = [float(row[field]) for row in rows if row["status"] == "ok" and row[field]]
    return f"{statistics.median(values):.0f}" if values else "-"


def figures(rows):
    """HEAD of what was run and has a reference: neither refused nor without one."""
    rows = [row for row in rows if row["verdict"] not in ("refused", "no_reference")]
    of = [row["verdict"] for row in rows]
    stops = sum(of.count(word) for word in ("stopped", "timeout", "crash"))
    warned = sum(row["false_warning"] == "1" for row in rows)
    return [len(rows), *(of.count(word) for word in ("kept", "shaky", "told", "silent")),
            warned, stops, median(rows, "steps"), median(rows, "evaluations")]


def groups(rows, *fields):
    """Rows by the values of the fields."""
    found = {}
    for row in rows:
        found.setdefault(tuple(row[field] for field in fields), []).append(row)
    return found


def table(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield "| " + " | ".join(map(str, line)) + " |"
    yield ""


def by(tables, *fields):
    """One line a group, the default first; `before -> after` where two tables differ."""
    grouped = [groups(rows, *fields) for rows in tables]
    for name in sorted(grouped[0], key=lambda name: [word.replace("default", "") for word in name]):
        each = [figures(of.get(name, [])) for of in grouped]
        yield [*name, *(" -> ".join(map(str, dict.fromkeys(cell))) for cell in zip(*each))]


def key(row):
    return tuple(row[field] for field in WHICH)


def both(before, after):
    old = {key(row): row for row in before}
    return [(old[key(row)], row) for row in after if key(row) in old]


def shared(before, after):
    """The runs that both tables have."""
    pairs = both(before, after)
    return [old for old, _ in pairs], [new for _, new in pairs]


def worse(before, after):
    """Runs whose verdict got worse, and those of which a false warning is new."""
    for old, new in both(before, after):
        if "no_reference" in (old["verdict"], new["verdict"]):
            continue
        falls = RANK.index(new["verdict"]) > RANK.index(old["verdict"])
        warned = new["false_warning"] == "1" and old["false_warning"] != "1"
        if falls or warned:
            verdict = new["verdict"] + (", false warning" if warned else "")
            errors = [row["error_rtol"] or "-" for row in (old, new)]
            yield [*key(new), old["verdict"], verdict, *errors, new["condition_rtol"] or "-",
                   new["where"]]


def kept_pairs(before, after):
    """Runs that were kept before and after, by method."""
    found = {}
    for old, new in both(before, after):
        if old["verdict"] == new["verdict"] == "kept":
            found.setdefault(new["method"], []).append((old, new))
    return found


def mean_ratio(pairs, field):
    costs = [(float(old[field] or 0), float(new[field] or 0)) for old, new in pairs]
    ratios = [math.log(new / old) for old, new in costs if old > 0 and new > 0]
    return f"{math.exp(statistics.fmean(ratios)):.3f}" if ratios else "-"


def costs(before, after):
    """Geometric means of the costs of runs that were kept before and after."""
    for name, pairs in kept_pairs(before, after).items():
        yield [name, len(pairs), *(mean_ratio(pairs, field) for field in COSTS)]


def dearer(before, after):
    for pairs in kept_pairs(before, after).values():
        for old, new in pairs:
            least, now = float(old["evaluations"]), float(new["evaluations"])
            if least >= LEAST_COST and now > WORSE_COST * least:
                yield [*key(new), f"{least:.0f}", f"{now:.0f}", f"{now / least:.2f}"]


def misses(rows):
    for row in rows:
        stopped = row["method"] == "default" and row["verdict"] == "stopped"
        if stopped or row["verdict"] in ("silent", "crash", "timeout"):
            yield [*key(row), row["verdict"], row["error_rtol"] or "-",
                   row["condition_rtol"] or "-", row["where"]]


def without_reference(rows):
    return sorted({f"{row['template']} {row['seed']} at {row['rtol']}" for row in rows
                   if row["verdict"] == "no_reference"})


def compared(tables):
    yield "## Runs that got worse\n"
    head = [*WHICH, "before", "after", "error before", "error after", "condition", "where"]
    yield from table(head, worse(*tables))
    yield "## Costs where kept before and after, geometric means of after/before\n"
    yield from table(["method", "runs", *COSTS], costs(*tables))
    yield f"## Runs, kept before and after, with more than {WORSE_COST} times the evaluations\n"
    yield from table([*WHICH, "before", "after", "ratio"], dearer(*tables))


def page(names, tables):
    defaults = [[row for row in rows if row["method"] == "default"] for rows in tables]
    yield f"# Yardstick: {' -> '.join(names)}\n"
    yield ("What the words mean is in bench/yardstick/README.md. Errors and conditions are in "
           "units of rtol; kept is up to 100.\n")
    yield "## By method\n"
    yield from table(["method", *HEAD], by(tables, "method"))
    yield "## By method and rtol\n"
    yield from table(["method", "rtol", *HEAD], by(tables, "method", "rtol"))
    yield "## By template, the default\n"
    yield from table(["template", *HEAD], by(defaults, "template"))
    yield "## By template, all methods\n"
    yield from table(["template", *HEAD], by(tables, "template"))
    if len(tables) == 2:
        yield from compared(tables)
    yield "## Silent misses, timeouts and crashes, and stops of the default\n"
    yield from table([*WHICH, "verdict", "error", "condition", "where"], misses(tables[-1]))
    without = without_reference(tables[-1])
    yield f"Without a reference: {len(without)}{': ' if without else ''}{', '.join(without)}."


def main(argv):
    paths, tables = [pathlib.Path(name) for name in argv], [read(name) for name in argv]
    names, out = [path.stem for path in paths], paths[-1].with_suffix(".md")
    if len(tables) == 2:
        tables, out = shared(*tables), out.with_name("_to_".join(names) + ".md")
    text = "\n".join(page(names, tables)) + "\n"
    out.write_text(text, encoding="utf-8")
    print(text.split("\n## By template")[0])
    print(f"the page is {out}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1:])
