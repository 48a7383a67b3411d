# SPDX-License-Identifier: Apache-2.0
"""Wrong usage of every option: exit status 2 and one line that says what would be right; help, manual and completions."""
import fractions
import math
import os
import re
import shutil
import subprocess
import unittest

from program import HERE, MODEL, ProgramTest, main

TOP = HERE.parent.parent

# For each option values that are wrong, and what the message must hold.
WRONG = {
    "at": [("x", "a:b:n"), ("1,,2", "--at 1,,2: a time is missing"), ("2,1", "rise"), ("1,1", "rise"), ("-1,1", "rise"), ("nan", "number"),
           ("inf", "number"), ("1:2", "a:b:n"), ("0:1:3:log", "a:b:n"), ("1:2:3:4:5", "a:b:n"), ("1e999", "number"),
           ("0:4:1000000000", "n from 1 to 100000000")],
    "to": [("x", "a number"), ("nan", "a number"), ("inf", "a number"), ("0", "differ"), ("1e400", "a number")],
    "points": [("1", "from 2"), ("x", "from 2"), ("-5", "from 2"), ("2.5", "from 2"), ("1e30", "from 2"), ("nan", "from 2")],
    "sens": [("p9", "no parameter p9; did you mean p"), ("y9(0)", "no state y9; did you mean y"), ("conversion(0)", "conversion is an output"),
             ("p1(0)", "p1 is a parameter"), ("p1,p1", "twice"), ("", "needs a value"),
             ("y1", "y1 is a state; the column of its initial value is y1(0)"), ("conversion", "conversion is an output; it takes a parameter")],
    "set": [("p1", "NAME=VALUE"), ("p9=1", "did you mean"), ("p1=x", "a number"), ("p1=nan", "a number"), ("=1", "NAME=VALUE"),
            ("y1=2", "y1 is a state; it takes a parameter"), ("@", "name of a file is missing")],
    "scan": [("y1=1:2:3", "y1 is a state; it takes a parameter"), ("@", "name of a file is missing"), ("p1", "NAME=A:B:N"), ("p9=1:2:3", "did you mean"), ("p1=1:2", "NAME=A:B:N"), ("p1=1:2:0", "NAME=A:B:N"),
             ("p1=-1:2:3:log", "one sign"), ("p1=1:2:x", "NAME=A:B:N"), ("p1=1:2:1e9", "N from 1 to 100000000")],
    "atol": [("x", "at least 0"), ("-1", "at least 0"), ("y9=1", "did you mean y"), ("conversion=1", "conversion is an output"), ("y1=x", "at least 0"), ("inf", "at least 0")],
    "scale": [("x", "none log p")],
    "of": [("z", "no state or output"), ("p1", "p1 is a parameter; it takes a state or output"), ("y1,y1", "twice")],
    "plot": [("a.gif", ".svg, .png or .pdf"), ("svg", ".svg, .png or .pdf"), (".svg", ".svg, .png or .pdf")],
    "report": [("x.pdf", ".html or .htm"), ("html", ".html or .htm"), (".html", ".html or .htm")],
    "panels": [("x", "trajectories")],
    "method": [("x", "auto adams bdf dassl rk8 rosenbrock limex")],
    "sensitivities": [("x", "measured tangent difference")],
    "error-control": [("x", "each")],
    "norm": [("x", "rms max")],
    "linear-solver": [("x", "sparse gmres"), ("sparse", "as a dense matrix"), ("band", "or choose dense")],
    "residual": [("x", "matrix")],
    "difference": [("x", "central")],
    "difference-increment": [("x", "number"), ("2", "0.1"), ("nan", "number")],
    "rtol": [(value, "number from 1e-15 to 1:") for value in ("x", "0", "1e-17", "2", "nan", "-1")],
    "max-order": [("x", "whole number"), ("99", "12"), ("1.5", "whole number")],
    "first-step": [("x", "number"), ("-1", "number"), ("inf", "number"), ("1e20", "longer than the whole time, 4")],
    "min-step": [("x", "number"), ("-1", "number")],
    "max-step": [("x", "number"), ("-1", "number")],
    "max-steps": [("x", "whole number"), ("-1", "whole number"), ("1.5", "whole number")],
    "threads": [("x", "whole number"), ("-1", "whole number"), ("99999", "1024")],
    "suppress-algebraic": [("x", "whole number"), ("2", "0 to 1"), ("-1", "whole number")],
    "initial-tolerance": [("x", "number"), ("2", "0 to 1"), ("nan", "number")],
    "keep-initial": [("x", "whole number"), ("2", "0 to 1")],
    "preconditioner": [("x", "none band ilu block"), ("user", "auto none band ilu block")],
    "precondition-side": [("x", "auto left right")],
    "krylov-dimension": [("x", "whole number"), ("-1", "whole number"), ("1.5", "whole number")],
    "krylov-orthogonal": [("x", "whole number"), ("-1", "whole number")],
    "krylov-restarts": [("x", "whole number"), ("-1", "whole number")],
    "krylov-tolerance": [("x", "number"), ("2", "0 to 1")],
    "preconditioner-lower": [("x", "whole number"), ("-1", "whole number")],
    "preconditioner-upper": [("x", "whole number"), ("-1", "whole number")],
    "preconditioner-block": [("x", "whole number"), ("-1", "whole number")],
    "formula": [("x", "auto dop853 dopri8 rodas5p rodas4 grk4a grk4t")],
    "second-derivatives": [("x", "auto differences neglected")],
    "substeps": [("x", "whole number"), ("-2", "-1 to 100"), ("101", "-1 to 100")],
    "memory-limit": [("x", "whole number"), ("-1", "whole number")],
    "sparsing": [("x", "number"), ("2", "0 to 1"), ("-1", "number")],
    "full-tableau": [("x", "whole number"), ("2", "0 to 1")],
    "max-newton": [("x", "whole number"), ("-1", "whole number")],
    "newton-tolerance": [("x", "number"), ("2", "0 to 1")],
    "max-error-failures": [("x", "whole number"), ("-1", "whole number")],
    "max-convergence-failures": [("x", "whole number"), ("1.5", "whole number")],
    "time-probes": [("x", "whole number"), ("-1", "whole number")],
    "completion": [("tcsh", "bash zsh fish")],
}
COMMAND_OF = {"of": ["rank", MODEL], "each": ["rank", MODEL], "c": ["export", MODEL], "man": ["help"], "completion": ["help"]}


