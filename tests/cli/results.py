# SPDX-License-Identifier: Apache-2.0
"""What `tansy solve`, `rank` and `check` compute and how they write it down."""
import json
import math
import re

from program import HERE, MODEL, P, ProgramTest, main

RTOL = 1e-6
PROMISE = 100 * RTOL  # what the program promises for every value and column


def y1(t, p=None):
    """Closed form of gas oil's first state: y1 = 1/(1 + (p1 + p3) t)."""
    p = p or P
    return 1 / (1 + (p["p1"] + p["p3"]) * t)


class Table(ProgramTest):
    def test_a_model_without_a_name_has_the_files(self):
        (self.folder / "my.own.tansy").write_text("parameter k = 1\nstate x = 1\nx' = -k*x\ntime 0 .. 1\n", encoding="utf-8")
        run = self.good("solve", "./my.own.tansy", "--out", "a.csv", "--stats", "a.json", "--report", "a.htm")
        self.assertTrue(run.stderr.splitlines()[-1].startswith("my.own: t = 1"), run.stderr)
        self.assertIn(", model my.own", self.read_table("a.csv")[0][0])
        self.assertEqual(json.loads((self.folder / "a.json").read_text(encoding="utf-8"))["model"], "my.own")
        self.assertIn("<title>my.own</title>", (self.folder / "a.htm").read_text(encoding="utf-8"))
        self.assertIn("model           my.own\n", self.good("check", "my.own.tansy").stdout)
        self.assertIn("my.own from t = 0", self.good("rank", "my.own.tansy").stdout)

    def test_default_is_the_models_time_with_201_points(self):
        comments, names, rows = self.table(self.good("solve", MODEL).stdout)
        self.assertEqual(len(rows), 201)
        self.assertEqual((rows[0]["t"], rows[-1]["t"]), (0, 4))
        self.assertEqual(names[:4], ["t", "y1", "y2", "conversion"])
        self.assertEqual(names[4:], [f"d({x})/d({p})" for x in ("y1", "y2", "conversion") for p in P])
        self.assertTrue(any("rtol = 1e-06" in line for line in comments))
        self.assertTrue(any(line.startswith("# tansy ") for line in comments))

    def test_values_and_columns_agree_with_the_closed_form(self):
        _, _, rows = self.table(self.good("solve", MODEL, "--points", 41).stdout)
        for row in rows:
            t = row["t"]
            self.assertAlmostEqual(row["y1"], y1(t), delta=PROMISE)
            self.assertAlmostEqual(row["d(y1)/d(p1)"], -t * y1(t) ** 2, delta=PROMISE)
            self.assertEqual(row["d(y1)/d(p2)"], 0)
            self.assertAlmostEqual(row["d(conversion)/d(p3)"], t * y1(t) ** 2, delta=PROMISE)
            self.assertEqual(row["conversion"], 1 - row["y1"])

    def test_golden_output(self):
        """The same names, the same comments, values within the promise."""
        run = self.good("solve", MODEL, "--at", "0.5,1,2,4", "--sens", "p1,p2,p3,y1(0)")
        comments, names, rows = self.table(run.stdout)
        expected = (HERE / "expected_gas_oil.csv").read_text(encoding="utf-8")
        golden_comments, golden_names, golden = self.table(expected)
        self.assertEqual(names, golden_names)
        self.assertEqual([re.sub(r"\d+\.\d+\.\d+", "V", c) for c in comments],
                         [re.sub(r"\d+\.\d+\.\d+", "V", c) for c in golden_comments])
        self.assertEqual(len(rows), len(golden))
        for row, right in zip(rows, golden):
            for name in names:
                self.assertAlmostEqual(row[name], right[name], delta=PROMISE, msg=name)

    def test_seventeen_digits_and_no_negative_zero(self):
        text = self.good("solve", MODEL, "--at", "1").stdout
        self.assertNotIn("-0,", text.splitlines()[-1])
        value = text.splitlines()[-1].split(",")[1]
        self.assertEqual(f"{float(value):.17g}", value)

    def test_grids_in_at(self):
        _, _, rows = self.table(self.good("solve", MODEL, "--at", "0,0.01:1:3:log,2:4:3").stdout)
        for row, t in zip(rows, [0, 0.01, 0.1, 1, 2, 3, 4]):
            self.assertAlmostEqual(row["t"], t, delta=1e-15)

    def test_backward_in_time(self):
        """From y1(0) = 1 back to t = -0.3, where y1 = 1/(1 - 0.3 (p1 + p3))."""
        for words in (["--to", "-0.3", "--points", "4"], ["--at=-0.1,-0.2,-0.3"]):
            _, _, rows = self.table(self.good("solve", MODEL, *words).stdout)
            self.assertEqual(rows[-1]["t"], -0.3)
            self.assertAlmostEqual(rows[-1]["y1"], y1(-0.3), delta=PROMISE * 2)

    def test_columns_by_name_and_initial_values(self):
        run = self.good("solve", MODEL, "--at", "2", "--sens", "y1(0), p3")
        _, names, rows = self.table(run.stdout)
        self.assertEqual(names[4:6], ["d(y1)/d(y1(0))", "d(y1)/d(p3)"])
        names = self.table(self.good("solve", MODEL, "--at", "2", "--sens", "y1(0),all,y2(0)").stdout)[1]
        self.assertEqual(names[4:9], [f"d(y1)/d({name})" for name in ("y1(0)", "p1", "p2", "p3", "y2(0)")])
        # y1 = 1/(1/y0 + k t), d/dy0 = y1^2 at y0 = 1
        self.assertAlmostEqual(rows[0]["d(y1)/d(y1(0))"], y1(2) ** 2, delta=PROMISE)

    def test_no_columns(self):
        for words in (["--sens", "none"], ["--sensitivities", "none"]):
            _, names, _ = self.table(self.good("solve", MODEL, *words).stdout)
            self.assertEqual(names, ["t", "y1", "y2", "conversion"])

    def test_scale_p_and_log(self):
        _, _, raw = self.table(self.good("solve", MODEL, "--at", "0,1").stdout)
        _, _, by_p = self.table(self.good("solve", MODEL, "--at", "0,1", "--scale", "p").stdout)
        _, _, by_log = self.table(self.good("solve", MODEL, "--at", "0,1", "--scale=log").stdout)
        right = raw[1]["d(y2)/d(p1)"] * P["p1"]
        self.assertAlmostEqual(by_p[1]["p1*d(y2)/d(p1)"], right, delta=1e-15)
        self.assertAlmostEqual(by_log[1]["dln(y2)/dln(p1)"], right / raw[1]["y2"], delta=1e-15)
        self.assertTrue(math.isnan(by_log[0]["dln(y2)/dln(p1)"]))  # y2(0) = 0

    def test_set_parameters(self):
        (self.folder / "more.txt").write_text("# values\np3 = 0.4  # of the paper\n\n", encoding="utf-8")
        run = self.good("solve", MODEL, "--at", "3", "--set", "p1=0.5", "--set", "@more.txt")
        _, _, rows = self.table(run.stdout)
        self.assertAlmostEqual(rows[0]["y1"], y1(3, {"p1": 0.5, "p3": 0.4}), delta=PROMISE)

    def test_tolerances(self):
        errors = []
        for rtol in ("1e-4", "1e-10"):
            run = self.good("solve", MODEL, "--at", "4", "--rtol", rtol, "--atol", "1e-12", "--atol", "y2=1e-6")
            comments, _, rows = self.table(run.stdout)
            errors.append(abs(rows[0]["y1"] - y1(4)))
        self.assertIn("atol = 1e-12 to 1e-06", comments[2])
        self.assertLess(errors[1], 1e-8)
        self.assertLess(errors[1], errors[0])

    def test_methods_agree(self):
        tables = [self.table(self.good("solve", MODEL, "--at", "4", "--method", m, "--sensitivities", c).stdout)[2][0]
                  for m in ("adams", "bdf") for c in ("simultaneous", "staggered")]
        for other in tables[1:]:
            for name, value in tables[0].items():
                self.assertAlmostEqual(other[name], value, delta=2 * PROMISE, msg=name)

    def test_threads_change_nothing(self):
        one, two = (self.good("solve", MODEL, "--threads", n).stdout for n in (1, 2))
        self.assertEqual(one, two)


