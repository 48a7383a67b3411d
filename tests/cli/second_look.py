# SPDX-License-Identifier: Apache-2.0
"""The second look at runs with columns, or with outputs that amplify errors: it tells what is less exact than promised, and changes nothing."""
import math
import os
import random
import re

from program import HERE, ProgramTest, main

SPARING = "TANSY_SPARING" in os.environ  # the program is slow
LOTKA = HERE.parent.parent / "examples/models/lotka_volterra.tansy"
PENDULUM = HERE.parent.parent / "examples/models/pendulum.tansy"
SPRING = """parameter k = 900, m = 1.3, h0 = 1.2, c = 0.2
state x = h0, v = 0
x' = v
v' = -9.81 + (if x < 0 then (-k*x - c*v)/m else 0)
time 0 .. 2.2
"""
EDGE = "parameter a = 1, b = 3, c = 2\nstate x = 0.5\nx' = if x < c then a else b\ntime 0 .. 5\n"
TOLD = re.compile(r"warning: (run \d+: )?(\S+) is less exact than promised at t = (\S+): computed once more, (.*), it differs by (\S+), "
                  r"relative, and (\S+) is promised")


class SecondLook(ProgramTest):
    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def look(self, *words):
        run = self.good(*words)
        return run, TOLD.search(run.stderr)

    def test_what_is_told_is_the_error(self):
        """Errors of bdf add up on a ball that bounces on a spring; rk8 at 1e-12 is exact beside them."""
        self.write("m.tansy", SPRING)
        _, told = self.look("solve", "m.tansy", "--method", "bdf", "--rtol", "1e-7", "--atol", "1e-9", "--out", "a.csv")
        self.assertTrue(told)
        self.assertEqual(told[6], "1e-05")
        self.assertIn("against bdf at rtol = 1e-07", told[4])
        self.good("solve", "m.tansy", "--method", "rk8", "--rtol", "1e-12", "--atol", "1e-15", "--quiet", "--out", "b.csv")
        _, names, rows = self.read_table("a.csv")
        right = self.read_table("b.csv")[2]
        self.assertIn(told[2], names)
        errors = {}
        for name in names[1:]:
            quantity, scale = name, 1
            if name.startswith("d("):
                quantity, parameter = re.fullmatch(r"d\((\w)\)/d\((\w+)\)", name).groups()
                scale = {"k": 900, "m": 1.3, "h0": 1.2, "c": 0.2}[parameter]
            floor = max(1e-9 / 1e-7, 1e-3 * max(abs(row[quantity]) for row in rows))
            for row, exact in zip(rows, right):
                errors[name, row["t"]] = abs(row[name] - exact[name]) * scale / (abs(exact[name]) * scale + floor)
        worst = max(errors, key=errors.get)
        self.assertEqual(worst[0], told[2])
        self.assertAlmostEqual(worst[1], float(told[3]), delta=1e-9)
        self.assertAlmostEqual(errors[worst] / float(told[5]), 1, delta=0.05)  # two digits are shown

    def test_the_table_is_that_of_one_run(self):
        self.write("m.tansy", SPRING)
        for method in ("bdf", "limex"):
            words = ("solve", "m.tansy", "--method", method)
            run, once = self.good(*words), self.good(*words, "--once")
            self.assertEqual(run.stdout, once.stdout)
            self.assertNotRegex(once.stderr, TOLD)

    def test_runs_that_are_as_exact_as_promised_have_no_warning(self):
        for text in (EDGE, SPRING):
            for rtol in ("1e-4", "1e-6", "1e-8"):
                run = self.good("solve", self.write("m.tansy", text), "--rtol", rtol, "--out", "a.csv")
                self.assertNotIn("warning", run.stderr)

    def test_dassl_is_looked_at_without_conditions(self):
        """Errors of 40 swings of a pendulum add up."""
        _, told = self.look("solve", PENDULUM, "--to", "80", "--out", "a.csv")
        self.assertTrue(told)
        self.assertIn("against dassl", told[4])

    def test_the_ranking_and_the_page_have_it(self):
        self.write("m.tansy", SPRING)
        words = ("m.tansy", "--method", "bdf", "--rtol", "1e-7")
        self.assertTrue(self.look("rank", *words)[1])
        run, told = self.look("solve", *words, "--quiet", "--out", "a.csv", "--report", "a.html")
        self.assertFalse(told)
        self.assertEqual(run.stderr, "")
        self.assertRegex((self.folder / "a.html").read_text(encoding="utf-8"), "is less exact than promised")

    def test_of_a_scan_the_run_is_named(self):
        self.write("m.tansy", SPRING)
        run, told = self.look("solve", "m.tansy", "--method", "bdf", "--rtol", "1e-7", "--scan", "h0=100:1.2:2", "--to", "2.2")
        self.assertEqual(told[1], "run 2: ")
        self.assertIn("and 1 of 2 runs", run.stderr)

    def test_where_the_second_run_takes_too_long_nothing_is_known(self):
        """u oscillates below its atol, and above a tenth of it."""
        self.write("m.tansy", EDGE.replace("state x = 0.5", "state x = 0.5, u = 3e-10, v = 0\nu' = 1e4*v\n"
                                                            "v' = 1e4*((1 - (u/1.5e-10)^2)*v - u)"))
        words = ("solve", "m.tansy", "--method", "bdf", "--atol", "1e-9", "--at", "5", "--out", "a.csv")
        self.assertRegex(self.good(*words).stderr, "how exact the sensitivities are behind the conditions is not known: a second run, bdf at .*; "
                                                   r"it stopped at t = \S+: it took as many evaluations of f as it may; --verify takes more time")
        run = self.good(*words, "--rtol", "1e-2", "--atol", "1")
        self.assertNotIn("not known", run.stderr)  # nothing is promised

    def test_many_switching_points_excuse_nothing(self):
        """A spring that is stiffer on one side: 500 kinks, beside which S does not jump; errors add up."""
        self.write("m.tansy", "parameter w = 3, a = 0.3\nstate x = 1, v = 0\nx' = v\n"
                              "v' = -w^2*x - (if x > 0 then a*w^2*x else 0)\ntime 0 .. 600\n")
        words = ("solve", "m.tansy", "--rtol", "1e-4", "--out", "a.csv")
        self.assertTrue(self.look(*words)[1])
        run = self.run_program(*words, "--verify")
        self.assertEqual(run.returncode, 4)
        self.assertNotIn("left out", run.stderr + run.stdout)

    def test_all_methods_are_looked_at(self):
        """Errors of 100 swings add up, of rk8 to 7 times the promise at rtol = 1e-6; of a fifth of a swing none."""
        for method in ("auto", "rk8", "adams", "rosenbrock", "limex", "bdf", "dassl"):
            words = ("solve", LOTKA, "--method", method, "--points", "3")
            told = self.look(*words, "--to", "500")[1]
            self.assertTrue(told, method)
            self.assertGreater(float(told[5]), 1e-4)
            self.assertNotIn("warning", self.look(*words, "--to", "1")[0].stderr)

    def test_a_difference_that_is_the_other_run_s_is_no_warning(self):
        """A pendulum with friction: adams is off by more than rk8 is."""
        self.write("m.tansy", "parameter g = 9.81, l = 0.5515, mu = 0.1469, eps = 0.0001355\nstate a = 1.694, w = 0\na' = w\n"
                              "w' = -g/l*sin(a) - mu*(if w > eps then 1 else if w < -eps then -1 else w/eps)\ntime 0 .. 5.576\n")
        self.assertNotIn("warning", self.good("solve", "m.tansy", "--points", "51", "--out", "a.csv").stderr)

    def test_an_error_that_the_other_run_hides_is_told(self):
        """A ball on a spring: limex is off by 2.5 times the promise, and bdf at a tenth of the tolerance by 2 to the same side."""
        self.write("m.tansy", "parameter k = 667.7, m = 1.454, c = 0.4572, h0 = 1.808\nstate x = h0, v = 0\nx' = v\n"
                              "v' = -9.81 + (if x < 0 then (-k*x - c*v)/m else 0)\ntime 0 .. 2\n")
        words = ("solve", "m.tansy", "--rtol", "1e-6", "--atol", "1e-9", "--method", "limex", "--out", "a.csv")
        told = self.look(*words)[1]
        self.assertTrue(told)
        self.assertGreater(float(told[5]), 1e-4)

    def test_it_says_nothing_of_its_own_runs(self):
        """Behind T the slope wants a run for y', which the second run has no time for."""
        self.write("m.tansy", "parameter a = 1, b = 3, c = 2, T = 5\nstate x = 0.5, u = 0\nx' = if x < c then a else b\n"
                              "u' = 1e4*(3e-10*sin(1e4*time) - u)\ntime 0 .. T\n")
        run = self.good("solve", "m.tansy", "--method", "rosenbrock", "--atol", "1e-9", "--points", "3", "--out", "a.csv")
        self.assertNotIn("less exact than the rest", run.stderr)

    def test_what_is_no_number_is_not_counted(self):
        self.write("m.tansy", SPRING.replace("c = 0.2", "c = 0.2, z = 1").replace("state x", "state u = 0, x")
                   + "u' = z\noutput lx = log(x) + 0*z\n")
        run = self.look("solve", "m.tansy", "--method", "bdf", "--rtol", "1e-7", "--atol", "1e-9", "--out", "a.csv")[0]
        self.assertIn("so do 4 of 5 columns and 2 of 4 states and outputs", run.stderr)

    def test_a_pulse_that_is_followed_is_not_left_of_jumps(self):
        self.write("m.tansy", "parameter k = 0.5158, a = 0.5762, D = 1.722, e = 0.2827\nconstant d = 2.131e-05\nstate x = 1, y = 0, z = 0\n"
                              "x' = -k*x\ny' = (if x < a and x > a - d then D/d else 0) - e*y\nz' = y - 0.3*z\ntime 0 .. 5.857\n")
        for method in ("auto", "rosenbrock", "limex"):
            run = self.good("solve", "m.tansy", "--rtol", "1e-4", "--method", method, "--out", "a.csv")
            self.assertNotIn("warning", run.stderr)

    def test_a_long_run_is_told_of(self):
        """2000 states and parameters, 300 steps and more."""
        if SPARING:
            self.skipTest("takes long")
        self.write("m.tansy", "parameter k[i in 1..2000] = 1 + i/1000, T = 0.5\nstate u[i in 1..2000] = 1, w = 0\n"
                              "u[i]' = cos(3*time) - k[i]*u[i] for i in 1..2000\nw' = if time < T then 1 else 0\ntime 0 .. 9\n")
        run = self.good("solve", "m.tansy", "--at", "9", "--max-step", "0.03", "--out", "a.csv")
        self.assertIn("the run was long and was not computed once more", run.stderr)


