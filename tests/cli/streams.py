# SPDX-License-Identifier: Apache-2.0
"""What goes to the standard output and the standard error: under other names, closed, shared, cut."""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import unittest

from program import MODEL, PROGRAM, ProgramTest, main

FEW = ["solve", MODEL, "--points", "3"]


class Streams(ProgramTest):
    def text(self, name):
        return (self.folder / name).read_text(encoding="utf-8")

    def shell(self, line, *words):
        """`line` with "$@" for the program and the words."""
        return subprocess.run(["sh", "-c", line, "sh", PROGRAM, *words], cwd=self.folder, text=True, capture_output=True,
                              timeout=60, check=False)

    def test_the_file_of_the_standard_output_is_not_replaced(self):
        (self.folder / "log.txt").write_text("precious\n", encoding="utf-8")
        run = self.shell('"$@" >>log.txt', *FEW, "--out", "/dev/stdout", "--quiet")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(self.text("log.txt"), r"^precious\n# tansy ")
        run = self.shell('(echo header; "$@"; echo footer) >group.txt', *FEW, "--out", "group.txt", "--quiet")
        self.assertRegex(self.text("group.txt"), r"^header\n# tansy [^$]*\nfooter\n$")
        run = self.shell('(echo header >&2; "$@"; echo footer >&2) 2>errors.txt', *FEW, "--out", "/dev/stderr", "--quiet")
        self.assertRegex(self.text("errors.txt"), r"^header\n# tansy [^$]*\nfooter\n$")

    def test_pipes_are_written_to_by_the_number_of_their_descriptor(self):
        """As `--out >(gzip -c >a.gz)` names them: a link to no file."""
        table = self.good(*FEW).stdout
        for line, name in (('"$@" 3>&1 >rest.txt | cat >a.txt', "/dev/fd/3"), ('{ "$@" 2>&1 >rest.txt | cat >a.txt; }', "/dev/stderr"),
                           ('"$@" 3>&1 >rest.txt | cat >a.txt', "/proc/self/fd/3")):
            run = self.shell(line, *FEW, "--out", name, "--quiet")
            self.assertEqual((run.returncode, run.stderr), (0, ""), name)
            self.assertEqual(self.text("a.txt"), table, name)
            run = self.shell(line, *FEW, "--out", "b.csv", "--stats", name, "--quiet")
            self.assertEqual(json.loads(self.text("a.txt"))["runs"], 1, name)
            self.assertEqual(self.text("b.csv"), table, name)
        run = self.shell('"$@" 3>&1 | cat >&2', *FEW, "--stats", "/dev/fd/3")
        self.assertIn("both go to the standard output", run.stderr)

    def test_two_files_do_not_share_the_standard_output(self):
        for line, name in (('"$@" >both.txt', "/dev/stdout"), ('"$@" >both.txt', "both.txt"), ('"$@" | cat >&2', "/dev/stdout")):
            run = self.shell(line, *FEW, "--stats", name)
            self.assertIn("both go to the standard output", run.stderr)
        self.assertEqual(self.text("both.txt"), "")
        shutil.copy(MODEL, self.folder / "m.tansy")
        before = self.text("m.tansy")
        run = self.shell('"$@" >>m.tansy', "solve", "m.tansy")
        self.assertEqual(run.returncode, 2)
        self.assertIn("the standard output would overwrite m.tansy", run.stderr)
        self.assertEqual(self.text("m.tansy"), before)

    def test_files_do_not_get_what_is_for_closed_streams(self):
        run = self.shell('"$@" >&-', *FEW, "--stats", "s.json")
        self.assertEqual(run.returncode, 3)
        self.assertIn("cannot write the standard output", run.stderr)
        self.assertEqual(json.loads(self.text("s.json"))["runs"], 1)
        self.assertEqual(self.shell('"$@" 2>&-', *FEW, "--out", "a.csv", "--atol", "100").returncode, 0)
        self.assertEqual(len(self.read_table("a.csv")[2]), 3)
        self.assertNotIn("warning", self.text("a.csv"))
        self.assertEqual(self.shell('"$@" <&- >&- 2>&-', *FEW, "--out", "b.csv").returncode, 0)
        self.assertEqual(self.text("b.csv"), self.good(*FEW).stdout)

    def test_tables_for_people_leave_the_standard_output_to_files(self):
        run = self.good(*FEW, "--out", "-", "--verify")
        self.assertEqual(len(self.table(run.stdout)[2]), 3)
        self.assertIn("PASS", run.stderr)
        run = self.good(*FEW, "--out", "a.csv", "--stats", "-", "--verify")
        self.assertEqual(json.loads(run.stdout)["runs"], 1)
        self.assertIn("PASS", run.stderr)
        run = self.good("rank", MODEL, "--stats", "-")
        self.assertEqual(json.loads(run.stdout)["runs"], 1)
        self.assertIn("root mean square", run.stderr)
        self.assertIn("PASS", self.good(*FEW, "--out", "a.csv", "--verify").stdout)


