#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much slower the default is than the best method named by hand: models of examples/models with y' = f, and mechanisms in
YAML at constant temperature and volume with the forward rate constants as parameters.  A table: model, rtol, then for the default
and every method its CPU time (least of interleaved runs), its error (of y and S, in promises of 100 rtol, against a run at
1e-11), steps and evaluations; and the default's time over the least at equal error: of two runs of one method at neighbouring
rtol the time at another error is interpolated (log log).
usage: start_trial.py PROGRAM [OLD_PROGRAM ...] [--repeats N] [--only NAME,..] [--mechanisms FOLDER]"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "..", "examples", "models")
METHODS = ("auto", "bdf", "rk8", "rosenbrock", "limex")
RTOLS = (1e-4, 1e-6, 1e-8)
SKIP = ("brusselator_2d", "heat_400")  # banded and sparse with 200 equations and more: bdf by rule
LONGEST = 6  # seconds for a run; a slower one counts as no rival
MECHANISMS = (  # file, temperature in K, pressure in Pa, moles, end of time in s
    ("gri30.yaml", 1500, 101325, {"CH4": 1, "O2": 2, "N2": 7.52}, 3e-3),
    ("h2o2.yaml", 1050, 101325, {"H2": 2, "O2": 1, "AR": 3}, 1e-2),
    ("drm19.yaml", 1500, 101325, {"CH4": 1, "O2": 2, "N2": 7.52}, 3e-3),
    ("Davis.yaml", 1100, 506625, {"H2": 1, "CO": 1, "O2": 1, "N2": 4}, 1e-2),
)
GAS, CALORIE = 8.31446261815324, 4.184


def thermodynamics(species, kelvin):
    """Of NASA-7 polynomials: h/RT and s/R."""
    thermo = species["thermo"]
    border = thermo["temperature-ranges"]
    a = thermo["data"][0 if len(thermo["data"]) == 1 or kelvin < border[1] else 1]
    enthalpy = sum(a[k] * kelvin**k / (k + 1) for k in range(5)) + a[5] / kelvin
    entropy = a[0] * math.log(kelvin) + sum(a[k] * kelvin**k / k for k in range(1, 5)) + a[6]
    return enthalpy, entropy


def sides(equation):
    """Species and their numbers on both sides, third bodies left out; and whether it goes both ways."""
    both = re.split(r"\s*(<=>|=>|=)\s*", equation)
    result = []
    for side in (both[0], both[2]):
        count = {}
        side = re.sub(r"\(\s*\+\s*[\w()*,-]+?\s*\)(?=\s|$)", "", side)
        for term in re.split(r"\s+\+\s+", side.strip()):
            number, name = re.fullmatch(r"\s*(?:(\d+(?:\.\d*)?)\s+)?(\S+)\s*", term).groups()
            if name != "M":
                count[name] = count.get(name, 0) + float(number or 1)
        result.append(count)
    return (*result, both[1] != "=>")


def arrhenius(rate, kelvin, unit):
    energy = rate["Ea"]
    if isinstance(energy, str):
        energy = float(energy.split()[0])
    return float(rate["A"]) * kelvin ** float(rate["b"]) * math.exp(-float(energy) * unit / (GAS * kelvin))


def body(reaction, moles, total):
    """The third body: concentrations times efficiencies, as they are at the start."""
    efficiency = reaction.get("efficiencies", {})
    default = reaction.get("default-efficiency", 1)
    return sum(efficiency.get(name, default) * part for name, part in moles.items()) * total


