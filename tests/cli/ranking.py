# SPDX-License-Identifier: Apache-2.0
"""tansy rank does what its label says: |p| dx/dp / max|x|, a parameter's scale where p = 0."""
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

    def test_of_a_run_that_cannot_start_there_is_none(self):
        (self.folder / "m.tansy").write_text("parameter a = 1\nstate x = 0\nx' = a/x\ntime 0 .. 1\n", encoding="utf-8")
        run = self.run_program("rank", "m.tansy", "--out", "r.csv")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, "")
        self.assertIn("stopped at t = 0", run.stderr)
        self.assertFalse((self.folder / "r.csv").exists())


if __name__ == "__main__":
    main()
