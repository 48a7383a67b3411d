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


if __name__ == "__main__":
    main()
