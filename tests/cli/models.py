# SPDX-License-Identifier: Apache-2.0
"""Models with conditions, controls, integrals, units and algebraic equations through the program."""
import json
import math
import os
import re

from program import HAS_KLU, HERE, ProgramTest, main

THERMOSTAT, TANK, ALGEBRAIC = (str(HERE / f"{name}.tansy") for name in ("thermostat", "tank", "algebraic"))
TOP, PROMISE = HERE.parent.parent, 1e-4


class Conditions(ProgramTest):
    K, C, H, E, X0 = 0.5, 2.0, 3.0, 2.5, 1.0
    SWITCH = (C - X0) / H

    def right(self, t):
        """x and its sensitivities to k, c, h, e and x(0) in closed form."""
        if t < self.SWITCH:
            return self.X0 + self.H * t, 0, 0, t, 0, 1
        since, decay = t - self.SWITCH, math.exp(-self.K * (t - self.SWITCH))
        gap = self.C - self.E
        by_switch = self.K * gap * decay  # dx/d(switching time)
        return (self.E + gap * decay, -since * gap * decay, decay + by_switch / self.H,
                -by_switch * (self.C - self.X0) / self.H ** 2, 1 - decay, -by_switch / self.H)

    def test_columns_jump_at_the_switch(self):
        _, names, rows = self.table(self.good("solve", THERMOSTAT, "--points", "81", "--sens", "k,c,h,e,x(0)").stdout)
        self.assertEqual(names[:3], ["t", "x", "excess"])
        columns = ["x", *(f"d(x)/d({p})" for p in ("k", "c", "h", "e", "x(0)"))]
        for row in rows:
            for name, value in zip(columns, self.right(row["t"])):
                self.assertAlmostEqual(row[name], value, delta=PROMISE, msg=f"{name} at {row['t']}")
            self.assertAlmostEqual(row["d(excess)/d(c)"], row["d(x)/d(c)"] - 1, delta=1e-14)
            self.assertAlmostEqual(row["d(excess)/d(h)"], row["d(x)/d(h)"], delta=1e-14)

    def test_verify_takes_differences_too(self):
        run = self.good("solve", THERMOSTAT, "--verify", "--sens", "k,c,h,e,x(0)")
        self.assertIn("adams at", run.stderr)
        self.assertEqual(run.stderr.count("they hold"), 5)
        self.assertIn("PASS", run.stderr)

    def test_no_pulse_is_jumped_over(self):
        """At rest until the first pulse, x' = (sin(2 pi t/24) > 1/2) - x/10: ten pulses from 2 to 10 h of each day."""
        (self.folder / "pulses.tansy").write_text(
            "parameter k = 0.1, u = 1\nstate x = 0\n"
            "x' = (if sin(2*pi*time/24) > 0.5 then u else 0) - k*x\ntime 0 .. 240\n", encoding="utf-8")
        right = sum(10 * (math.exp(-0.1 * (230 - 24 * d)) - math.exp(-0.1 * (238 - 24 * d))) for d in range(10))
        run = self.good("solve", "pulses.tansy", "--at", "240", "--sens", "u")
        comments, _, rows = self.table(run.stdout)
        self.assertAlmostEqual(rows[0]["x"], right, delta=PROMISE * right)
        self.assertAlmostEqual(rows[0]["d(x)/d(u)"], right, delta=PROMISE * right)
        self.assertIn("max step = 1.2, because the model has conditions", comments[2])
        self.good("solve", "pulses.tansy", "--out", "a.csv", "--report", "a.html")
        self.assertIn("1.2, because the model has", (self.folder / "a.html").read_text(encoding="utf-8"))
        other = self.good("solve", "pulses.tansy", "--max-step", "0.5").stdout
        self.assertNotIn("because", other)

    def test_check_shows_units_conditions_and_bounds(self):
        text = self.good("check", THERMOSTAT).stdout
        for words in ("1 state, 4 parameters, 1 output, 1 condition", "[K/s]", "in 0 .. 10", "conditions\n  x < c", "0 .. 2 s",
                      "given, and they agree"):
            self.assertIn(words, text)

    def test_values_outside_bounds_are_warned_of(self):
        self.assertIn("outside its bounds 0 .. 10", self.good("solve", THERMOSTAT, "--set", "k=11").stderr)
        self.good("solve", THERMOSTAT, "--set", "k=11", "--out", "a.csv", "--report", "a.html")
        self.assertIn("k = 11 is outside its bounds", (self.folder / "a.html").read_text(encoding="utf-8"))
        self.assertEqual(self.good("solve", THERMOSTAT, "--set", "k=11", "--quiet").stderr, "")


