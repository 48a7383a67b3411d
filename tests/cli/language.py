# SPDX-License-Identifier: Apache-2.0
"""Every construct in the tables of the reference, docs/language.md: read, evaluated, compared with its meaning."""
import math
import re

from program import HERE, ProgramTest, main

REFERENCE = HERE.parent.parent / "docs" / "language.md"
X, Y, K, T = 0.3, 0.7, 2.0, 0.5
BASE = f"parameter k = {K}\nstate x = {X}, y = {Y}, u[i in 1..3] = i\nx' = 0\ny' = -k*y\nu[i]' = -i*u[i] for i in 1..3\n"


class Language(ProgramTest):
    def rows(self, text, *more):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        return self.table(self.good("solve", "m.tansy", "--quiet", *more).stdout)[2]

    def values(self, cases, t=T):
        """Each expression as an output at time t of BASE."""
        outputs = "".join(f"output o{i} = {text}\n" for i, (text, _) in enumerate(cases))
        row = self.rows(BASE + outputs + f"time 0 .. {t}\n", "--points", "2", "--sens", "none", "--rtol", "1e-10",
                        "--atol", "1e-12")[-1]
        for i, (text, right) in enumerate(cases):
            self.assertAlmostEqual(row[f"o{i}"], right, delta=1e-7 * max(1, abs(right)), msg=text)

    def refuses(self, text, says):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--quiet")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn(says, run.stderr)


