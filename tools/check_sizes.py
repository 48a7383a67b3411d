#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks sizes and names: lines a file, lines and parameters a function, words that say nothing about a file, and the
licence line. A function is recognised by its layout: its braces stand in the first column. A callback, of our public
headers or of SUNDIALS, has the parameters it has to have."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = "include src cli python examples tests bench tools cmake".split()
SUFFIXES = {".c", ".h", ".py", ".sh", ".cmake"}
MAX_LINES = {"include": 200, "tests": 400, "examples": 80}
MAX_LINES_ELSEWHERE, MAX_FUNCTION_LINES, MAX_PARAMETERS = 500, 60, 7
EMPTY_WORDS = {"util", "utils", "utility", "utilities", "common", "core", "helper", "helpers", "misc", "impl", "part2"}


def parameters(signature):
    """The types in the last list in brackets of a function's head, each without the parameter's name."""
    depth, words, close = 0, [""], signature.rfind(")")
    for i in range(close, -1, -1):
        depth += {")": 1, "(": -1}.get(signature[i], 0)
        if depth == 0:
            break
        if signature[i] == "," and depth == 1:
            words.append("")
        elif i < close:
            words[-1] = signature[i] + words[-1]
    types = [re.sub(r"\w+(\[\w*\])*$", "", word.strip()).strip() for word in reversed(words)]
    return [] if types == [""] else types  # () and (void)


def callbacks():
    """The public headers decide how many parameters a user's function has: their types, one list a callback."""
    texts = [path.read_text(encoding="utf-8") for path in (TOP / "include").rglob("*.h")]
    found = [match for text in texts for match in re.findall(r"typedef int tansy_\w+(\([^;]*\));", text)]
    return [parameters(" ".join(match.split())) for match in found]


def functions(lines):
    """Name, first line, lines between the braces and types of the parameters of each function."""
    opened = None
    for i, line in enumerate(lines):
        if line == "{":
            first = i
            while first > 0 and lines[first - 1].strip() and not re.search(r"[;}]\s*$|\*/$|^#", lines[first - 1]):
                first -= 1
            head = " ".join(lines[first:i])
            if "(" in head and "=" not in head:
                opened = (i, first, head)
        elif line.startswith("}") and opened:
            start, first, head = opened
            name = re.search(r"(\w+)\s*\(", head)
            yield name[1] if name else "?", first + 1, i - start - 1, parameters(head)
            opened = None


def check(path, given):
    name = path.relative_to(TOP)
    lines = path.read_text(encoding="utf-8").splitlines()
    limit = MAX_LINES.get(name.parts[0], MAX_LINES_ELSEWHERE)
    if len(lines) > limit:
        yield f"{name}: {len(lines)} lines, at most {limit}"
    for word in EMPTY_WORDS.intersection(re.split(r"[_.\-/]", name.as_posix().lower())):
        yield f'{name}: "{word}" says nothing about what is inside'
    if not any("SPDX-License-Identifier: Apache-2.0" in line for line in lines[:2]):
        yield f"{name}: no licence line"
    if path.suffix not in (".c", ".h"):
        return
    for function, row, length, types in functions(lines):
        if length > MAX_FUNCTION_LINES:
            yield f"{name}:{row}: {function} has {length} lines, at most {MAX_FUNCTION_LINES}"
        imposed = types in given or "N_Vector" in types
        if len(types) > MAX_PARAMETERS and not imposed:
            yield f"{name}:{row}: {function} has {len(types)} parameters, at most {MAX_PARAMETERS}"


def main():
    files = sorted(path for folder in FOLDERS for path in (TOP / folder).rglob("*") if path.suffix in SUFFIXES)
    given = callbacks()
    problems = [problem for path in files for problem in check(path, given)]
    print("\n".join(problems) or f"sizes: {len(files)} files good")
    sys.exit(1 if problems or not files else 0)


if __name__ == "__main__":
    main()
