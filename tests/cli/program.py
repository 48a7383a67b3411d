# SPDX-License-Identifier: Apache-2.0
"""Runs the program for the tests, each in an empty folder of its own, and reads what it writes."""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tansy"
HERE = pathlib.Path(__file__).resolve().parent
MODEL = str(HERE / "gas_oil.tansy")
HAS_KLU = "TANSY_NO_KLU" not in os.environ  # the build has the sparse direct solver
# where gnuplot is not installed tests that look at pictures are skipped; pages of the others have this one
NO_GNUPLOT = None if shutil.which("gnuplot") else tempfile.TemporaryDirectory(prefix="tansy-gnuplot-")
if NO_GNUPLOT:
    tool = pathlib.Path(NO_GNUPLOT.name) / "gnuplot"
    tool.write_text("#!/bin/sh\necho '<svg></svg>' >\"${2%script}picture\"\n", encoding="utf-8")
    tool.chmod(0o755)
    os.environ["PATH"] += os.pathsep + NO_GNUPLOT.name
P = {"p1": 0.9875, "p2": 0.2566, "p3": 0.3323}


class ProgramTest(unittest.TestCase):
    """Each test stands in an empty folder, which must hold nothing unexpected at the end."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory(prefix="tansy-test-")
        self.folder = pathlib.Path(self.place.name)

    def tearDown(self):
        left = [name for name in os.listdir(self.folder) if name.startswith(".tansy-")]
        self.place.cleanup()
        self.assertEqual(left, [], "temporary files were left")

    def run_program(self, *words, env=None, **more):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", **(env or {})}
        return subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, env=environment, text=True,
                              capture_output=True, timeout=300, check=False, **more)

    def good(self, *words, **more):
        run = self.run_program(*words, **more)
        self.assertEqual(run.returncode, 0, f"{words}: {run.stderr}")
        return run

    def refused(self, *words, status=2, says=None):
        """The program must refuse with this status and one line that holds `says`."""
        run = self.run_program(*words)
        self.assertEqual(run.returncode, status, f"{words}: {run.stdout}{run.stderr}")
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"{words}: {run.stderr}")
        self.assertTrue(lines[0].startswith("tansy: "), lines[0])
        if says:
            self.assertIn(says, lines[0])
        return lines[0]

    def table(self, text):
        """Comments, names and rows of a CSV."""
        lines = text.splitlines()
        comments = [line for line in lines if line.startswith("#")]
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
        return comments, rows[0], [dict(zip(rows[0], map(float, row))) for row in rows[1:]]

    def read_table(self, name):
        return self.table((self.folder / name).read_text(encoding="utf-8"))


def main():
    unittest.main(verbosity=2)
