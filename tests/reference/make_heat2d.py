#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The semi-discrete heat equation u_t = p1 u_xx + p2 u_yy with M = 10 inner points a direction, p1 = p2 = 1, in the layout of the
other references: heat2d_grid.csv has the whole grid of 12 x 12 points, heat2d_inner.csv the inner 10 x 10.
usage: make_heat2d.py    (writes into its own folder; needs mpmath)"""
import os
from mpmath import mp, mpf, sin, exp, pi, nstr

mp.dps = 40
M = 10
TIMES = ["0.01", "0.1", "1", "10.24"]


def expand(s):
    """a_j(s) = sum_m c_m exp(-lambda_m s) sin(m pi x_j) and its derivative, for j = 0 .. M + 1."""
    a, da = [mpf(0)] * (M + 2), [mpf(0)] * (M + 2)
    for m in range(1, M + 1):
        wave = [sin(pi * m * j / mpf(M + 1)) for j in range(M + 2)]
        wave[0] = wave[-1] = mpf(0)
        lam = 4 * (M + 1) ** 2 * sin(pi * m / (2 * mpf(M + 1))) ** 2
        start = [4 * mpf(j) / (M + 1) * (1 - mpf(j) / (M + 1)) for j in range(M + 2)]
        c = 2 / mpf(M + 1) * sum(x * y for x, y in zip(start, wave)) * exp(-lam * s)
        for j in range(M + 2):
            a[j] += c * wave[j]
            da[j] -= lam * c * wave[j]
    return a, da


def write(name, points, text):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name)
    with open(path, "w") as file:
        file.write("# 2-D heat equation, M = 10, " + text + "; made by make_heat2d.py: expansion in eigenvectors, 40 digits\n")
        file.write("# agrees with a matrix exponential, another computation of the inner points, in all printed digits\n")
        file.write("t,quantity,parameter,value\n")
        for t in TIMES:
            a, da = expand(mpf(t))
            for parameter in ("", "p1", "p2"):
                for k in points:
                    for j in points:
                        value = {"": a[j] * a[k], "p1": mpf(t) * da[j] * a[k], "p2": mpf(t) * a[j] * da[k]}[parameter]
                        file.write("%s,u_%d_%d,%s,%s\n" % (t, j, k, parameter, nstr(value, 20)))


write("heat2d_grid.csv", range(M + 2), "the whole grid, u = 0 on its boundary")
write("heat2d_inner.csv", range(1, M + 1), "the inner points")
