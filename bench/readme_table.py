#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the table of results into README.md, between the markers `results:begin` and `results:end`: one row a file of
bench/results/ that holds a comparison, by its header lines `# KEY: VALUE`."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- results:begin -->", "<!-- results:end -->"
ORDER = "gas_oil robertson pollution network_100x400 batch_reactor".split()  # first, then the others by name


def read(path):
    """The header lines of a CSV as a dictionary, with the levels of error in the order of the file."""
    head, levels = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        match = re.match(r"# ([^:]+): (.*)", line)
        if not match:
            break
        head[match[1]] = match[2]
        level = re.match(r"tansy at (\S+)", match[1])
        if level:
            levels.append(level[1])
    return head, levels


def milliseconds(text):
    """'2.6e-05 s by adams direct' as milliseconds with three digits."""
    value = 1e3 * float(text.split()[0])
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def row(path):
    head, levels = read(path)
    peer = next((p for p in ("cvodes", "idas") if any(key.startswith(p + " at") for key in head)), "")
    both = [level for level in levels if f"{peer} at {level}" in head]
    if not both:
        return None
    middle = both[1] if len(both) > 1 else both[0]  # 1e-6 unless the problem amplifies errors
    cells = [path.stem.replace("_", " "), head["states"], head["columns"], f"{float(middle):.0e}",
             milliseconds(head[f"tansy at {middle}"]), milliseconds(head[f"{peer} at {middle}"]),
             f"{float(head['speedup']):.1f}", f"{float(head['speedup of defaults']):.1f}"]
    return "| " + " | ".join(cells) + " |"


def table():
    names = {path.stem: path for path in (TOP / "bench" / "results").glob("*.csv")
             if not path.stem.startswith("one_step_")}  # some of the methods only, for the plots
    ordered = [name for name in ORDER if name in names] + sorted(set(names) - set(ORDER))
    rows = [row(names[name]) for name in ordered]
    return "\n".join([
        "| problem | states | columns of S | error | Tansy, ms | CVODES or IDAS, ms | speedup | with default options |",
        "|---|---|---|---|---|---|---|---|",
        *filter(None, rows)])


def main():
    readme = TOP / "README.md"
    text = readme.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        sys.exit(f"README.md has no {BEGIN} ... {END}")
    before, rest = text.split(BEGIN, 1)
    after = rest.split(END, 1)[1]
    readme.write_text(f"{before}{BEGIN}\n{table()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
