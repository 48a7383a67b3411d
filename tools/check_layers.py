#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who includes whom: a file of src/LAYER its own layer or lower ones; src/app, cli, python and examples their own
files and the public headers; public headers public headers. Every header must also compile alone."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

LAYERS = "base matrix linear model derive equations method drive app".split()
PUBLIC_ONLY = "cli python examples".split()
TOP = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(tansy/[^>]+)>)')


def allowed(home, layer, included):
    """Whether a file in folder `home` (and layer, if in src/) may include `included`, written with quotes."""
    folder = included.split("/")[0] if "/" in included else None
    if layer is None:
        return folder is None or folder == home
    if layer == "app":
        return folder == "app"
    return folder in LAYERS and LAYERS.index(folder) <= LAYERS.index(layer)


def check_includes(path):
    parts = path.relative_to(TOP).parts
    layer = parts[1] if parts[0] == "src" else None
    if layer and layer not in LAYERS:
        yield f"{path.relative_to(TOP)}: {layer} is not a layer"
        return
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        where = f"{path.relative_to(TOP)}:{row}"
        quoted, public = match.groups()
        if public:
            if not (TOP / "include" / public).is_file():
                yield f"{where}: there is no public header {public}"
        elif not allowed(parts[0], layer, quoted):
            yield f'{where}: must not include "{quoted}"'
        elif layer and not (TOP / "src" / quoted).is_file():
            yield f'{where}: there is no src/{quoted}'


def check_alone(header):
    """What the compiler says, in short, of a file with this header and nothing else."""
    name = header.relative_to(TOP).as_posix()
    compiler = os.environ.get("CC", "cc")
    flags = "-std=c17 -fsyntax-only -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc -xc -".split()
    run = subprocess.run([compiler, *flags], cwd=TOP, input=f'#include "{name}"\n', text=True,
                         capture_output=True, check=False)
    errors = [line for line in run.stderr.splitlines() if "error:" in line]
    return [] if run.returncode == 0 else [f"{name}: does not compile alone: {errors[0] if errors else run.stderr}"]


def main():
    folders = [TOP / folder for folder in ("include", "src", *PUBLIC_ONLY)]
    files = sorted(path for folder in folders for path in folder.rglob("*.[ch]"))
    problems = [problem for path in files for problem in check_includes(path)]
    headers = [path for path in files if path.suffix == ".h"]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        problems += [problem for found in pool.map(check_alone, headers) for problem in found]
    print("\n".join(problems) or f"layers: {len(files)} files good")
    sys.exit(1 if problems or not files else 0)


if __name__ == "__main__":
    main()
