# SPDX-License-Identifier: Apache-2.0
"""--verify where columns jump, where f has no derivative, and where the problem is ill-conditioned."""
import math
import os
import re

from program import HERE, MODEL, ProgramTest, main

MODELS = HERE.parent.parent / "examples/models"
STRIDE = 4 if "TANSY_SPARING" in os.environ else 1  # of long rows of like cases, where the program takes long to start
EDGE = "parameter a = 1, b = 3, c = 2, x0 = 0.5\nstate x = x0\nx' = if x < c then a else b\ntime 0 .. 5\n"
BOTH = """parameter b = .5, c = 1.5, d = 1.2, ta = .7
state x = 0, y = 0, z = 0
x' = 1
y' = b
z' = if time < ta or (x > c and not y > d) then 1 else 0
time 0 .. 4
"""
VECTOR = """constant N = 6
parameter a = 1, b = -.3, c = .3
state u[1..N] = 0
u[i]' = (if u[i] < c*i then a else 2*a + b*u[i])*(1 + (i - 1)/10) for i in 1..N
time 0 .. 1
"""
ALGEBRAIC = """parameter a = 1, b = .4, c = 2, k = .5
state x = 0
algebraic z = 1, w = 1
x' = if z > c then b else a
0 = z - x - k
0 = w - (if x + k > c then 2*x^2 else x*k)
integral I = w
time 0 .. 4
"""
VARYING = """parameter a = 0.9, b = 1.3
state x = 1/b, u = 0
(1 + x^2 + u^2)*x' + u*u' = -(1 + x^2)*a*x^2
a*x*u*x' + (2 + cos(t))*u' = 1 - u
time 0 .. 2
"""
CONTROL = """parameter c = 1, lo = .3, hi = 2
control u = {0,2,.5,3} piecewise linear at {0,1,2,4}
state x = 0, y = 0
x' = if u > c then hi else lo
y' = u
time 0 .. 5
"""


class AtSwitchingPoints(ProgramTest):
    def verify(self, text, *options):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.good("solve", "m.tansy", "--verify", "--out", "a.csv", *options)
        self.assertIn("PASS", run.stdout)
        self.assertIn("digits by differences", run.stdout)
        self.assertNotRegex(run.stdout, r"^\S+ +\S+ +\S+ +0\.\d \(", "no column has no digits")
        return run.stdout

    def test_times_of_output_at_switching_points(self):
        """Of the 201 times some are switching points, where one run gives the limit from the left and another from the right."""
        for text in (EDGE, BOTH, VECTOR, ALGEBRAIC, CONTROL):
            for method in ((), ("--method", "rosenbrock")):
                self.verify(text, *method)

    def test_what_is_left_out_is_told(self):
        """x = e at t = 1, but for the errors of the runs: z jumps there."""
        text = ("parameter a = 1, c = exp(1)\nstate x = 1, n = 0\nalgebraic z = 0\nx' = a*x\nn' = z\n"
                "0 = z - (if x > c then 2*a else a)\ntime 0 .. 2\n")
        told = [self.verify(text, "--method", method) for method in ("dassl", "rosenbrock", "limex")]
        self.assertRegex("".join(told), r"\d times? of output at a switching point, .* left out")

    def test_a_time_alone(self):
        """x = 2 at t = 1.5: dx/dx0 is 1 before and 3 behind."""
        self.verify(EDGE, "--at", "1.5")
        _, _, rows = self.read_table("a.csv")
        self.assertTrue(any(abs(rows[0]["d(x)/d(x0)"] - limit) < 1e-6 for limit in (1, 3)))

    def test_the_last_time(self):
        self.verify(EDGE, "--to", "1.5", "--points", "11")


