# SPDX-License-Identifier: Apache-2.0
"""With default tolerances a model written in other units, x = 2^k X for a state, a parameter or time, is solved alike."""
import json
import re
import unittest

from program import HERE, ProgramTest
from rescaled import odes, rewrite, split, statements

TOP = HERE.parent.parent
RTOL = 1e-6
METHODS = ("auto", "bdf", "dassl", "rosenbrock", "limex", "adams", "rk8")
EXPLICIT = ("gas_oil", "lotka_volterra", "hires", "robertson", "ethane", "pollution")
# Programs differ by a rounding where products and sums are reordered.  In these runs step control lets it grow until it is another run
# of the same accuracy.  Behind functions that round alike no bit differs: tests/fault/units_of_models.c.
ROUNDED = {("robertson_dae", "bdf"), ("robertson_dae", "dassl"), ("pendulum", "auto"), ("pendulum", "dassl"),
           ("batch_reactor", "bdf"), ("batch_reactor", "dassl"), ("batch_reactor", "limex")}
# rtol/10, but where roundings decide how many rows of its tableau limex makes, and where `auto` changes over earlier or later, as
# the operations that it counts are one multiplication more
LARGEST = {"limex": 10, "auto": 1}
IMPLICIT = ("akzo_nobel", "batch_reactor", "robertson_dae", "pendulum")
STIFF = {"hires", "robertson", "ethane", "pollution"}  # beyond adams and rk8


class Rescaling(ProgramTest):
    def solve(self, text, method, times):
        """Steps, names and rows; None: the method is not for the model."""
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--once", "--quiet", "--rtol", RTOL, "--method", method, "--at",
                               ",".join(map(repr, times)), "--stats", "s.json")
        if run.returncode != 0:
            self.assertRegex(run.stderr, "is for y' = f only|are for problems of index 1")
            return None
        steps = json.loads((self.folder / "s.json").read_text(encoding="utf-8"))["steps"]
        _, names, rows = self.table(run.stdout)
        return steps, names, rows

    @staticmethod
    def parts(name):
        """Quantity and parameter of a column, or the quantity alone."""
        found = re.fullmatch(r"d\(([^)]*)\)/d\((\w+)\)", name)
        return found.groups() if found else (name, None)

    def compare(self, one, other, unit, scales):
        """The largest difference in units of the promise's norm; the second is in units of `unit`."""
        largest = {name: max(abs(row[name]) for row in one[2]) for name in one[1]}
        worst = 0
        for row, again in zip(one[2], other[2]):
            for name in one[1][1:]:
                quantity, parameter = self.parts(name)
                scale = scales.get(parameter, 1) or 1
                right = row[name] * unit.get(parameter, 1) / unit.get(quantity, 1)
                if again[name] == right:
                    continue
                off = abs(again[name] - right) / unit.get(parameter, 1) * unit.get(quantity, 1) * scale
                worst = max(worst, off / (abs(row[name]) * scale + 1e-3 * largest[quantity]))
        return worst

    def runs(self, model, methods):
        """For every method what is rewritten: its name, both numbers of steps and the difference."""
        text = (TOP / "examples" / "models" / f"{model}.tansy").read_text(encoding="utf-8")
        lines = statements(odes(text))
        end = float(next(line for line in lines if line.startswith("time")).split()[3])
        declared = {word: [item for line in lines if line.startswith(word + " ") for item in split(line[len(word):])]
                    for word in ("state", "parameter")}
        name_of = {word: [re.match(r"\s*(\w+)", item)[1] for item in items] for word, items in declared.items()}
        scales = {re.match(r"\s*(\w+)", item)[1]: abs(float(re.search(r"=\s*([-+.\deE]+)", item)[1]))
                  for item in declared["parameter"]}
        for method in methods:
            one = self.solve(rewrite(text), method, (0.3 * end, end))
            for name, k in ((name_of["state"][0], 60), (name_of["state"][-1], -60), (name_of["state"][1], -37),
                            (name_of["parameter"][0], 60), (name_of["parameter"][-1], -60), (None, 60), (None, -60)):
                c = 2.0**k
                new = rewrite(text, [name], c) if name else rewrite(text, time=c)
                other = one and self.solve(new, method, tuple(t / (1 if name else c) for t in (0.3 * end, end)))
                if other:
                    yield (model, method, name or "time", k), one[0], other[0], self.compare(one, other, {name: c} if name else {}, scales)

    def test_explicit_models_are_solved_by_the_same_steps(self):
        """Programs may differ by more than factors of two where products are reordered: by a rounding, which may decide
        how many rows of its tableau limex makes."""
        exact = every = 0
        for model in EXPLICIT:
            methods = METHODS[:5] if model in STIFF else METHODS
            for what, steps, again, off in self.runs(model, methods):
                self.assertLessEqual(abs(again - steps), (0.05 if what[1] == "auto" else 0.02) * steps, what)
                self.assertLessEqual(off, RTOL * LARGEST.get(what[1], 0.1), what)
                exact += off == 0 and again == steps
                every += 1
        self.assertGreaterEqual(exact, 0.8 * every)

    def test_a_parameter_that_is_0_has_the_scale_of_what_it_moves(self):
        text = "parameter a = 1, q = 0\nstate x = 1, z = 0\nx' = -a*x + q*%r\nz' = x*x - z + q*%r\ntime 0 .. 5\n"
        for method in METHODS:
            one = self.solve(text % (1.0, 1.0), method, (1, 5))
            for c in (2.0**60, 2.0**-60):
                other = self.solve(text % (c, c), method, (1, 5))
                self.assertEqual(other[0], one[0], method)
                for row, again in zip(one[2], other[2]):
                    for name in one[1]:
                        self.assertEqual(again[name], row[name] * (c if name.endswith("d(q)") else 1), (method, name))

    def test_implicit_models_are_solved_alike(self):
        """Programs differ by roundings, as products and sums are reordered."""
        for model in IMPLICIT:
            for what, steps, again, off in self.runs(model, METHODS[:5]):
                alike = what[:2] not in ROUNDED
                self.assertLessEqual(abs(again - steps), (0.02 if alike else 0.05) * steps, what)
                self.assertLessEqual(off, RTOL * (0.1 if alike else 100), what)


if __name__ == "__main__":
    unittest.main()
