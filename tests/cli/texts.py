# SPDX-License-Identifier: Apache-2.0
"""What is written for other programs and for people: UTF-8, the page's model and options, progress, interrupts, --quiet."""
import json
import os
import pty
import re
import signal
import subprocess
import time

from program import MODEL, PROGRAM, ProgramTest, main

DECAY = "parameter k = 0.5\nstate x = 1\nx' = -k*x\ntime 0 .. 4\n"


class Texts(ProgramTest):
    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8", newline="")

    def read(self, name):
        return (self.folder / name).read_bytes().decode("utf-8")

    def test_statistics_are_utf8_whatever_the_file_is_called(self):
        name = os.fsdecode(b"m\xe4.tansy")
        self.write(name, DECAY)
        self.good("solve", name, "--out", "a.csv", "--stats", "a.json", "--report", "a.html", "--quiet")
        self.assertEqual(json.loads(self.read("a.json"))["model"], "m\ufffd")
        self.assertIn("Model m&#xfffd;,", self.read("a.html"))
        self.write("m\u20ac\U0001f33c.tansy", DECAY)
        self.good("solve", "m\u20ac\U0001f33c.tansy", "--out", "a.csv", "--stats", "a.json", "--quiet")
        self.assertEqual(json.loads(self.read("a.json"))["model"], "m\u20ac\U0001f33c")

    def test_messages_are_cut_between_characters(self):
        """x falls below 0, where its root is none; the name is longer than any message, at each place in a character."""
        for start in ("x", "xx", "xxx", "xxxx"):
            name = start + "\u00e4" * 150
            self.write("m.tansy", f"parameter k = 1\nstate {name} = 1\n{name}' = k*sqrt({name}) - 2*k\ntime 0 .. 8\n")
            run = self.run_program("solve", "m.tansy", "--out", "a.csv", "--stats", "a.json")
            self.assertEqual(run.returncode, 1)
            self.assertNotIn("\ufffd", json.loads(self.read("a.json"))["stopped"])

    def test_the_page_shows_models_of_any_kind(self):
        self.write("m.tansy", DECAY.replace("\n", "\r\n"))
        self.good("solve", "m.tansy", "--out", "a.csv", "--report", "a.html", "--quiet")
        model = re.search(r'<section id="model">.*?</section>', self.read("a.html"), re.S)[0]
        self.assertNotIn("xfffd", model)
        self.assertIn("x&#39; = -k*x\n", model)
        run = subprocess.run([PROGRAM, "solve", "/dev/stdin", "--out", "b.csv", "--report", "b.html", "--quiet"], cwd=self.folder,
                             input=DECAY, text=True, capture_output=True, timeout=60, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(re.search(r'<section id="model">.*?</section>', self.read("b.html"), re.S)[0], model)

    def test_the_page_shows_all_that_is_set(self):
        lines = [f"parameter p{k} = 1" for k in range(1, 81)]
        self.write("m.tansy", "\n".join(lines) + "\nstate x = 1\nx' = -p1*x + p70 - p80\ntime 0 .. 1\n")
        self.good("solve", "m.tansy", "--set", "p70=3", "--sens", "none", "--out", "a.csv", "--report", "a.html", "--quiet")
        options = re.search(r'<section id="options">.*?</section>', self.read("a.html"), re.S)[0]
        self.assertIn("p70", options)
        self.assertNotIn("p80", options)
        words = [word for k in range(1, 81) for word in ("--set", f"p{k}=2")]
        self.good("solve", "m.tansy", *words, "--sens", "none", "--out", "a.csv", "--report", "a.html", "--quiet")
        self.assertIn("The first 60 of 80 parameters that are set.", self.read("a.html"))

    def test_quiet_tells_of_pictures_that_are_missing_and_of_nothing_else(self):
        words = ("solve", MODEL, "--out", "a.csv", "--report", "a.html", "--quiet")
        page = r"tansy: the report is written without plots: cannot make a folder in /missing.*\n"
        run = self.run_program(*words, env={"TMPDIR": "/missing"})
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stderr, rf"\A{page}\Z")
        self.assertIn("cannot make a folder in /missing", self.read("a.html"))
        run = self.run_program(*words, "--plot", "a.svg", "--plot", "b.png", env={"TMPDIR": "/missing"})
        self.assertRegex(run.stderr, rf"\Atansy: a\.svg is not drawn.*cannot make a folder.*\ntansy: b\.png is .*cannot make.*\n{page}\Z")

    def test_no_tolerance_in_a_model_is_told(self):
        self.write("m.tansy", DECAY.replace("x = 1", "x = 1 atol 0"))
        run = self.run_program("solve", "m.tansy")
        self.assertEqual(run.returncode, 2)
        self.assertIn("m.tansy:2:18: a tolerance of 0", run.stderr)


