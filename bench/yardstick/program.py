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
    return (table[0][1:], [[float(x) for x in row[1:]] for row in table[1:]]) if table else ([], [])


def status_of(code, complete):
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout"
    if code == REFUSED:
        return "refused"
    if code == 1:
        return "stopped"
    return "ok" if code == 0 and complete else "crash"


def solve(program, text, times, words, limit):
    """Solves the model with these options, and at most `limit` seconds of CPU time."""
    with tempfile.TemporaryDirectory() as folder:
        model, table, counts = (pathlib.Path(folder) / name for name in ("m.tansy", "m.csv", "m.json"))
        model.write_text(text, encoding="utf-8")
        command = [program, "solve", model, "--at", ",".join(map(repr, times)), "--out", table, "--stats", counts, *words]
        limited = ["sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh", *map(str, command)]
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        with open(pathlib.Path(folder) / "said", "w+", encoding="utf-8") as said:
            child = subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=said, env=environment)
            _, ended, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(ended)
            said.seek(0)
            words_said = said.read()
        names, rows = read_table(table)
        counted = json.loads(counts.read_text(encoding="utf-8")) if counts.exists() else {}
    status = status_of(child.returncode, len(rows) == len(times))
    return Run(status, words_said, names, rows, counted, used.ru_utime + used.ru_stime)