class Smooth(ProgramTest):
    """Models without conditions, by the default method."""

    # relaxation: S grows by 1e5 within an excursion, and the least part of an error of that stays behind
    OREGONATOR = """parameter s = 77.27, w = 0.161, q = 8.375e-6
state x = 1, y = 2, z = 3
x' = s*(y - x*y + x - q*x^2)
y' = (z - y - x*y)/s
z' = w*(x - z)
time 0 .. 360
"""

    def run_model(self, text, *words):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        return self.good("solve", "m.tansy", "--out", "a.csv", *words)

    def test_a_relaxation_oscillator_is_right_or_told(self):
        for rtol in ("1e-4", "1e-6", "1e-8"):
            run = self.run_model(self.OREGONATOR, "--points", "21", "--rtol", rtol)
            names, rows = self.read_table("a.csv")[1:]
            self.good("solve", "m.tansy", "--points", "21", "--rtol", "1e-11", "--method", "rosenbrock", "--once", "--quiet", "--out", "b.csv")
            right = self.read_table("b.csv")[2]
            scale = {"s": 77.27, "w": 0.161, "q": 8.375e-6}
            worst = 0
            for name in names[1:]:
                column = re.fullmatch(r"d\((\w)\)/d\((\w+)\)", name)
                factor, state = (scale[column[2]], column[1]) if column else (1, name)
                floor = 1e-3 * max(abs(row[state]) for row in right)
                worst = max(worst, *(abs(row[name] - exact[name]) * factor / (abs(exact[name]) * factor + floor)
                                     for row, exact in zip(rows, right)))
            told = TOLD.search(run.stderr)
            self.assertEqual(bool(told), worst > 100 * float(rtol), f"{rtol}: {worst}, {run.stderr}")
            if told:
                self.assertAlmostEqual(float(told[5]) / worst, 1, delta=0.1)  # of what is shown, by a run of a hundredth of the tolerance

    def test_growth_is_right_or_told(self):
        """u' = g u (1 - u) in closed form: to the first order in u0, errors of u0 grow with u."""
        for begin in (1e-3, 1e-9, 1e-14):
            for rtol in (1e-4, 1e-6, 1e-8):
                run = self.run_model(f"parameter g = 1.3\nstate u = {begin}\nu' = g*u*(1 - u)\ntime 0 .. 30\n", "--points", "31",
                                     "--rtol", rtol)
                worst = 0
                for row in self.read_table("a.csv")[2]:
                    grown = math.exp(1.3 * row["t"])
                    below = 1 + begin * (grown - 1)
                    u, slope = begin * grown / below, row["t"] * begin * grown * (1 - begin) / below ** 2
                    worst = max(worst, abs(row["u"] - u) / (u + 1e-3), abs(row["d(u)/d(g)"] - slope) * 1.3 / (slope * 1.3 + 1e-3))
                if worst < 80 * rtol:
                    self.assertNotIn("less exact", run.stderr)
                elif worst > 120 * rtol:
                    self.assertIn("less exact", run.stderr)

    def network(self, species, reactions):
        """Of first order, one from each species, then of second order; rates over seven decades."""
        draw = random.Random(1)
        terms, rates = [[] for _ in range(species)], []
        for r in range(reactions):
            a, first = r % species, r < species
            b, c = draw.sample([i for i in range(species) if i != a], 2)
            rates.append(f"k{r} = {10 ** draw.uniform(-2, 5):.3g}")
            term = f"k{r}*x{a}" if first else f"k{r}*x{a}*x{b}"
            for i in (a,) if first else (a, b):
                terms[i].append("- " + term)
            for i in (c,) if first else (c, (c + 1) % species):
                terms[i].append("+ " + term)
        begin = ", ".join(f"x{i} = {1 / (1 + i):.4g}" for i in range(species))
        rows = "\n".join(f"x{i}' = {' '.join(of)}" for i, of in enumerate(terms))
        return f"parameter {', '.join(rates)}\nstate {begin}\n{rows}\ntime 0 .. 10\n"

    def test_many_columns_are_looked_at_by_what_is_cheap(self):
        """A one-step method would take all the time there is."""
        if SPARING:
            self.skipTest("takes long")
        text = self.network(60, 200)
        for method in ("auto", "bdf", "dassl"):
            run = self.run_model(text, "--points", "21", "--rtol", "1e-6", "--method", method)
            self.assertNotIn("not known", run.stderr)
            self.assertNotIn("less exact", run.stderr)

