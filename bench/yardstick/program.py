# SPDX-License-Identifier: Apache-2.0
"""One run of the program: status, table, what it said, what it counted, CPU time."""
import csv
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import tempfile

REFUSED = 2  # exit status, docs/program.md


@dataclasses.dataclass
class Run:
    status: str   # ok, stopped, refused, timeout, crash
    said: str
    names: list   # without the time
    rows: list
    counts: dict
    cpu: float


def read_table(path):
    if not path.exists():
        return [], []
    lines = path.read_text(encoding="utf-8").splitlines()
    table = list(csv.reader(line for line in lines if not line.startswith("#")))
    rows = [[float(x) for x in row[1:]] for row in table[1:]]
    return (table[0][1:], rows) if table else ([], [])


def status_of(code, complete):
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout"
    if code == REFUSED:
        return "refused"
    if code == 1:
        return "stopped"
    return "ok" if code == 0 and complete else "crash"


def call(command, limit, said):
    """Exit status and CPU seconds of a command that may take `limit` of them; `said` takes what it
    says."""
    limited = ["sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *map(str, command)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    child = subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=said, env=environment)
    _, ended, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(ended)
    return child.returncode, used.ru_utime + used.ru_stime


def solve(program, text, times, words, limit):
    """Solves the model with these options, and at most `limit` seconds of CPU time."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model, table, counts = folder / "m.tansy", folder / "m.csv", folder / "m.json"
        model.write_text(text, encoding="utf-8")
        command = [program, "solve", model, "--at", ",".join(map(repr, times)), "--out", table,
                   "--stats", counts, *words]
        with open(folder / "said", "w+", encoding="utf-8") as file:
            code, cpu = call(command, limit, file)
            file.seek(0)
            said = file.read()
        names, rows = read_table(table)
        counted = json.loads(counts.read_text(encoding="utf-8")) if counts.exists() else {}
    return Run(status_of(code, len(rows) == len(times)), said, names, rows, counted, cpu)
