# SPDX-License-Identifier: Apache-2.0
"""--verify has three verdicts, PASS, FAIL and UNDECIDED; its table, the page and --quiet show the same one."""
import re

from program import MODEL, ProgramTest, main

SMALL = """parameter k1 = 0.5, k2 = 0.3
state A = 1e-9, B = 0, C = 0
A' = -k1*A
B' = k1*A - k2*B
C' = k2*B
output total = A + B + C
time 0 .. 40
"""
ZEROS = """parameter a = 1, unused = 2
state x = 1, n = 0
x' = -a*x
n' = -a*n
time 0 .. 2
"""
BELL = "parameter a = 2\nstate x = 0\nx' = a*exp(-((time - 1.5)/0.01)^2)/(0.01*sqrt(pi))\ntime 0 .. 3\n"


class Verdicts(ProgramTest):
    def verdict(self, text, *words):
        """The line of the verdict, the exit status, and the whole table; the page and --quiet say the same."""
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        arguments = ("solve", "m.tansy", "--verify", "--out", "a.csv", "--report", "a.html", *words)
        run, quiet = self.run_program(*arguments), self.run_program(*arguments, "--quiet")
        line = run.stdout.splitlines()[-1]
        word = line.split(":")[0]
        self.assertIn(word, ("PASS", "FAIL", "UNDECIDED"))
        self.assertEqual(run.returncode, 0 if word == "PASS" else 4)
        self.assertEqual((quiet.stdout.splitlines()[-1], quiet.returncode), (line, run.returncode))
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        self.assertIn(f"<b>{word.lower()}</b><span>verification</span>", page)
        self.assertIn(line.replace("'", "&#39;"), page)
        return line, run.stdout

    def test_what_an_atol_hides_is_undecided(self):
        """All is below an atol/rtol of 0.1; A, B, C and two columns are wrong, total is what it was at the start."""
        line, table = self.verdict(SMALL, "--atol", "1e-7")
        self.assertRegex(line, "^UNDECIDED: 5 of 6 states, outputs and columns: 5 below an atol that is too large for them")
        for name in ("A", "B", "C", "k1", "k2"):
            self.assertRegex(table, rf"(?m)^{name} +[0-3]\.\d.*  not decided  not controlled: atol$")
        self.assertRegex(table, r"(?m)^total +\d+\.\d  not controlled: atol$")
        self.assertNotIn("<td class=\"good\">yes</td>", (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_one_of_many_is_enough(self):
        """Steps that are right for the others are too long for D."""
        text = SMALL.replace("C = 0", "C = 0, D = 1e-9").replace("time 0", "D' = -3*D*(1 + sin(40*time))\ntime 0")
        line, table = self.verdict(text, "--atol", "1e-18", "--atol", "D=1e-7", "--method", "bdf")
        self.assertRegex(line, "^UNDECIDED: 1 of 7 states, outputs and columns: 1 below an atol")
        self.assertRegex(table, r"(?m)^D +0\.\d  not decided  not controlled: atol$")

    def test_what_is_below_and_right_of_its_own_size_passes(self):
        """Steps of x, which is 1, are short enough for A."""
        line, table = self.verdict(SMALL.replace("C = 0", "C = 0, x = 1").replace("time 0", "x' = -5*x*(1 + 0.5*sin(20*time))\ntime 0"),
                                   "--atol", "A=1e-7", "--atol", "1e-18", "--max-step", "0.1")
        self.assertRegex(table, r"(?m)^A +([4-9]|1\d)\.\d  not controlled: atol$")
        self.assertRegex(line, "^PASS")

    def test_zeros_are_listed_and_change_no_verdict(self):
        line, table = self.verdict(ZEROS)
        self.assertEqual(line, "PASS: every state and column is as good as promised")
        self.assertRegex(table, r"(?m)^n +-  0 in both runs$")
        self.assertRegex(table, r"(?m)^unused +-  0 in both runs$")
        self.assertIn("\n2 of 4 states and columns are 0 in both runs, and count neither way\n", table)
        self.assertNotIn("16.0", table)
        self.assertNotIn("16.0", (self.folder / "a.html").read_text(encoding="utf-8").split('id="verification"')[1].split("</section>")[0])
        self.assertRegex(self.verdict(ZEROS.replace("x = 1", "x = 1e-9"), "--atol", "1e-3")[0], "^UNDECIDED: 2 of 4")

    def test_zeros_by_differences_have_no_digits_either(self):
        """A condition asks for differences."""
        _, table = self.verdict(ZEROS.replace("-a*n", "if x < 0.5 then -a*n else 0"))
        self.assertIn("digits by differences", table)
        self.assertRegex(table, r"(?m)^unused +- +0, too  0 in both runs$")
        self.assertNotIn("16.0", table)

    def test_of_nothing_but_zeros_nothing_is_known(self):
        line, _ = self.verdict("parameter a = 1\nstate n = 0\nn' = -a*n\ntime 0 .. 2\n")
        self.assertRegex(line, "^UNDECIDED: there is nothing to compare: all is 0 in both runs")

    def test_a_zero_of_one_run_alone_is_no_zero(self):
        """The run steps over the bell, the second one does not, and an atol says that neither counts."""
        line, table = self.verdict(BELL, "--atol", "1e9")
        self.assertRegex(line, "^UNDECIDED: 2 of 2 ")
        self.assertNotIn("0 in both runs", table)

    def test_a_sum_that_cancels_is_zero_but_for_rounding(self):
        line, table = self.verdict("parameter k = 3, l = 1\nstate x = 0.7, y = 0.3, z = 0\nx' = -k*x\ny' = k*x - l*y\nz' = l*y\n"
                                   "output rest = 1 - x - y - z\ntime 0 .. 4\n")
        self.assertRegex(line, "^PASS")
        self.assertRegex(table, r"(?m)^rest +-  0 in both runs")

    def test_without_a_promise_nothing_is_decided(self):
        for words in (("--rtol", "0.01"), ("--rtol", "1")):
            self.assertEqual(self.verdict(ZEROS, *words)[0], "UNDECIDED: nothing is verified: give an --rtol below 0.01 for a verdict")

    def test_failure_goes_before(self):
        line, _ = self.verdict(SMALL.replace("time", "output y = A\ntime"), "--residual", "differences", "--difference", "forward",
                               "--difference-increment", "0.1", "--atol", "1e-16", "--atol", "C=1e-7")
        self.assertRegex(line, r"^FAIL: \d of \d states, outputs and columns are worse than promised")

    def test_a_run_that_stops_is_undecided(self):
        run = self.run_program("solve", MODEL, "--to", "-1", "--out", "a.csv", "--verify", "--report", "a.html")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"(?m)^tansy: UNDECIDED: nothing is verified, since the run stopped at t = -0\.757\d+$")
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        self.assertIn("<b>undecided</b><span>verification</span>", page)
        self.assertTrue(re.search("UNDECIDED: nothing is verified, since the run stopped", page))


if __name__ == "__main__":
    main()