def catches_interrupts(run):
    """The program has come to where it does; on a busy machine that may take a while."""
    with open(f"/proc/{run.pid}/status", encoding="utf-8") as status:
        caught = int(re.search(r"^SigCgt:\s*(\w+)$", status.read(), re.MULTILINE)[1], 16)
    return caught >> (signal.SIGINT - 1) & 1 == 1


class Alike(ProgramTest):
    """What is to be said of 44 is said once: of the first, how many others there are, and the names of three."""

    def warnings(self, text, *words):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        run = self.good("solve", "m.tansy", "--points", "3", "--out", "a.csv", "--report", "a.html", *words)
        lines = [line for line in run.stderr.splitlines() if "warning: " in line]
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        for line in lines:
            self.assertIn(line.split("warning: ")[1].replace("&", "&amp;").replace("'", "&#39;").replace(">", "&gt;"), page)
        return lines

    def test_equations_that_lack_derivatives(self):
        lines = self.warnings("parameter k = 1\nstate x[i in 1..44] = 1, y = 1\ny' = -k*y\n0 = x[i] - k*y for i in 1..44\ntime 0 .. 1\n")
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].endswith("m.tansy:2:7: warning: x[1]' is in no equation: x[1] is an algebraic variable; "
                                          "so it is with 43 others: x[2], x[3], x[4], ..."), lines[0])

    def test_parameters_that_are_not_used(self):
        names = [f"p{i}" for i in range(44)]
        unused = "".join(f"parameter {name} = 1\n" for name in names)
        lines = self.warnings(unused + "parameter q = 1, r = 2\nstate x = 1\nx' = -x + 0*q + 0*r\ntime 0 .. 1\n")
        self.assertEqual([line.split("warning: ")[1] for line in lines],
                         ["the parameter p0 is used nowhere; so it is with 43 others: p1, p2, p3, ...",
                          "nothing depends on the parameter q: where it stands it cancels or is not used; so it is with 1 other: r"])

    def test_values_outside_their_bounds(self):
        values = [word for i in range(44) for word in ("--set", f"p[{i + 1}]=3")]
        lines = self.warnings("parameter p[i in 1..44] = 1 in 0 .. 2\nstate x = 1\nx' = -x*sum(i in 1..44: p[i])\ntime 0 .. 1\n", *values)
        self.assertEqual(lines, ["tansy: warning: p[1] = 3 is outside its bounds 0 .. 2; so it is with 43 others: p[2], p[3], p[4], ..."])

    def test_outputs_with_corners_and_without_values(self):
        outputs = "".join(f"output q{i} = max(c[{i}], 0.5)*x, l{i} = log(x - {i + 1})\n" for i in range(1, 45))
        lines = self.warnings("parameter k = 1, c[i in 1..44] = 0.5\nstate x = 1\nx' = -k*x\n" + outputs + "time 0 .. 1\n")
        self.assertEqual(len(lines), 2)
        self.assertIn("output q1 has a corner at t = 0", lines[0])
        self.assertTrue(lines[0].endswith("; so it is with 43 others: q2, q3, q4, ..."))
        self.assertEqual(lines[1], "tansy: warning: output l1: it is not a number at t = 0; so it is with 43 others: l2, l3, l4, ...")

    def test_columns_of_guesses(self):
        """z(0) and its like choose one of two starts, and nothing else; x(0) counts."""
        model = "parameter a = 2\nstate x = 1\nalgebraic z[1..5] = 3\nx' = -a*z[1]\n0 = z[i]^2 - 4*x^2 for i in 1..5\ntime 0 .. 1\n"
        names = [f"z[{i}](0)" for i in range(1, 6)]
        lines = self.warnings(model, "--sens", ",".join(["a", *names, "x(0)"]))
        self.assertEqual(lines, ["tansy: warning: the column of z[1](0) is 0: z[1] is an algebraic variable, of which the initial value is a "
                                 "first guess; the start is corrected to satisfy the equations, and what comes of it does not move with the "
                                 "guess; so it is with 4 others: z[2](0), z[3](0), z[4](0), ..."])
        _, _, table = self.read_table("a.csv")
        for row in table:
            self.assertEqual({row[f"d(x)/d({name})"] for name in names}, {0})
            self.assertGreater(row["d(x)/d(x(0))"], 0)
        self.assertEqual(self.warnings(model, "--sens", "a,x(0)"), [])

    def test_conditions_at_which_the_solution_starts(self):
        lines = self.warnings("parameter k = 1, c[i in 1..5] = 0.5\nstate x[i in 1..5] = 0.5\nx[i]' = -k*max(x[i] - c[i], 0) for i in 1..5\n"
                              "time 0 .. 1\n")
        self.assertEqual(len(lines), 1)
        self.assertIn("(i = 1) at t = 0: the solution starts on its surface", lines[0])
        self.assertTrue(lines[0].endswith("(i = 2), and others"), lines[0])