class Scan(ProgramTest):
    def test_all_combinations_with_leading_columns(self):
        run = self.good("solve", MODEL, "--scan", "p1=0.5:1.5:3", "--scan", "p3=0.1:10:3:log", "--at", "1,4",
                        "--sens", "none")
        _, names, rows = self.table(run.stdout)
        self.assertEqual(names[:3], ["p1", "p3", "t"])
        self.assertEqual(len(rows), 3 * 3 * 2)
        for row in rows:
            self.assertAlmostEqual(row["y1"], y1(row["t"], row), delta=PROMISE)
        self.assertEqual(sorted({round(row["p3"], 12) for row in rows}), [0.1, 1, 10])

    def test_table_of_sets(self):
        (self.folder / "sets.csv").write_text('# two\n"p3",p1\n0.1,0.2\n0.3,0.4\n', encoding="utf-8")
        run = self.good("solve", MODEL, "--scan", "@sets.csv", "--at", "2", "--out", "all.csv", "--stats", "s.json")
        _, names, rows = self.read_table("all.csv")
        self.assertEqual(names[:3], ["p3", "p1", "t"])
        self.assertEqual([(row["p3"], row["p1"]) for row in rows], [(0.1, 0.2), (0.3, 0.4)])
        for row in rows:
            self.assertAlmostEqual(row["y1"], y1(2, row), delta=PROMISE)
        stats = json.loads((self.folder / "s.json").read_text(encoding="utf-8"))
        self.assertEqual(stats["runs"], 2)
        self.assertEqual(run.stdout, "")


