# SPDX-License-Identifier: Apache-2.0
"""What a new user gets wrong: models with each kind of error, files that are none, options that are begun and not ended."""
import json
import shutil
import subprocess
import unittest

from program import HERE, MODEL, PROGRAM, ProgramTest, main

HEAD = "parameter k = 1\nstate x = 1\n"
# A model, the place of its error, and what is said.
BAD = {
    "nested brackets": (HEAD + "x' = -" + "(" * 200000 + "x" + ")" * 200000, "3:1007", "more than 1000 brackets and ifs inside each other"),
    "nested ifs": (HEAD + "x' = " + "if x > 0 then " * 3000 + "x" + " else 1" * 3000, "3:14006", "name a part with `let`"),
    "long line": (HEAD + "x' = " + "x+" * 500000 + "yy", "3:1000006", "yy is not declared\n    ..."),
    "long name": (HEAD + "x' = " + "a" * 1000000, "3:6", "a" * 60 + "... is not declared\n"),
    "NUL byte": (HEAD + "x' = -k\0*x", "3:8", "a NUL byte: a model is text"),
    "invalid UTF-8": ((HEAD + "x' = -k").encode() + b"\xff*x", "3:8", "the byte 0xff is not UTF-8: save the file as UTF-8"),
    "UTF-8 cut short": (HEAD.encode() + b"x' = -k*x # \xc3", "3:13", "is not UTF-8"),
    "cyclic lets": ("let a = b + 1, b = c*2\nlet c = a\nstate x = 1\nx' = -a*x", "2:9", "a depends on itself: a -> b -> c -> a"),
    "let of itself": ("let a = a\nstate x = 1\nx' = -a*x", "1:9", "a depends on itself"),
    "cyclic initial values": ("state x = y(0), y = x(0)\nx' = -x\ny' = -y", "1:21", "x(0) depends on itself: x(0) -> y(0) -> x(0)"),
    "division by zero": (HEAD + "x' = -k*x/0", "3:10", "division by zero"),
    "division by a constant zero": (HEAD + "constant c = 2\nx' = -k*x/(c - 2)", "4:10", "division by zero"),
    "log of zero": (HEAD + "x' = -k*x + log(0)", "3:13", "infinite"),
    "duplicate names": ("parameter k = 1\nstate x = 1, k = 2\nx' = -k*x", "2:14", "k is declared twice: it is already a parameter in line 1"),
    "duplicate equations": (HEAD + "x' = -k*x\nx' = 2", "4:1", "x has two equations; the first is in line 3"),
    "unknown name": (HEAD + "x' = -kk*x", "3:7", "kk is not declared; did you mean k?"),
    "unknown function": (HEAD + "x' = -k*sine(x)", "3:9", "there is no function sine; did you mean sin?"),
    "unknown statement": ("paramter k = 1", "1:1", "did you mean `parameter`?"),
    "missing equations": ("state x = 1, y = 2, z = 3\nx' = -x", "1:14", "there is no equation for y, z"),
    "too few algebraic equations": (HEAD + "algebraic z = 1, w = 1\nx' = -z\n0 = z - k*x", "3:11",
                                    "2 equations for 3 unknowns: z, w have no equation x' = ..., and only 1 other is left for them"),
    "too many equations": (HEAD + "x' = -k*x\n0 = x - k", "4:1", "there are more equations (2) than unknowns (1): this one is too many"),
    "no state": ("parameter k = 1", "1:1", "a model needs at least one, `state x = 1`"),
    "empty": ("", "1:1", "there is no state"),
}


