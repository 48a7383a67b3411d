# SPDX-License-Identifier: Apache-2.0
"""--atol as it is given, wrong or missing, and what is ranked where nothing is said of tolerances."""
import csv
import math
import pathlib

from program import HERE, ProgramTest, main

TWO = "parameter k = 1, g = 2\nstate x = 1{atol}, z = 0\nx' = -k*x\nz' = k*x - g*z\ntime 0 .. 3\n"
REFERENCE = pathlib.Path(HERE).parent / "reference"


def lines_of(name):
    return [line for line in (REFERENCE / name).read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def co_model():
    """The mechanism in mol/cm3, with nothing but rates and initial values, and the names of its constants in the order of the reference."""
    starts, reactions, names, species = {}, [], [], []
    for line in lines_of("co_mechanism.txt"):
        words = line.split()
        if words[0] == "species":
            species = words[1:]
        elif words[0] == "initial":
            starts[words[1]] = words[2]
        elif words[0] == "reaction":
            number, at = words[1], words.index("=")
            left, right = words[2:at], words[at + 1:words.index("kf")]
            rates = ["*".join([f"{k}{number}"] + [word for word in side if word != "+"]) for k, side in (("kf", left), ("kr", right))]
            reactions.append(f"r{number}: {' '.join(left)} <-> {' '.join(right)}, {', '.join(rates)}")
            names += [(f"kf{number}", words[-3]), (f"kr{number}", words[-1])]
    state = ", ".join(f"{name} = {starts.get(name, 0)}" for name in species)
    text = [*(f"parameter {name} = {value}" for name, value in names), f"state {state}", *reactions, "time 0 .. 1", ""]
    return "\n".join(text), [name for name, _ in names]


class Tolerances(ProgramTest):
    def write(self, text):
        (self.folder / "m.tansy").write_text(text, encoding="utf-8")

    def test_a_wrong_atol_says_what_to_write(self):
        self.write(TWO.format(atol=""))
        for value in ("-1", "nan", "inf", "1e-9,1e-8", "z=-1", "z=nan", "z="):
            with self.subTest(value=value):
                says = self.refused("solve", "m.tansy", f"--atol={value}", says=f"--atol {value}: write `auto`, or a number of at least 0")
                self.assertIn("NAME=VALUE for one, and --atol again for others", says)
        self.refused("solve", "m.tansy", "--atol", "q=1", says="has no state q")

    def test_a_wrong_atol_of_a_model_says_what_to_write(self):
        for value, says in (("-1", "write a number above 0, or leave it out, and it is automatic"), ("0", "leave it out")):
            with self.subTest(value=value):
                self.write(TWO.format(atol=f" atol {value}"))
                run = self.run_program("solve", "m.tansy")
                self.assertEqual((run.returncode, run.stdout), (2, ""))
                self.assertIn(says, run.stderr)

    def test_no_atol_of_what_begins_at_0_says_what_to_write(self):
        self.write(TWO.format(atol=""))
        for words in (["--atol", "0"], ["--atol", "z=0"]):
            run = self.run_program("solve", "m.tansy", *words)
            self.assertEqual(run.returncode, 1)
            self.assertIn("z is zero at t0 = 0 and its tolerance is purely relative: give it an atol, `auto` or a number", run.stderr)
        self.good("solve", "m.tansy", "--atol", "x=0")
        self.good("solve", "m.tansy", "--atol", "0", "--atol", "z=auto")

    def test_CO_oxidation_in_mol_per_cm3_is_ranked_rightly(self):
        """Against the stored reference: norms of |k| dy/dk / max|y| over its times, within 100 rtol of the largest, and their order."""
        text, names = co_model()
        self.write(text)
        exact = list(csv.DictReader(lines_of("co_oxidation_substitute.csv")))
        times = sorted({row["t"] for row in exact}, key=float)
        value = dict(line.split()[1::2] for line in text.splitlines() if line.startswith("parameter"))
        for of in ("CO", "O2", "OH"):
            of_it = [row for row in exact if row["quantity"] == of]
            start = {"CO": 1.10787e-7, "O2": 2.21574e-7}.get(of, 0)
            size = max([start] + [abs(float(row["value"])) for row in of_it if not row["parameter"]])
            columns = [row for row in of_it if row["parameter"]]
            told = [float(row["value"]) for row in columns]
            right = {name: float(value[name]) / size * math.sqrt(sum(told[j + len(names) * m] ** 2 for m in range(len(times))) / len(times))
                     for j, name in enumerate(names)}
            self.good("rank", "m.tansy", "--of", of, "--at", ",".join(times), "--out", "r.csv", "--quiet")
            ranked = [line.split(",") for line in (self.folder / "r.csv").read_text(encoding="utf-8").splitlines() if line.startswith("all,")]
            largest = max(right.values())
            for _, _, name, _, norm in ranked:
                self.assertAlmostEqual(float(norm), right[name], delta=1e-4 * largest, msg=f"{of} {name}")
            order = [right[row[2]] for row in ranked]
            self.assertEqual(len(order), len(names))
            for before, after in zip(order, order[1:]):
                self.assertGreaterEqual(before, after - 2e-4 * largest)
            self.assertEqual([row[2] for row in ranked[:5]], sorted(right, key=right.get, reverse=True)[:5])


if __name__ == "__main__":
    main()
