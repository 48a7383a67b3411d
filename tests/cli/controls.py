# SPDX-License-Identifier: Apache-2.0
"""Controls, switching times and the final time through the program."""
import math

from program import ProgramTest, main

FREE_END = """model free_end
parameter T = 2, a = 0.7
control u = {1, -2, 3} piecewise constant on 0 .. T by 3
state x = 1
x' = u - a*x
output square = time*x^2
output rate = x'
time 0 .. T
"""


def end(T, a=0.7):
    """x(T) and x'(T) before it, of the model above."""
    e, x = math.exp(-a * T / 3), 1.0
    for u in (1, -2, 3):
        x = e * x + u * (1 - e) / a
    return x, 3 - a * x


def slope(f, T, d=1e-5):
    return (f(T + d) - f(T - d)) / (2 * d)


class Controls(ProgramTest):
    def run_model(self, *options):
        (self.folder / "free_end.tansy").write_text(FREE_END, encoding="utf-8")
        return self.table(self.good("solve", "free_end.tansy", "--rtol", 1e-9, *options).stdout)[2]

    def test_the_final_times_column_at_the_end_is_that_of_the_end(self):
        for options, T in (((), 2), (("--set", "T=3"), 3)):
            rows = self.run_model("--points", 3, *options)
            self.assertEqual(rows[-1]["t"], T)
            self.assertAlmostEqual(rows[-1]["x"], end(T)[0], delta=1e-7)
            self.assertAlmostEqual(rows[-1]["d(x)/d(T)"], slope(lambda z: end(z)[0], T), delta=1e-7)
            self.assertAlmostEqual(rows[-1]["d(square)/d(T)"], slope(lambda z: z * end(z)[0] ** 2, T), delta=1e-6)
            self.assertAlmostEqual(rows[-1]["d(rate)/d(T)"], slope(lambda z: end(z)[1], T), delta=1e-5)

    def test_a_given_time_is_no_parameter(self):
        """dx/dT at t = 2 fixed: the end is not moved, the grid is."""
        rows = self.run_model("--to", 2, "--points", 2)
        x, rate = end(2)
        self.assertAlmostEqual(rows[-1]["d(x)/d(T)"], slope(lambda z: end(z)[0], 2) - rate, delta=1e-7)
        self.assertAlmostEqual(rows[-1]["x"], x, delta=1e-7)

    def test_verify_knows_the_final_time(self):
        (self.folder / "free_end.tansy").write_text(FREE_END, encoding="utf-8")
        run = self.good("solve", "free_end.tansy", "--points", 5, "--verify", "--out", "a.csv")
        self.assertIn("PASS", run.stdout + run.stderr)
        self.assertNotIn("left out", run.stdout)  # the end is compared, though its grid turns there

    def test_check_names_the_parameter_at_the_end(self):
        (self.folder / "free_end.tansy").write_text(FREE_END, encoding="utf-8")
        self.assertIn("time            0 .. 2, parameter T\n", self.good("check", "free_end.tansy").stdout)
        self.refused("solve", "free_end.tansy", "--set", "T=0", says="initial time")

    def test_columns_of_later_levels_are_zero(self):
        (self.folder / "a.tansy").write_text(FREE_END.replace("0 .. T by 3", "0 .. 3 by 3").replace("0 .. T", "0 .. 3"),
                                             encoding="utf-8")
        rows = self.table(self.good("solve", "a.tansy", "--at", "1,2,3").stdout)[2]
        self.assertEqual([row["d(x)/d(u[3])"] == 0 for row in rows], [True, True, False])
        self.assertEqual([row["d(x)/d(u[2])"] == 0 for row in rows], [True, False, False])


AT_BREAKS = """model at_breaks
parameter T = 3, a = 1
control u = {1, -1, 0.5, 2} piecewise linear on 0 .. 3 by 3
state x = 1, y = 0, z = 0 atol 1e-12
x' = -a*x
y' = if time < 2.9999999 then x else 2*x
z' = x*sin(3000*time)
output q = u, m = max(time - 3, 0), j = if time >= 3 then 1 else time
output s = sin(1e5*time), d = y', e = z'
time 0 .. T
"""

MOVING = """model moving
parameter T = 3, a = 1, b = 1
control u = {1, -1, 0.5, 2} piecewise linear on 0 .. T by 3
control w = {1, -1, 0.5, 2} piecewise linear at {0, a, a + b, T}
state x = 1
x' = u*x - x + w
output q = u, r = x + u, o = x', v = w, c = max(T - time, 0)
time 0 .. T
"""

