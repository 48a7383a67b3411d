# SPDX-License-Identifier: Apache-2.0
"""Many states, names with brackets and commas, no parameters, no time span."""
import math
import os
import shutil
import unittest

from program import HERE, MODEL, ProgramTest, main

CHAIN, DECAY = str(HERE / "chain.tansy"), str(HERE / "decay.tansy")
PROMISE = 1e-4


class Names(ProgramTest):
    def test_names_with_commas_are_quoted_and_read_back(self):
        text = self.good("solve", CHAIN, "--at", "2", "--sens", "k[3],u[1,2](0), k[1]").stdout
        self.assertIn('"u[1,2]"', text)
        _, names, rows = self.table(text)
        self.assertEqual(len(names), 1 + 30 * 4)
        self.assertEqual(names[31:34], ["d(u[1,1])/d(k[3])", "d(u[1,1])/d(u[1,2](0))", "d(u[1,1])/d(k[1])"])
        # u[1,j] = j exp(-k1 t)
        self.assertAlmostEqual(rows[0]["u[1,2]"], 2 * math.exp(-2.2), delta=PROMISE)
        self.assertAlmostEqual(rows[0]["d(u[1,2])/d(u[1,2](0))"], math.exp(-2.2), delta=PROMISE)
        self.assertAlmostEqual(rows[0]["d(u[1,2])/d(k[1])"], -4 * math.exp(-2.2), delta=PROMISE)
        self.assertEqual(rows[0]["d(u[1,1])/d(k[3])"], 0)

    def test_names_on_the_command_line(self):
        run = self.good("solve", CHAIN, "--at", "1", "--set", "k[1]=2", "--atol", "u[1,2]=1e-6", "--sens", "none",
                        "--scan", "k[2]=1:2:2")
        _, names, rows = self.table(run.stdout)
        self.assertEqual(names[:3], ["k[2]", "t", "u[1,1]"])
        self.assertAlmostEqual(rows[1]["u[1,2]"], 2 * math.exp(-2), delta=PROMISE)
        self.refused("solve", CHAIN, "--sens", "k[16]", says="did you mean k[1]?")
        self.assertIn("\n    1  k[", self.good("rank", CHAIN, "--of", "u[3,1],u[3,2]").stdout)

    def test_one_of_many_is_to_be_named(self):
        (self.folder / "m.tansy").write_text("parameter a = 1\ncontrol u = {1, 2} piecewise constant at {0, 1, 2}\n"
                                             "state x = 1\nx' = -a*u*x\ntime 0 .. 2\n", encoding="utf-8")
        for words, says in (((CHAIN, "--sens", "k"), "--sens: k is not one value: write k[1], ..., k[15]"),
                            ((CHAIN, "--set", "k=2"), "--set: k is not one value: write k[1], ..., k[15]"),
                            ((CHAIN, "--atol", "u=1e-3"), "--atol: u is not one value: write u[1,1], ..., u[15,2]"),
                            ((CHAIN, "--sens", "u(0)"), "--sens: u is not one value: write u[1,1], ..., u[15,2]"),
                            (("m.tansy", "--set", "u=2"), "--set: u is not one value: write u[1], ..., u[2]"),
                            ((CHAIN, "--sens", "u"), "--sens: u is a state; the column of its initial value is u[1,1](0)"),
                            ((CHAIN, "--atol", "k=1e-3"), "--atol: k is a parameter; it takes a state"),
                            (("m.tansy", "--sens", "v"), "no parameter v")):
            self.refused("solve", *words, says=says)

    def test_a_state_or_a_scanned_parameter_may_be_called_t(self):
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate t = 1\nt' = -k*t\ntime 0 .. 2\n", encoding="utf-8")
        _, names, rows = self.table(self.good("solve", "m.tansy", "--at", "2").stdout)
        self.assertEqual(names, ["time", "t", "d(t)/d(k)"])
        self.assertEqual(rows[0]["time"], 2)
        (self.folder / "m.tansy").write_text("parameter t = 1\nstate x = 1\nx' = -t*x\ntime 0 .. 2\n", encoding="utf-8")
        self.assertEqual(self.table(self.good("solve", "m.tansy", "--scan", "t=1:2:2").stdout)[1], ["t", "time", "x", "d(x)/d(t)"])
        self.assertEqual(self.table(self.good("solve", "m.tansy").stdout)[1], ["t", "x", "d(x)/d(t)"])

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_pictures_and_pages_show_the_most_important(self):
        self.good("solve", CHAIN, "--out", "a.csv", "--plot", "a.svg", "--report", "a.html")
        text = (self.folder / "a.svg").read_text(encoding="utf-8")
        self.assertIn("10 of 30", text)
        self.assertIn("the 10 most important of", text)
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        self.assertIn("The 10 most important of 15 columns", page)
        self.assertIn("Two chains &lt;of reactions&gt; &amp; more", page)
        self.assertNotIn("<of", page)


class Small(ProgramTest):
    def test_no_parameters(self):
        _, names, rows = self.table(self.good("solve", DECAY, "--to", "1", "--points", "3").stdout)
        self.assertEqual(names, ["t", "x"])
        self.assertAlmostEqual(rows[-1]["x"], math.exp(-1), delta=PROMISE)
        self.assertIn("PASS", self.good("solve", DECAY, "--to", "1", "--verify").stderr)
        self.good("solve", DECAY, "--to", "1", "--report", "a.html", "--out", "a.csv", "--stats", "a.json")
        self.refused("rank", DECAY, "--to", "1", says="nothing to rank")
        _, names, rows = self.table(self.good("solve", DECAY, "--at", "1", "--sens", "x(0)").stdout)
        self.assertAlmostEqual(rows[0]["d(x)/d(x(0))"], math.exp(-1), delta=PROMISE)

    def test_no_time_span(self):
        self.refused("solve", DECAY, says="add `time 0 .. T` to it")
        self.assertIn("not given", self.good("check", DECAY).stdout)
        self.good("check", DECAY, "--to", "2")

    def test_wild_arguments(self):
        """Whatever the words are, the program answers with a status it knows."""
        words = ["", " ", "=", ",", "@", "[", "]", "(0)", "\\", "'", '"', "%s%n", "-", "--", "\t", "1:1:1", "y1=", "=y1", "\u00e9",
                 "p1=1e308", "p1=-1e308", "p1=1e-320", "a" * 20000, "p1=" + "9" * 400, "1" * 400, "0x10", "1e", "+", ".", "-0"]
        options = ["at", "to", "points", "sens", "set", "scan", "atol", "rtol", "max-step", "first-step", "of"]
        for number, option in enumerate(options):
            for word in words[number % 4::4] if "TANSY_SPARING" in os.environ else words:
                command = "rank" if option == "of" else "solve"
                run = self.run_program(command, MODEL, f"--{option}", word, "--max-steps", "200")
                self.assertIn(run.returncode, (0, 1, 2, 3), (option, word, run.stderr[-300:]))
        self.assertEqual(os.listdir(self.folder), [])


if __name__ == "__main__":
    main()
