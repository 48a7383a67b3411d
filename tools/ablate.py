#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one mechanism is worth: takes it out of a copy of the tree (a git worktree of HEAD), builds
the program there, runs the yardstick with it and prints what moved against a stored table.

    tools/ablate.py --disable src/drive/spike.c:spike_watch --against before.csv -- --seeds 0:1
    tools/ablate.py --patch without.patch --against before.csv -- --templates 'pk_*'

Options behind -- are those of bench/yardstick/run.py.  --disable lets a function return EXPRESSION
(nothing: `return;`) at once.  References are made by --program, the program as it is, unless the
cache has them."""
import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TOP / "bench/yardstick"))
import summary  # noqa: E402  (found by the line above)


def disable(text, function, expression):
    """The text of a C file in which the function, whose braces stand in the first column, returns
    at once."""
    head = re.compile(rf"^[^\n;{{}}#/ ][^;{{}}]*?\b{re.escape(function)}\([^;{{}}]*\)\n{{\n", re.M)
    found = head.findall(text)
    if len(found) != 1:
        raise SystemExit(f"ablate: {len(found)} definitions of `{function}` found, one is needed")
    given = f"    return {expression};\n" if expression else "    return;\n"
    return head.sub(lambda match: match[0] + given, text)


def call(*words, **more):
    subprocess.run([str(word) for word in words], check=True, **more)


@contextlib.contextmanager
def copy_of_tree():
    """A worktree of HEAD that is there as long as it is needed."""
    (TOP / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOP / "build") as folder:
        tree = pathlib.Path(folder) / "tree"
        call("git", "-C", TOP, "worktree", "add", "--quiet", "--detach", tree, "HEAD")
        try:
            yield tree
        finally:
            call("git", "-C", TOP, "worktree", "remove", "--force", tree)


def take_out(tree, words):
    if words.patch:
        call("git", "-C", tree, "apply", words.patch.resolve())
    for place in words.disable:
        name, function = place.rsplit(":", 1)
        path = tree / name
        text = disable(path.read_text(encoding="utf-8"), function, words.returns)
        path.write_text(text, encoding="utf-8")
    call("git", "-C", tree, "--no-pager", "diff", "--stat")


def build(tree, jobs, more):
    """The program, optimised; warnings of what is unused now are no errors."""
    (tree / "build").mkdir(exist_ok=True)
    quiet = {"cwd": tree, "stdout": subprocess.DEVNULL}
    call("cmake", "--preset", "release", "-DTANSY_WERROR=OFF", *more, **quiet)
    call("cmake", "--build", "build/release", "--parallel", jobs, "--target", "tansy_program",
         **quiet)
    return tree / "build/release/tansy"


def moved(before, after):
    """Runs with another verdict, or with another false warning."""
    for old, new in summary.both(before, after):
        if (old["verdict"], old["false_warning"]) != (new["verdict"], new["false_warning"]):
            verdicts = [row["verdict"] + ", false warning" * int(row["false_warning"] or 0)
                        for row in (old, new)]
            errors = [row["error_rtol"] or "-" for row in (old, new)]
            yield [*summary.key(new), *verdicts, *errors, new["where"]]


def tell(before, after):
    before, after = summary.shared(before, after)
    print("## By method\n")
    lines = summary.by([before, after], "method")
    print("\n".join(summary.table(["method", *summary.HEAD], lines)))
    print("## Costs where kept with it and without, geometric means of without/with\n")
    lines = summary.costs(before, after)
    print("\n".join(summary.table(["method", "runs", *summary.COSTS], lines)))
    runs = list(moved(before, after))
    print(f"## {len(runs)} of {len(after)} runs moved\n")
    head = [*summary.WHICH, "with it", "without", "error with", "error without", "where"]
    print("\n".join(summary.table(head, runs)))


def arguments(argv):
    layout = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=layout)
    add = parser.add_argument
    add("--patch", type=pathlib.Path)
    add("--disable", action="append", default=[], metavar="FILE:FUNCTION", help="repeatable")
    add("--returns", default="", metavar="EXPRESSION")
    add("--against", type=pathlib.Path, required=True, metavar="CSV")
    add("--out", type=pathlib.Path, default=TOP / "build/ablate.csv", help="the new table")
    add("--program", type=os.path.abspath, default=TOP / "build/release/tansy")
    add("--jobs", default="2")
    add("--cmake", action="append", default=[], metavar="OPTION", help="as -DX=Y; repeatable")
    add("options", nargs="*", help="of the yardstick, behind --")
    words = parser.parse_args(argv)
    if not words.patch and not words.disable:
        parser.error("nothing to take out: --patch FILE or --disable FILE:FUNCTION")
    if not words.against.exists():
        parser.error(f"there is no {words.against}")
    return words


def main(argv):
    words = arguments(argv)
    with copy_of_tree() as tree:
        take_out(tree, words)
        program = build(tree, words.jobs, words.cmake)
        call(sys.executable, TOP / "bench/yardstick/run.py", program, "--out", words.out, "--jobs",
             words.jobs, "--reference-program", words.program, *words.options,
             stdout=subprocess.DEVNULL)
    tell(summary.read(words.against), summary.read(words.out))


if __name__ == "__main__":
    main(sys.argv[1:])