class Numbers(ProgramTest):
    def test_logarithmic_scale_where_p_over_x_is_out_of_range(self):
        """x = k 1e-310 at k = 1e10: p/x is 1e310, dln(x)/dln(k) is 1; dx/dk has 14 digits."""
        (self.folder / "m.tansy").write_text("parameter k = 1e10\nstate x = k*1e-155*1e-155\nx' = 0\ntime 0 .. 1\n", encoding="utf-8")
        row = self.table(self.good("solve", "m.tansy", "--scale", "log", "--at", "0", "--quiet").stdout)[2][0]
        self.assertAlmostEqual(row["dln(x)/dln(k)"], 1, delta=1e-12)


@unittest.skipIf("TANSY_SPARING" in os.environ, "shadow memory takes more than any limit")
class Memory(ProgramTest):
    MODEL = ("parameter p[i in 1..3000] = 1e-3\nstate x[i in 1..200] = 1\n"
             "x[i]' = -x[i]*sum(k in 1..3000: p[k])/3000 for i in 1..200\ntime 0 .. 1\n")

    def limited(self, *words):
        """What is said where there is room for the program and the model, and none for the solver: at 80 to 180 MB."""
        (self.folder / "m.tansy").write_text(self.MODEL, encoding="utf-8")
        said = set()
        for megabytes in range(80, 200, 20):
            (self.folder / "a.csv").write_text("old\n", encoding="utf-8")
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
            run = self.run_program(*words, preexec_fn=limit)
            if run.returncode == 127:  # not even the libraries have room
                continue
            self.assertIn(run.returncode, (0, 3), run.stderr)
            if run.returncode == 3:
                self.assertRegex(run.stderr, r"\Atansy: .*memory.*\n\Z")
                self.assertEqual((self.folder / "a.csv").read_text(encoding="utf-8"), "old\n")
                said.add(run.stderr)
        return said

    def test_without_memory_old_files_stay(self):
        for words in (("solve", "m.tansy", "--points", "2", "--out", "a.csv"), ("rank", "m.tansy", "--points", "2", "--out", "a.csv")):
            self.assertIn("tansy: no memory for 200 equations with 3000 columns of sensitivities\n", self.limited(*words))


class Cut(ProgramTest):
    @unittest.skipUnless(shutil.which("gnuplot"), "needs gnuplot")
    def test_pictures_that_are_cut_are_not_kept(self):
        """gnuplot ends with status 0 where its file may not grow."""
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))
        run = self.run_program(*FEW, "--out", "a.csv", "--plot", "a.svg", preexec_fn=limit)
        self.assertEqual(run.returncode, 3)
        self.assertIn("a.svg is not drawn, ", run.stderr)
        self.assertEqual(os.listdir(self.folder), ["a.csv"])

    def test_pictures_end_as_their_format_does(self):
        tool = self.folder / "gnuplot"
        for kind, whole, cut in (("svg", "<svg>\\n</svg>\\n\\n", "<svg>\\n</sv"), ("pdf", "%%PDF-1.5\\n%%%%EOF\\n", "%%PDF-1.5\\n"),
                                 ("png", "\\211PNG0000IEND\\256B\\140\\202", "\\211PNG0000IEND")):
            for picture, good in ((whole, True), (cut, False)):
                tool.write_text(f"#!/bin/sh\nprintf '{picture}' >\"${{2%script}}picture\"\n", encoding="utf-8")
                tool.chmod(0o755)
                run = self.run_program(*FEW, "--plot", f"a.{kind}", env={"PATH": str(self.folder)})
                self.assertEqual(run.returncode, 0 if good else 3)
                self.assertEqual((self.folder / f"a.{kind}").exists(), good, (kind, run.stderr))
                self.assertEqual("the picture is not whole" in run.stderr, not good)
                pathlib.Path(self.folder / f"a.{kind}").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
