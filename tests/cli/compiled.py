# SPDX-License-Identifier: Apache-2.0
"""Models that are exported as C, compiled as shared objects and given to the program."""
import os
import shutil
import subprocess

from program import HERE, MODEL, ProgramTest, main

TOP = HERE.parent.parent
MODELS = [MODEL, *(str(HERE / f"{name}.tansy") for name in ("thermostat", "tank", "algebraic")),
          *(str(TOP / f"examples/models/{name}.tansy") for name in ("pendulum", "lotka_volterra"))]


class Compiled(ProgramTest):
    def compile(self, model):
        self.good("export", model, "--c", "model.c")
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", f"-I{TOP}/include", "-o", "model.so", "model.c", "-lm"],
                       cwd=self.folder, check=True)
        (self.folder / "model.c").unlink()

    def test_the_table_is_that_of_the_text(self):
        for model in MODELS:
            self.compile(model)
            options = ("--points", "9", "--rtol", "1e-8")
            (_, names, rows), (_, own_names, own) = (self.table(self.good("solve", which, *options).stdout)
                                                     for which in (model, "model.so"))
            self.assertEqual(own_names, names)
            for name in names:  # each is within 100 rtol of the truth, in units of the column's largest value or atol's
                size = max(1, *(abs(row[name]) for row in rows))
                for row, own_row in zip(rows, own):
                    self.assertAlmostEqual(own_row[name], row[name], delta=200e-8 * size, msg=f"{model} {name}")

    def test_outputs_at_a_grid_time_are_those_before_it(self):
        (self.folder / "m.tansy").write_text("parameter a = 0.5\ncontrol u = {1, 2} piecewise constant at {0, a, 1}\nstate x = 1\n"
                                             "x' = u\noutput q = u\ntime 0 .. 1\n", encoding="utf-8")
        self.compile("m.tansy")
        rows = self.table(self.good("solve", "model.so", "--points", "3", "--sens", "u[1]").stdout)[2]
        self.assertEqual([(row["q"], row["d(q)/d(u[1])"]) for row in rows], [(1, 1), (1, 1), (2, 0)])

    def test_check_says_what_it_says_of_the_text(self):
        for model in MODELS:
            self.compile(model)
            of_text, own = ([line for line in self.good("check", which).stdout.splitlines()
                             if not line.startswith(("operations", "derivatives", "trial run"))] for which in (model, "model.so"))
            self.assertEqual(own, of_text)

    def test_coefficients_of_derivatives_may_vanish(self):
        (self.folder / "m.tansy").write_text("parameter k = 0.8, eps = 0 scale 1\nstate x = 1, z = 0\nx' = -k*x\n"
                                             "(if time < 1 then 1 else eps)*z' = x^2 - z\ntime 0 .. 3\n", encoding="utf-8")
        self.compile("m.tansy")
        rows, own = (self.table(self.good("solve", which, "--points", "7").stdout)[2] for which in ("m.tansy", "model.so"))
        for row, own_row in zip(rows, own):
            for name, value in row.items():
                self.assertAlmostEqual(own_row[name], value, delta=200e-6, msg=name)
        z = 0.0082297470490200302  # exp(-4.8), and dz/deps = -z'
        self.assertAlmostEqual(own[-1]["d(z)/d(eps)"], 1.6 * z, delta=1e-6)

    def test_ranks_verifies_and_reports(self):
        self.compile(MODEL)
        ranking, own = ([line.split(",")[0] for line in self.good("rank", which, "--quiet", "--out", "-").stdout.splitlines()]
                        for which in (MODEL, "model.so"))
        self.assertEqual(own, ranking)
        self.assertIn("PASS", self.good("solve", "model.so", "--verify", "--out", "a.csv").stdout)
        plot = ["--report", "page.html"] if shutil.which("gnuplot") else []
        self.good("solve", "model.so", "--set", "p1=0.5", "--scan", "p2=0.1:0.3:3", "--out", "b.csv")
        self.good("solve", "model.so", "--out", "c.csv", *plot)
        if plot:  # there is no text to show
            self.assertNotIn('<section id="model">', (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_compilers_find_nothing_to_warn_of(self):
        """A model of which no column depends on anything has no coefficients at all."""
        (self.folder / "m.tansy").write_text("parameter w = 3, c = .4\nstate x = 0\nx' = if sin(w*time) > c then 1 else -1\ntime 0 .. 10\n",
                                             encoding="utf-8")
        self.good("export", "m.tansy", "--c", "m.c")
        for level in ("-O0", "-O1", "-O2", "-O3"):
            subprocess.run([os.environ.get("CC", "cc"), level, "-Wall", "-Wextra", "-Werror", f"-I{TOP}/include", "-c", "-o", "m.o", "m.c"],
                           cwd=self.folder, check=True)

    def test_what_is_no_compiled_model_is_refused(self):
        self.compile(MODEL)
        self.refused("export", "model.so", "--c", "again.c", says="export takes the text of a model, and model.so is compiled already")
        (self.folder / "text.so").write_text("state x = 1\nx' = -x\n", encoding="utf-8")
        (self.folder / "cut.so").write_bytes((self.folder / "model.so").read_bytes()[:5000])
        for name, status, says in (("text.so", 2, "text.so: cannot be loaded: "), ("none.so", 3, "none.so: cannot be read: "),
                                   ("cut.so", 2, "cut.so: cannot be loaded: the file is cut short; compile it again")):
            run = self.run_program("solve", name)
            self.assertEqual(run.returncode, status)
            self.assertIn(says, run.stderr)
            self.assertEqual(run.stdout, "")


if __name__ == "__main__":
    main()
