# SPDX-License-Identifier: Apache-2.0
"""Scans that are interrupted, or some of whose runs cannot begin."""
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time

from program import PROGRAM, ProgramTest, main

DECAY = "parameter k = 0.5\nstate x = 1\nx' = -k*x\ntime 0 .. 4\n"
# no z agrees with its own condition where k < 1
CONTRADICTION = "parameter k = 2\nstate x = 1\nalgebraic z = 1\nx' = -x*z\n0 = z - (if z > k then 0 else 1)\ntime 0 .. 1\n"
NO_START = "parameter k = 1\nstate x = log(k)\nx' = -x\ntime 0 .. 1\n"


class Scans(ProgramTest):
    def model(self, text):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")

    def wait_until_full(self, pipe):
        """Until no more is written to it."""
        before, now = -1, 0
        while now == 0 or now != before:
            time.sleep(0.1)
            before, now = now, int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)

    def test_an_interrupt_between_two_runs_stops_the_scan(self):
        """Runs of one row that nobody reads stop while they write it, behind the last look for an interrupt."""
        self.model(DECAY)
        command = [PROGRAM, "solve", "m.tansy", "--scan", "k=0.1:1:200000", "--at", "4", "--stats", "a.json"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
            self.wait_until_full(run.stdout)
            run.send_signal(signal.SIGINT)
            text, message = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1)
        rows = [line for line in text.splitlines() if line.startswith("0.")]
        self.assertEqual(text.splitlines()[-1], f"# stopped after run {len(rows)} of 200000: interrupted")
        self.assertIn(f"tansy: stopped after run {len(rows)} of 200000: interrupted\n", message)
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual((stats["runs"], stats["stopped"]), (len(rows), "interrupted"))

    def test_an_interrupt_in_a_run_tells_no_time_behind_its_end(self):
        """Steps end behind the last time of output."""
        self.model(DECAY)
        command = [PROGRAM, "solve", "m.tansy", "--scan", "k=0.1:1:200000", "--at", "3.96,3.97,3.98,3.99,4"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
            self.wait_until_full(run.stdout)
            run.send_signal(signal.SIGINT)
            last = run.communicate(timeout=60)[0].splitlines()[-1]
        self.assertRegex(last, r"^# stopped (after run \d+|at t = (0|3\.\d+|4) in run \d+) of 200000")

    def test_what_is_missing_in_a_table_is_told(self):
        self.model(DECAY)
        for text, says in (("k\n1\n2,3\n", "line 3: 2 values, but the first line has 1 name\n"), ("k,k2\n1\n", "no parameter k2"),
                           ("k,\n1,2\n", "a name is missing"), ("k\n1\n,\n", "line 3: value 1 is missing"),
                           ('k\n""\n', "line 2: value 1 is missing"), ("k\n1,\n", "line 2: a comma too many: the first line has 1 name\n")):
            (self.folder / "s.csv").write_text(text, encoding="utf-8")
            run = self.run_program("solve", "m.tansy", "--scan", "@s.csv")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(says, run.stderr)

    def test_the_sign_of_a_zero_is_kept(self):
        self.model(DECAY)
        for scan in ("k=-0.0:1:2", "k=-1:-0.0:2", "k=-0.0:0:1"):
            rows = self.good("solve", "m.tansy", "--scan", scan, "--at", "4", "--quiet").stdout.splitlines()
            self.assertEqual(len([row for row in rows if row.startswith("-0,4,")]), 1, scan)

    def test_values_that_cannot_be_run_leave_the_others_in_any_order(self):
        self.model(CONTRADICTION)
        for scan, runs in (("k=0.5:2:2", [0]), ("k=2:0.5:2", [1])):
            run = self.run_program("solve", "m.tansy", "--scan", scan, "--points", "2", "--out", "a.csv")
            self.assertEqual(run.returncode, 1, run.stderr)
            comments, _, rows = self.read_table("a.csv")
            self.assertEqual([row["k"] for row in rows], [2, 2])
            self.assertEqual(len([line for line in comments if f"in run {runs[0] + 1} of 2, k = 0.5: " in line]), 1)
            os.unlink(self.folder / "a.csv")

    def test_where_no_set_can_be_run_there_is_no_table(self):
        self.model(CONTRADICTION)
        for words in (["--scan", "k=0.5:0.7:2"], ["--scan", "k=0.5:2:2", "--method", "rk8"]):
            run = self.run_program("solve", "m.tansy", *words, "--out", "a.csv")
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertEqual(os.listdir(self.folder), ["m.tansy"])
            run = self.run_program("solve", "m.tansy", *words)
            self.assertEqual((run.returncode, run.stdout), (2, ""))

    def test_warnings_of_outputs_name_the_run(self):
        """log(x - 0.5) with x = exp(-k t) has no value from t = log(2)/k on."""
        self.model("parameter k = 1\nstate x = 1\nx' = -k*x\noutput late = log(x - 0.5)\ntime 0 .. 1\n")
        run = self.good("solve", "m.tansy", "--scan", "k=0.5:1:2", "--points", "11", "--out", "a.csv")
        self.assertIn("warning: run 2: output late: it is not a number at t = 0.7\n", run.stderr)

    def test_the_method_is_that_of_the_first_run_that_begins(self):
        self.model(NO_START)
        run = self.run_program("solve", "m.tansy", "--scan", "k=0:2:3", "--points", "2", "--stats", "a.json")
        self.assertEqual(run.returncode, 1)
        comments, _, rows = self.table(run.stdout)
        self.assertEqual([row["k"] for row in rows], [1, 1, 2, 2])
        self.assertRegex(comments[1], r"^# method: \w.*; sensitivities: \w")
        self.assertRegex(comments[-1], r"^# stopped at t = 0 in run 1 of 3, k = 0: ")
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual(stats["runs"], 3)
        self.assertNotEqual(stats["method"], "none")
        self.assertNotEqual(stats["sensitivities"], "none")
        self.assertEqual(self.run_program("solve", "m.tansy", "--set", "k=-1", "--at", "1").returncode, 1)  # as one run does
        run = self.run_program("solve", "m.tansy", "--scan", "k=0:-1:2", "--points", "2")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(len([line for line in run.stdout.splitlines() if line.startswith("# stopped")]), 2)


if __name__ == "__main__":
    main()