class BadModels(ProgramTest):
    def write(self, text, name="m.tansy"):
        (self.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name

    def test_every_kind_of_error_is_clear(self):
        """One error, its place, what is wrong, the line and a caret; nothing is written."""
        for kind, (text, place, says) in BAD.items():
            with self.subTest(kind=kind):
                self.write(text)
                run = self.run_program("solve", "m.tansy", "--to", "1", "--out", "a.csv")
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertTrue(run.stderr.startswith(f"m.tansy:{place}: "), run.stderr[:300])
                self.assertIn(says, run.stderr)
                self.assertEqual(run.stderr.count("m.tansy:"), 1)
                self.assertIn("^", run.stderr.splitlines()[-1])
                self.assertLess(len(run.stderr), 500)
                self.assertFalse((self.folder / "a.csv").exists())

    def test_long_lines_and_deep_signs_that_are_right(self):
        self.write(HEAD + "x' = -k*x" + " " * 1000000 + "\n")
        self.good("solve", "m.tansy", "--to", "1")
        self.write("state x = 1\nx' = " + "-" * 100000 + "x\n")  # an even number
        _, _, rows = self.table(self.good("solve", "m.tansy", "--at", "1").stdout)
        self.assertAlmostEqual(rows[0]["x"], 2.718281828, delta=1e-4)

    def test_warnings_of_the_model_are_shown(self):
        self.write(HEAD + "x' = -x\n")
        self.assertIn("m.tansy:1:11: warning: the parameter k is used nowhere\n", self.good("solve", "m.tansy", "--to", "1").stderr)
        self.assertEqual(self.good("solve", "m.tansy", "--to", "1", "--quiet").stderr, "")

    def test_models_that_cannot_be_exported(self):
        self.write("parameter k = 1\nstate x = 1, v = 0\nalgebraic z = 1\nx' = v\nv' = z\n0 = x - k*time\n")
        self.refused("export", "m.tansy", "--c", "a.c", says="cannot be solved as it is")


class Stops(ProgramTest):
    """x' = x^2, x = 1/(1 - t): there is nothing from t = 1 on."""

    def setUp(self):
        super().setUp()
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1\nx' = k*x^2\ntime 0 .. 2\n", encoding="utf-8")

    def test_every_command_says_where(self):
        run = self.run_program("rank", "m.tansy")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"(?m)^tansy: stopped at t = (0\.99|1)")
        run = self.run_program("solve", "m.tansy", "--out", "a.csv", "--report", "a.html")
        self.assertEqual(run.returncode, 1)
        self.assertRegex((self.folder / "a.html").read_text(encoding="utf-8"), r"stopped at t = (0\.99|1)")

    def test_check_tells_where_its_trial_stops(self):
        """log(0.5 - t) is no number from t = 0.5 on."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1\nx' = k*log(0.5 - time)\ntime 0 .. 2\n", encoding="utf-8")
        self.assertRegex(self.good("check", "m.tansy").stdout, r"(?m)^trial run +stopped at t = (0\.49|0\.5)")

    def test_runs_of_a_scan_that_warn_are_counted(self):
        text = "parameter a = 1, b = 1, c = 1\nstate z = max(a, b)\nz' = -c*z\n"
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.good("solve", "m.tansy", "--to", "1", "--scan", "c=1:5:5")
        self.assertEqual(run.stderr.count("has a corner"), 3)
        self.assertIn("warning: more runs have warnings, which are not shown\n", run.stderr)


class Large(ProgramTest):
    def test_large_models_are_checked_in_random_directions(self):
        ode = "constant N = 1600\n{}state u[i in 1..N] = i/N\nu[i]' = -{}u[i]^2 for i in 1..N\ntime 0 .. 1\n"
        dae = ("constant N = 800\nparameter k = 1\nstate u[i in 1..N] = i/N\nalgebraic v[i in 1..N] = 1\n"
               "u[i]' = -k*v[i] for i in 1..N\n0 = v[i]^3 + v[i] - u[i] for i in 1..N\n")
        for text in (ode.format("parameter k = 1\n", "k*"), ode.format("", ""), dae):
            (self.folder / "m.tansy").write_text(text, encoding="utf-8")
            self.assertIn("agree with differences at t = 0, in random directions\n", self.good("check", "m.tansy").stdout)


class WrongWords(ProgramTest):
    def test_options_and_commands_that_are_begun(self):
        self.refused("solve", MODEL, "--linear", "gmres", says="there is no option --linear; did you mean --linear-solver?")
        self.refused("solve", MODEL, "--sen", "p1", says="did you mean --sens?")
        self.refused("so", MODEL, says="did you mean solve?")
        self.refused("solve", MODEL, "--k", "1", says="there is no option --k (tansy help solve")

    def test_the_standard_input_has_a_name(self):
        self.refused("solve", "-", says="/dev/stdin")
        model = (HERE / "gas_oil.tansy").read_text(encoding="utf-8")
        run = subprocess.run([PROGRAM, "solve", "/dev/stdin", "--at", "1"], input=model, text=True, capture_output=True, check=True,
                             cwd=self.folder)
        self.assertIn("d(y1)/d(p1)", run.stdout)

    def test_scans_that_are_too_much(self):
        self.refused("solve", MODEL, "--scan", "p1=1:2:20000", "--scan", "p2=1:2:20000", says="more than 100000000 combinations")
        (self.folder / "s.csv").write_text("p1\n1\n", encoding="utf-8")
        self.refused("solve", MODEL, "--scan", "@s.csv", "--scan", "p2=1:2:2", says="leave out any other --scan")

    def test_short_help(self):
        self.assertEqual(self.good("solve", "-h").stdout, self.good("help", "solve").stdout)
        self.assertEqual(self.good("methods").stdout, self.good("help", "methods").stdout)

    def test_names_of_files_in_json(self):
        name = 'a"b\\c\x01.tansy'
        (self.folder / name).write_text("state x = 1\nx' = -x\n", encoding="utf-8")
        self.good("solve", name, "--to", "1", "--stats", "a.json", "--out", "a.csv")
        with open(self.folder / "a.json", encoding="utf-8") as file:
            self.assertIn('a"b\\c\x01', json.load(file).values())

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_pictures_without_a_place_for_them(self):
        run = self.run_program("solve", MODEL, "--out", "a.csv", "--plot", "a.svg", env={"TMPDIR": "/nowhere"})
        self.assertEqual(run.returncode, 3)
        self.assertIn("a.svg is not drawn, all other results are kept: cannot make a folder in /nowhere (TMPDIR): ", run.stderr)
        self.assertTrue((self.folder / "a.csv").exists())

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_curves_of_all_sizes_are_seen(self):
        """x, 1e-7 x and 1e9 x, each of leading digit 3, in one picture up to 3; the legend has the powers."""
        text = "parameter k = 1\nstate a = 3e9, b = 3, c = 3e-7\na' = -k*a\nb' = -k*b\nc' = -k*c\ntime 0 .. 1\n"
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        self.good("solve", "m.tansy", "--out", "a.csv", "--plot", "a.svg", "--panels", "trajectories")
        picture = (self.folder / "a.svg").read_text(encoding="utf-8")
        self.assertIn("a × 1e-9", picture)
        self.assertIn("c × 1e7", picture)
        self.assertNotIn("b ×", picture)


    def test_a_run_that_cannot_begin_has_no_method(self):
        (self.folder / "m.tansy").write_text("parameter p = 0\nstate x = 1/p\nx' = -x\ntime 0 .. 1\n", encoding="utf-8")
        run = self.run_program("solve", "m.tansy", "--stats", "-", "--out", "a.csv")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("wrote a.csv, the standard output\n", run.stderr)
        self.assertIn("\n# method: none; sensitivities: none\n", (self.folder / "a.csv").read_text(encoding="utf-8"))
        stats = json.loads(run.stdout)
        self.assertEqual([stats[key] for key in ("method", "sensitivities", "linear_solver", "structure")], 4*["none"])

if __name__ == "__main__":
    main()
