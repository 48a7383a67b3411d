# SPDX-License-Identifier: Apache-2.0
"""tansy rank does what its label says: |p| dx/dp / max|x|, a parameter's scale where p = 0."""
import math

from program import MODEL, ProgramTest, main

RATES = "parameter a = 2{a}, b = 0{b}\nstate x = 0\nx' = a + b\ntime 0 .. 1\n"


class Ranking(ProgramTest):
    def norms(self, text):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        lines = self.good("rank", "m.tansy", "--out", "-", "--quiet").stdout.splitlines()
        return {line.split(",")[2]: float(line.split(",")[4]) for line in lines if line.startswith("all,")}

    def test_sizes_count_and_scales_where_there_is_none(self):
        """dx/da = dx/db = t and max|x| = 2: the norms are |p|/2 times the root mean square of t."""
        mean = self.norms(RATES.format(a="", b=""))
        self.assertAlmostEqual(mean["a"], 2 * mean["b"], delta=1e-9)
        scaled = self.norms(RATES.format(a=" scale 100", b=" scale 3"))
        self.assertAlmostEqual(scaled["a"], mean["a"], delta=1e-6)
        self.assertAlmostEqual(scaled["b"], 3 * mean["b"], delta=1e-6)

    def test_levels_of_a_control_count_by_the_largest(self):
        """dx/du1 = min(t, 1) and dx/du2 = max(t - 1, 0) have squares of 4/3 and 1/3 in all; a sum over 201 times is 1 % off."""
        norms = self.norms("control u = {1, 100} piecewise constant at {0, 1, 2}\nstate x = 0\nx' = u\ntime 0 .. 2\n")
        self.assertAlmostEqual(norms["u[1]"] / norms["u[2]"], 2, delta=0.02)

    def test_the_standard_output_takes_one_of_table_and_csv(self):
        text = self.good("rank", MODEL, "--out", "-").stdout
        self.assertTrue(text.startswith("# tansy "))
        self.assertEqual(text.splitlines()[1], "quantity,rank,parameter,value,norm")
        self.assertEqual(len(text.splitlines()), 5)
        self.assertIn("root mean square", self.good("rank", MODEL, "--out", "r.csv").stdout)

    def test_times_without_a_value_are_left_out_and_told(self):
        """l = log(x) has none at t = 0.  dl/dk = 1/k for x' = k - a x from 0, so that its norm is 1/max|l|."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nparameter a = 1\nstate x = 0\nx' = k - a*x\noutput l = log(x)\n"
                                             "time 0 .. 4\n", encoding="utf-8")
        run = self.good("rank", "m.tansy", "--of", "l", "--out", "r.csv", "--points", "9")
        text = (self.folder / "r.csv").read_text(encoding="utf-8")
        told = "l: at 1 of 9 times of output a column has no value: left out of its norm\n"
        self.assertIn("# " + told, text)
        self.assertIn("\n" + told, run.stdout)
        norm = {line.split(",")[2]: float(line.split(",")[4]) for line in text.splitlines() if line.startswith("all,")}
        self.assertAlmostEqual(norm["k"], -1 / math.log(1 - math.exp(-0.5)), delta=1e-5)
        self.assertGreater(norm["a"], 0)

    def test_what_has_no_value_at_any_time_is_left_out_and_told(self):
        (self.folder / "m.tansy").write_text("parameter k = 0.5\nstate x = 1\nx' = -k*x\noutput q = sqrt(-x)\ntime 0 .. 2\n",
                                             encoding="utf-8")
        self.good("rank", "m.tansy", "--of", "x", "--out", "x.csv")
        both = self.good("rank", "m.tansy", "--of", "x,q", "--out", "q.csv")
        self.assertIn("has no value: left out", both.stdout + both.stderr)
        last = [(self.folder / name).read_text().strip().splitlines()[-1] for name in ("x.csv", "q.csv")]
        self.assertEqual(*last)

    def test_a_state_that_is_always_zero_has_no_relative_change(self):
        """dx/dk = t, but x = 0: it is left out, and where nothing else is left the norm is not known."""
        (self.folder / "m.tansy").write_text("parameter k = 0\nparameter a = 1\nstate x = 0\nstate y = 1\nstate z = 0\n"
                                             "x' = k\ny' = -a*y\nz' = 0\ntime 0 .. 4\n", encoding="utf-8")
        told = "left out: x; always 0, so that its relative change is not known\n"
        self.assertIn(told, self.good("rank", "m.tansy").stdout)
        run = self.good("rank", "m.tansy", "--of", "x", "--out", "-")
        self.assertIn("# " + told, run.stdout)
        self.assertEqual([line.split(",")[4] for line in run.stdout.splitlines() if line.startswith("all,")], ["nan", "nan"])
        self.assertNotIn("left out", self.good("rank", "m.tansy", "--of", "y,z").stdout)
        self.good("solve", "m.tansy", "--report", "a.html", "--out", "a.csv")
        self.assertIn(told, (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_norms_are_over_all_times_of_output(self):
        """dx/dk = -t exp(-kt): 5000 times in 0 .. 0.01 and 4 in 1 .. 4."""
        (self.folder / "m.tansy").write_text("parameter k = 0.5\nstate x = 1\nx' = -k*x\ntime 0 .. 4\n", encoding="utf-8")
        times = [0.01 * j / 4999 for j in range(5000)] + [1, 2, 3, 4]
        right = 0.5 * math.sqrt(sum((t * math.exp(-0.5 * t)) ** 2 for t in times) / len(times))
        out = self.good("rank", "m.tansy", "--at", "0:0.01:5000,1:4:4", "--out", "-").stdout
        self.assertAlmostEqual(float(out.splitlines()[-1].split(",")[4]), right, delta=1e-5 * right)
        run = self.good("solve", "m.tansy", "--at", "0:0.01:5000,1:4:4", "--verify", "--out", "a.csv", "--report", "a.html")
        self.assertRegex(run.stdout, r"(?m)^compared at \d+ of 5004 times of output$")
        self.assertIn("of 5004 times of output", (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_of_a_run_that_stops_it_says_how_far(self):
        """x = 1/(1 - kt) has no value at t = 1."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1\nx' = k*x^2\ntime 0 .. 4\n", encoding="utf-8")
        run = self.run_program("rank", "m.tansy", "--points", "8", "--out", "r.csv")
        self.assertEqual(run.returncode, 1)
        self.assertIn("from t = 0 to 0.571429;", run.stdout)
        self.assertRegex(run.stdout, r"(?m)^the run stopped at t = (0\.99\d*|1|1\.0\d*): 2 of 8 times of output$")
        lines = (self.folder / "r.csv").read_text(encoding="utf-8").splitlines()
        self.assertRegex(lines[-1], r"^# stopped at t = (0\.99\d*|1(\.0\d*)?): .")

    def test_of_a_run_that_cannot_start_there_is_none(self):
        (self.folder / "m.tansy").write_text("parameter a = 1\nstate x = 0\nx' = a/x\ntime 0 .. 1\n", encoding="utf-8")
        run = self.run_program("rank", "m.tansy", "--out", "r.csv")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, "")
        self.assertIn("stopped at t = 0", run.stderr)
        self.assertFalse((self.folder / "r.csv").exists())


if __name__ == "__main__":
    main()
