# SPDX-License-Identifier: Apache-2.0
"""tansy check: of models with many parameters time grows as they do, and a wrong derivative is found; wrong options."""
import os
import subprocess
import time

from program import HERE, ProgramTest, main

TOP = HERE.parent.parent


class ManyParameters(ProgramTest):
    def check_sum(self, count):
        """x' = -x sum p_i: seconds of a check."""
        (self.folder / "m.tansy").write_text(f"parameter p[i in 1..{count}] = 1e-5\nstate x = p[1]\n"
                                             f"x' = -x*sum(i in 1..{count}: p[i])\ntime 0 .. 1\n", encoding="utf-8")
        begin = time.perf_counter()
        text = self.good("check", "m.tansy").stdout
        self.assertIn("derivatives     agree with differences at t = 0, in random directions", text)
        return time.perf_counter() - begin

    def test_time_grows_with_their_number(self):
        """Five times as many parameters: 25 times as long, were it quadratic, and here some 5; the least of three."""
        few, many = (min(self.check_sum(count) for _ in range(3)) for count in (20000, 100000))
        self.assertLess(many, 12 * few + 1)

    def test_a_wrong_derivative_of_initial_values_is_found(self):
        (self.folder / "m.tansy").write_text(
            "parameter p[i in 1..1600] = 0.5 + i/1000\nstate x[i in 1..3] = p[i]^2*exp(p[i+1]) + sum(k in 1..1600: p[k])\n"
            "x[i]' = -x[i]*p[i] for i in 1..3\ntime 0 .. 1\n", encoding="utf-8")
        self.assertIn("in random directions", self.good("check", "m.tansy").stdout)
        self.good("export", "m.tansy", "--c", "m.c")
        text = (self.folder / "m.c").read_text(encoding="utf-8")
        self.assertEqual(text.count("    D[110] = 1.0;\n"), 1)
        (self.folder / "m.c").write_text(text.replace("    D[110] = 1.0;\n", "    D[110] = 1.01;\n"), encoding="utf-8")
        subprocess.run([os.environ.get("CC", "cc"), "-O0", "-shared", "-fPIC", f"-I{TOP}/include", "-o", "m.so", "m.c", "-lm"],
                       cwd=self.folder, check=True)
        self.refused("check", "m.so", status=1, says="initial_jacobian: component 0 of (dy0/dp) u is given as")

    def test_initial_values_that_are_numbers_are_passed_over(self):
        (self.folder / "m.tansy").write_text("parameter p[i in 1..2000] = 0\nstate x = 1\nx' = -x*sum(i in 1..2000: p[i])\n",
                                             encoding="utf-8")
        self.assertIn("in random directions", self.good("check", "m.tansy").stdout)


class Options(ProgramTest):
    def test_an_option_that_cannot_be_used_is_wrong_usage_as_in_solve(self):
        for words in (("--method", "rk8"), ("--method", "adams")):
            line = self.refused("solve", HERE / "algebraic.tansy", *words)
            self.assertEqual(self.refused("check", HERE / "algebraic.tansy", *words), line)


class Tolerances(ProgramTest):
    def test_those_far_above_the_state_make_no_derivative_wrong(self):
        """They are warned of, as the line of warnings says."""
        models = TOP / "examples" / "models"
        for name, atol in (("gas_oil", "1e9"), ("gas_oil", "y2=1e9"), ("pollution", "1e6"), ("pendulum", "1e9")):
            text = self.good("check", models / f"{name}.tansy", "--atol", atol).stdout
            self.assertIn("derivatives     agree with differences at t = 0 and at t = ", text)
            self.assertRegex(text, r"(?m)^tolerances      (.*\n)+warnings        see above$")
        self.assertIn("\nwarnings        none\n", self.good("check", models / "gas_oil.tansy").stdout)


class ShortTimes(ProgramTest):
    def test_right_models_of_short_times_pass(self):
        """Differences stay inside the time of the model, which may mean nothing far outside, or turn many times."""
        for equations in ("state v = 0\nv' = w*(V*sin(w*time) - v)\n",
                          "state v = 0\nv' = w*(V*exp(-w*time) - v)\n",
                          "state v = 0\nv' = w*(V*(w^2*time*(1e-8 - time))^2.5 - v)\n",
                          "state v = 0, u = 0\nalgebraic i = 0\n1e-12*v' = i - v/1e3\n1e-12*u' = (v - u)/1e3\n"
                          "0 = v - V*sin(w*time)\n",
                          "state v = 0\nv' = w*(if V*cos(w*time) > 3.3 + v then 1 else exp(-w*time))\n"):
            for to in ("1e-8", "-1e-8"):
                if to[0] == "-" and "^2.5" in equations:
                    continue
                (self.folder / "m.tansy").write_text(f"parameter V = 5, w = 1e9\n{equations}time 0 .. {to}\n",
                                                     encoding="utf-8")
                for method in ("auto",) if "algebraic" in equations else ("auto", "rosenbrock", "limex"):
                    text = self.good("check", "m.tansy", "--method", method).stdout
                    self.assertIn("derivatives     agree with differences at t = 0", text)


if __name__ == "__main__":
    main()
