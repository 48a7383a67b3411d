# SPDX-License-Identifier: Apache-2.0
"""The numbers in pictures are those of the tables: a gnuplot that keeps what it is to draw, against CSV, ranking and page."""
import csv
import math
import os
import re

from program import MODEL, P, ProgramTest, main

KEEPS = """#!/bin/sh
n=1
while [ -e "$KEEP/$n" ]; do n=$((n + 1)); done
while read -r line; do printf '%s\\n' "$line"; done <"$2" >"$KEEP/$n"
echo '<svg></svg>' >"${2%script}picture"
"""
CHAIN = """parameter k[i in 1..30] = 1/i
state x[i in 1..6] = 1, z = 0
output s = sum(i in 1..6: x[i]), q = log(x[1]*0 + t)
x[i]' = -x[i]*sum(j in 1..5: k[(i - 1)*5 + j]) for i in 1..6
z' = x[1] - z
time 0 .. 2
"""


class Pictures(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "kept").mkdir()
        (self.folder / "bin" / "gnuplot").write_text(KEEPS, encoding="utf-8")
        (self.folder / "bin" / "gnuplot").chmod(0o755)
        (self.folder / "m.tansy").write_text(CHAIN, encoding="utf-8")

    def draw(self, *words, status=0):
        """What the program prints, and the scripts it has gnuplot draw."""
        for old in (self.folder / "kept").iterdir():
            old.unlink()
        run = self.run_program(*words, env={"PATH": f"{self.folder}/bin{os.pathsep}{os.environ['PATH']}", "KEEP": str(self.folder / "kept")})
        self.assertEqual(run.returncode, status, run.stderr)
        kept = sorted((self.folder / "kept").iterdir(), key=lambda path: int(path.name))
        return run, [path.read_text(encoding="utf-8") for path in kept]

    def bars(self, script):
        """The rankings of a script, each [(parameter, norm), ...] from the top down."""
        data = re.findall(r"(?m)^\$bars\d+ << END\n((?:.*\n)*?)END\n", script)
        names = re.findall(r"(?m)^set ytics \((.*)\)$", script)
        self.assertEqual(len(data), len(names))
        rankings = []
        for values, ticks in zip(data, names):
            norm = {int(line.split()[1]): float(line.split()[0]) for line in values.splitlines()}
            name = {int(at): word for word, at in re.findall(r"'((?:[^']|'')*)' (\d+)", ticks)}
            self.assertEqual(sorted(norm), sorted(name))
            rankings.append([(name[at], norm[at]) for at in sorted(norm, reverse=True)])
        return rankings

    def same(self, bars, table):
        """In the same order and to 7 digits: [(parameter, norm), ...] of a picture and of a table, of which it shows the first 20."""
        self.assertEqual([name for name, _ in bars], [name for name, _ in table[:20]])
        for (_, drawn), (_, told) in zip(bars, table):
            self.assertTrue(math.isnan(drawn) == math.isnan(told) and not abs(drawn - told) > 5.01e-7 * abs(told), (drawn, told))

    def ranked(self, name):
        """The rankings of a CSV, as bars() has them."""
        lines = [line for line in (self.folder / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        tables = {}
        for row in csv.DictReader(lines):
            tables.setdefault(row["quantity"], []).append((row["parameter"], float(row["norm"])))
        return list(tables.values())

    def test_rankings_are_drawn_as_they_are_told(self):
        orders = set()
        for model, choices in ((MODEL, ((), ("--of", "conversion"), ("--of", "y2,conversion", "--each"), ("--each",))),
                               ("m.tansy", ((), ("--of", "x[2]"), ("--of", "z,s", "--each"), ("--of", "x[3],x[1]"), ("--of", "q")))):
            for choice in choices:
                for times in ((), ("--at", "0.1"), ("--at", "0.3,1,2"), ("--at", "0:2:5003"), ("--to", "0.5", "--points", "3")):
                    _, scripts = self.draw("rank", model, *choice, *times, "--out", "r.csv", "--plot", "r.svg", "--quiet")
                    self.assertEqual(len(scripts), 1)
                    drawn, told = self.bars(scripts[0]), self.ranked("r.csv")
                    self.assertEqual(len(drawn), len(told))
                    for bars, table in zip(drawn, told):
                        self.same(bars, table)
                    orders.add((model, tuple(name for name, _ in drawn[0])))
        self.assertGreater(len(orders), 4, "they differ")

    def test_what_is_ranked_is_named(self):
        _, scripts = self.draw("rank", MODEL, "--of", "y2,conversion", "--each", "--at", "0.5,1", "--plot", "r.svg")
        for title in ("y2, conversion", "y2", "conversion"):
            self.assertIn(f"set title 'Which parameters matter to {title}'\n", scripts[0])
        self.assertEqual(scripts[0].count("over 2 times from t = 0.5 to 1'"), 3)

    def test_rankings_that_are_not_shown_are_told(self):
        names = ",".join(f"x[{i}]" for i in range(1, 7))
        (self.folder / "m.tansy").write_text(CHAIN.replace("output ", "output " + "".join(f"o{i} = {i}*x[1], " for i in range(9))),
                                             encoding="utf-8")
        run, scripts = self.draw("rank", "m.tansy", "--of", names + "," + ",".join(f"o{i}" for i in range(9)), "--each", "--plot", "r.svg")
        self.assertIn("warning: r.svg shows the first 12 of 16 rankings", run.stderr)
        self.assertEqual(len(self.bars(scripts[0])), 12)

    def test_the_page_has_one_ranking(self):
        for model in (MODEL, "m.tansy"):
            for times in ((), ("--at", "0.1,0.2")):
                _, scripts = self.draw("solve", model, *times, "--out", "a.csv", "--report", "a.html")
                self.good("rank", model, *times, "--out", "r.csv", "--quiet")
                drawn = [bars for script in scripts for bars in self.bars(script)]
                self.assertEqual(len(drawn), 1)
                told = self.ranked("r.csv")[0]
                self.same(drawn[0], told)
                page = (self.folder / "a.html").read_text(encoding="utf-8").split('<section id="ranking">')[1].split("</section>")[0]
                rows = re.findall(r'<th scope="row">(.*?)</th><td class="number">.*?</td><td class="number">(.*?)</td>', page)
                self.assertEqual([name for name, _ in rows], [name for name, _ in told])
                for (_, shown), (_, norm) in zip(rows, told):
                    self.assertTrue(abs(float(shown) - norm) <= 1e-5 * abs(norm), (shown, norm))

    def curves(self, script, number):
        """{legend: [(t, value), ...]} of a panel, without the powers of ten of its legends."""
        text = re.search(rf"(?m)^\$panel{number} << END\n((?:.*\n)*?)END\n", script)[1]
        rows = [[float(word) for word in line.split()] for line in text.splitlines()]
        curves = {}
        for column, legend in re.findall(rf"\$panel{number} using 1:(\d+) .*? title '((?:[^']|'')*)'", script):
            name, power = (legend.split(" × 1e") + ["0"])[:2]
            curves[name] = [(row[0], row[int(column) - 1] * 10 ** -int(power)) for row in rows]
        return curves

    def test_curves_are_those_of_the_table(self):
        for words, status in (((), 0), (("--at", "0.1,1,3.5"), 0), (("--set", "p1=1e-8"), 0), (("--to", "-2", "--points", "40"), 1)):
            _, scripts = self.draw("solve", MODEL, *words, "--out", "a.csv", "--plot", "a.svg", status=status)
            _, names, rows = self.read_table("a.csv")
            values = {**P, **({"p1": 1e-8} if "p1=1e-8" in words else {})}
            largest = {name: max(abs(row[name]) for row in rows) for name in ("y1", "y2", "conversion")}
            shown = 0
            for number in (1, 2, 4):
                for name, curve in self.curves(scripts[0], number).items():
                    self.assertIn(name, names)
                    state, parameter = re.fullmatch(r"d\((.*)\)/d\((.*)\)", name).groups() if number > 1 else (name, None)
                    factor = values[parameter] / largest[state] if number == 4 else 1
                    self.assertEqual(len(curve), len(rows))
                    for (t, value), row in zip(curve, rows):
                        self.assertAlmostEqual(t, row["t"], delta=1e-9 * abs(row["t"]))
                        right = row[name] * factor
                        self.assertAlmostEqual(value, right, delta=5.01e-7 * abs(right))  # half of the last of 7 digits
                    shown += 1
            self.assertGreaterEqual(shown, 3 + 5 + 5)


if __name__ == "__main__":
    main()