class OneSided(ProgramTest):
    def verify(self, text, verdict="PASS"):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        (self.folder / "u.csv").write_text("t,u\n0,0\n1,1\n2,0\n", encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--verify", "--out", "a.csv")
        self.assertRegex(run.stdout, rf"(?m)^{verdict}: ")
        self.assertEqual(run.returncode, 0 if verdict == "PASS" else 4)
        return run.stdout

    def test_a_column_that_is_one_limit_alone_is_told(self):
        """Conditions that touch their edge, or change with a break: S is 0 for one sign of dp and is not for the other."""
        told = {("x", "p", "1"): "parameter p = 1\nstate x = 0\nx' = if 2*time - time^2 > p then 1 else 0\ntime 0 .. 2\n",
                ("x", "u[2]", "1"): "control u = {0, 0.5, 0} piecewise linear at {0, 1, 2}\nstate x = 0\n"
                                    "x' = if u > 0.5 then 1 else 0\ntime 0 .. 2\n",
                ("x", "q", "1"): 'parameter q = 1\ninput u from "u.csv"\nstate x = 0\nx\' = if u > q then 1 else 0\ntime 0 .. 2\n',
                ("x", "u[1]", "1.005"): "parameter p = 2\ncontrol u = {1, 1} piecewise constant at {0, 1, 3}\nstate x = 0\n"
                                        "x' = if time < p - u then 1 else 0\ntime 0 .. 3\n",
                ("a", "p", "0"): "parameter p = 1\nstate x = 0\nalgebraic a = 0\nx' = -x\n0 = a - min(p, 1)\ntime 0 .. 1\n"}
        for (state, column, time), text in told.items():
            zeros = state == "x" and column != "u[1]"  # x and its column, and there is nothing else
            out = self.verify(text, "UNDECIDED" if zeros else "PASS")
            self.assertIn(f"\nd({state})/d({column}) is one-sided at t = {time}, as are ", out)
            self.assertIn("nothing to compare: all is 0" if zeros else "as far as the differences tell", out)

    def test_bends_that_are_near_are_no_ties(self):
        """The corner of min(p, q) is nearer than twice the first increment, 0.0032, and not at p."""
        for q in (1.0012, 0.9988, 1.003):
            out = self.verify(f"parameter p = 1, q = {q}\nstate x = min(p, q)\nx' = -x\noutput m = max(p*x, q*x)\ntime 0 .. 1\n")
            self.assertNotIn("one-sided", out)
            self.assertNotIn("not decided", out)


class DenseOutput(ProgramTest):
    def test_the_end_is_compared_however_dense_the_times_are(self):
        """d x(T)/dT, T moved by 0.6 % and by more than the distance of the last times."""
        (self.folder / "m.tansy").write_text("parameter k = 1, T = 2.5\nstate x = 0, v = 1\nx' = v\n"
                                             "v' = -k*(if x > 0.3 then x else 0.3)\ntime 0 .. T\n", encoding="utf-8")
        for to in ((), ("--set", "T=-2.5")):
            out = self.good("solve", "m.tansy", "--points", 2001, "--verify", "--out", "a.csv", *to).stdout
            line = re.search(r"^T +\S+ +\S+ +(\S+) \(they hold .*$", out, re.MULTILINE)
            self.assertNotIn("to t =", line[0])
            self.assertLess(float(line[1]), 16)
            self.assertGreater(float(line[1]), 4)


    def test_rows_that_are_left_out_are_the_same_in_all_runs(self):
        """4001 rows are kept, of 8000 every second one and the last."""
        (self.folder / "m.tansy").write_text("parameter p = 1, c = 2\nstate x = 0\n"
                                             "x' = if x > c then -0.5*p*x + 2 else p\ntime 0 .. 4\n", encoding="utf-8")
        for points in (4001, 4002, 8000, 12000):
            self.assertIn("PASS", self.good("solve", "m.tansy", "--points", points, "--verify", "--out", "a.csv").stdout)

    def test_a_moved_run_that_goes_astray_is_given_up(self):
        """Moved by 10 %, the limits of this thermostat pass each other, and it chatters."""
        (self.folder / "m.tansy").write_text(
            "parameter lo = 18, hi = 22\nstate T = 17, s = 1\nT' = (if s > 0 then 6 else 0) - 0.2*(T - 10)\n"
            "s' = 20*(if T > hi then -1 - s else if T < lo then 1 - s else s - s^3)\ntime 0 .. 24\n", encoding="utf-8")
        run = self.good("solve", "m.tansy", "--rtol", 1e-4, "--verify", "--sens", "hi", "--out", "a.csv")
        self.assertIn("of the values not decided", run.stdout)


class WithoutDerivative(ProgramTest):
    MODEL = "parameter k = {k}, c = {c}\nstate x = 0, y = 0\nx' = k\ny' = {root}\ntime 0 .. 4\n"

    def write(self, root, k=.5, c=.3):
        (self.folder / "m.tansy").write_text(self.MODEL.format(k=k, c=c, root=root), encoding="utf-8")

    def check_rows(self, rows, right):
        for row in rows:
            for name, value in right(row["t"]).items():  # 100 rtol
                self.assertAlmostEqual(row[name], value, delta=1e-4*(1e-3 + abs(value)), msg=f"{name} {row}")

    def test_roots_that_rise_from_zero(self):
        """y = 2/(3k) (kt - c)^1.5 from kt = c on, and nothing before.  Behind that point the slope of S is infinite: how far below the
        tolerance a first step is found depends on rounding, and some runs stop there and say so."""
        for root in ("sqrt(max(x-c,0))", "max(x-c,0)^0.5", "if x > c then sqrt(x-c) else 0", "sqrt(max(2*x-2*c,0)/2)",
                     "sqrt(max(x-c,0)*max(x-c,0)^0.5)^(2/3)"):
            done = 0
            pairs = ((.5, .3), (.7, .3), (.9, .5), (1.1, .4), (1.3, .7), (.6, 1.1), (.4, .9), (.8, 1.3))
            for k, c in pairs[::STRIDE]:
                def right(t, k=k, c=c):
                    u = max(k*t - c, 0)
                    return {"y": 2/(3*k)*u**1.5, "d(y)/d(c)": -u**.5/k, "d(y)/d(k)": -2/(3*k*k)*u**1.5 + t*u**.5/k}
                self.write(root, k, c)
                run = self.run_program("solve", "m.tansy", "--points", "9")
                _, _, rows = self.table(run.stdout)
                self.assertGreaterEqual(len(rows), 1 + int(2*c/k))
                self.check_rows(rows, right)
                done += run.returncode == 0
                if run.returncode != 0:
                    self.assertIn("with finite derivatives", run.stderr)
            self.assertGreaterEqual(done, 4 // STRIDE, root)

    def test_roots_that_fall_to_zero(self):
        """y = 2/(3k) (c^1.5 - (c - kt)^1.5) up to kt = c, and no more behind."""
        def right(t, k=.5, c=.3):
            u = max(c - k*t, 0)
            return {"y": 2/(3*k)*(c**1.5 - u**1.5), "d(y)/d(c)": (c**.5 - u**.5)/k,
                    "d(y)/d(k)": -2/(3*k*k)*(c**1.5 - u**1.5) + t*u**.5/k}
        for root in ("sqrt(max(c-x,0))", "max(c-x,0)^0.5", "sqrt(max(2*c-2*x,0)/2)"):
            self.write(root)
            for method in ("auto", "rosenbrock", "bdf", "adams"):
                self.check_rows(self.table(self.good("solve", "m.tansy", "--points", "9", "--method", method).stdout)[2], right)
            self.assertIn("PASS", self.good("solve", "m.tansy", "--verify").stderr)

    def test_shared_and_in_outputs(self):
        (self.folder / "m.tansy").write_text("""parameter k = .5, c = .3, d = 1
state x = 0, y = 0, w = 0
let u = 2*max(x-c,0) + max(w-d,0)*c
x' = k
w' = c*x
y' = sqrt(u)*k + u^1.5 + asin(min(c*x,1))
output q = sqrt(u)
time 0 .. 8
""", encoding="utf-8")
        self.good("check", "m.tansy")
        for right in (self.table(self.good("solve", "m.tansy", "--at", "0.1,0.3,0.5").stdout)[2]):  # before kt = c
            for parameter in "kcd":
                self.assertEqual(right[f"d(q)/d({parameter})"], 0)


class Named(ProgramTest):
    def test_conditions_on_vectors_have_their_entry(self):
        (self.folder / "m.tansy").write_text(VECTOR, encoding="utf-8")
        text = self.good("check", "m.tansy").stdout
        for i in range(1, 7):
            self.assertIn(f"u[i] < c*i (i = {i})\n", text)

    def test_the_run_of_a_scan_that_has_a_corner(self):
        (self.folder / "m.tansy").write_text("parameter a = 2\nstate x = 0\nx' = 1\noutput q = max(a,1)*x\ntime 0 .. 2\n", encoding="utf-8")
        run = self.good("solve", "m.tansy", "--scan", "a=3:1:3", "--points", "5", "--out", "a.csv")
        self.assertIn("tansy: warning: run 3: output q has a corner at t = 0.5, where max(a,1) is on its edge", run.stderr)

    def test_check_stays_within_the_time_of_the_model(self):
        """log(1 - t) and its derivatives are not numbers behind t = 1."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1\nx' = -k*x*log(1.0001 - time)\ntime 0 .. 1\n", encoding="utf-8")
        self.assertIn("agree with differences at t = 0 and at t = 1\n", self.good("check", "m.tansy").stdout)

    def test_values_that_are_not_numbers(self):
        (self.folder / "m.tansy").write_text("parameter a = 0\nstate x = 1/a\nx' = 1\ntime 0 .. 1\n", encoding="utf-8")
        run = self.run_program("solve", "m.tansy")
        self.assertIn("the initial value of x is Inf", run.stderr)


class Compared(ProgramTest):
    def test_what_is_linear_in_the_derivatives_is_compared_with_limex(self):
        (self.folder / "m.tansy").write_text(VARYING, encoding="utf-8")
        self.assertIn("linearly implicit", self.good("check", "m.tansy").stdout)
        run = self.good("solve", "m.tansy", "--verify")
        self.assertIn("limex at rtol = 1e-08 against dassl at rtol = 1e-06", run.stderr)
        self.assertIn("PASS", run.stderr)


class Multipliers(ProgramTest):
    MODEL = """parameter p = 1
state x = 0
algebraic z = 20
x' = p*z
0 = x - sin(20*t)
time 0 .. 3
"""

    def test_two_digits_are_enough_for_what_no_test_holds(self):
        """z is in no error test; at rtol 0.03 it is wrong by 2 % of its largest value, at 1e-3 by 1e-3."""
        (self.folder / "fast.tansy").write_text(self.MODEL, encoding="utf-8")
        run = self.run_program("solve", "fast.tansy", "--verify", "--rtol", "0.03", "--atol", "1e-9", "--out", "a.csv")
        self.assertEqual(run.returncode, 4)
        self.assertRegex(run.stdout, r"(?m)^z +1\.\d  worse than promised  not controlled: index 2$")
        self.assertRegex(run.stdout, r"(?m)^  in what is not tested +1\.\d  z  worse than promised  not controlled: index 2$")
        self.assertIn("FAIL: 2 of 3", run.stdout)
        run = self.good("solve", "fast.tansy", "--verify", "--rtol", "1e-3", "--out", "a.csv")
        self.assertIn("PASS", run.stdout)


class Loose(ProgramTest):
    def test_an_error_of_all_there_is_is_no_promise(self):
        """100 rtol is 1 or more from rtol = 0.01 on."""
        for rtol in ("0.01", "0.1", "1"):
            for more in ((), ("--quiet",)):
                run = self.run_program("solve", MODEL, "--rtol", rtol, "--verify", "--out", "a.csv", "--report", "a.html", *more)
                self.assertEqual(run.returncode, 4)
                self.assertIn(f"\nnothing is promised at rtol = {rtol}, where 100 rtol is 1 or more\n", run.stdout)
                self.assertRegex(run.stdout, r"\nUNDECIDED: nothing is verified: give an --rtol below 0\.01 for a verdict\n\Z")
                self.assertNotIn("PASS", run.stdout)
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        self.assertIn("<b>undecided</b><span>verification</span>", page)
        self.assertNotIn("Promised are", page)
        self.assertIn("PASS", self.good("solve", MODEL, "--rtol", "0.0099", "--verify", "--out", "a.csv").stdout)


class Lost(ProgramTest):
    MODEL = """parameter p = 1.3
state x = -1, y = 0, z = 0, w = 1
x' = p
y' = if x > 0 then (1 - exp(-x))/x else 1
z' = if x > 1e-6 and x < 5e-6 then 1e6 else 0
w' = if time > 1.5 then sqrt(1.3001 - p) else 1
time 0 .. 2
"""

    def test_columns_behind_0_by_0_pass_by_differences_only(self):
        """A condition turns where y' is but rounding; runs with p moved, of which the differences are, come to t = 1.5 only."""
        words = ("--max-step", "0.05", "--points", "11", "--method", "rk8", "--verify", "--out", "a.csv")
        (self.folder / "lost.tansy").write_text(self.MODEL, encoding="utf-8")
        run = self.run_program("solve", "lost.tansy", *words)
        self.assertEqual(run.returncode, 4)
        self.assertIn("S is not controlled behind it", run.stderr)
        self.assertRegex(run.stdout, r"(?m)^p .*  worse than promised  not controlled: 0/0$")
        self.assertIn("1 of 1 columns cannot be relied on: they are behind a condition at which a branch of the model is 0/0", run.stdout)
        self.assertRegex(run.stdout, r"(?m)^FAIL: .* are worse than promised$")  # no smaller --rtol helps
        (self.folder / "lost.tansy").write_text(self.MODEL.replace("(1 - exp(-x))/x", "exp(-x)"), encoding="utf-8")
        self.assertIn("PASS", self.good("solve", "lost.tansy", *words).stdout)


class Tightest(ProgramTest):
    def test_tolerances_that_cannot_be_a_hundred_times_smaller(self):
        """A hundredth of 1e-320 is 0, and consistent values to 1e-9 of the error weights are as good as rounding lets them be."""
        for name, words in (("lotka_volterra", ("--atol", "1e-320")), ("pendulum", ("--initial-tolerance", "1e-9"))):
            run = self.good("solve", MODELS / f"{name}.tansy", *words, "--points", "11", "--verify", "--out", "a.csv")
            self.assertIn("PASS", run.stdout)


class Conditioning(ProgramTest):
    def test_what_is_ill_conditioned_is_told_apart(self):
        """Columns of the brusselator pass through zero at times that move with the parameters."""
        for name in ("brusselator_1d", "brusselator_2d"):
            run = self.run_program("solve", MODELS / f"{name}.tansy", "--points", "21", "--verify")
            self.assertEqual(run.returncode, 4)
            self.assertRegex(run.stderr, r"\d of \d+ states, outputs and columns are ill-conditioned")
            self.assertIn("FAIL", run.stderr)
            self.assertRegex(run.stderr, r"(?m)^B +\d\.\d +\S+  worse than promised  ill-conditioned$")

    def test_rows_of_which_hardly_a_digit_is_sure_are_warned_of(self):
        """x = a/(1 - k a t) has its pole at t = 1/(k a), where |k dx/dk|/x = k a t/(1 - k a t) = x k t; half-way that is 1."""
        text = "parameter k = 1, a = 1\nstate x = a\nx' = k*x^2\ntime 0 .. 1\n"
        (self.folder / "pole.tansy").write_text(text, encoding="utf-8")
        run = self.good("solve", "pole.tansy", "--at", "0.5,1", "--out", "a.csv", "--report", "a.html")
        words = r"at t = 1 x moves by \S+ of its size, by d\(x\)/d\(\w\), where \w moves by rtol"
        self.assertRegex(run.stderr, "warning: " + words)
        self.assertRegex((self.folder / "a.html").read_text(encoding="utf-8"), words)
        run = self.good("solve", "pole.tansy", "--at", "0.5,0.99", "--out", "a.csv")
        self.assertNotIn("moves by", run.stderr)
        run = self.good("solve", "pole.tansy", "--scan", "a=0.5:1:2", "--at", "0.5,1", "--out", "a.csv")
        self.assertRegex(run.stderr, "warning: run 2: " + words)

    def test_chaos_is_warned_of(self):
        text = ("parameter s = 10, r = 28, b = 2.7\nstate x = 1, y = 1, z = 1\n"
                "x' = s*(y - x)\ny' = x*(r - z) - y\nz' = x*y - b*z\ntime 0 .. 40\n")
        (self.folder / "lorenz.tansy").write_text(text, encoding="utf-8")
        options = ((), ("--at", "40"), ("--points", "2"), ("--points", "3"), ("--at", "0,15,40"), ("--at", "39,40"))
        for times in options[::STRIDE]:
            self.assertIn("hardly a digit of its sensitivities is sure there", self.good("solve", "lorenz.tansy", *times).stderr)
        self.assertEqual(self.good("solve", "lorenz.tansy", "--to", "5", "--out", "a.csv").stderr.count("warning"), 0)

    def test_what_comes_back_from_below_atol_is_warned_of(self):
        """x = exp(A (cos(t) - 1)) falls to 4e-18 and is 1 again; without columns there is no second look."""
        (self.folder / "back.tansy").write_text("parameter A = 20\nstate x = 1\nx' = -A*sin(time)*x\ntime 0 .. 12.566\n", encoding="utf-8")
        words = ("solve", "back.tansy", "--sens", "none", "--points", "41", "--out", "a.csv")
        run = self.good(*words)
        self.assertRegex(run.stderr, r"state x falls to [\d.e-]+, beside an atol of 1e-09, and what becomes of it depends on that")
        self.assertNotIn("falls to", self.good(*words, "--atol", "1e-26").stderr)

    def test_what_grows_from_below_atol_is_warned_of(self):
        """x = 1/(1 + (1/x0 - 1) exp(-a t)): with atol = 1e-9 x0 may be any other below that."""
        text = "parameter a = 1, x0 = 1e-20\nstate x = x0, z = %s\nx' = a*x*(1 - x)\nz' = a - z\ntime 0 .. 100\n"
        words = "state x begins at 1e-20, beside an atol of 1e-09, and what becomes of it depends on that"
        (self.folder / "small.tansy").write_text(text % "1e-20", encoding="utf-8")  # z is fed, and depends on nothing
        run = self.good("solve", "small.tansy", "--atol", "1e-9", "--points", "3", "--out", "a.csv", "--report", "a.html")
        self.assertIn(words, run.stderr)
        self.assertIn("--atol x=1e-26", run.stderr)
        self.assertNotIn("state z", run.stderr)
        self.assertIn(words, (self.folder / "a.html").read_text(encoding="utf-8"))
        self.assertIn(words, self.good("rank", "small.tansy", "--atol", "1e-9").stderr)
        run = self.good("solve", "small.tansy", "--atol", "1e-9", "--scan", "a=1:2:2", "--scan", "x0=1e-3:1e-20:2:log", "--out", "a.csv")
        self.assertRegex(run.stderr, "run [24]: " + words)
        for words in (("--atol", "1e-9", "--atol", "x=1e-26"), ()):
            run = self.good("solve", "small.tansy", *words, "--at", "50", "--sens", "none")
            self.assertNotIn("begins at", run.stderr)
            self.assertAlmostEqual(self.table(run.stdout)[2][0]["x"], 1 / (1 + 1e20 * math.exp(-50)), delta=1e-4)

    def test_a_pulse_that_a_run_passes_over_is_found(self):
        """x' is 0 but for a bell of the width 0.003 in a state: two steps see nothing of it."""
        text = "parameter a = 2\nstate x = 0, c = 0\nc' = 1\nx' = a*exp(-((c - 1.5)/0.003)^2)/(0.003*sqrt(pi))\ntime 0 .. 3\n"
        (self.folder / "bell.tansy").write_text(text, encoding="utf-8")
        run = self.run_program("solve", "bell.tansy", "--verify", "--out", "a.csv")
        self.assertEqual(run.returncode, 4, run.stdout)
        self.assertIn("PASS", self.good("solve", "bell.tansy", "--max-step", "0.003", "--verify", "--out", "a.csv").stdout)


if __name__ == "__main__":
    main()