IMPLICIT = """model implicit
parameter T = 2, k = 0.7
state x = 1, y = 0.5
(1 + x^2)*x' + 0.3*y' = -k*x + sin(3*time)
y' + 0.1*y'^3 + x'^2 = x - y
output q = x', r = 2*y'
time 0 .. T
"""

GRID = """model grid
parameter a = 1, b = 2, T = 3
control u = {1, -1, 0.5} piecewise constant at {0, a, b, T}
control w = {1, -1, 0.5, 2} piecewise linear at {0, a, b, T}
state x = 1
x' = u*x + w
output uu = u, ww = w
time 0 .. T
"""


STIFF_LATER = """model stiff_later
parameter k = 1e6
state x = 1
algebraic w = 1
w = cos(time)
x' = -(if time < 0.925 then 1 else k)*(x - w) - (if time < 0.925 then 0 else sin(time))
output xp = x'
time 0 .. 2
"""


class Derivatives(ProgramTest):
    def test_where_a_run_becomes_stiff(self):
        """The equations would multiply the errors of x by k from there on: x' = -sin t."""
        (self.folder / "m.tansy").write_text(STIFF_LATER, encoding="utf-8")
        for method in ("limex", "rosenbrock"):
            for row in self.table(self.good("solve", "m.tansy", "--method", method, "--points", 201).stdout)[2]:
                if row["t"] > 0.93:
                    self.assertAlmostEqual(row["xp"], -math.sin(row["t"]), delta=1e-4, msg=f"{method} {row['t']}")


class Beginning(ProgramTest):
    def test_outputs_are_those_behind_it(self):
        """A break at t0 itself: the run goes away from it, whichever way its times are given."""
        levels = "parameter a = 1\ncontrol u = {1, 10, 100} piecewise constant at {-9, 5, 6, 8}\nstate x = 0\nx' = a*u\n"
        switch = "parameter a = 1\nstate x = 0\nlet u = if time < 5 then 1 else 10\nx' = -a*u\n"
        for text in (levels, switch):
            (self.folder / "m.tansy").write_text(text + "output q = u\ntime 5 .. 8\n", encoding="utf-8")
            for to, q in ((5.5, 10), (-4, 1)):
                for times in (("--at", f"5,{to}"), ("--to", to, "--points", 2)):
                    rows = self.table(self.good("solve", "m.tansy", *times).stdout)[2]
                    self.assertEqual(rows[0]["q"], q, (to, times))