def convert(path, kelvin, pressure, moles, end):
    """A model of the mechanism; mol, cm, s.  Falloff as Lindemann's, at the concentrations of the start."""
    import yaml  # only mechanisms need it

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        """NO is nitric oxide."""

    Loader.yaml_implicit_resolvers = {
        first: [one for one in those if not one[0].endswith(":bool")] for first, those in Loader.yaml_implicit_resolvers.items()}
    with open(path, encoding="utf-8") as file:
        mechanism = yaml.load(file, Loader=Loader)
    unit = {"cal/mol": CALORIE, "J/mol": 1, "kcal/mol": 1000 * CALORIE, "K": GAS}[mechanism["units"]["activation-energy"]]
    species = {one["name"]: one for one in mechanism["species"]}
    phase = mechanism["phases"][0]["species"]
    names = [str(name) for name in phase] if isinstance(phase[0], str) else list(species)
    spelled = {name: "y%d" % k for k, name in enumerate(names)}
    total = pressure / (GAS * kelvin) * 1e-6
    moles = {name: part / sum(moles.values()) for name, part in moles.items()}
    known = {name: thermodynamics(species[name], kelvin) for name in names}
    parameters, terms = [], {name: [] for name in names}
    for k, reaction in enumerate(mechanism["reactions"]):
        left, right, reversible = sides(reaction["equation"])
        third = body(reaction, moles, total)
        if reaction.get("type") == "falloff":
            low, high = (arrhenius(reaction[which + "-P-rate-constant"], kelvin, unit) for which in ("low", "high"))
            constant = low * third / (1 + low * third / high)
        elif "rate-constant" in reaction:
            constant = arrhenius(reaction["rate-constant"], kelvin, unit)
            constant *= third if reaction.get("type") == "three-body" else 1
        else:
            raise ValueError(f"{path}: {reaction['equation']}: no rate constant")
        if constant == 0:
            continue
        forward = "*".join(spelled[name] + (f"^{n:g}" if n != 1 else "") for name, n in left.items())
        change = {name: right.get(name, 0) - left.get(name, 0) for name in {**left, **right}}
        rate = f"k{k}*{forward}"
        if reversible:
            gibbs = sum(n * (known[name][0] - known[name][1]) for name, n in change.items())
            balance = math.exp(-gibbs) * (101325e-6 / (GAS * kelvin)) ** sum(change.values())
            backward = "*".join(spelled[name] + (f"^{n:g}" if n != 1 else "") for name, n in right.items())
            rate = f"k{k}*({forward} - {1 / balance!r}*{backward})"
        parameters.append(f"parameter k{k} = {constant!r}")
        parameters.append(f"let r{k} = {rate}")
        for name, n in change.items():
            if n != 0:
                terms[name].append(f"{'+' if n > 0 else '-'} {abs(n):g}*r{k}")
    lines = [f"state {spelled[name]} = {moles.get(name, 0) * total!r}" for name in names if terms[name]]
    constants = [f"constant {spelled[name]} = {moles.get(name, 0) * total!r}" for name in names if not terms[name]]
    rates = [f"{spelled[name]}' = {' '.join(terms[name])}" for name in names if terms[name]]
    return "\n".join(lines + constants + parameters + rates + [f"time 0 .. {end!r}"]) + "\n"


def solve(program, path, method, rtol, table=None):
    """CPU seconds of the run within the program, its statistics; None: it failed."""
    stats = path + ".json"
    words = [program, "solve", path, "--method", method, "--rtol", repr(rtol), "--once", "--quiet", "--points", "11",
             "--max-steps", "2000000", "--stats", stats, "--out", table or os.devnull]
    try:
        run = subprocess.run(words, capture_output=True, text=True, timeout=LONGEST, check=False)
    except subprocess.TimeoutExpired:
        return None
    if run.returncode != 0:
        return None
    with open(stats, encoding="utf-8") as file:
        return json.load(file)


def read(path):
    with open(path, encoding="utf-8") as file:
        table = list(csv.reader(line for line in file if not line.startswith("#")))
    return table[0], [[float(x) for x in row] for row in table[1:]]


def error(exact, given, scale):
    """The largest error in the norm of docs/design.md with floors of 1e-3 of the largest |y_i|."""
    names, rows = exact
    floor = {name: 1e-3 * max(abs(row[i]) for row in rows) for i, name in enumerate(names)}
    worst = 0
    for i, name in enumerate(names[1:], 1):
        column = re.fullmatch(r"d\((.+)\)/d\((.+)\)", name)
        size, least = (scale.get(column[2], 1), floor[column[1]]) if column else (1, floor[name])
        for right, is_ in zip(rows, given[1]):
            divisor = abs(right[i]) * size + least
            e = abs(right[i] - is_[i]) * size / divisor if divisor > 0 else 0
            worst = max(worst, e if e == e else math.inf)
    return worst


def scales(path):
    """Values of the parameters, 1 for those that are 0 or not a plain number."""
    with open(path, encoding="utf-8") as file:
        text = "\n".join(line.split("#")[0] for line in file if line.startswith(("parameter", "control")))
    found = re.findall(r"(\w+)(?:\s*\[[^\]]*\])?\s*=\s*([-+.\deE]+)", text)
    return {name: abs(float(value)) or 1 for name, value in found}


def at_error(curve, wanted):
    """The time of a method at an error, on its work-precision curve; its ends are continued by order 5 in time."""
    curve = sorted((x for x in curve if x[0] > 0 and math.isfinite(x[0])), reverse=True)
    if not curve:
        return math.inf
    if wanted >= curve[0][0]:
        return curve[0][1]
    for (e, a), (f, b) in zip(curve, curve[1:]):
        if f <= wanted <= e:
            share = math.log(e / wanted) / math.log(e / f) if e > f else 0
            return math.exp(math.log(a) * (1 - share) + math.log(b) * share)
    return math.inf