class Amplified(ProgramTest):
    """Outputs that are small rests of large terms, as rates of stiff models: the error tests hold y, and these are off by more."""

    MODELS = {
        "relaxation": ("parameter mu = 1000\nstate x = 2, v = 0\nx' = v\nv' = mu*(1 - x^2)*v - x\noutput rate = v'\ntime 0 .. 2000\n", 80),
        "kinetics": ("parameter k1 = 0.04, k2 = 1e4, k3 = 3e7\nstate a = 1, b = 0, c = 0\na' = -k1*a + k2*b*c\n"
                     "b' = k1*a - k2*b*c - k3*b^2\nc' = k3*b^2\noutput rate = b', sum_ = a + b + c\ntime 0 .. 100\n", 20),
        "lag": ("parameter L = 1e6\nstate y = 0\ny' = -L*(y - cos(time))\noutput rate = y'\ntime 0 .. 10\n", 20),
        "implicit": ("parameter L = 1e6\nstate y = 0\nalgebraic z = 1\ny' = -L*(y - z)\n0 = z - cos(time)\noutput rate = y'\n"
                     "time 0 .. 10\n", 20),
        "smooth": ("parameter k = 1\nstate x = 1, v = 0\nx' = v\nv' = -k*x\noutput rate = v', energy = x^2 + v^2\ntime 0 .. 10\n", 100)}

    def errors(self, rows, right):
        """By the norm of the verdict, of a run without columns."""
        most = {name: max(abs(row[name]) for row in right) for name in right[0] if name != "t"}
        return {name: max(abs(row[name] - exact[name]) / (abs(exact[name]) + 1e-3 * most[name]) for row, exact in zip(rows, right))
                for name in most}

    def test_what_is_off_is_told_and_nothing_else(self):
        counts = {True: 0, False: 0}
        for name, (text, points) in self.MODELS.items():
            (self.folder / "m.tansy").write_text(text, encoding="utf-8")
            words = ("solve", "m.tansy", "--sens", "none", "--points", points + 1, "--atol", "1e-18")
            right = self.table(self.good(*words, "--rtol", "1e-11", "--once", "--method", "dassl" if name == "implicit" else "bdf").stdout)[2]
            for method in ("auto", "dassl") if SPARING else ("auto", "dassl", "rosenbrock", "limex"):
                run = self.good(*words, "--method", method)
                told = TOLD.search(run.stderr)
                errors = self.errors(self.table(run.stdout)[2], right)
                worst = max(errors, key=errors.get)
                where = f"{name} by {method}: {errors}, {run.stderr}"
                if errors[worst] > 1.2e-4:  # near the promise of 1e-4 errors of the reference count
                    self.assertTrue(told, where)
                    self.assertEqual(told[2], worst, where)
                    self.assertAlmostEqual(float(told[5]) / errors[worst], 1, delta=0.1, msg=where)
                elif errors[worst] < 0.8e-4:
                    self.assertFalse(told, where)
                counts[bool(told)] += 1
        self.assertGreater(min(counts.values()), 2, counts)

    def test_the_verdict_says_so_too(self):
        (self.folder / "m.tansy").write_text(self.MODELS["lag"][0], encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--sens", "none", "--atol", "1e-14", "--verify", "--out", "a.csv")
        self.assertEqual(run.returncode, 4)
        self.assertRegex(run.stdout, r"(?m)^rate +\d\.\d  worse than promised")


if __name__ == "__main__":
    main()