class Expressions(Language):
    def test_operators(self):
        self.values([("if x > 0 then 1 else 2", 1), ("if x < 0 then 1 else 2 + 3", 5),
                     ("if x < 0 then 1 else if x < 0.2 then 2 else 3", 3),
                     ("if x < 0 or y > 0 then 1 else 2", 1), ("if x > 0 and y > 5 then 1 else 2", 2),
                     ("if not x > 0 then 1 else 2", 2), ("if not (x > 0 or y > 0) and x < 1 then 1 else 2", 2),
                     ("if x < 0.3 then 1 else 2", 2), ("if x <= 0.3 then 1 else 2", 1),
                     ("if x > 0.3 then 1 else 2", 2), ("if x >= 0.3 then 1 else 2", 1),
                     ("if 2 == 2 then 1 else 2", 1), ("if 2 != 2 then 1 else 2", 2),
                     ("7 - 4 - 2 + k", 1 + K), ("24/k/3*2", 24 / K / 3 * 2), ("-x*k", -X * K), ("-x^2", -X ** 2),
                     ("2^-3*k", K / 8), ("k^3^2", K ** 9), ("k**3", K ** 3), ("+x", X)])
        self.refuses(BASE + "output o = if 0 < x < 1 then 1 else 2\ntime 0 .. 1\n", "chain")

    def test_values(self):
        self.values([("1.5", 1.5), (".5*k", 0.5 * K), ("1e-3*k", 1e-3 * K), ("1.5E+3*k", 1500 * K), ("x", X),
                     ("u[2]", 2 * math.exp(-2 * T)), ("u[3-2]", math.exp(-T)), ("y'", -K * Y * math.exp(-K * T)),
                     ("u[2]'", -4 * math.exp(-2 * T)), ("1 - y/y(0)", 1 - math.exp(-K * T)), ("u[2](0)", 2),
                     ("time", T), ("t", T), ("pi", math.pi), ("pow(x, k)", X ** K), ("(x + y(0))*k", K * (X + Y)),
                     ("sum(i in 1..3: i*x)", 6 * X), ("product(i in 1..3: i*k)", 6 * K ** 3),
                     ("sum(i in 1..2, j in 0..1: i + 10*j + x)", 26 + 4 * X)])
        row = self.rows("parameter R [J/mol/K] = 8.314, c [J/mol] = 8.314 [J/mol/K]*2 [K]\nstate x [J/mol] = c\n"
                        "x' = 0 [J/mol/s]\noutput o [K] = x/R\ntime 0 .. 1 [s]\n", "--points", "2")[-1]
        self.assertAlmostEqual(row["o"], 2, delta=1e-14)

    def test_later_bounds_use_earlier_indices(self):
        pairs = [(i, j) for i in range(1, 4) for j in range(1, i + 1)]
        triples = [(i, j, m) for i in range(1, 4) for j in range(i + 1, 4) for m in range(i, j + 1)]
        self.values([("sum(i in 1..3, j in 1..i: i*j*k)", K * sum(i * j for i, j in pairs)),
                     ("product(i in 1..3, j in 1..i: (i + j)*x)", math.prod((i + j) * X for i, j in pairs)),
                     ("sum(i in 1..3, j in i+1..3, m in i..j: i*j*m*x)", X * sum(i * j * m for i, j, m in triples)),
                     ("sum(i in 1..3, j in 1..2, m in 1..i: i + 10*j + 100*m + x)",
                      sum(i + 10 * j + 100 * m + X for i in (1, 2, 3) for j in (1, 2) for m in range(1, i + 1))),
                     ("sum(i in 1..3: product(j in 1..i, m in j..i: x*m))",
                      sum(math.prod(X * m for j in range(1, i + 1) for m in range(j, i + 1)) for i in (1, 2, 3))),
                     ("sum(i in 1..2, j in 1..i-1: k)", K), ("product(i in 1..1, j in 1..i-1: k)", 1),
                     ("sum(i in 1..3, j in 1..i: u[j])", sum(j * math.exp(-j * T) for _, j in pairs))])
        self.refuses(BASE + "output o = sum(j in 1..i, i in 1..3: x)\n", "i is not declared")
        for bound in ("i", "2"):
            self.refuses(BASE + f"output o = sum(i in 1..3, i in 1..{bound}: x)\n", "two indices are called i")
        self.refuses(BASE + "output o = sum(i in 1..3, j in 1..i-3: x)\n", "the range 1 .. -2 is empty")
        self.refuses(BASE + "output o = sum(i in 1..3, j in 1..i/2: x)\n", "not a whole number")
        self.refuses(BASE + "output o = sum(i in 1..3, j in 1..x*i: x)\n", "x")

    def test_functions(self):
        names = ["exp", "log", "log10", "log2", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
                 "tanh"]
        self.values([(f"{name}(x)", getattr(math, name)(X)) for name in names]
                    + [("ln(x)", math.log(X)), ("pow(x, 1.7)", X ** 1.7), ("abs(-x)", X), ("abs(x)", X),
                       ("sign(x)", 1), ("sign(-x)", -1), ("min(x, 2)", X), ("min(5, x, y(0))", X),
                       ("max(x, 2)", 2), ("max(x, 0.1, y(0))", Y), ("sqrt(max(-x, 0))", 0)])
        for name in ("floor", "ceil", "round"):
            self.refuses(BASE + f"output o = {name}(x)\n", "it has no derivative and no end of jumps")
        self.refuses(BASE + "output o = mod(x, 2)\n", "it has no derivative and no end of jumps")

    def test_the_reference_has_no_function_more(self):
        """What is written in the table of functions is what the test above has."""
        section = REFERENCE.read_text(encoding="utf-8").split("\n## Functions\n")[1].split("\n## ")[0]
        table = "\n".join(line for line in section.splitlines() if line.startswith("| `"))
        listed = set(re.findall(r"`(\w+)\(", table))
        self.assertEqual(listed, {"exp", "log", "ln", "log10", "log2", "sqrt", "pow", "sin", "cos", "tan", "asin", "acos",
                                  "atan", "sinh", "cosh", "tanh", "abs", "sign", "min", "max"})