class Statistics(ProgramTest):
    KEYS = """method formula method_changes sensitivities n np second_evals steps rejected_error rejected_newton order_last h_last rhs_evals tangent_evals
        jacobian_evals factorizations solves newton_state newton_sens repeated_steps bytes seconds derivatives""".split()

    def test_keys(self):
        self.good("solve", MODEL, "--out", "a.csv", "--stats", "a.json", "--method", "bdf", "--sensitivities", "direct")
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        for key in self.KEYS:
            self.assertIn(key, stats)
        self.assertEqual((stats["n"], stats["np"], stats["method"], stats["sensitivities"]), (2, 3, "bdf", "direct"))
        self.assertEqual(sorted(stats["repeated_steps"]), sorted(P))
        self.assertIn("df/dy", stats["derivatives"])
        self.assertGreater(stats["steps"], 10)
        self.assertEqual((stats["formula"], stats["method_changes"], stats["second_evals"]), ("none", 0, 0))
        flat = [v for k, v in stats.items() if k not in ("repeated_steps", "derivatives")]
        self.assertTrue(all(isinstance(v, (int, float, str)) for v in flat))


    def test_one_step_methods_and_their_formulas(self):
        for method, formula, title in (
                ("rk8", "dop853", "DOP853"), ("rk8", "dopri8", "8(7)13"), ("rosenbrock", "rodas5p", "RODAS5P"),
                ("rosenbrock", "rodas4", "RODAS4"), ("rosenbrock", "grk4a", "GRK4A"), ("rosenbrock", "grk4t", "GRK4T")):
            for way in ("tangent", "difference"):
                self.good("solve", MODEL, "--points", "9", "--method", method, "--formula", formula, "--sensitivities", way,
                          "--out", "a.csv", "--stats", "a.json")
                stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
                self.assertEqual((stats["method"], stats["formula"], stats["sensitivities"]), (method, formula, way))
                self.assertEqual(stats["second_evals"] > 0, method == "rosenbrock")
                comments, _, rows = self.read_table("a.csv")
                self.assertIn(title, comments[1])
                for row in rows:
                    t = row["t"]
                    self.assertAlmostEqual(row["y1"], y1(t), delta=PROMISE)
                    self.assertAlmostEqual(row["d(y1)/d(p1)"], -t * y1(t) ** 2, delta=PROMISE)

    def test_limex_has_no_formula(self):
        self.good("solve", MODEL, "--points", "9", "--method", "limex", "--out", "a.csv", "--stats", "a.json", "--verify")
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual((stats["method"], stats["formula"], stats["sensitivities"]), ("limex", "none", "staggered"))
        comments, _, rows = self.read_table("a.csv")
        self.assertIn("extrapolated linearly implicit Euler", comments[1])
        for row in rows:
            t = row["t"]
            self.assertAlmostEqual(row["y1"], y1(t), delta=PROMISE)
            self.assertAlmostEqual(row["d(y1)/d(p1)"], -t * y1(t) ** 2, delta=PROMISE)

    def test_auto_tells_how_often_it_changed(self):
        self.good("solve", MODEL, "--out", "a.csv", "--stats", "a.json")
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual((stats["method"], stats["formula"], stats["method_changes"]), ("rk8", "dop853", 0))
        self.good("solve", MODEL, "--out", "a.csv", "--stats", "a.json", "--report", "a.html", *Verify.STIFF)
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual((stats["method"], stats["formula"], stats["method_changes"]), ("bdf", "none", 1))
        self.assertIn("rk8 or bdf by stiffness, changed 1 times", (self.folder / "a.html").read_text(encoding="utf-8"))
        self.assertIn("DOP853, bdf where it is stiff; ", self.read_table("a.csv")[0][1])

    def test_what_does_not_go_together_is_refused(self):
        for words, says in ((("--method", "bdf", "--formula", "rodas4"), "the option --formula is for"),
                            (("--method", "rk8", "--formula", "grk4a"), "the formulas of rk8 are"),
                            (("--method", "rk8", "--sensitivities", "staggered"), "take tangent or difference"),
                            (("--method", "rosenbrock", "--max-order", "3"), "choose a formula instead")):
            self.refused("solve", MODEL, *words, says=says)


