# SPDX-License-Identifier: Apache-2.0
"""The yardstick measures what it says: norm, what is told, drawing of templates, tables."""
import math
import pathlib
import re
import sys
import unittest

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(TOP / "bench/yardstick"), str(TOP / "tools")]
import ablate  # noqa: E402
import norm  # noqa: E402
import program  # noqa: E402
import reference  # noqa: E402
import summary  # noqa: E402
import template  # noqa: E402

NAMES = ["u", "v", "d(u)/d(k)", "d(v)/d(k)"]
SIZE = {"u": 2.0, "v": 1e-9}
SECOND = ("tansy: warning: d(u)/d(k) is less exact than promised at t = 3: computed once more, "
          "bdf at rtol = 1e-07 against rk8 at rtol = 1e-06, it differs by 0.0012, relative, and "
          "0.0001 is promised; a smaller --rtol gives more digits")
UNKNOWN = ("tansy: warning: how exact the sensitivities are behind the conditions is not known: a "
           "second run, dassl at rtol = 1e-10 against bdf at rtol = 1e-09; it stopped at t = 4: "
           "the condition u < v turns where g has no slope; --verify takes more time")
UNCONTROLLED = ("tansy: warning: state v stays below its atol/rtol = 0.001 at all output times: "
                "its relative error is not controlled; give it `atol` in the model or --atol v=...")
# Words of messages, which no state may have as its name: it would seem to be told of.
MESSAGE_WORDS = set("a A I S f y t h p x in of by at is to as it rtol atol state".split())


class Norm(unittest.TestCase):
    def error(self, exact, given, k=4.0):
        return norm.error(NAMES, [exact], [given], SIZE, {"k": k})

    def test_the_state(self):
        """|delta u| / (|u| + 1e-3 max |u|), also of tiny states."""
        e, where = self.error([1, 0, 0, 0], [1.001, 0, 0, 0])
        self.assertAlmostEqual(e, 0.001 / (1 + 0.002), delta=1e-12)
        self.assertEqual(where, "u")
        e, where = self.error([1, 1e-10, 0, 0], [1, 2e-10, 0, 0])
        self.assertAlmostEqual(e, 1e-10 / (1e-10 + 1e-12), delta=1e-12)
        self.assertEqual(where, "v")

    def test_a_column_counts_by_the_size_of_its_parameter(self):
        e, where = self.error([1, 0, 0.5, 0], [1, 0, 0.51, 0])
        self.assertAlmostEqual(e, 0.01 * 4 / (0.5 * 4 + 0.002), delta=1e-12)
        self.assertEqual(where, "d(u)/d(k)")
        self.assertAlmostEqual(self.error([1, 0, 0.5, 0], [1, 0, 0.51, 0], k=-4.0)[0], e, delta=0)
        e, _ = self.error([1, 0, 0.5, 0], [1, 0, 0.51, 0], k=0.0)
        self.assertAlmostEqual(e, 0.01 / 0.502, delta=1e-12)

    def test_what_is_no_number_is_infinitely_wrong(self):
        for wrong in (math.nan, math.inf):
            self.assertEqual(self.error([1, 0, 0, 0], [wrong, 0, 0, 0])[0], math.inf)
        self.assertEqual(norm.error(["u"], [[0.0]], [[0.0]], {"u": 0.0}, {}), (0.0, ""))
        self.assertEqual(norm.error(["u"], [[0.0]], [[1e-300]], {"u": 0.0}, {})[0], math.inf)

    def test_sizes_are_those_of_states_at_all_times(self):
        self.assertEqual(norm.sizes(NAMES, [[-3, 1, 9, 9], [2, 0, 9, 9]]), {"u": 3, "v": 1})


class Told(unittest.TestCase):
    def test_a_warning_of_accuracy_has_to_name_what_it_is_about(self):
        self.assertTrue(norm.told(SECOND, NAMES))
        self.assertTrue(norm.told(UNCONTROLLED, NAMES))
        self.assertTrue(norm.told("tansy: warning: the problem is ill-conditioned", NAMES))
        self.assertFalse(norm.told(SECOND, ["w"]))
        self.assertFalse(norm.told(UNKNOWN, NAMES))
        bounds = "tansy: warning: parameter u = 3 is outside its bounds 0 .. 1"
        self.assertFalse(norm.told(bounds, NAMES))
        self.assertFalse(norm.told(SECOND.replace("warning", "note"), NAMES))
        self.assertTrue(norm.told(SECOND.replace("u", "u[12]"), ["u[12]"]))
        self.assertFalse(norm.told(SECOND.replace("u", "u[12]"), ["u[1]"]))

    def test_verdicts(self):
        for judged, verdict, falsely in (
                (("ok", 100.0, 5.0, False), "kept", False),
                (("ok", 100.0, 5.0, True), "kept", True),
                (("ok", 100.0, 101.0, True), "kept", False),
                (("ok", 101.0, 33.0, False), "silent", False),
                (("ok", 101.0, 34.0, False), "shaky", False),
                (("ok", 101.0, 33.0, True), "told", False),
                (("ok", math.inf, 33.0, False), "silent", False),
                (("stopped", 0.0, 5.0, True), "stopped", False)):
            self.assertEqual(norm.verdict(*judged), verdict, judged)
            self.assertEqual(norm.false_warning(*judged), falsely, judged)

    def test_statuses(self):
        self.assertEqual([program.status_of(code, True) for code in (0, 1, 2, 3, -9, -24, -11)],
                         ["ok", "stopped", "refused", "crash", "timeout", "timeout", "crash"])
        self.assertEqual(program.status_of(0, False), "crash")

    def test_a_reference_serves_what_it_agrees_to(self):
        made = {"agree": 9e-6, "condition": 1e-5, "unsaid": 1e-3}
        self.assertTrue(reference.serves(made, 1e-6))
        self.assertFalse(reference.serves(made, 1e-8))
        self.assertFalse(reference.serves({**made, "unsaid": 0.5}, 1e-4))
        self.assertFalse(reference.serves({"agree": None}, 1e-4))