class Statements(Language):
    def test_rows_at_a_stop_are_the_limit_from_before(self):
        (self.folder / "q.csv").write_text("0,1\n1,2\n2,5\n")
        text = ('state x = 0\ncontrol u = {1, 2} piecewise constant at {0, 1, 2}\n'
                'input q from "q.csv" piecewise constant\nx' + "' = u\noutput c = u, r = q, s = if time >= 1 then 1 else 0\n")
        row = self.rows(text + "time 0 .. 2\n", "--at", "1", "--sens", "none")[-1]
        self.assertEqual([row["c"], row["r"], row["s"]], [1, 1, 0])
        row = self.rows(text + "time 1 .. 2\n", "--at", "1", "--sens", "none")[-1]
        self.assertEqual([row["c"], row["r"], row["s"]], [2, 2, 1])

    def test_ranges_that_are_empty(self):
        self.values([("sum(i in 2..1: x)", 0), ("product(i in 2..1: x)", 1)])
        for text in ("output o = sum(i in 3..1: x)", "let v[2..1] = 1", "r: u[i] -> x, 1 for i in 2..1",
                     "u[i]' = 1 for i in 2..1"):
            self.refuses(BASE + text + "\ntime 0 .. 1\n", "is empty")

    def test_a_constant_may_stand_behind_the_vectors_it_measures(self):
        row = self.rows("state x[1..N] = 1\nconstant N = 2\nx[i]' = 0 for i in 1..N\ntime 0 .. 1\n", "--points", "2")[-1]
        self.assertEqual([row["x[1]"], row["x[2]"]], [1, 1])
        self.refuses("state x[1..w[2]] = 1\nconstant w[1..2] = {1, 2}\nx[i]' = 0 for i in 1..2\n", "declare it before")

    def test_declarations(self):
        row = self.rows('model all "a title"\nparameter a [1/s] = 0.5 in 0 .. 1 scale 0.1, b[i in 1..2] = i scale 2 in 0 .. 9\n'
                        "parameter c[1..2] = {3, 4}\nconstant N = 2, w[i in 1..N] = i^2\n"
                        "state x [mol] = 2 atol 1e-6, v[i in 1..N, j in 0..1] = 10*i + j\nalgebraic z = 1 atol 1e-7\n"
                        "let r [mol/s] = a*x\nlet g[i in 1..2] = b[i]*c[i]\noutput o [mol] = 2*x, h[i in 1..2] = g[i] + w[i]\n"
                        "output r\nintegral total [mol] = r\nx' = -r\nv[i, j]' = 0 for i in 1..N, j in 0..1\n"
                        "0 = z - sum(i in 1..2: g[i])\ntime 0 .. 1 [s]\n", "--points", "2", "--sens", "none")[-1]
        end = 2 * math.exp(-0.5)
        right = {"x": end, "v[2,1]": 21, "z": 11, "o": 2 * end, "h[1]": 4, "h[2]": 12, "r": 0.5 * end, "total": 2 - end}
        for name, value in right.items():
            self.assertAlmostEqual(row[name], value, delta=1e-5, msg=name)

    def test_controls(self):
        cases = {"1 piecewise constant on 0 .. 1 by 4": (1, 4), "{1, 3} piecewise constant at {0, 0.5, 1}": (2, 2),
                 "{1, 3} piecewise linear at {0, 1}": (2, 2), "1 in 0 .. 2 scale 3 piecewise linear on 0 .. 1 by 2": (1, 3)}
        for text, (mean, levels) in cases.items():
            _, names, rows = self.table(self.solve_text(f"control w = {text}\nstate x = 0\nx' = w\ntime 0 .. 1\n"))
            self.assertAlmostEqual(rows[-1]["x"], mean, delta=1e-6, msg=text)
            self.assertEqual(sum(name.startswith("d(x)") for name in names), levels, text)
            self.assertAlmostEqual(sum(rows[-1][f"d(x)/d(w[{k + 1}])"] for k in range(levels)), 1, delta=1e-6)

    def solve_text(self, text):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        return self.good("solve", "m.tansy", "--quiet", "--points", "2").stdout

    def test_inputs(self):
        (self.folder / "w.csv").write_text("t,a,b\n0,1,10\n1,3,20\n2,3,20\n", encoding="utf-8")
        for clause, right in (('from "w.csv"', 5.0), ('from "w.csv" column 3', 35.0), ('from "w.csv" column "b"', 35.0),
                              ('from "w.csv" column 3 piecewise constant', 30.0), ('from "w.csv" piecewise linear', 5.0)):
            rows = self.table(self.solve_text(f"input w {clause}\nstate x = 0\nx' = w\ntime 0 .. 2\n"))[2]
            self.assertAlmostEqual(rows[-1]["x"], right, delta=1e-5, msg=clause)

    def test_reactions(self):
        row = self.rows("parameter k = 0.5\nconstant n = 1\nstate A = 1, B = 2, C = 0, D[i in 1..3] = 4 - i, E = 0\n"
                        "r1: 2 A + B -> C, k*A\nreaction r2: C <-> E, 0.1*C, 0.2*E\nreaction 0 -> (n + 1) E, 0.3\n"
                        "r4: D[i] -> D[i+1], k*D[i] for i in 1..2\nr5: 0.5 B -> 0, 0.1\noutput r1, r2\ntime 0 .. 1\n",
                        "--points", "2", "--sens", "none")[-1]
        A = math.exp(-1)
        self.assertAlmostEqual(row["A"], A, delta=1e-5)
        self.assertAlmostEqual(row["B"], 2 - (1 - A) / 2 - 0.05, delta=1e-5)
        self.assertAlmostEqual(row["C"] + row["E"], (1 - A) / 2 + 0.6, delta=1e-5)
        self.assertAlmostEqual(row["D[1]"], 3 * math.exp(-0.5), delta=1e-5)
        self.assertAlmostEqual(row["D[1]"] + row["D[2]"] + row["D[3]"], 6, delta=1e-5)
        self.assertAlmostEqual(row["r1"], 0.5 * A, delta=1e-5)
        self.assertAlmostEqual(row["r2"], 0.1 * row["C"] - 0.2 * row["E"], delta=1e-9)

    def test_loops_and_ends_of_time(self):
        row = self.rows("parameter T = 1\nstate u[i in 1..3, j in 1..3] = 1\n"
                        "u[i,j]' = -(i + j/10) for i in 1..3, j in 1..i\nu[i,j]' = i for i in 1..3, j in i+1..3\n"
                        "time 0 .. T\n", "--points", "2")[-1]
        for i in range(1, 4):
            for j in range(1, 4):
                slope = -(i + j / 10) if j <= i else i
                self.assertAlmostEqual(row[f"u[{i},{j}]"], 1 + slope, delta=1e-6)
                self.assertAlmostEqual(row[f"d(u[{i},{j}])/d(T)"], slope, delta=1e-6)
        self.refuses("state u[i in 1..3, j in 1..i] = 1\n", "the same range for every i")
        self.refuses("state A[1..3] = 1\nr: A[i] -> A[j], A[i] for i in 1..3, j in 1..i\n", "the same range for every i")
        self.refuses("state u[1..3] = 1\nu[i]' = j for i in 1..3, i in 1..i\n", "in use by a loop around this")