SPARING = "TANSY_SPARING" in os.environ  # one case of a kind


class WrongUsage(ProgramTest):
    def options(self):
        """All options of the program, by its own manual, and whether they take a value."""
        page = self.good("help", "--man").stdout.replace("\\-", "-")
        return {name: bool(rest) for name, rest in re.findall(r"^\.B --(\S+)(.*)$", page, re.MULTILINE)}

    def test_every_wrong_value(self):
        for option, cases in WRONG.items():
            for value, says in cases[:1] if SPARING else cases:
                with self.subTest(option=option, value=value):
                    command = COMMAND_OF.get(option, ["solve", MODEL])
                    self.refused(*command, f"--{option}={value}", says=says)
                    if value and not value.startswith("-"):
                        self.refused(*command, f"--{option}", value, says=says)

    def test_every_option_that_can_be_wrong_is_tried_here(self):
        free = {"out", "stats", "c"}  # any file name may be right
        valued = {name for name, has_value in self.options().items() if has_value}
        self.assertEqual(valued - free - set(WRONG), set())

    def test_missing_and_needless_values(self):
        for option, has_value in self.options().items():
            command = COMMAND_OF.get(option, ["solve", MODEL])
            with self.subTest(option=option):
                if has_value:
                    self.refused(*command, f"--{option}", says="needs a value")
                    if SPARING:
                        continue
                    self.refused(*command, f"--{option}", "--quiet", says="needs a value")
                    self.refused(*command, f"--{option}=", says="needs a value")
                else:
                    self.refused(*command, f"--{option}=yes", says="takes no value")

    def test_columns_that_are_not_named_or_not_wanted(self):
        self.refused("solve", MODEL, "--sens", "p1,,p2", says="a name is missing")
        self.refused("solve", MODEL, "--sens", "p1", "--sensitivities", "none", says="leave one of them out")

    def test_unknown_options_and_commands(self):
        self.refused("solve", MODEL, "--methd", "bdf", says="did you mean --method?")
        self.refused("solve", MODEL, "--rtoll=1", says="did you mean --rtol?")
        self.refused("solve", MODEL, "--xyzzyxyzzy", says="there is no option --xyzzyxyzzy (tansy help solve")
        self.refused("solve", MODEL, "--" + "x" * 5000, says="there is no option")
        self.refused("solve", MODEL, "-x", says="two dashes")
        self.refused("sovle", MODEL, says="did you mean solve?")
        self.refused("", says="there is no command")
        self.refused("help", "lnguage", says="did you mean language?")
        self.refused("solve", MODEL, "--stop-time", "1", says="there is no option --stop-time")
        self.refused("solve", MODEL, "--use-stop-time", "1", says="there is no option --use-stop-time")
        self.refused("check", MODEL, "--plot", "a.svg", says="it belongs to: solve, rank")

    def test_nul_bytes_are_refused(self):
        (self.folder / "set.txt").write_bytes(b"p1 = 1\n\0p2 = 3\n")
        (self.folder / "scan.csv").write_bytes(b"p1\n1\n2\0\n3\n")
        self.refused("solve", MODEL, "--set", "@set.txt", says="--set @set.txt, line 2: a NUL byte")
        self.refused("solve", MODEL, "--scan", "@scan.csv", says="--scan @scan.csv, line 3: a NUL byte")

    def test_byte_order_marks_and_separators_of_tables(self):
        (self.folder / "set.txt").write_bytes(b"\xef\xbb\xbfp1 = 1\r\n")
        self.assertEqual(self.good("solve", MODEL, "--set", "@set.txt", "--at", "1").stdout,
                         self.good("solve", MODEL, "--set", "p1=1", "--at", "1").stdout)
        plain = self.good("solve", MODEL, "--scan", "p1=1:2:2", "--at", "1").stdout
        for head in ("p1\n1\n2\n", "\ufeffp1\n1\n2\n", '\ufeff"p1"\r\n1\r\n2\r\n'):
            (self.folder / "scan.csv").write_text(head, encoding="utf-8", newline="")
            self.assertEqual(self.good("solve", MODEL, "--scan", "@scan.csv", "--at", "1").stdout, plain)
        texts = []
        for separator in (",", ";", "\t"):
            (self.folder / "scan.csv").write_text("p1,p2\n1,2\n2,3\n".replace(",", separator), encoding="utf-8")
            texts.append(self.good("solve", MODEL, "--scan", "@scan.csv", "--at", "1").stdout)
        self.assertEqual(len(set(texts)), 1)

    def test_decimal_commas_of_tables(self):
        """Between semicolons or tabs, as in the tables of inputs."""
        texts = []
        for text in ("p1,p2\n0.5,-2\n1.25e1,3\n", "p1;p2\n0,5;-2\n1,25e1;3\n", "p1\tp2\n0,5\t-2\n1,25e1\t3\n"):
            (self.folder / "scan.csv").write_text(text, encoding="utf-8")
            texts.append(self.good("solve", MODEL, "--scan", "@scan.csv", "--at", "1").stdout)
        self.assertEqual(len(set(texts)), 1)
        for text, says in (("p1;p2\n1,5;2.5\n", "line 2: 2.5: numbers before have a decimal comma: write all of them one way"),
                           ("p1;p2\n1.5;2\n1;2,5\n", "line 3: 2,5: numbers before have a decimal point"),
                           ("p1;p2\n1,;2\n", "line 2: 1,: it must be a number"), ("p1;p2\n1.000,5;2\n", "line 2: 1.000,5: it must be"),
                           ("p1;p2\n1,000,5;2\n", "line 2: 1,000,5: it must be")):
            (self.folder / "scan.csv").write_text(text, encoding="utf-8")
            self.refused("solve", MODEL, "--scan", "@scan.csv", "--at", "1", says=says)

    def test_what_has_no_effect_is_warned_of(self):
        for words, says in ((("--panels", "ranking"), "--panels does nothing without --plot"),
                            (("--preconditioner", "ilu"), "--preconditioner does nothing without --linear-solver gmres"),
                            (("--method", "rk8", "--full-tableau", "1"), "--full-tableau and --memory-limit do nothing without --method limex"),
                            (("--memory-limit", "9"), "--full-tableau and --memory-limit do nothing without --method limex"),
                            (("--second-derivatives", "neglected"), "--second-derivatives does nothing without --method rosenbrock or limex")):
            self.assertIn(f"warning: {says}", self.good("solve", MODEL, "--out", "a.csv", *words).stderr)
            self.assertEqual("", self.good("solve", MODEL, "--out", "a.csv", "--quiet", *words).stderr)

    def test_options_of_gmres_without_it_are_warned_of(self):
        for option, value in (("krylov-dimension", 5), ("krylov-orthogonal", 3), ("krylov-restarts", 2), ("krylov-tolerance", 0.1),
                              ("precondition-side", "left"), ("preconditioner-lower", 1), ("preconditioner-upper", 1), ("preconditioner-block", 2)):
            for more in ((), ("--method", "bdf")):
                run = self.good("solve", MODEL, "--out", "a.csv", f"--{option}", value, *more)
                self.assertIn(f"tansy: warning: --{option} does nothing without --linear-solver gmres\n", run.stderr)
            self.assertEqual("", self.good("solve", MODEL, "--out", "a.csv", "--quiet", f"--{option}", value).stderr)
            run = self.good("solve", MODEL, "--out", "a.csv", f"--{option}", value, "--linear-solver", "gmres", "--preconditioner", "none")
            self.assertNotIn("does nothing", run.stderr)

    def test_a_scan_tells_which_run_is_outside_its_bounds(self):
        (self.folder / "m.tansy").write_text("parameter a = 1 in 0 .. 2\nstate x = 0\nx' = a\ntime 0 .. 2\n", encoding="utf-8")
        run = self.good("solve", "m.tansy", "--scan", "a=1:4:4", "--out", "a.csv")
        self.assertEqual(run.stderr.count("warning"), 1)
        self.assertIn("warning: run 3 of 4: a = 3 is outside its bounds 0 .. 2", run.stderr)

    def test_orders_of_limex(self):
        order = re.search(r"orders 2 to (\d+)", self.good("methods").stdout)
        says = f"goes up to order {int(order[1]) - 1} of its error estimate, one below its solution's"
        self.refused("solve", MODEL, "--method", "limex", "--max-order", "12", says=says)

    def test_grids_of_equal_ratios_over_all_decades(self):
        (self.folder / "m.tansy").write_text("parameter p = 1\nstate x = p\nx' = 0\n", encoding="utf-8")
        for a, b in (("1e-200", "1e200"), ("1e-300", "1e-4"), ("-1e-200", "-1e200")):
            rows = self.table(self.good("solve", "m.tansy", "--at", f"{a}:{b}:5:log").stdout)[2]
            first, last = math.log10(abs(float(a))), math.log10(abs(float(b)))
            for j, row in enumerate(rows):  # |d log10 t| of a few roundings of 460
                self.assertAlmostEqual(math.log10(abs(row["t"])), first + (last - first) * j / 4, delta=1e-12)
        rows = self.table(self.good("solve", "m.tansy", "--at", "1", "--scan", "p=1e200:1e-200:3:log").stdout)[2]
        self.assertEqual([row["x"] for row in rows], [1e200, 1, 1e-200])
        self.refused("solve", "m.tansy", "--at", "1:0:3:log", says="--at 1:0:3:log: it must be")
        self.refused("solve", "m.tansy", "--at", "-1:1:3:log", says="--at -1:1:3:log: it must be")

    def test_points_of_grids_are_next_to_what_decimals_say(self):
        """Each is the double next to (a (n - 1 - j) + b j)/(n - 1), whichever option asks for it."""
        for a, b, n in (("0", "0.7", 8), ("0.1", "0.7", 7), ("0", "3.5", 201), ("0", "1e-3", 11), ("0", "-2.3", 24), ("0", "1", 32), ("1", "2e6", 48)):
            first, last = fractions.Fraction(a), fractions.Fraction(b)
            right = [float((first * (n - 1 - j) + last * j) / (n - 1)) for j in range(n)]
            (self.folder / "m.tansy").write_text(f"parameter p = 1\nstate x = p\nx' = 0\ntime {a} .. {b}\n", encoding="utf-8")
            for words in (["--at", f"{a}:{b}:{n}"], ["--to", b, "--points", n]):
                rows = self.table(self.good("solve", "m.tansy", *words).stdout)[2]
                self.assertEqual([row["t"] for row in rows], right[-len(rows):], words)
            rows = self.table(self.good("solve", "m.tansy", "--at", b, "--scan", f"p={a}:{b}:{n}").stdout)[2]
            self.assertEqual([row["p"] for row in rows], right)
        rows = self.table(self.good("solve", "m.tansy", "--at", 2, "--scan", f"p=1:{1 + 5 * 2**-52:.17g}:6").stdout)[2]
        self.assertEqual([row["p"] for row in rows], [1 + j * 2**-52 for j in range(6)])
        rows = self.table(self.good("solve", "m.tansy", "--at", 2, "--scan", "p=-1.6e308:1.6e308:5").stdout)[2]
        for row, p in zip(rows, [-1.6, -0.8, 0, 0.8, 1.6]):  # whose distance is no double
            self.assertAlmostEqual(row["p"] / 1e308, p, delta=1e-15)

    def test_wrong_combinations(self):
        self.refused("solve", says="needs a model file")
        self.refused("solve", MODEL, "other", says="one word too many")
        self.refused("version", "x", says="one word too many")
        self.refused("export", MODEL, says="--c FILE")
        self.refused("solve", MODEL, "--at", "1", "--to", "2", says="leave out --to")
        self.refused("solve", MODEL, "--at", "1", "--points", "5", says="leave out --to")
        self.refused("solve", MODEL, "--scan", "p1=1:2:2", "--verify", says="leave out")
        self.refused("solve", MODEL, "--scan", "p1=1:2:2", "--scan", "p1=1:2:2", says="twice")
        self.refused("solve", MODEL, "--scan", "p1=1:2:2", "--set", "p1=1", says="leave out --set p1")
        self.refused("solve", MODEL, "--min-step", "2", "--max-step", "1", says="--min-step is above --max-step")
        self.refused("rank", MODEL, "--sens", "none", says="nothing to rank")
        self.refused("solve", MODEL, "--sens", "p1,all", says="leave out all, or p1")
        self.refused("solve", MODEL, "--sens", "all,p1", says="p1 is named twice")
        for option in (("--man",), ("--completion", "zsh")):
            self.refused("help", *option, "extra", says=f"extra is one word too many; right is: tansy help {option[0]}")

    def test_what_would_be_right_is_told(self):
        for times, says in (("-1,1", "-1 is before the initial time, 0, and 1 behind it: times must rise from it on, or all fall below it; make two runs"),
                            ("2,-0.5", "-0.5 is before the initial time, 0, and 2 behind it"), ("1,0", "the initial time, 0, can only come first"),
                            ("0,1,0", "the initial time, 0, can only come first"), ("0,0", "the initial time, 0, can only come first"),
                            ("0,2,1", "1 must not come after 2"), ("-1,-0.5", "-0.5 must not come after -1"), ("0:1:5:log", "a:b:n:log with a and b of one sign")):
            self.refused("solve", MODEL, f"--at={times}", says=says)
        for columns in ("all,none", "none,p1", "p1,none"):
            self.refused("solve", MODEL, "--sens", columns, says=f"--sens {columns}: none stands alone")
        self.refused("rank", MODEL, "--sensitivities", "none", says="nothing to rank: --sensitivities none leaves no columns")
        self.refused("rank", MODEL, "--sens", "none", says="nothing to rank: --sens none leaves no columns")
        (self.folder / "m.tansy").write_text("state x = 1\nx' = -x\ntime 0 .. 1\n", encoding="utf-8")
        self.refused("rank", "m.tansy", says="nothing to rank: the model has no parameters")
        for command in ("solve", "rank", "check"):
            self.refused(command, "", says="the name of the model's file is empty")

    def test_messages_name_options_as_the_command_line_does(self):
        for words, says in ((("--max-newton", "1"), "tansy: --max-newton 1: it takes 2 iterations"), (("--method", "bdf", "--max-order", "9"), "tansy: --max-order 9: bdf"),
                            (("--method", "rk8", "--max-order", "9"), "tansy: --max-order is for multistep"),
                            (("--method", "bdf", "--sparsing", "0.1"), "the option --sparsing is for the method limex"),
                            (("--method", "rk8", "--sensitivities", "direct"), "tansy: --sensitivities simultaneous, staggered,"),
                            (("--method", "rk8", "--linear-solver", "dense"), "leave --linear-solver at auto")):
            self.assertTrue(says in self.refused("solve", MODEL, *words), (words, says))
        run = self.run_program("solve", MODEL, "--max-steps", "3", "--at", "4", "--out", "a.csv")
        self.assertIn("is reached, not 4; raise --max-steps; ", run.stderr)
        self.assertNotIn("max_steps", run.stderr + (self.folder / "a.csv").read_text(encoding="utf-8"))
        (self.folder / "m.tansy").write_text("parameter p = 1\nstate max_order = 1, max_step = 1\nmax_order' = p*sqrt(max_order) - 2*p\nmax_step' = 0\n"
                                             "time 0 .. 8\n", encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--out", "a.csv")
        self.assertEqual(run.returncode, 1)
        self.assertIn("max_order", run.stderr)  # a name of the model's own stays
        self.assertNotIn("--max-order", run.stderr)

    def test_wrong_files(self):
        self.refused("solve", MODEL, "--set", "@missing.txt", status=3, says="cannot read missing.txt")
        self.refused("solve", MODEL, "--scan", "@missing.csv", status=3, says="cannot read missing.csv")
        for text, says in [("", "names"), ("p1\n", "names"), ("p1,p2\n1\n", "2 names"), ("p1\nx\n", "a number"),
                           ("p7\n1\n", "did you mean"), ("p1,p1\n1,2\n", "twice")]:
            (self.folder / "s.csv").write_text(text, encoding="utf-8")
            self.refused("solve", MODEL, "--scan", "@s.csv", says=says)
        (self.folder / "s.txt").write_text("p1 = 1\np2 : 3\n", encoding="utf-8")
        self.refused("solve", MODEL, "--set", "@s.txt", says="line 2")

    def test_the_file_and_the_line_of_what_is_wrong_are_told(self):
        for text, says in (("p1 = 1\n\np9 = 2\n", "--set @s.txt, line 3: the model has no parameter p9; did you mean p"),
                           ("y1 = 1\n", "--set @s.txt, line 1: y1 is a state"), ("# p\np1 = x\n", "--set @s.txt, line 2: p1 = x: the value"),
                           ("p1 = 2 [1/min]\n", "must be a number, in the unit that the model has: leave [...] out")):
            (self.folder / "s.txt").write_text(text, encoding="utf-8")
            self.refused("solve", MODEL, "--set", "@s.txt", says=says)
        (self.folder / "s.txt").write_text("p1\n", encoding="utf-8")
        self.assertEqual(self.refused("solve", MODEL, "--set", "@s.txt"), "tansy: --set @s.txt, line 1: it must be NAME=VALUE")
        for text, says in (("# sets\np1,p9\n", "line 2: the model has no parameter p9"), ("p1,y1\n", "line 1: y1 is a state"),
                           ("p1,p1\n", "line 1: p1 is named twice")):
            (self.folder / "s.csv").write_text(text, encoding="utf-8")
            self.refused("solve", MODEL, "--scan", "@s.csv", says="--scan @s.csv, " + says)

    def test_wrong_models(self):
        (self.folder / "m.tansy").write_text("BAD\n", encoding="utf-8")
        for command in (["solve", "m.tansy"], ["check", "m.tansy"], ["rank", "m.tansy"], ["export", "m.tansy", "--c", "x.c"]):
            run = self.run_program(*command)
            self.assertEqual(run.returncode, 2)
            self.assertRegex(run.stderr, r"^m\.tansy:1:\d+: ")
        self.assertFalse((self.folder / "x.c").exists())
        self.assertEqual(self.run_program("solve", "missing.tansy").returncode, 3)
        for more in ((), ("--report", "a.html")):  # without an end
            run = self.run_program("solve", "/dev/zero", *more)
            self.assertEqual(run.returncode, 2)
            self.assertIn("/dev/zero:1:1: a NUL byte", run.stderr)


class Help(ProgramTest):
    def test_pages(self):
        for topic in ("", "solve", "rank", "check", "export", "methods", "help", "version", "sensitivities", "language",
                      "verify", "scan", "output"):
            text = self.good("help", *([topic] if topic else [])).stdout
            self.assertGreater(len(text), 40, topic)
            self.assertLessEqual(max(map(len, text.splitlines())), 90, topic)
        alone = self.run_program()
        self.assertEqual((alone.returncode, alone.stdout), (2, ""))
        self.assertEqual(alone.stderr, self.good("--help").stdout)
        self.assertEqual(self.good("solve", "--help").stdout, self.good("help", "solve").stdout)
        self.assertRegex(self.good("version").stdout, r"^tansy \d+\.\d+\.\d+$")
        self.assertEqual(self.good("--version").stdout, self.good("version").stdout)

    def test_help_tells_what_zero_means_and_its_own_options(self):
        says = "A number that is 0 stands for the default; --rtol must be above 0."
        for command in ("solve", "rank", "check"):
            self.assertEqual(self.good("help", command).stdout.count(says), 1)
        self.assertEqual(self.good("help", "--man").stdout.replace("\\-", "-").count(says), 1)
        plain = self.good("solve", MODEL).stdout
        for option in ("max-order", "max-steps", "max-step", "threads", "newton-tolerance", "krylov-dimension", "preconditioner-block",
                       "max-error-failures"):
            self.assertEqual(self.good("solve", MODEL, f"--{option}", 0).stdout, plain, option)
        for words in (("help", "help"), ("help", "--help")):
            self.assertRegex(self.good(*words).stdout, r"\n  --man +the manual page")
            self.assertRegex(self.good(*words).stdout, r"\n  --completion SHELL +the completion")

    def test_every_topic_has_an_example(self):
        for topic in ("solve", "rank", "check", "export", "methods", "sensitivities", "verify", "scan"):
            self.assertRegex(self.good("help", topic).stdout, r"\n  tansy \w+", topic)

    def test_manual_and_completions_in_the_tree_are_up_to_date(self):
        for words, name in ((["--man"], "man/tansy.1"), (["--completion", "bash"], "completions/tansy.bash"),
                            (["--completion", "zsh"], "completions/_tansy"), (["--completion", "fish"], "completions/tansy.fish")):
            text = (TOP / name).read_text(encoding="utf-8")
            self.assertEqual(self.good("help", *words).stdout, text, f"make {name} again: tansy help {' '.join(words)}")

    def test_all_options_are_in_the_completions(self):
        page = self.good("help", "--man").stdout.replace("\\-", "-")
        for shell, form in (("bash", "--{}"), ("zsh", "--{}"), ("fish", "-l {}")):
            text = self.good("help", "--completion", shell).stdout
            for name in re.findall(r"^\.B --(\S+)", page, re.MULTILINE):
                self.assertIn(form.format(name), text, shell)

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_bash_completes(self):
        def complete(*words):
            script = (f"source '{TOP}/completions/tansy.bash'; COMP_WORDS=({' '.join(words)} ''); COMP_CWORD={len(words)}; "
                      "if [ \"$1\" ]; then COMP_WORDS[COMP_CWORD]=$1; fi; _tansy; echo ${COMPREPLY[@]}")
            return lambda start="": subprocess.run(["bash", "-c", script, "bash", start], text=True, capture_output=True,
                                                   cwd=self.folder, check=True).stdout.split()
        self.assertEqual(complete("tansy")("s"), ["solve"])
        self.assertEqual(complete("tansy", "solve", "m", "--method")(), ["auto", "adams", "bdf", "dassl", "rk8",
                                                                              "rosenbrock", "limex"])
        self.assertEqual(complete("tansy", "solve", "m", "--method")("="), complete("tansy", "solve", "m", "--method")())
        self.assertEqual(complete("tansy", "solve", "m", "--method", "=")("r"), ["rk8", "rosenbrock"])
        self.assertEqual(complete("tansy", "solve", "m")("--method=r"), ["--method=rk8", "--method=rosenbrock"])
        self.assertEqual(complete("tansy", "solve", "m")("--re"), ["--report", "--residual"])
        self.assertIn("language", complete("tansy", "help")())
        (self.folder / "my.tansy").touch()
        self.assertEqual(complete("tansy", "check")("m"), ["my.tansy"])
        os.unlink(self.folder / "my.tansy")

    @unittest.skipUnless(shutil.which("man"), "needs man")
    def test_manual_page_is_clean(self):
        run = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", str(TOP / "man/tansy.1")], text=True,
                             capture_output=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": ""})
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    main()