def trial(name, path, programs, repeats, folder):
    reference, table = os.path.join(folder, "exact.csv"), os.path.join(folder, "table.csv")
    exact = next((read(reference) for method in ("limex", "bdf", "rosenbrock")
                  if solve(programs[0], path, method, 1e-11, reference)), None)
    ways = [(program, "auto") for program in programs] + [(programs[0], method) for method in METHODS[1:]]
    labels = ["auto"] + [f"old{k}" for k in range(1, len(programs))] + list(METHODS[1:])
    runs = {}
    for rtol in RTOLS:
        for way, label in zip(ways, labels):
            stats = solve(*way[:1], path, way[1], rtol, table)
            if stats:
                runs[label, rtol] = [error(exact, read(table), scales(path)) if exact else math.nan, stats["seconds"], stats]
        for _ in range(repeats - 1):
            for way, label in zip(ways, labels):
                known = runs.get((label, rtol))
                if known and known[1] < 2:
                    again = solve(*way[:1], path, way[1], rtol)
                    known[1] = min(known[1], again["seconds"] if again else math.inf)
    for rtol in RTOLS:
        cells = []
        for label in labels:
            known = runs.get((label, rtol))
            if known:
                cells.append(f"{label} {1e3 * known[1]:.3g} ms e {known[0] / (100 * rtol):.1g} "
                             f"s {known[2]['steps']} f {known[2]['rhs_evals']} t {known[2]['tangent_evals']} x {known[2]['method_changes']}")
            else:
                cells.append(f"{label} -")
        rivals = {m: runs[m, rtol][1] for m in METHODS[1:] if (m, rtol) in runs}
        if ("auto", rtol) not in runs or not rivals:
            print(f"{name} {rtol:.0e}: not run")
            continue
        own = runs["auto", rtol]
        curves = {m: [tuple(runs[m, r][:2]) for r in RTOLS if (m, r) in runs] for m in METHODS[1:]}
        equal = {m: at_error(curve, own[0]) for m, curve in curves.items()}
        best, fair = min(rivals, key=rivals.get), min(equal, key=equal.get)
        same = f"{own[1] / equal[fair]:.2f} of {fair}" if math.isfinite(equal[fair]) else "no rival so exact"
        old = "".join(f" (old{k} {runs[f'old{k}', rtol][1] / rivals[best]:.2f})" for k in range(1, len(programs)) if (f"old{k}", rtol) in runs)
        print(f"{name} {rtol:.0e}: {own[1] / rivals[best]:.2f} of {best}{old}; at equal error {same} | " + " | ".join(cells), flush=True)


def is_explicit(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return not re.search(r"^(algebraic|\s*0 = )", text, re.M)


def main():
    words = sys.argv[1:]
    options = {}
    for option in ("--repeats", "--only", "--mechanisms"):
        if option in words:
            k = words.index(option)
            options[option] = words[k + 1]
            del words[k:k + 2]
    if not words:
        sys.exit(__doc__)
    programs = [os.path.abspath(word) for word in words]
    only = options.get("--only", "").split(",") if "--only" in options else None
    repeats = int(options.get("--repeats", 5))
    mechanisms = options.get("--mechanisms", "")
    with tempfile.TemporaryDirectory() as folder:
        for file in sorted(os.listdir(MODELS)):
            name, kind = os.path.splitext(file)
            path = os.path.join(MODELS, file)
            if kind != ".tansy" or name in SKIP or (only and name not in only) or not is_explicit(path):
                continue
            copy = os.path.join(folder, file)
            with open(path, encoding="utf-8") as source, open(copy, "w", encoding="utf-8") as target:
                target.write(source.read())
            trial(name, copy, programs, repeats, folder)
        for file, *setting in MECHANISMS:
            name = os.path.splitext(file)[0]
            if only and name not in only:
                continue
            if not os.path.exists(os.path.join(mechanisms, file)):
                print(f"{name}: not run, there is no {file} in --mechanisms {mechanisms or '(not given)'}")
                continue
            path = os.path.join(folder, name + ".tansy")
            with open(path, "w", encoding="utf-8") as target:
                target.write(convert(os.path.join(mechanisms, file), *setting))
            trial(name, path, programs, repeats, folder)


if __name__ == "__main__":
    main()