class Units(Language):
    def test_every_unit_of_the_table(self):
        section = REFERENCE.read_text(encoding="utf-8").split("\n## Units\n")[1].split("\n## ")[0]
        rows = [line for line in section.splitlines() if line.startswith("| ") and not line.startswith("| prefixes")]
        units = [name for line in rows for name in re.findall(r"`([^`]+)`", line) if name not in ("1", "-")]
        self.assertGreater(len(units), 60)
        text = "".join(f"parameter p{i} [{name}] = 1\n" for i, name in enumerate(units))
        text += "".join(f"output o{i} [{name}] = 3*p{i}\n" for i, name in enumerate(units))
        row = self.rows(text + "state x = 0\nx' = 1\ntime 0 .. 1\n", "--points", "2", "--sens", "none")[-1]
        for i, name in enumerate(units):
            self.assertEqual(row[f"o{i}"], 3, name)

    def test_prefixes_products_and_powers(self):
        prefixes = "a f p n u µ m c d da h k M G T P E".split()
        text = "".join(f"parameter p{i} [{name}mol] = 1\nparameter q{i} [{name}mol] = 2\n"
                       f"output o{i} [{name}mol] = p{i} + q{i}\n" for i, name in enumerate(prefixes))
        same = [("J/(mol K)", "J mol^-1 K-1"), ("m^2", "m*m"), ("Pa^(1/2)", "Pa^(1/4).Pa^(1/4)"), ("1", "-"), ("N", "kg m/s^2")]
        text += "".join(f"parameter a{i} [{a}] = 1, b{i} [{b}] = 2\noutput e{i} [{a}] = a{i} + b{i}\n"
                        for i, (a, b) in enumerate(same))
        row = self.rows(text + "state x = 0\nx' = 1\ntime 0 .. 1\n", "--points", "2", "--sens", "none")[-1]
        for name, value in row.items():
            if name[0] in "oe":
                self.assertEqual(value, 3, name)
        self.refuses("parameter p [m] = 1, q [s] = 1\nstate x = 0\nx' = 1\noutput o = p + q\n", "")

    def test_a_guard_of_a_removable_singularity_raises_no_alarm(self):
        """As in every code of Hodgkin and Huxley's equations: both branches agree to the width of the window."""
        for width in ("1e-6", "1e-8", "1e-10"):
            (self.folder / "m.tansy").write_text(f"parameter a = 1\nstate x = -1, y = 0\nx' = a\n"
                                                 f"y' = if abs(x) < {width} then 1 else x/(exp(x) - 1)\ntime 0 .. 2\n", encoding="utf-8")
            for method in ("auto", "bdf", "rosenbrock", "limex"):
                self.assertEqual(self.good("solve", "m.tansy", "--method", method).stderr.count("warning"), 0)

    def test_roots_of_products_with_the_base_in_them(self):
        """x' = -k x sqrt(x max(x, 0)) = -k x^2 and the like: x(t) = x0/(1 + k x0 t), dx/dk = -t x^2; roots of even powers from x = 0 on."""
        for right in ("-k*x*sqrt(x*max(x, 0))", "-x*sqrt(k^2*abs(x)*x)", "-k*x^1.5*sqrt(max(x, 0))"):
            row = self.rows(f"parameter k = 2\nstate x = 1\nx' = {right}\ntime 0 .. 1\n", "--at", "0.5")[-1]
            self.assertAlmostEqual(row["x"], 0.5, delta=1e-5, msg=right)
            self.assertAlmostEqual(row["d(x)/d(k)"], -0.125, delta=2e-5, msg=right)
        for right in ("1 - sqrt((k*x)^4)", "1 - sqrt((k*x^2)^2*k^2)", "1 - k^2*x^2"):
            row = self.rows(f"parameter k = 2\nstate x = 0\nx' = {right}\ntime 0 .. 1\n", "--at", "0.5")[-1]
            self.assertAlmostEqual(row["x"], math.tanh(1)/2, delta=1e-5, msg=right)
            self.assertAlmostEqual(row["d(x)/d(k)"], (1 - math.tanh(1)**2)/4 - math.tanh(1)/4, delta=2e-5, msg=right)

    def test_conditions_joined_by_and_and_or_raise_no_alarm(self):
        """A pulse of the set point, 4 < t < 5: the limits of the controller are far from their edges at t = 5."""
        for window in ("time > 4 and time < 5", "not (time <= 4 or time >= 5)"):
            (self.folder / "m.tansy").write_text(f"parameter r0 = 1\nstate x = 0\nlet r = if {window} then 0 else r0\n"
                                                 "x' = min(max(2*(r - x), -0.5), 0.5)\ntime 0 .. 6\n", encoding="utf-8")
            self.assertEqual(self.good("solve", "m.tansy", "--out", "-").stderr.count("warning"), 0)


if __name__ == "__main__":
    main()
