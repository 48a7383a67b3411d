# SPDX-License-Identifier: Apache-2.0
"""References: two methods that agree at rtol = 1e-11, with absolute tolerances that follow the size
of each state; and the condition, from parameters moved by +-1e-6 of themselves.  Kept in a cache,
by the text of the instance."""
import hashlib
import json
import random

import norm
import program
from template import FINER

RTOL = 1e-11
SHARES = (1e-14, 1e-17, 1e-20)  # of the largest |y_i|: RTOL 1e-3, the floor of the norm, and less
ROUGH = ("1e-25", "1e-18", "1e-12", "1e-9")  # absolute tolerances of a first run, which tells sizes
ENOUGH = 0.1 * norm.PROMISE * 1e-8           # for the tightest tolerance
MOVE, DRAWS = 1e-6, 4
UNSAID = 0.05    # share of a move that S may not say: of smooth models it is a thousandth
LIMIT = 30       # CPU seconds of one run
VERSION = 3      # of this file: another one is another reference
NOT_STIFF = ("rk8", "limex", "rosenbrock", "adams", "bdf")
STIFF = ("limex", "bdf", "rosenbrock", "rk8")
IMPLICIT = ("limex", "rosenbrock", "dassl")


def key(instance):
    words = repr((VERSION, instance.twin, instance.times, instance.step))
    digest = hashlib.sha256(words.encode()).hexdigest()[:16]
    return f"{instance.name}-{instance.seed}-{digest}.json"


class Maker:
    """Makes the reference of one instance."""

    def __init__(self, path, instance):
        self.path, self.instance = path, instance
        self.states, self.rough = [], {}   # and sizes of all quantities by a first run
        self.size = {}                     # by the reference

    def solve(self, method, rtol, words):
        words = ["--method", method, "--rtol", repr(rtol), "--quiet",
                 "--max-step", repr(self.instance.step), *words]
        return program.solve(self.path, self.instance.twin, self.instance.times, words, LIMIT)

    def run(self, method, share, moved=()):
        words = []
        for name in self.states:
            words += ["--atol", f"{name}={share * self.rough[name] or 1e-300!r}"]
        for name, value in moved:
            words += ["--set", f"{name}={value!r}"]
        return self.solve(method, RTOL, words)

    def first(self):
        """Sizes, and which methods to take: by a run of the state alone."""
        for method in ("auto", "bdf", "limex", "dassl"):
            for atol in ROUGH:
                run = self.solve(method, 1e-6, ["--sens", "none", "--atol", atol])
                if run.status != "ok":
                    continue
                self.rough = norm.sizes(run.names, run.rows)
                self.states = run.names[:run.counts["n"]]
                if run.counts["method"] in ("rosenbrock", "dassl"):
                    return IMPLICIT
                return NOT_STIFF if run.counts["method"] == "rk8" else STIFF
        return ()

    def apart(self, run, other):
        size = norm.sizes(run.names, run.rows)
        return norm.error(run.names, run.rows, other.rows, size, self.instance.values)

    def pair(self, methods):
        """The best agreement of two methods, and of these the run that was made last."""
        runs, refused, best = [], set(), (float("inf"), None, "")
        for method, share in ((method, share) for share in SHARES for method in methods):
            if method in refused:
                continue
            new = self.run(method, share)
            if new.status == "refused":
                refused.add(method)
            if new.status != "ok":
                continue
            for other, old in runs:
                off, where = self.apart(new, old)
                if other != method and off < best[0]:
                    best = off, (method, share, new), f"{other} {method} {where}"
            runs.append((method, new))
            if best[0] <= ENOUGH:
                break
        return best

    def condition(self, method, share, run):
        """Of parameters moved by MOVE of themselves, the worst of four draws of signs: e, and what
        S does not say of it."""
        generator, worst, unsaid = random.Random(self.instance.seed), None, 0.0
        for _ in range(DRAWS):
            moved = {name: value * (1 + MOVE * generator.choice((-1, 1)))
                     for name, value in self.instance.values.items()}
            other = self.run(method, share, moved.items())
            if other.status == "ok":
                off, _ = norm.error(run.names, run.rows[::FINER], other.rows[::FINER], self.size,
                                    self.instance.values)
                worst = off if worst is None else max(worst, off)
                unsaid = max(unsaid, self.beyond(run, other, moved))
        return worst, unsaid

    def beyond(self, run, other, moved):
        """The largest |y(p + d) - y(p) - S d| / (sum |S_k d_k| + 1e-3 MOVE max |y|): whether S is
        the derivative at all."""
        place = {name: j for j, name in enumerate(run.names)}
        by = {name: moved[name] - value for name, value in self.instance.values.items()}
        worst = 0.0
        for name, size in self.size.items():
            columns = [(place[f"d({name})/d({k})"], d) for k, d in by.items() if d]
            for row, new in zip(run.rows[::FINER], other.rows[::FINER]):
                parts = [row[j] * d for j, d in columns]
                rest = abs(new[place[name]] - row[place[name]] - sum(parts))
                bound = sum(map(abs, parts)) + 1e-3 * MOVE * size
                worst = max(worst, rest / bound if rest else 0.0)
        return worst

    def make(self):
        off, best, by = self.pair(self.first())
        if best is None:
            return {"agree": None}
        method, share, run = best
        self.size = norm.sizes(run.names, run.rows)
        condition, unsaid = self.condition(method, share, run)
        return {"agree": off, "by": by, "condition": condition, "move": MOVE, "unsaid": unsaid,
                "names": run.names, "size": self.size, "rows": run.rows[::FINER]}


def reference(path, instance, cache):
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / key(instance)
    if kept.exists():
        return json.loads(kept.read_text(encoding="utf-8"))
    made = Maker(path, instance).make()
    beside = kept.with_suffix(".new")
    beside.write_text(json.dumps(made), encoding="utf-8")
    beside.replace(kept)
    return made


def serves(made, rtol):
    if made["agree"] is None or made["condition"] is None:
        return False
    return made["agree"] <= 0.1 * norm.PROMISE * rtol and made["unsaid"] <= UNSAID