class Controls(ProgramTest):
    def test_levels_and_integrals(self):
        _, names, rows = self.table(self.good("solve", TANK, "--at", "0.5,3").stdout)
        # what is a state already is not shown again as an output
        self.assertEqual(names[:4], ["t", "x", "cost", "double"])
        self.assertEqual(names[4:9], ["d(x)/d(a)", "d(x)/d(z)", "d(x)/d(u[1])", "d(x)/d(u[2])", "d(x)/d(u[3])"])
        self.assertEqual(rows[0]["d(x)/d(u[2])"], 0)
        self.assertAlmostEqual(rows[1]["cost"], 1 + 4 + 0.25, delta=PROMISE)
        self.assertAlmostEqual(rows[1]["d(cost)/d(u[2])"], 4, delta=PROMISE)
        # x' = u - a x: the level of the first second decays for two more
        self.assertAlmostEqual(rows[1]["d(x)/d(u[1])"], (1 - math.exp(-0.3)) / 0.3 * math.exp(-0.6), delta=PROMISE)
        self.assertAlmostEqual(rows[1]["d(double)/d(u[3])"], 2 * (1 - math.exp(-0.3)) / 0.3, delta=2 * PROMISE)

    def test_tolerances_of_the_model(self):
        self.assertIn("atol = auto, 1e-08 where given", self.good("solve", TANK).stdout)
        self.assertIn("atol = 1e-07\n", self.good("solve", TANK, "--atol", "1e-7").stdout)
        self.assertIn("atol = 1e-07 to 0.001\n", self.good("solve", TANK, "--atol", "x=1e-3", "--atol", "1e-7").stdout)

    def test_check_shows_activation_times(self):
        text = self.good("check", TANK).stdout
        self.assertIn("active from t = 2", text)
        self.assertIn("2 states (1 integral)", text)

    def test_ranking_of_levels_and_of_a_parameter_that_is_zero(self):
        text = self.good("rank", TANK, "--of", "x,double").stdout
        for name in ("a", "z", "u[1]", "u[2]", "u[3]"):
            self.assertIn(f"  {name} ", text)


class InitialValues(ProgramTest):
    def test_columns_of_values_that_are_used_elsewhere_are_refused(self):
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 2, y = x(0), z = 1\nx' = -k*x\ny' = -y\nz' = -z*x(0)\n"
                                             "time 0 .. 1\n", encoding="utf-8")
        self.refused("solve", "m.tansy", "--sens", "k,x(0)", says="--sens: x(0) is used elsewhere in the model: make it a "
                     "parameter, `parameter x0 = ...`, `state x = x0`, and ask for x0")
        _, _, rows = self.table(self.good("solve", "m.tansy", "--sens", "y(0),z(0)", "--at", "1").stdout)
        self.assertAlmostEqual(rows[0]["d(y)/d(y(0))"], math.exp(-1), delta=PROMISE)
        self.assertAlmostEqual(rows[0]["d(z)/d(z(0))"], math.exp(-2), delta=PROMISE)


