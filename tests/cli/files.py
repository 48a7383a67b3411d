# SPDX-License-Identifier: Apache-2.0
"""Files that cannot be written, interrupts, plots with and without gnuplot, the page of --report."""
import html.parser
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from program import MODEL, PROGRAM, ProgramTest, main

VOID = "area base br col hr img input link meta use".split()
LONG = ["solve", MODEL, "--points", "100000000", "--sens", "none"]


class Trouble(ProgramTest):
    def test_unwritable_places(self):
        os.mkdir(self.folder / "d.svg")
        for option, name in (("out", "a.csv"), ("stats", "a.json"), ("report", "a.html"), ("plot", "a.svg")):
            self.refused("solve", MODEL, f"--{option}", f"missing/{name}", status=3, says="No such file")
        self.refused("solve", MODEL, "--plot", "d.svg", status=3, says="Is a directory")
        self.refused("export", MODEL, "--c", "missing/a.c", status=3, says="No such file")
        self.assertEqual(os.listdir(self.folder), ["d.svg"])

    def test_nothing_is_written_when_one_file_cannot_be(self):
        self.refused("solve", MODEL, "--out", "a.csv", "--stats", "missing/a.json", status=3)
        self.assertEqual(os.listdir(self.folder), [])

    @unittest.skipUnless(os.path.exists("/dev/full"), "needs /dev/full")
    def test_full_device(self):
        for words in (["solve", MODEL, "--out"], ["solve", MODEL, "--out", "a.csv", "--quiet", "--stats"],
                      ["export", MODEL, "--c"]):
            self.refused(*words, "/dev/full", status=3, says="No space left")
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in (["solve", MODEL], ["solve", MODEL, "--verify", "--out", "/dev/null"], ["rank", MODEL], ["check", MODEL], ["help"], ["version"]):
                run = subprocess.run([PROGRAM, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(run.returncode, 3, words)
                self.assertIn("No space left", run.stderr)

    def test_full_disk_leaves_nothing(self):
        """A limit on the size of files stands for a disk that fills up in the middle of the run."""
        (self.folder / "a.csv").write_text("old\n", encoding="utf-8")
        run = self.run_program("solve", MODEL, "--out", "a.csv", "--points", 100001,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536)))
        self.assertEqual(run.returncode, 3, run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1)
        self.assertEqual(os.listdir(self.folder), ["a.csv"])
        self.assertEqual((self.folder / "a.csv").read_text(encoding="utf-8"), "old\n")

    def test_a_reader_that_has_gone_is_no_news(self):
        with subprocess.Popen([PROGRAM, *LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            run.stdout.readline()
            run.stdout.close()
            self.assertEqual(run.stderr.read(), b"")
            self.assertEqual(run.wait(60), 3)

    def test_a_file_is_not_written_over_what_is_read_or_written(self):
        text = pathlib.Path(MODEL).read_text(encoding="utf-8")
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")
        (self.folder / "s.csv").write_text("p1\n1\n", encoding="utf-8")
        (self.folder / "p.txt").write_text("p1 = 1\n", encoding="utf-8")
        os.symlink("m.tansy", self.folder / "l.csv")
        os.link(self.folder / "m.tansy", self.folder / "h.csv")
        os.symlink(".", self.folder / "here")
        before = sorted(os.listdir(self.folder))
        for name in ("m.tansy", "./m.tansy", "here/m.tansy", "l.csv", "h.csv"):
            self.refused("solve", "m.tansy", "--out", name, says=f"--out {name} would overwrite m.tansy")
            self.refused("export", "m.tansy", "--c", name, says=f"--c {name} would overwrite m.tansy")
        self.refused("rank", "m.tansy", "--stats", "m.tansy", says="would overwrite m.tansy")
        self.refused("solve", "m.tansy", "--scan", "@s.csv", "--out", "s.csv", says="read as --scan")
        self.refused("solve", "m.tansy", "--set", "@p.txt", "--stats", "p.txt", says="read as --set")
        self.refused("solve", "m.tansy", "--out", "a.csv", "--stats", "here/a.csv", says="are the same file")
        self.refused("solve", "m.tansy", "--plot", "a.svg", "--plot", "./a.svg", says="are the same file")
        self.refused("solve", "m.tansy", "--report", "a.html", "--stats", "a.html", says="are the same file")
        self.refused("solve", "m.tansy", "--stats", "-", says="standard output")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        self.assertEqual((self.folder / "m.tansy").read_text(encoding="utf-8"), text)
        self.good("solve", "m.tansy", "--out", "/dev/null", "--stats", "/dev/null")

    def test_a_table_of_the_model_is_not_written_over(self):
        os.mkdir(self.folder / "d")
        (self.folder / "d" / "u.csv").write_text("t,u\n0,1\n1,2\n", encoding="utf-8")
        (self.folder / "d" / "m.tansy").write_text('model m "A title"\nparameter k = 1\ninput u from "u.csv" column "u"\n'
                                                   "state x = 1\nx' = u - k*x\ntime 0 .. 1\n", encoding="utf-8")
        self.refused("solve", "d/m.tansy", "--out", "d/u.csv", says="would overwrite d/u.csv, which is read as an input")
        self.good("solve", "d/m.tansy", "--out", "u.csv")
        self.good("solve", "d/m.tansy", "--out", "A title")

    def test_devices_links_and_modes_stay(self):
        self.good("solve", MODEL, "--out", "/dev/null")
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        (self.folder / "real.csv").write_text("old", encoding="utf-8")
        os.chmod(self.folder / "real.csv", 0o640)
        os.symlink("real.csv", self.folder / "link.csv")
        self.good("solve", MODEL, "--out", "link.csv")
        self.assertTrue((self.folder / "link.csv").is_symlink())
        self.assertEqual(len(self.read_table("real.csv")[2]), 201)
        self.assertEqual(os.stat(self.folder / "real.csv").st_mode & 0o777, 0o640)

    def test_links_to_what_is_not_there_yet_stay(self):
        os.mkdir(self.folder / "d")
        os.symlink("new.csv", self.folder / "d" / "near")
        os.symlink("d/near", self.folder / "far")
        os.symlink(self.folder / "whole.csv", self.folder / "whole")
        os.symlink("round", self.folder / "round")
        self.refused("solve", MODEL, "--out", "far", "--stats", "d/new.csv", says="are the same file")
        for link, file in (("far", "d/new.csv"), ("whole", "whole.csv")):
            self.good("solve", MODEL, "--out", link)
            self.assertTrue((self.folder / link).is_symlink())
            self.assertEqual(len(self.read_table(file)[2]), 201)
        self.assertTrue((self.folder / "d/near").is_symlink())
        self.refused("solve", MODEL, "--out", "round", status=3, says="cannot write round")
        self.assertTrue((self.folder / "round").is_symlink())


class EarlyEnd(ProgramTest):
    def test_a_run_that_stops_is_kept(self):
        """y1 goes to infinity at t = -1/(p1 + p3) = -0.7577."""
        run = self.run_program("solve", MODEL, "--to", "-1", "--out", "a.csv", "--stats", "a.json", "--verify", "--report", "a.html")
        self.assertEqual(run.returncode, 1, run.stderr)
        text = (self.folder / "a.csv").read_text(encoding="utf-8").splitlines()
        stop = re.match(r"# stopped at t = (\S+): .", text[-1])
        self.assertIsNotNone(stop, text[-1])
        self.assertAlmostEqual(float(stop[1]), -0.7577, delta=1e-3)
        self.assertGreater(len(text), 100)
        self.assertIn("stopped at t = -0.757", run.stderr)
        self.assertTrue((self.folder / "a.json").exists())
        self.assertRegex(run.stderr, r"(?m)^tansy: UNDECIDED: nothing is verified, since the run stopped at t = -0\.757\d+$")
        page = (self.folder / "a.html").read_text(encoding="utf-8")
        self.assertIn("<b>undecided</b><span>verification</span>", page)
        self.assertRegex(page, r'<section id="verification">.*\n<p class="bad">UNDECIDED: nothing is verified, since the run stopped at t = -0\.757')
        self.assertEqual(Page(page).wrong, [])

    def test_too_many_steps(self):
        run = self.run_program("solve", MODEL, "--at", "4", "--max-steps", "5")
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout.splitlines()[-1], "^# stopped at t = ")

    def test_a_scan_goes_on(self):
        run = self.run_program("solve", MODEL, "--scan", "p1=-1:1:3", "--at", "3", "--max-steps", "400")
        self.assertEqual(run.returncode, 1)  # p1 = -1: y1 goes to infinity at t = 1.5
        _, _, rows = self.table(run.stdout)
        self.assertEqual([row["p1"] for row in rows], [0, 1])
        self.assertIn("run 1 of 3 stopped", run.stderr)

    def test_statistics_of_a_scan_tell_of_the_run_that_stopped(self):
        run = self.run_program("solve", MODEL, "--scan", "p1=1:-1:3", "--at", "3", "--max-steps", "400", "--stats", "a.json")
        self.assertEqual(run.returncode, 1)
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual(stats["runs"], 3)
        self.assertTrue(stats["stopped"])
        self.assertIn(stats["stopped"], run.stderr)
        self.assertAlmostEqual(stats["t_end"], 1.5, delta=0.01)

    def interrupt(self, number):
        command = [PROGRAM, *LONG, "--out", "a.csv"]
        with subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE, text=True) as run:
            time.sleep(0.4)
            run.send_signal(number)
            message = run.communicate(timeout=60)[1]
        self.assertEqual(run.returncode, 1)
        self.assertIn("interrupted", message)
        self.assertEqual(os.listdir(self.folder), ["a.csv"])
        with open(self.folder / "a.csv", "rb") as file:
            file.seek(-200, os.SEEK_END)
            self.assertRegex(file.read().decode().splitlines()[-1], r"^# stopped at t = \S+: interrupted$")

    def test_interrupts_keep_what_is_done(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.interrupt(number)
            os.unlink(self.folder / "a.csv")

    def test_a_second_interrupt_while_pictures_are_drawn(self):
        """It ends gnuplot, which would go on to write, and removes its folder."""
        (self.folder / "bin").mkdir()
        (self.folder / "tmp").mkdir()
        tool = self.folder / "bin" / "gnuplot"
        tool.write_text(f"#!/bin/sh\necho $$ >'{self.folder}/started'\necho >\"${{2%script}}picture\"\nexec /bin/sleep 20\n",
                        encoding="utf-8")
        tool.chmod(0o755)
        env = {**os.environ, "PATH": str(self.folder / "bin"), "TMPDIR": str(self.folder / "tmp")}
        with subprocess.Popen([PROGRAM, "solve", MODEL, "--out", "a.csv", "--plot", "a.svg", "--quiet"], cwd=self.folder, env=env) as run:
            while len(list((self.folder / "tmp").glob("*/*"))) < 3 and run.poll() is None:
                time.sleep(0.01)
            run.send_signal(signal.SIGINT)
            time.sleep(0.1)
            self.assertIsNone(run.poll())
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(10), 1)
        self.assertEqual(os.listdir(self.folder / "tmp"), [])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.csv", "bin", "started", "tmp"])
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.folder / "started").read_text(encoding="utf-8")), 0)

    def test_interrupts_before_a_run_end_the_program(self):
        """A model that takes seconds to compile is left at once."""
        (self.folder / "big.tansy").write_text("state u[i in 1..900, j in 1..900] = i\n"
                                               "u[i,j]' = sin(u[i,j]) for i in 1..900, j in 1..900\n", encoding="utf-8")
        with subprocess.Popen([PROGRAM, "check", "big.tansy"], cwd=self.folder, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as run:
            time.sleep(0.2)
            run.send_signal(signal.SIGINT)
            _, said = run.communicate(timeout=10)
            self.assertIn(run.returncode, (1, -signal.SIGINT))  # or before it was ready to catch it
            if run.returncode == 1:
                self.assertEqual(said, "tansy: interrupted: nothing more is written\n")

    def test_progress_on_a_terminal(self):
        leader, terminal = pty.openpty()
        with subprocess.Popen([PROGRAM, *LONG, "--out", "/dev/null"], stderr=terminal) as run:
            time.sleep(1.8)
            run.send_signal(signal.SIGINT)
            self.assertEqual(run.wait(60), 1)
        shown = os.read(leader, 65536).decode()
        os.close(leader)
        os.close(terminal)
        self.assertRegex(shown, r"\rt = \S+ +\d+ %")


class Page(html.parser.HTMLParser):
    """Checks that tags close in order and collects ids and tables."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.uses, self.tables, self.pictures, self.wrong = [], [], [], 0, 0, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        self.tables += tag == "table"
        self.pictures += tag == "svg"
        for name, value in attrs:
            if tag in ("script", "link", "iframe", "img") or (name in ("src", "href") and not value.startswith("#")):
                if not name.startswith("xmlns"):
                    self.wrong.append((tag, name, value))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.ids += [value for name, value in attrs if name == "id"]
        self.uses += [value[1:] for name, value in attrs if name.endswith("href") and value.startswith("#")]

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(("/" + tag, self.getpos()))


SECTIONS = "warnings values sensitivities ranking verification statistics options derivatives model".split()
PLOTS = "plot-trajectories plot-normalised plot-sensitivities plot-ranking".split()


class Report(ProgramTest):
    def page(self, *words, **more):
        run = self.good("solve", *words, "--out", "a.csv", "--report", "a.html", **more)
        return run, (self.folder / "a.html").read_text(encoding="utf-8")

    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_has_all_plots_and_tables(self):
        _, text = self.page(MODEL, "--verify")
        page = Page(text)
        self.assertEqual(page.wrong, [])
        self.assertEqual(page.open, [])
        for name in SECTIONS + PLOTS:
            self.assertIn(name, page.ids)
        self.assertEqual(len(page.ids), len(set(page.ids)))
        self.assertTrue(set(page.uses) and set(page.uses) <= set(page.ids), page.uses)
        self.assertEqual(page.pictures, 4)
        self.assertEqual(page.tables, 7)
        for words in ("Catalytic cracking of gas oil", "prefers-color-scheme:dark", "width=device-width",
                      "y2&#39; = p1*y1^2 - p2*y2", "0.840744", "<!doctype html>"):
            self.assertIn(words, text)
        self.assertNotIn("http://", text.replace("http://www.w3.org/", ""))

    def test_everything_is_escaped(self):
        model = pathlib.Path(MODEL).read_text(encoding="utf-8")
        (self.folder / "m.tansy").write_text("# <script>alert(\"1\")</script> & 'x'\n" + model, encoding="utf-8")
        _, text = self.page("m.tansy")
        self.assertNotIn("<script", text)
        self.assertIn("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;", text)

    def test_without_columns(self):
        _, text = self.page(MODEL, "--sens", "none")
        page = Page(text)
        self.assertNotIn("ranking", page.ids)
        self.assertEqual(page.wrong, [])

    def test_without_gnuplot(self):
        """All that needs none is written; the exit status says that something is missing."""
        words = ("solve", MODEL, "--out", "a.csv", "--report", "a.html", "--verify", "--stats", "a.json")
        for plots, more in (((), ()), (("a.svg", "a.png"), ()), ((), ("--quiet",)), (("a.svg",), ("--quiet",))):
            plot = [word for name in plots for word in ("--plot", name)]
            run = self.run_program(*words, *plot, *more, env={"PATH": str(self.folder)})
            self.assertEqual(run.returncode, 3)
            for name in plots:
                self.assertIn(f"tansy: {name} is not drawn, all other results are kept: gnuplot is not installed", run.stderr)
            self.assertIn("tansy: the report is written without plots: gnuplot is not installed", run.stderr)
            self.assertIn("apt install", run.stderr)
            self.assertIn("PASS", run.stdout)
            self.assertEqual(sorted(os.listdir(self.folder)), ["a.csv", "a.html", "a.json"])
            text = (self.folder / "a.html").read_text(encoding="utf-8")
            self.assertIn("gnuplot is not installed", text)
            self.assertIn("<b>pass</b><span>verification</span>", text)
            self.assertEqual(Page(text).tables, 7)
            self.assertEqual(len(self.read_table("a.csv")[2]), 201)
            self.assertEqual("wrote a.csv, a.json, a.html" in run.stderr, not more)
        run = self.run_program("rank", MODEL, "--plot", "r.svg", "--out", "r.csv", env={"PATH": str(self.folder)})
        self.assertEqual(run.returncode, 3)
        self.assertIn("root mean square", run.stdout)
        self.assertTrue((self.folder / "r.csv").exists())

    def test_with_a_gnuplot_that_fails(self):
        tool = self.folder / "gnuplot"
        for does, says in (("echo 'no terminal here'\nexit 1", "gnuplot failed: no terminal here"),
                           ("exit 3", "gnuplot failed: exit status 3, and it says nothing"),
                           ("exit 0", "the picture is not whole: is there no room in "),
                           ("kill -9 $$", "gnuplot was killed by signal 9")):
            tool.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            tool.chmod(0o755)
            run = self.run_program("solve", MODEL, "--plot", "a.svg", "--out", "a.csv", env={"PATH": str(self.folder)})
            self.assertEqual(run.returncode, 3)
            self.assertIn("tansy: a.svg is not drawn, all other results are kept: " + says, run.stderr)
            self.assertFalse((self.folder / "a.svg").exists())
            self.assertEqual(len(self.read_table("a.csv")[2]), 201)

    def test_a_picture_of_nothing_is_refused(self):
        for panels in ("ranking", "sensitivities,normalised"):
            self.refused("solve", MODEL, "--sens", "none", "--panels", panels, "--plot", "a.svg", "--out", "a.csv",
                         says="--plot a.svg: there is nothing to draw, since there are no columns")
        self.assertEqual(os.listdir(self.folder), [])


@unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
class Plots(ProgramTest):
    def test_kinds(self):
        env = {"TMPDIR": str(self.folder / "it's")}
        os.mkdir(self.folder / "it's")
        self.good("solve", MODEL, "--out", "a.csv", "--plot", "a.svg", "--plot", "a.png", "--plot", "a.pdf", env=env)
        starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
        for kind, start in starts.items():
            self.assertTrue((self.folder / f"a.{kind}").read_bytes().startswith(start), kind)
        self.assertEqual(os.listdir(self.folder / "it's"), [])
        text = (self.folder / "a.svg").read_text(encoding="utf-8")
        for words in ("Trajectories", "Sensitivities dx/dp", "Normalised sensitivities", "Which parameters matter",
                      "d(y2)/d(p3)", "conversion"):
            self.assertIn(words, text)

    def test_the_users_settings_do_not_count(self):
        (self.folder / ".gnuplot").write_text("set logscale y\nset xrange [1:2]\n", encoding="utf-8")
        (self.folder / ".config" / "gnuplot").mkdir(parents=True)
        (self.folder / ".config" / "gnuplot" / "gnuplotrc").write_text("exit\n", encoding="utf-8")
        words = ("solve", MODEL, "--out", "a.csv", "--panels", "trajectories", "--plot")
        self.good(*words, "a.svg", env={"HOME": "/nowhere"})
        self.good(*words, "b.svg", env={"HOME": str(self.folder), "GNUTERM": "dumb", "GNUPLOT_DEFAULT_GDFONT": "none",
                                        "GNUPLOT_LIB": str(self.folder), "GNUPLOT_DRIVER_DIR": "/nowhere"})
        self.assertEqual((self.folder / "a.svg").read_bytes(), (self.folder / "b.svg").read_bytes())

    def test_backward_in_time(self):
        """From 0 and through it: no axis of times below 0 is logarithmic."""
        (self.folder / "m.tansy").write_text("parameter k = 1\nstate x = 1\nx' = -k*x\ntime 1 .. 2\n", encoding="utf-8")
        for words in ((MODEL, "--to", "-0.5"), ("m.tansy", "--to", "-1")):
            run = self.good("solve", *words, "--out", "a.csv", "--plot", "a.svg", "--report", "a.html")
            self.assertNotIn("warning", run.stderr)
            self.assertIn("<svg", (self.folder / "a.html").read_text(encoding="utf-8"))
            os.unlink(self.folder / "a.svg")

    def test_panels(self):
        self.good("solve", MODEL, "--out", "a.csv", "--plot", "a.svg", "--panels", "trajectories,ranking")
        text = (self.folder / "a.svg").read_text(encoding="utf-8")
        self.assertIn("Trajectories", text)
        self.assertIn("Which parameters matter", text)
        self.assertNotIn("Sensitivities", text)

    def test_few_points_and_no_columns(self):
        for words in (["--at", "1"], ["--at", "0"], ["--at", "1e-6:4:30:log"], ["--sens", "none"], ["--to", "-0.5"],
                      ["--sens", "p2"]):
            self.good("solve", MODEL, "--out", "a.csv", "--plot", "a.svg", *words)

    def test_ranking(self):
        self.good("rank", MODEL, "--plot", "r.svg")
        self.assertIn("Which parameters matter", (self.folder / "r.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
