# SPDX-License-Identifier: Apache-2.0
"""The norm of errors of docs/design.md, and what a run is by it: kept, missed, told, silent."""
import math
import re

PROMISE = 100   # times rtol
FORGIVEN = 3    # times what parameters moved by rtol do: less is no miss
COLUMN = re.compile(r"d\((.+)\)/d\((.+)\)")
ACCURACY = re.compile(r"exact|accura|digit|wrong|not controlled|not right|not sure|errors? of|"
                      r"depends on that|ill-conditioned|cannot be trusted|uncertain")
WORD = re.compile(r"[^\W\d]\w*(?:\[[\d, ]+\])?")


def sizes(names, rows):
    """The largest |y_i| of all times, by name."""
    return {name: max(abs(row[i]) for row in rows) for i, name in enumerate(names)
            if not COLUMN.fullmatch(name)}


def error(names, exact, given, size, scale):
    """The largest e = |delta s_ik| sigma_k / (|s_ik| sigma_k + 1e-3 max |y_i|) of all columns,
    components and rows, for the state the same with y; and the name of where it is.  A number that
    is not finite is infinitely wrong."""
    worst, where = 0.0, ""
    for j, name in enumerate(names):
        column = COLUMN.fullmatch(name)
        factor = (abs(scale[column[2]]) or 1.0) if column else 1.0
        floor = 1e-3 * size[column[1] if column else name]
        for right, is_ in zip(exact, given):
            off = abs(right[j] - is_[j]) * factor
            bound = abs(right[j]) * factor + floor
            e = off / bound if bound else math.inf if off else 0.0
            e = e if math.isfinite(e) else math.inf
            if e > worst:
                worst, where = e, name
    return worst, where


def told(said, names):
    """Whether a warning of what was said is of accuracy and names a state, output or column, or
    says ill-conditioned."""
    quantities = {name for name in names if not COLUMN.fullmatch(name)}
    for line in said.splitlines():
        line = line.split("; it stopped at")[0]   # of a second run: why, with names of conditions
        if "warning:" not in line or not ACCURACY.search(line):
            continue
        if "ill-conditioned" in line or not quantities.isdisjoint(WORD.findall(line)):
            return True
    return False


def verdict(status, error_rtol, condition_rtol, is_told):
    """Of a run that came to its end: kept, shaky (the parameters do as much), told, silent; else
    its status."""
    if status != "ok":
        return status
    if error_rtol <= PROMISE:
        return "kept"
    if error_rtol <= FORGIVEN * condition_rtol:
        return "shaky"
    return "told" if is_told else "silent"


def false_warning(status, error_rtol, condition_rtol, is_told):
    kept = status == "ok" and error_rtol <= PROMISE
    return kept and is_told and condition_rtol <= PROMISE