class Shipped(ProgramTest):
    AMPLIFY = {"brusselator_1d", "brusselator_2d"}  # errors grow along the way: 100 rtol is missed
    LEFT_OUT = {"heat_400"}  # 160,000 states take too long here
    # the staggered corrector, which auto takes, is at 1.2 times 100 rtol at one of the fronts
    OPTIONS = {"transistor_amplifier": ("--sensitivities", "direct")}
    if os.environ.get("TANSY_SPARING"):  # kernels of the sanitized build round otherwise: at 1e-6 a column is at 1.01 times 100 rtol
        OPTIONS["brusselator"] = ("--rtol", "1e-7")

    def verify(self, model, *options):
        run = self.run_program("solve", model, "--verify", "--out", "a.csv", *options)
        self.assertEqual(run.returncode, 0, f"{model}: {run.stdout[-300:]}{run.stderr}")
        self.assertIn("PASS", run.stdout)
        return run.stdout

    def test_models_hold_the_promise_as_they_are(self):
        left_out = self.LEFT_OUT | self.AMPLIFY
        models = sorted(path for path in (TOP / "examples" / "models").glob("*.tansy") if path.stem not in left_out)
        self.assertGreaterEqual(len(models), 11)
        for model in models[::3] if "TANSY_SPARING" in os.environ else models:
            words = ("solve", model, "--verify", "--out", "a.csv", *self.OPTIONS.get(model.stem, ()))
            run = self.run_program(*words)
            self.assertNotIn("UNDECIDED", run.stdout, model)
            for line in re.findall(r"^.*worse than promised.*$", run.stdout, re.MULTILINE):  # no miss: rtol of p moves it as far
                self.assertRegex(line, "ill-conditioned$|^FAIL: ", f"{model}: {run.stdout}")
            self.assertEqual(run.returncode, 4 if "ill-conditioned" in run.stdout else 0, model)

    def test_multipliers_are_marked_and_do_not_count(self):
        text = self.verify(TOP / "examples" / "models" / "pendulum.tansy", "--report", "a.html")
        self.assertIn("dassl at rtol = 1e-08 against dassl at rtol = 1e-06", text)
        self.assertRegex(text, r"x5 +\d\.\d  not controlled: index 2\n")
        self.assertRegex(text, r"length .*they hold.*\n  in what is not tested +\d\.\d  x5  not controlled: index 2\n")
        self.assertIn("1 of 5 states take no part in the error tests", text)
        self.assertIn("d(x5)/d(length)</th>", (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_implicit_models_with_constant_b_are_compared_with_other_methods(self):
        model = TOP / "examples" / "models" / "robertson_dae.tansy"
        self.assertIn("constant B", self.good("check", model).stdout)
        for ran, other in (("auto", "limex"), ("limex", "rosenbrock"), ("dassl", "rosenbrock")):
            text = self.verify(model, "--method", ran)
            self.assertIn(f"{other} at rtol = 1e-08 against {'rosenbrock' if ran == 'auto' else ran} at rtol = 1e-06", text)
            self.assertNotIn("they hold", text)  # differences, where a method is compared with itself

    def test_suppressed_variables_and_their_outputs_are_marked(self):
        (self.folder / "m.tansy").write_text("parameter a = 2\nstate x = 1\nalgebraic z = 1\nx' = -a*z\nz = x\n"
                                             "output twice = 2*z\noutput other = 2*x\ntime 0 .. 1\n", encoding="utf-8")
        text = self.verify("m.tansy", "--suppress-algebraic", "1")
        self.assertEqual(text.count("not controlled: suppress_algebraic"), 3)  # z, twice, the column of a
        self.assertIn("2 of 4 states and outputs take no part", text)
        self.assertNotIn("not controlled", self.verify("m.tansy"))

    def test_a_large_grid_by_gmres(self):
        text = (TOP / "examples" / "models" / "heat_400.tansy").read_text(encoding="utf-8")
        (self.folder / "heat.tansy").write_text(text.replace("M = 400", "M = 80"), encoding="utf-8")
        common = ("solve", "heat.tansy", "--at", "0.01", "--quiet", "--report", "a.html", "--stats", "a.json", "--out")
        self.good(*common, "a.csv", "--linear-solver", "gmres")
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual((stats["n"], stats["linear_solver"], stats["preconditioner"], stats["structure"]),
                         (6400, "gmres", "ilu", "sparse"))
        self.assertLess(stats["linear_iterations"], 5 * stats["solves"])
        self.assertGreater(stats["preconditioners"], 0)
        self.assertLess(stats["bytes"], 8 * 6400 * 3 * 100)  # state and two columns: their histories, 21 Krylov vectors each, ILU
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        for words in ("average Krylov dimension", "gmres, preconditioner ilu on the right", "sparse, 31680 entries"):
            self.assertIn(words, page)
        _, names, rows = self.table((self.folder / "a.csv").read_text(encoding="utf-8"))
        other = () if HAS_KLU else ("--method", "rk8")  # dense factors in place of sparse ones take minutes
        self.good(*common, "b.csv", *other)
        self.assertNotIn("Krylov", (self.folder / "a.html").read_text(encoding="utf-8"))
        _, _, right = self.table((self.folder / "b.csv").read_text(encoding="utf-8"))
        largest = max(right[0][name] for name in names[1:6401])
        for name in names[1:]:
            self.assertAlmostEqual(rows[0][name], right[0][name], delta=PROMISE * largest, msg=name)

    def test_models_that_amplify_errors_are_told_so(self):
        for name in sorted(self.AMPLIFY):
            run = self.run_program("solve", TOP / "examples" / "models" / f"{name}.tansy", "--verify", "--out", "a.csv")
            self.assertEqual(run.returncode, 4, name)
            self.assertIn("FAIL", run.stdout)
            self.assertRegex(run.stdout, r"\d of \d+ .* are ill-conditioned", name)

    def test_the_tutorials_spring(self):
        text = (TOP / "docs" / "language.md").read_text(encoding="utf-8")
        (self.folder / "spring.tansy").write_text(re.search(r"```tansy\n(model spring\n.*?)```", text, re.DOTALL)[1],
                                                  encoding="utf-8")
        self.assertTrue(self.verify("spring.tansy", "--method", "adams"))


class Algebraic(ProgramTest):
    def test_is_checked_solved_and_exported(self):
        text = self.good("check", ALGEBRAIC).stdout
        self.assertIn("2 states (1 algebraic)", text)
        self.assertIn("linearly implicit", text)
        self.assertIn("index           1 by structure, confirmed: dF/dy' has rank 1 of 2 at the start\nalgebraic       z\n", text)
        self.good("solve", ALGEBRAIC)
        self.good("export", ALGEBRAIC, "--c", "a.c")
        self.assertIn(".residual_tangent = ", (self.folder / "a.c").read_text(encoding="utf-8"))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def test_index_2_shows_constraints_and_multipliers(self):
        self.write("two.tansy", "parameter a = 2\nstate x[1..13] = 1\nalgebraic z[1..13] = 0, w = 0\n"
                   "x[i]' = z[i] for i in 1..13\n0 = x[i] - cos(a*t) for i in 1..13\nw = x[1]^2\n"
                   "output speed = x[1]'\ntime 0 .. 1\n")
        text = self.good("check", "two.tansy").stdout
        self.assertIn("index           2 by structure, confirmed: dF/dy' has rank 13 of 27", text)
        self.assertIn("algebraic       w\n", text)
        self.assertIn("z[12], ... (13 in all)\n", text)
        self.assertIn("constraints     two.tansy:5:1: 0 = x[i] - cos(a*t) for i in 1..13\n", text)
        self.assertIn("                ... (13 in all)\n", text)
        self.assertEqual(text.count("0 = x[i] - cos(a*t)"), 1)
        _, _, rows = self.table(self.good("solve", "two.tansy", "--at", "0,1").stdout)
        self.assertAlmostEqual(rows[1]["speed"], -2 * math.sin(2), delta=PROMISE)
        self.assertAlmostEqual(rows[1]["d(speed)/d(a)"], -math.sin(2) - 2 * math.cos(2), delta=PROMISE)

    def test_an_initial_value_that_is_not_kept_is_told(self):
        """eps x' = a - x with eps = 0."""
        (self.folder / "m.tansy").write_text("parameter eps = 0, a = 2\nstate x = 1, y = 0\neps*x' = a*cos(time) - x\n"
                                             "y' = x - y\ntime 0 .. 1\n", encoding="utf-8")
        says = "the coefficient of x' is 0 where the run begins: x is an algebraic variable there, its initial value 1 is not kept"
        self.assertIn(says, self.good("solve", "m.tansy", "--points", "3").stderr)
        self.assertNotIn(says, self.good("solve", "m.tansy", "--points", "3", "--set", "eps=0.1").stderr)

    def test_a_higher_index_is_told_and_not_solved(self):
        self.write("three.tansy", "state x = 1, v = 0\nalgebraic z = 0\nx' = v\nv' = z\n0 = x - cos(t)\ntime 0 .. 1\n")
        text = self.good("check", "three.tansy").stdout
        self.assertIn("index           3 by structure, confirmed: dF/dy' has rank 2 of 3", text)
        self.assertIn("not solvable    the structural index is 3", text)
        self.refused("solve", "three.tansy", says="here of three.tansy:5:1: 0 = x - cos(t)")

    def stopped(self, text, *says):
        self.write("m.tansy", text)
        run = self.run_program("solve", "m.tansy", "--out", "a.csv")
        self.assertEqual(run.returncode, 1, run.stderr)
        kept = (self.folder / "a.csv").read_text(encoding="utf-8")
        for words in says:
            self.assertIn(words, run.stderr)
            self.assertIn(words, kept)
        return kept

    def test_a_start_that_fails_names_the_equations(self):
        self.stopped("state x = 1\nalgebraic y = 0.1\nx' = -y\n0 = y^2 + x + 1\ntime 0 .. 1\n",
                     "no consistent initial values", "the algebraic equations: m.tansy:4:1: 0 = y^2 + x + 1")
        self.stopped("state x = 1\nalgebraic y = 0\nx' = -y\n0 = (y - x + 1)^2\ntime 0 .. 1\n",
                     "index is too high", "derivative in time? m.tansy:4:1: 0 = (y - x + 1)^2")
        run = self.run_program("check", "m.tansy")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the start at t = 0: the index is too high", run.stderr)
        self.stopped("state x = 1, v = 0\nalgebraic z = 0\nx' = z\nv' = -v\n0 = x - 2*cos(t)\ntime 0 .. 1\n",
                     "the initial values break", "the constraints: m.tansy:5:1: 0 = x - 2*cos(t)")
        self.stopped("state x = 0\nalgebraic y = -1\nx' = -y\n0 = log(y) - x\ntime 0 .. 1\n",
                     "m.tansy:4:1: 0 = log(y) - x is NaN at t = 0")
        self.stopped("state x = 1\nalgebraic y[1..8] = 0\nx' = -y[1]\n0 = y[i]^2 + x for i in 1..8\ntime 0 .. 1\n",
                     "m.tansy:4:1: 0 = y[i]^2 + x for i in 1..8; ... (8 in all)")

    def test_what_is_done_is_kept_where_an_algebraic_equation_loses_its_solution(self):
        kept = self.stopped("parameter a = 1\nstate x = 1\nalgebraic y = 1\nx' = -a\n0 = y^2 - x\ntime 0 .. 2\n",
                            "the error test failed at t = 1 ")
        self.assertGreaterEqual(len(kept.splitlines()), 100)

    def test_a_disagreement_is_told(self):
        self.write("sum.tansy", "state x = 1, y = 1\nx' + y' = -x\n2*x' + 2*y' = -2*y\ntime 0 .. 1\n")
        self.assertIn("index           0 by structure, but dF/dy' has rank 1 of 2 at the start, and the index is 1 there\n",
                      self.good("check", "sum.tansy").stdout)
        self.write("large.tansy", "state x = 1\nalgebraic z[1..400] = 1\nx' = -z[1]\nz[i] = x for i in 1..400\ntime 0 .. 1\n")
        self.assertIn("1 by structure; not confirmed by numbers: more than 400 equations", self.good("check", "large.tansy").stdout)
        self.write("bad.tansy", "state x = 0\nalgebraic z = 0\nx' = 1 + z\nz = sqrt(x) + x*z\ntime 0 .. 1\n")
        self.assertIn("not confirmed by numbers: derivatives at the start are not finite", self.run_program("check", "bad.tansy").stdout)


if __name__ == "__main__":
    main()
