#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What CVODES makes of the models of the trials, beside the default of the program: how many runs are kept, missed or stopped, and what
they cost at equal error.  Models y' = f without conditions and break times, with all parameters; norm, references and verdicts are
those of the yardstick.  CVODES is set up by cvodes_model.c, with atol = 1e-9, as one writes, and with 1e-3 rtol max |y_i|, as one can
who knows the solution.
usage: cvodes_side.py PROGRAM [--mechanisms FOLDER] [TRIAL ...]     kinetic pulse default yardstick start; rows of others stay as they are
in bench/results/cvodes_side.csv, from which the page beside it is made.  `make bench ONLY=robertson` builds the peer and its driver."""
import csv
import itertools
import math
import os
import pathlib
import statistics
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "bench/yardstick"))
# pylint: disable=wrong-import-position
import default_trial
import kinetic_trial
import program
import pulse_trial
import reference
import run
import start_trial
import summary
import template

PEER = TOP / "build/bench/bench/cvodes_model"
OUT = TOP / "bench/results/cvodes_side.csv"
FIELDS = ("trial", *run.FIELDS)
TANSY, USUAL, FITTED = "tansy", "cvodes, atol 1e-9", "cvodes, atol by size"
WIDE = tuple(f"1e-{digits}" for digits in range(3, 11))  # rtol of curves
REPEATS = 5
SHOWN = "1e-6"  # rtol of the page's lines
COSTS = ("seconds", "steps", "evaluations")
PAGE = """# CVODES on the models of the trials

{}

Models: {}; without a reference for some rtol, and not counted there: {}. Left out, as they have conditions, break times, algebraic
equations or no parameters: {}, and all of the second look's trial.
What the words mean is in bench/yardstick/README.md; CVODES does not tell, so that all its misses are silent. Mind that the trials were
made to find what Tansy once missed: states that grow from far below atol, units, pulses. Nobody tells CVODES of a pulse by a longest step.
"""
EQUAL_ERROR = f"""## Costs at equal error

Errors of the default at rtol = {SHOWN}; CVODES by its curve from rtol = {WIDE[0]} to {WIDE[-1]}, with BDF and the corrector that is fastest.
Times are the least of {REPEATS} runs of the library in one process, without a second look. -: it does not reach that error. Last: geometric
means of costs over those of the default, at all rtol, and in brackets of how many.
"""


def kinetic(_):
    return [kinetic_trial.instance(family, seed) for family in kinetic_trial.FAMILIES for seed in range(3)]


def default(_):
    return [template.draw(path, seed) for name in default_trial.TEMPLATES.split(",") for path in template.paths(name) for seed in range(2)]


def yardstick(_):
    return [template.draw(path, seed) for path in template.paths() for seed in range(2)]


def finer(rows):
    """Times between the rows, as an instance has them."""
    parts = [[t + (u - t) * k / template.FINER for k in range(template.FINER)] for t, u in itertools.pairwise(rows)]
    return [*itertools.chain(*parts), rows[-1]]


def pulse(_):
    """The twin has break times all over the pulse, so that steps need no bound."""
    for family, seed in itertools.product(pulse_trial.FAMILIES, range(4)):
        value = pulse_trial.draw(family, seed)
        text, twin = (pulse_trial.text_of(family, value, breaks) for breaks in (False, True))
        times = finer(pulse_trial.output_times(family, value))
        yield template.Instance(family, seed, text, twin, times, times[-1], value)


def start(folder):
    """Models of examples/models, and mechanisms; crane has levels that are no numbers."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(pathlib.Path(start_trial.MODELS).glob("*.tansy"))
             if path.stem not in (*start_trial.SKIP, "crane")}
    for file, *setting in start_trial.MECHANISMS:
        if folder and (path := pathlib.Path(folder) / file).exists():
            texts[path.stem] = start_trial.convert(path, *setting)
    for name, text in texts.items():
        times = template.output_times(text)
        yield template.Instance(name, 0, text, text, times, 1e-3 * (times[-1] - times[0]), template.parameters(text))


TRIALS = {"kinetic": (kinetic, run.RTOLS), "pulse": (pulse, ("1e-6",)), "default": (default, WIDE[:7]),
          "yardstick": (yardstick, run.RTOLS), "start": (start, run.RTOLS)}


def by_size(rtol, made):
    return [word for name, size in made.get("size", {}).items() for word in ("--atol", f"{name}={1e-3 * float(rtol) * (size or 1)!r}")]