class Interrupts(ProgramTest):
    def stop(self, written, seconds, *words):
        """Interrupts the program some time after the file `written` is there, or after its start."""
        with subprocess.Popen([PROGRAM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            while written and not (self.folder / written).exists() and run.poll() is None:
                time.sleep(0.01)
            while run.poll() is None and not catches_interrupts(run):
                time.sleep(0.01)
            time.sleep(seconds)
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, err)
        return out, err

    def test_messages_are_one_line_of_text(self):
        """Whatever is quoted: line ends, escapes of terminals, what is no UTF-8; letters stay."""
        for word in (["solve", MODEL, "--rtol", "a\nb\x1b[31mé"], ["so\nlve\x1b[31mé"], ["solve", MODEL, "--metho\nd\x1bé"]):
            said = self.refused(*word)
            self.assertIn("?", said)
            self.assertIn("é", said)
            self.assertNotIn("\x1b", said)
        run = subprocess.run([PROGRAM, "solve", MODEL, "--method", b"r\xff\xc2\x85k"], capture_output=True, check=False)
        self.assertIn(b"--method r??k: it must be one of", run.stderr)

    def test_a_verification_that_is_interrupted_is_none(self):
        """Conditions ask for differences, which take some 500 runs for 60 columns."""
        (self.folder / "m.tansy").write_text("parameter a = 1, b = 0.3, c[1..60] = 0.01\nstate x = 1, y = 0\nx' = y\n"
                                             "y' = -a*x + (if x > 0.2 then b*y*(0.5 - x^2) else sum(i in 1..60: c[i]*sin(i*x)))\n"
                                             "time 0 .. 40\n", encoding="utf-8")
        out, _ = self.stop("a.csv", 0.2, "solve", "m.tansy", "--points", "3", "--out", "a.csv", "--report", "a.html", "--verify")
        self.assertIn("interrupted: nothing is verified\n", out)
        self.assertIn("<b>undecided</b><span>verification</span>", (self.folder / "a.html").read_text(encoding="utf-8"))

    def test_an_interrupt_is_no_trouble_of_the_model(self):
        """Three in fifteen evaluations are for output between steps."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1, v = 0\nx' = v\nv' = -k*x\ntime 0 .. 1e6\n", encoding="utf-8")
        for _ in range(6):
            _, err = self.stop(None, 0.08, "solve", "m.tansy", "--points", "1000001", "--method", "rk8", "--out", "/dev/null")
            self.assertNotIn("could not be evaluated", err)

    def test_a_scan_tells_how_far_it_is(self):
        (self.folder / "m.tansy").write_text(DECAY, encoding="utf-8")
        leader, terminal = pty.openpty()
        command = [PROGRAM, "solve", "m.tansy", "--scan", "k=0.1:1:1000000", "--points", "2", "--out", "/dev/null"]
        with subprocess.Popen(command, cwd=self.folder, stderr=terminal) as run:
            shown = os.read(leader, 65536).decode()  # the first words: at once, or after the second second
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(60), 1)
        shown += os.read(leader, 65536).decode()
        os.close(leader)
        os.close(terminal)
        self.assertRegex(shown, r"\rrun \d+ of 1000000 +\d+ %  [1-9]\d* s ")
        self.assertRegex(shown, "\r\033\\[Ktansy: .*stopped")


if __name__ == "__main__":
    main()