class Verify(ProgramTest):
    def test_passes_and_counts_digits(self):
        run = self.good("solve", MODEL, "--out", "a.csv", "--verify")
        self.assertIn("PASS", run.stdout)
        for name in ("y1", "y2", *P):
            digits = re.search(rf"^{name}\s+(\d+\.\d)", run.stdout, re.MULTILINE)
            self.assertIsNotNone(digits, name)
            self.assertGreaterEqual(float(digits[1]), 4)  # 100 rtol

    def test_columns_that_miss_the_promise_give_status_4(self):
        """Tangents by forward differences with an increment of a tenth: the states are good, the columns are not."""
        run = self.run_program("solve", MODEL, "--out", "a.csv", "--verify", "--residual", "differences",
                               "--difference", "forward", "--difference-increment", "0.1")
        self.assertEqual(run.returncode, 4, run.stdout)
        self.assertIn("FAIL: 3 of 6", run.stdout)
        self.assertEqual(run.stdout.count("worse than promised"), 4)
        self.assertIn("try a smaller --rtol, --norm max", run.stdout)
        self.assertTrue((self.folder / "a.csv").exists())

    def test_another_method_is_taken(self):
        for method, other in (("adams", "rk8"), ("bdf", "rk8"), ("dassl", "rk8"), ("auto", "adams"), ("rk8", "adams"),
                              ("rosenbrock", "adams")):
            run = self.good("solve", MODEL, "--verify", "--method", method)
            ran = "rk8" if method == "auto" else method
            self.assertIn(f"{other} at rtol = 1e-08 against {ran} at rtol = 1e-06", run.stderr)
            self.assertNotIn("they hold", run.stderr)

    STIFF = ("--to", "1e6", "--set", "p2=1000", "--atol", "1e-16", "--sens", "p1,p2,p3,y1(0)")

    def test_stiff_problems_are_compared_with_stiff_methods(self):
        """y2 decays a thousand times in a unit of time for a million units: too much for rk8 and adams."""
        for method, other, ran in (("auto", "rosenbrock", "auto (rk8 and bdf)"), ("bdf", "rosenbrock", "bdf"),
                                   ("dassl", "rosenbrock", "dassl"), ("rosenbrock", "bdf", "rosenbrock")):
            run = self.good("solve", MODEL, "--verify", "--method", method, *self.STIFF)
            self.assertIn(f"{other} at rtol = 1e-08 against {ran} at rtol = 1e-06", run.stderr)
            self.assertIn("PASS", run.stderr)

    def test_without_an_independent_method_there_are_differences(self):
        """Only dassl solves what is not linear in x'."""
        (self.folder / "m.tansy").write_text("parameter k = 1, c = 0.1\nstate x = 1\nx' + c*x'^3 = -k*x\ntime 0 .. 3\n",
                                             encoding="utf-8")
        run = self.good("solve", "m.tansy", "--verify")
        self.assertIn("dassl at rtol = 1e-08 against dassl at rtol = 1e-06", run.stderr)
        for column in ("k", "c"):
            line = re.search(rf"^{column} +\S+ +x +(\S+) \(they hold (\S+)\)$", run.stderr, re.MULTILINE)
            self.assertIsNotNone(line, run.stderr)
            self.assertGreaterEqual(float(line[1]), 4)

    SMALL = """parameter k1 = 0.5, k2 = 0.3
state A = 1e-9, B = 0, C = 0, N = 0
A' = -k1*A
B' = k1*A - k2*B
C' = k2*B
N' = 0
output total = A + B + C
time 0 .. 40
"""

    def test_what_a_state_begins_with_counts_for_its_tolerance(self):
        (self.folder / "m.tansy").write_text("parameter k = 2\nstate A = 1\nA' = -k*A\ntime 0 .. 20\n", encoding="utf-8")
        self.assertNotIn("atol/rtol", self.good("solve", "m.tansy", "--at", "20").stderr)

    def test_states_below_atol_are_marked_and_warned_of(self):
        """Concentrations of 1e-9 with atol 1e-9: no tolerance holds their digits."""
        (self.folder / "small.tansy").write_text(self.SMALL, encoding="utf-8")
        run = self.run_program("solve", "small.tansy", *(atol := ("--atol", "1e-9")), "--verify", "--out", "a.csv", "--report", "a.html")
        self.assertEqual(run.returncode, 4)
        says = "3 states (A, B, C) stay below their atol/rtol, 0.001 for A, at all output times"
        self.assertIn("warning: " + says, run.stderr)
        self.assertIn(says, (self.folder / "a.html").read_text(encoding="utf-8"))
        self.assertIn(says, self.good("check", "small.tansy", *atol).stdout)
        self.assertIn(says, self.good("rank", "small.tansy", *atol).stderr)
        self.assertIn(says, self.good("solve", "small.tansy", *atol, "--scan", "k1=1:2:2").stderr)
        self.assertEqual(self.good("solve", "small.tansy", *atol, "--quiet").stderr, "")
        for name in ("A", "B", "C", "total", "k1", "k2"):
            line = re.search(rf"^{name} +(\S+) .*not controlled: atol$", run.stdout, re.MULTILINE)
            self.assertIsNotNone(line, name)
            if name not in ("A", "total"):
                self.assertLess(float(line[1]), 4, name)  # the digits that are there
        self.assertIn("6 of 7 states, outputs and columns are not controlled", run.stdout)
        for words in (("--atol", "1e-16"), ()):
            right = self.good("solve", "small.tansy", "--verify", "--out", "a.csv", *words)
            self.assertNotIn("not controlled", right.stdout + right.stderr)
        one = self.good("solve", "small.tansy", "--atol", "1e-16", "--atol", "C=1e-9")
        self.assertIn("state C stays below its atol/rtol = 0.001 at all output times: its relative error is not controlled; give it `atol` "
                      "in the model or --atol C=...", one.stderr)

    def test_outputs_are_verified(self):
        """x = exp(-k t) is good to 1e-6, at t = log 2 a peak of width 1e-8 is not, and sqrt(-1) is no number."""
        text = "parameter k = 1\nstate x = 1\nx' = -k*x\noutput q = {}\ntime 0 .. 1\n"
        (self.folder / "m.tansy").write_text(text.format("1/(1 + (1e8*(x - 0.5))^2)"), encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--verify", "--out", "a.csv", "--atol", "0", "--at", "0.69314718,1")
        self.assertEqual(run.returncode, 4, run.stdout)
        self.assertRegex(run.stdout, r"(?m)^q +\S+  worse than promised  ill-conditioned$")
        (self.folder / "m.tansy").write_text(text.format("sqrt(x - 2)"), encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--verify", "--out", "a.csv")
        self.assertEqual(run.returncode, 4, run.stdout)
        self.assertIn("warning: output q: it is not a number at t = 0\n", run.stderr)
        self.assertRegex(run.stdout, r"(?m)^q +0.0  worse than promised$")

    def test_outputs_that_are_not_numbers_are_warned_of(self):
        text = "parameter k = 1\nstate x = 1\nx' = -k*x\noutput late = log(x - 0.5), root = sqrt(0*k*x)\ntime 0 .. 1\n"
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.good("solve", "m.tansy", "--points", "11")
        self.assertIn("output late: it is not a number at t = 0.7\n", run.stderr)
        self.assertEqual(self.good("solve", "m.tansy", "--points", "11", "--quiet").stderr, "")

    def test_corners_in_initial_values_and_outputs_are_warned_of(self):
        """dz/da is 1 above a = b and 0 below; u jumps at tau; |x - 1| has its corner at t = 0, x - 1 = exp(-k t) - 1."""
        text = """parameter a = 1, b = 1, tau = 0.5
state x = 1, z = max(a, b)
x' = -x
z' = -z
output distance = abs(x - 1), u = if time < tau then 1 else 0
time 0 .. 1
"""
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        says = ("the initial value of z has a corner at these parameters, where max(a, b) is on its edge; S is one-sided in d/d(a) "
                "and 1 more column",
                "output distance has a corner at t = 0, where abs(x - 1) is on its edge: its derivative with respect to x(0) is "
                "one-sided there\n",
                "output u jumps at t = 0.5, where time < tau is on its edge: its derivative with respect to tau is not defined there\n")
        arguments = ("solve", "m.tansy", "--points", "5", "--sens", "a,b,tau,x(0)")
        run = self.good(*arguments, "--report", "m.html")
        page = (self.folder / "m.html").read_text(encoding="utf-8").replace("&lt;", "<")
        for line in says:
            self.assertIn("warning: " + line, run.stderr)
            self.assertIn(line.strip(), page)
        self.assertEqual(self.good(*arguments, "--quiet").stderr, "")
        away = self.good("solve", "m.tansy", "--at", "0.3,0.5", "--set", "b=2", "--set", "tau=0.6")
        self.assertNotIn("warning", away.stderr)
        twice = self.good("solve", "m.tansy", "--scan", "b=1:2:2", "--sens", "tau", "--points", "3").stderr
        self.assertIn("with respect to tau is not defined there, and at 1 more time\n", twice)

    def test_table_goes_to_stderr_when_results_are_on_stdout(self):
        run = self.good("solve", MODEL, "--verify")
        self.assertIn("PASS", run.stderr)
        self.assertNotIn("PASS", run.stdout)


class Rank(ProgramTest):
    def test_order_and_bars(self):
        run = self.good("rank", MODEL)
        lines = [line.split() for line in run.stdout.splitlines() if re.match(r"\s+\d+  p", line)]
        self.assertEqual([line[1] for line in lines], ["p1", "p2", "p3"])
        norms = [float(line[3]) for line in lines]
        self.assertEqual(norms, sorted(norms, reverse=True))
        self.assertIn("\u2588", lines[0][4])
        self.assertIn("root mean square", run.stdout)
        self.assertIn("#####", self.good("rank", MODEL, env={"LC_ALL": "C"}).stdout)

    def test_table_and_single_quantities(self):
        self.good("rank", MODEL, "--each", "--of", "y2,conversion", "--out", "r.csv", "--quiet")
        text = (self.folder / "r.csv").read_text(encoding="utf-8").splitlines()
        self.assertEqual(text[1], "quantity,rank,parameter,value,norm")
        self.assertEqual({line.split(",")[0] for line in text[2:]}, {"all", "y2", "conversion"})
        # p2 has no influence on the conversion
        last = [line for line in text if line.startswith("conversion,3,")]
        self.assertEqual(last, ["conversion,3,p2,0.25659999999999999,0"])


class Check(ProgramTest):
    def test_says_size_and_structure(self):
        text = self.good("check", MODEL).stdout
        for words in ("2 states", "3 parameters", "3 of 4 entries", "1 below and 0 above", "explicit ODE",
                      "agree with differences", "conversion", "units", "warnings"):
            self.assertIn(words, text)

    def test_quiet_says_nothing(self):
        self.assertEqual(self.good("check", MODEL, "--quiet").stdout, "")


class Export(ProgramTest):
    def test_writes_c(self):
        self.good("export", MODEL, "--c", "m.c")
        self.assertGreater(len((self.folder / "m.c").read_text(encoding="utf-8")), 10)
        self.assertEqual(self.good("export", MODEL, "--c", "-").stdout, (self.folder / "m.c").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