def ways(path, trial, rtols, made):
    """Who, by which program, at which rtol, with which further words."""
    timed = trial == "start"
    words = ["--repeats", REPEATS] if timed else []
    for rtol in rtols:
        yield (TANSY, PEER, rtol, [*words, "--by", "tansy"]) if timed else (TANSY, path, rtol, [])
    for rtol in WIDE if timed else rtols:
        yield USUAL, PEER, rtol, words
        yield FITTED, PEER, rtol, [*words, *by_size(rtol, made)]


def one_model(path, trial, rtols, it):
    if program.solve(PEER, it.text, it.times[:1], [], run.LIMIT).status == "refused":
        return [{"template": it.name, "seed": it.seed, "status": "refused", "verdict": "refused"}]
    made = reference.reference(path, it, run.TOP / "build/yardstick")
    return [run.measure(by, it, who, rtol, made, words) for who, by, rtol, words in ways(path, trial, rtols, made)]


def verdicts(rows, *fields):
    """A table: how often the promise is kept."""
    return summary.table([*fields, *summary.HEAD], ([*key, *summary.figures(of)] for key, of in summary.groups(rows, *fields).items()))


def error(row):
    return float(row["error_rtol"]) * float(row["rtol"])


def equal_error(rows):
    """Of one model, for every run of ours: its row, and each of COSTS of ours and of both of theirs, on their curves."""
    ended = [row for row in rows if row["status"] == "ok" and error(row) > 0]
    for own in (row for row in ended if row["method"] == TANSY):
        of = ([own], *([row for row in ended if row["method"] == who] for who in (USUAL, FITTED)))
        curves = ([(error(row), float(row[what])) for row in runs] for what in COSTS for runs in of)
        yield own, [start_trial.at_error(curve, error(own)) for curve in curves]


def figure(x):
    return f"{x:.3g}" if math.isfinite(x) else "-"


def costs(rows):
    """A line for every model, and the geometric means of theirs over ours, at all rtol."""
    head = ["model", "error", *(f"{what}, {who}" for what in COSTS for who in ("tansy", "1e-9", "by size"))]
    lines, ratios = [], []
    for (name,), of in summary.groups(rows, "template").items():
        for own, found in equal_error(of):
            ratios.append([math.log(x / found[k // 3 * 3]) for k, x in enumerate(found)])
            if own["rtol"] == SHOWN:
                lines.append([name, figure(error(own)), *map(figure, found)])
    reached = [[x for x in column if math.isfinite(x)] for column in zip(*ratios)]
    lines.append([f"mean of {len(ratios)}", "", *(f"{math.exp(statistics.fmean(of)):.2f} ({len(of)})" if of else "-" for of in reached)])
    return summary.table(head, lines)


def models_of(rows):
    """`kinetic 30, pulse 48`"""
    found = dict.fromkeys((row["trial"], row["template"], row["seed"]) for row in rows)
    trials = [trial for trial, *_ in found]
    return ", ".join(f"{trial} {trials.count(trial)}" for trial in dict.fromkeys(trials))


def page(table):
    rows = [row for row in table if row["verdict"] != "refused"]
    counted, timed = ([row for row in rows if (row["trial"] == "start") == is_timed] for is_timed in (False, True))
    alike = sorted((row for row in rows if row["trial"] in ("kinetic", "yardstick")), key=lambda row: (row["method"], row["rtol"]))
    without = (row for row in rows if row["verdict"] == "no_reference" and row["method"] == TANSY)
    left_out = (row for row in table if row["verdict"] == "refused")
    yield PAGE.format(" ".join(__doc__.split("\nusage")[0].split()), *map(models_of, (rows, without, left_out)))
    yield from verdicts(counted, "trial", "method")
    yield "## By rtol, kinetic and yardstick\n"
    yield from verdicts(alike, "method", "rtol")
    yield EQUAL_ERROR
    yield from costs(timed)


def main():
    words = sys.argv[1:]
    folder = ""
    if "--mechanisms" in words:
        k = words.index("--mechanisms")
        folder = words[k + 1]
        del words[k:k + 2]
    if not words or not set(words[1:]) <= set(TRIALS) or not PEER.exists():
        sys.exit(__doc__)
    chosen = words[1:] or list(TRIALS)
    rows = [row for row in (summary.read(OUT) if OUT.exists() else []) if row["trial"] not in chosen]
    for trial in chosen:
        models, rtols = TRIALS[trial]
        for it in models(folder):
            rows += [{"trial": trial, **row} for row in one_model(os.path.abspath(words[0]), trial, rtols, it)]
            print(trial, it.name, it.seed, rows[-1]["verdict"], file=sys.stderr, flush=True)
    rows.sort(key=lambda row: list(TRIALS).index(row["trial"]))
    with open(OUT, "w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, FIELDS, restval="", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    text = "\n".join(page(summary.read(OUT))) + "\n"
    OUT.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