class Templates(unittest.TestCase):
    def test_a_draw_changes_its_number_alone(self):
        text = ("parameter k [1/s] = 0.1, kk = 2\nstate x0 = 1e-3, w = kk\nw' = -k*w\n"
                "# k = 7\ntime 0 .. 4\n")
        self.assertEqual(template.put(text, "k", 0.25), text.replace("= 0.1,", "= 0.25,"))
        self.assertEqual(template.put(text, "kk", 3.0), text.replace("kk = 2", "kk = 3.0"))
        self.assertEqual(template.put(text, "x0", 5.0), text.replace("1e-3", "5.0"))
        self.assertRaises(ValueError, template.put, text, "w", 5.0)

    def test_parameters_and_levels(self):
        text = ("parameter k [1/s] = -0.1 in -1 .. 0, kk = 2e3  # c = 4\n"
                "control q [L/h] = {1, 2.5} in 0 .. 9 piecewise constant on 0 .. 2 by 2\n")
        self.assertEqual(template.parameters(text),
                         {"k": -0.1, "kk": 2000.0, "q[1]": 1.0, "q[2]": 2.5})

    def test_times(self):
        for rows in ("", "#rows: log 1e-4\n"):
            times = template.output_times(rows + "time 2 .. 12\n")
            self.assertEqual(len(times), 1 + template.ROWS * template.FINER)
            self.assertEqual((times[0], times[-1]), (2, 12))
            self.assertTrue(all(a < b for a, b in zip(times, times[1:])))
            self.assertAlmostEqual(times[template.FINER], 2 + (1e-4 if rows else 0.5), delta=1e-12)

    def test_every_template(self):
        self.assertGreaterEqual(len(template.paths()), 45)
        for path in template.paths():
            instance = template.draw(path, 0)
            self.assertEqual(instance, template.draw(path, 0))
            self.assertNotEqual(instance.text, template.draw(path, 1).text, path.stem)
            drawn = [item.split() for item in template.header(instance.text, "draw").split(",")]
            for name, _, low, high in drawn:
                place = rf"^[^#\n]*?\b{name}(?: \[[^\]]*\])? = ({template.NUMBER})"
                value = float(re.search(place, instance.text, re.M)[1])
                self.assertGreaterEqual(value * 1.001, float(low), (path.stem, name))
                self.assertLessEqual(value, float(high) * 1.001, (path.stem, name))
            self.assertTrue(instance.values, path.stem)
            self.assertEqual(instance.values, template.parameters(instance.twin), path.stem)
            shown = re.findall(r"^(?:state|algebraic|output|integral) (.*)$", instance.text, re.M)
            names = {name for line in shown for name in re.findall(r"(?:^|, )(\w+)", line)}
            self.assertFalse(names & MESSAGE_WORDS, path.stem)
            self.assertNotRegex(re.sub("#.*", "", instance.text), r"\batol\b")


def row(method, verdict, **more):
    status = verdict if verdict in ("stopped", "refused", "no_reference") else "ok"
    return {"template": "m", "seed": "0", "method": method, "rtol": "1e-6", "status": status,
            "verdict": verdict, "steps": "10", "error_rtol": "1", "condition_rtol": "2",
            "where": "u", "false_warning": "0", "evaluations": "200", "tangents": "3",
            "factorisations": "", **more}


class Tables(unittest.TestCase):
    def test_figures_count_what_has_a_reference(self):
        rows = [row("bdf", verdict) for verdict in ("kept", "told", "silent", "shaky", "stopped",
                                                    "refused", "no_reference")]
        rows.append(row("bdf", "kept", false_warning="1", steps="40"))
        self.assertEqual(summary.figures(rows), [6, 2, 1, 1, 1, 1, 1, "10", "200"])

    def test_worse_and_dearer(self):
        before = [row("bdf", "kept"), row("rk8", "silent"), row("limex", "kept"),
                  row("adams", "no_reference")]
        after = [row("bdf", "silent"), row("rk8", "kept"),
                 row("limex", "kept", evaluations="260", false_warning="1"), row("adams", "silent")]
        self.assertEqual([(line[2], line[5]) for line in summary.worse(before, after)],
                         [("bdf", "silent"), ("limex", "kept, false warning")])
        self.assertEqual([line[2] for line in summary.dearer(before, after)], ["limex"])
        self.assertEqual(list(summary.costs(before, after)),
                         [["limex", 1, "1.000", "1.300", "1.000", "-"]])
        self.assertEqual([line[2] for line in ablate.moved(before, after)],
                         ["bdf", "rk8", "limex", "adams"])
        page = "\n".join(summary.page(["b", "c"], summary.shared(before[:1], after)))
        self.assertIn("| bdf | 1 | 1 -> 0 | 0 | 0 | 0 -> 1 | 0 | 0 | 10 | 200 |", page)
        self.assertIn("| m | 0 | bdf | 1e-6 | kept | silent | 1 | 1 | 2 | u |", page)

    def test_what_is_disabled_returns_at_once(self):
        text = ("static int use(int x);\n\n/* Of x. */\nstatic int use(int x)\n{\n"
                "    return x;\n}\n\nint other(int x)\n{\n    return use(x);\n}\n")
        self.assertEqual(ablate.disable(text, "use", "0"),
                         text.replace("{\n    return x;", "{\n    return 0;\n    return x;"))
        self.assertRaises(SystemExit, ablate.disable, text, "us", "0")


if __name__ == "__main__":
    unittest.main()