class FinalTime(ProgramTest):
    def write(self, text):
        (self.folder / "a.tansy").write_text(text, encoding="utf-8")

    def last(self, *options):
        run = self.good("solve", "a.tansy", "--points", 2, *options)
        return self.table(run.stdout)[2][-1], run.stderr

    def by_differences(self, d, *options):
        """(8 (f(d) - f(-d)) - (f(2 d) - f(-2 d)))/(12 d) of every quantity."""
        f = {k: self.last("--sens", "none", "--set", f"T={self.T + k * d!r}", *options)[0] for k in (-2, -1, 1, 2)}
        return {q: (8 * (f[1][q] - f[-1][q]) - (f[2][q] - f[-2][q])) / (12 * d) for q in f[1]}

    def test_outputs_at_breaks_and_fast_ones_have_the_limit_from_the_left(self):
        self.write(AT_BREAKS)
        row, said = self.last("--sens", "T", "--rtol", 1e-8)
        self.assertEqual(said, "")
        x = math.exp(-3)
        for name, right, delta in (("q", 1.5, 1e-13), ("m", 0, 0), ("j", 1, 0), ("s", 1e5 * math.cos(3e5), 1e-4),
                                   ("d", -2 * x, 1e-6 * x),
                                   ("e", 3000 * x * math.cos(9000) - x * math.sin(9000), 1e-6 * 118)):
            self.assertAlmostEqual(row[f"d({name})/d(T)"], right, delta=delta, msg=name)

    def test_what_moves_with_the_final_time_stays_at_it(self):
        self.write(MOVING)
        self.T = 3
        row, said = self.last("--sens", "T", "--rtol", 1e-8)
        self.assertEqual(said, "")  # nothing is one-sided
        for name in "qvc":
            self.assertEqual(row[f"d({name})/d(T)"], 0, name)
        right = self.by_differences(1e-3, "--rtol", 1e-12, "--atol", 1e-14)
        for name in "xro":
            self.assertAlmostEqual(row[f"d({name})/d(T)"], right[name], delta=1e-6 * abs(right[name]), msg=name)
        run = self.good("solve", "a.tansy", "--points", 4, "--verify", "--out", "a.csv")
        self.assertIn("PASS", run.stdout + run.stderr)

    def test_derivatives_in_outputs_keep_the_promise(self):
        """y'' of an implicit model, by each way of solving; the promise is 100 rtol."""
        self.write(IMPLICIT)
        self.T = 2
        right = self.by_differences(1e-3, "--rtol", 1e-12, "--atol", 1e-14)
        for rtol in (1e-4, 1e-6, 1e-8):
            row, said = self.last("--sens", "T", "--rtol", rtol, "--atol", rtol * 1e-3)
            self.assertEqual(said, "")
            for name in "qr":
                self.assertAlmostEqual(row[f"d({name})/d(T)"], right[name], delta=100 * rtol * abs(right[name]), msg=name)
        linear = IMPLICIT.replace("(1 + x^2)*x' + 0.3*y'", "x' + 0.3*y'")
        self.write(linear.replace("y' + 0.1*y'^3 + x'^2 = x", "y' - 1e3*x' = 1e5*(cos(time) - y) + x"))
        right = self.by_differences(1e-3, "--rtol", 1e-12, "--atol", 1e-14)
        for method in ("dassl", "rosenbrock", "limex"):
            row, said = self.last("--sens", "T", "--atol", 1e-9, "--method", method)
            if method == "limex":  # q itself, x' of a fast component, is off by 2.5e-4, and that alone is told
                self.assertRegex(said, r"\Atansy: warning: q is less exact than promised at t = 2: .*; so do 1 of 4 states and outputs; .*\n\Z")
            else:
                self.assertEqual(said, "")
            for name in "qr":
                self.assertAlmostEqual(row[f"d({name})/d(T)"], right[name], delta=1e-4 * abs(right[name]), msg=name)

    def test_every_run_of_a_scan_has_the_times_of_its_end(self):
        self.write(GRID)
        (self.folder / "s.csv").write_text("T,a\n2.5,0.5\n6,1\n", encoding="utf-8")
        for scan, sets in (("T=2.5:6:2", ({"T": 2.5}, {"T": 6})), ("@s.csv", ({"T": 2.5, "a": 0.5}, {"T": 6, "a": 1}))):
            rows = self.table(self.good("solve", "a.tansy", "--points", 4, "--scan", scan).stdout)[2]
            for k, values in enumerate(sets):
                given = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
                alone = self.table(self.good("solve", "a.tansy", "--points", 4, *given).stdout)[2]
                of_scan = [{name: row[name] for name in alone[0]} for row in rows[4 * k:4 * k + 4]]
                self.assertEqual(of_scan, alone)
        self.write(FREE_END.replace("on 0 .. T by 3", "on 0 .. 3 by 3"))
        self.refused("solve", "a.tansy", "--scan", "T=0:2:3", "--out", "a.csv",
                     says="run 1 of 3: the end of the time span, 0: it must differ from the initial time 0")
        self.assertFalse((self.folder / "a.csv").exists())

    def test_times_of_a_grid_rise_for_the_parameters_at_hand(self):
        self.write(GRID)
        for command in ("solve", "check", "rank"):
            self.refused(command, "a.tansy", "--set", "a=2.5", says="grid of control u must rise, but 2 follows 2.5")
            self.refused(command, "a.tansy", "--set", "a=2", says="grid of control u must rise, but 2 follows 2")
        self.refused("solve", "a.tansy", "--scan", "a=0.5:2.5:3", "--out", "a.csv",
                     says="run 3 of 3: the times of the grid of control u must rise")
        self.assertFalse((self.folder / "a.csv").exists())
        self.good("solve", "a.tansy", "--set", "a=2.5", "--scan", "b=2.6:2.8:2", "--points", 2)

    def test_the_slope_at_the_end_is_as_good_as_the_rest(self):
        """x' = -a x + sin 3t: formulas whose polynomials are of low order, at rtol 1e-8."""
        self.write("parameter a = 1.3, T = 1.5\nstate x = 1\nx' = -a*x + sin(3*time)\ntime 0 .. T\n")
        a, T = 1.3, 1.5
        x = ((1 + 3/(a*a + 9))*math.exp(-a*T) + (a*math.sin(3*T) - 3*math.cos(3*T))/(a*a + 9))
        right = -a*x + math.sin(3*T)
        for formula in ("rodas5p", "rodas4", "grk4a", "grk4t"):
            row = self.table(self.good("solve", "a.tansy", "--points", 2, "--sens", "T", "--method", "rosenbrock",
                                       "--formula", formula, "--rtol", 1e-8, "--atol", 1e-11).stdout)[2][-1]
            self.assertAlmostEqual(row["d(x)/d(T)"], right, delta=100*1e-8*abs(right), msg=formula)

    def test_the_slope_at_the_end_is_that_of_the_equations(self):
        """x' = -k x + sin 2t, z = x cos 3t; x' = -L (x - cos t), stiff: within 100 rtol by every method, also before a switch at T."""
        k, T = 1, 3
        x = (k + 2 / (k*k + 4)) * math.exp(-k*T) + (k*math.sin(2*T) - 2*math.cos(2*T)) / (k*k + 4)
        dae = "parameter T = 3, k = 1\nstate x = 1\nalgebraic z = 1\nx' = -k*x + sin(2*time)%s\n0 = z - x*cos(3*time)\ntime 0 .. T\n"
        right = {"x": -k*x + math.sin(2*T)}
        right["z"] = right["x"] * math.cos(3*T) - 3*x*math.sin(3*T)
        L = 1000
        stiff = "parameter T = 3\nstate x = 1\nx' = -1000*(x - cos(time))\ntime 0 .. T\n"
        of_stiff = {"x": L*(math.cos(T) - L*math.sin(T)) / (1 + L*L)}
        for text, exact, methods in ((dae % "", right, ("limex", "dassl", "rosenbrock")),
                                     (dae % " + (if time < 3 then 0 else 7)", right, ("limex", "dassl", "rosenbrock")),
                                     (stiff, of_stiff, ("limex", "dassl", "rosenbrock", "bdf", "rk8"))):
            self.write(text)
            for method in methods:
                for rtol in (1e-4, 1e-8):
                    row = self.last("--sens", "T", "--method", method, "--rtol", rtol, "--atol", rtol * 1e-3)[0]
                    for name, value in exact.items():
                        self.assertAlmostEqual(row[f"d({name})/d(T)"], value, delta=100*rtol*abs(value), msg=f"{method} {rtol} {text}")

    def test_the_slope_at_the_end_of_a_run_that_meets_a_switch_there(self):
        """y' = -k y before x = 2, where the run ends; and a run backward that ends at the switch of time."""
        self.write("parameter T = 2, k = 1.3\nstate x = 0, y = 1\nalgebraic z = 1\nx' = 1\ny' = if x < 2 then -k*y else 5\n"
                   "0 = z - 2*y - (if x < 2 then x else 7*x)\ntime 0 .. T\n")
        y = -1.3 * math.exp(-2.6)
        for method in ("limex", "dassl", "rosenbrock"):
            row = self.last("--sens", "T", "--method", method, "--rtol", 1e-6)[0]
            self.assertAlmostEqual(row["d(y)/d(T)"], y, delta=1e-4 * abs(y), msg=method)
            self.assertAlmostEqual(row["d(z)/d(T)"], 2 * y + 1, delta=1e-4, msg=method)
        self.write("parameter T = -1, k = 1.3\nstate x = 1\nalgebraic z = 1\nx' = if time > -1 then -k*x else 5\n"
                   "0 = z - 2*x\ntime 1 .. T\n")
        for method in ("limex", "dassl", "rosenbrock"):
            row = self.last("--sens", "T", "--method", method, "--rtol", 1e-6)[0]
            self.assertAlmostEqual(row["d(z)/d(T)"], -2.6 * math.exp(2.6), delta=1e-4 * 35, msg=method)

    def test_derivatives_in_outputs_are_as_good_as_the_states(self):
        """x' = -10 (x - c cos t): values of x' and d(x')/dc between steps."""
        self.write("parameter L = 10, c = 1\nstate x = 1\nalgebraic z = 1\nx' = -L*(x - c*cos(time))\n0 = z - x\n"
                   "output r = x'\ntime 0 .. 3\n")
        for method in ("limex", "dassl", "rosenbrock"):
            rows = self.table(self.good("solve", "a.tansy", "--points", 21, "--sens", "c", "--method", method, "--rtol", 1e-8,
                                        "--atol", 1e-11).stdout)[2]
            for row in rows[1:]:
                t = row["t"]
                column = 10 * (math.cos(t) - 10*math.sin(t)) / 101 + 1000/101 * math.exp(-10*t)
                self.assertAlmostEqual(row["r"], column - 10*math.exp(-10*t), delta=100e-8 * abs(column), msg=method)
                self.assertAlmostEqual(row["d(r)/d(c)"], column, delta=100e-8 * abs(column), msg=method)

    def test_no_tiny_step_remains_before_a_break_at_zero(self):
        """Steps of 0.005 add up to 0 but for their rounding: the slope of v before it is -6."""
        self.write("parameter T = 0\ncontrol v = {0.7, 0.2, -0.4} piecewise linear at {-1, -0.1, 0}\nstate x = 0\n"
                   "algebraic z = 0\nx' = -x\n0 = z - x - v\ntime -1 .. T\n")
        for method in ("limex", "dassl", "rosenbrock"):
            row = self.table(self.good("solve", "a.tansy", "--points", 2, "--sens", "T", "--method", method,
                                       "--max-step", 0.005).stdout)[2][-1]
            self.assertAlmostEqual(row["d(z)/d(T)"], -6, delta=6e-4, msg=method)

    def test_output_at_a_grid_point_is_the_limit_from_before(self):
        """z = u + x, u = k on interval k: at t_k the level before; times of output and of grids are rounded in different ways."""
        for first, last, parts in ((0, 3.5, 5), (0, 7, 10), (1, 8, 10), (0, 0.7, 5), (-1.1, 2.3, 7)):
            levels = ", ".join(str(k + 1) for k in range(parts))
            self.write(f"control u = {{{levels}}} piecewise constant on {first} .. {last} by {parts}\n"
                       f"state x = 0\nalgebraic z = 1\nx' = 0*u\n0 = z - u - x\ntime {first} .. {last}\n")
            for options, stride in (((), 200 // parts), (("--points", parts + 1), 1), (("--at", f"{first}:{last}:{parts + 1}"), 1),
                                    (("--at", ",".join(repr(first + k*(last - first)/parts*(1 + 2e-16)) for k in range(1, parts))), 0)):
                if 200 % parts and not options:
                    continue
                rows = self.table(self.good("solve", "a.tansy", "--sens", "none", *options).stdout)[2]
                for k in range(1, parts):
                    row = rows[stride * k] if stride else rows[k - 1]
                    self.assertAlmostEqual(row["z"], k, delta=1e-9, msg=f"{options} {first} .. {last} by {parts}: {row}")

    def test_outputs_at_grid_times_that_are_parameters_are_the_limits_from_before(self):
        """z = u, q = u and r = x' = u: all of one row are of the same side, values and columns, wherever times are rounded."""
        for first, last, parts, back in ((0, 1, 2, False), (0, 3, 5, True), (-1, 2, 12, False), (0, 3.3631835001018704, 5, True)):
            levels = ", ".join(str(k + 1) for k in range(parts))
            span = f"{last} .. {first}" if back else f"{first} .. {last}"
            self.write(f"parameter T = {last}\ncontrol u = {{{levels}}} piecewise constant on {first} .. T by {parts}\n"
                       f"state x = 0\nalgebraic z = 1\nx' = u\n0 = z - u\noutput q = u, w = 2*u, r = x'\ntime {span}\n")
            for method in ("limex", "dassl"):
                rows = self.table(self.good("solve", "a.tansy", "--sens", "u[1],u[2]", "--points", parts + 1, "--method", method).stdout)[2]
                for k, row in enumerate(rows):
                    level = parts + 1 - max(k, 1) if back else max(k, 1)
                    for name, factor in (("z", 1), ("q", 1), ("w", 2), ("r", 1)):
                        self.assertAlmostEqual(row[name], factor * level, delta=1e-6, msg=f"{span} by {parts} {method}: {row}")
                        for j in (1, 2):
                            self.assertAlmostEqual(row[f"d({name})/d(u[{j}])"], factor * (j == level), delta=1e-6, msg=f"{row}")

    def test_columns_of_outputs_at_the_end_of_a_linear_grid_are_those_before_it(self):
        """u(t) = 1 + 2 (t - 1)/(b - 1) before b = 3, and 3 from there on: du/db at t = b is -1 before it, and 0 behind."""
        self.write("parameter b = 3\ncontrol u = {0, 1, 3} piecewise linear at {0, 1, b}\nstate x = 0\nx' = u\noutput q = u\ntime 0 .. 4\n")
        rows = self.table(self.good("solve", "a.tansy", "--at", "3,4", "--sens", "b").stdout)[2]
        self.assertAlmostEqual(rows[0]["d(q)/d(b)"], -1, delta=1e-9)
        self.assertEqual(rows[1]["d(q)/d(b)"], 0)

    def test_a_final_time_is_used(self):
        self.write("parameter T = 2\nstate x = 1\nx' = -x\ntime 0 .. T\n")
        for command in ("solve", "check", "rank"):
            self.assertEqual(self.good(command, "a.tansy").stderr, "")


if __name__ == "__main__":
    main()
