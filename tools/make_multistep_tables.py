#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/method/multistep_tables.c: the Adams and BDF formulas on Nordsieck arrays, from their defining
polynomials in exact fractions (Gear 1971; Hindmarsh 1980).

A step of order q corrects the predicted history by z <- P z + l e.  The polynomial L(x) = sum_j l_j x^j is
  BDF     L(x)  = prod_{i=1..q} (1 + x/i)                          so that past values stay,
  Adams   L'(x) = a prod_{i=1..q-1} (1 + x/i),  L(-1) = 0          so that past derivatives stay,
normalised to L(0) = 1; then h y' is corrected by L'(0) e = e/l0.
Error constants, as factors of norms:
  same  local error of order q      = same |e|
  down  local error of order q - 1  = down |z_q|
  up    local error of order q + 1  = up |e - e of the step before|
"""
from fractions import Fraction as F
from math import factorial


def times(a, b):
    c = [F(0)] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            c[i + j] += x * y
    return c


def product(q):
    poly = [F(1)]
    for i in range(1, q + 1):
        poly = times(poly, [F(1), F(1, i)])
    return poly


def bdf(q):
    poly = product(q)
    return poly, 1 / poly[1]


def adams(q):
    slope = product(q - 1)
    poly = [F(0)] + [x / (j + 1) for j, x in enumerate(slope)]
    poly[0] = -sum(x * (-1) ** j for j, x in enumerate(poly))
    l0 = poly[0]
    return [x / l0 for x in poly], l0


def local_error(kind, k):
    """C with local error C h^(k+1) y^(k+1) of the formula of order k."""
    if kind == "bdf":
        poly, _ = bdf(k)
        return F(1, k + 1) / (factorial(k) * poly[k])
    poly = [F(1)]  # the implicit Adams formula integrates prod_{i<k} (x + i) over [-1, 0] wrongly
    for i in range(k):
        poly = times(poly, [F(i), F(1)])
    return abs(sum(x * F((-1) ** j, j + 1) for j, x in enumerate(poly))) / factorial(k)


def constants(kind, q):
    """same, down, up; e = h^(q+1) y^(q+1) / (q! l_q) to leading order."""
    poly, _ = bdf(q) if kind == "bdf" else adams(q)
    size = factorial(q) * poly[q]
    same = local_error(kind, q) * size
    down = local_error(kind, q - 1) * factorial(q) if q > 1 else F(0)
    up = local_error(kind, q + 1) * size
    return same, down, up


def number(x):
    return repr(float(x))


def table(kind, most):
    rows = []
    for q in range(1, most + 1):
        poly, l0 = bdf(q) if kind == "bdf" else adams(q)
        same, down, up = constants(kind, q)
        entries = ", ".join(number(x) for x in poly)
        rows.append(f"    {{.l0 = {number(l0)}, .same = {number(same)}, .down = {number(down)},\n"
                    f"     .up = {number(up)},\n     .l = {{{entries}}}}},")
    body = "\n".join(rows)
    return f"const struct formula formula_{kind}[{most} + 1] = {{\n    {{.l0 = 0}},\n{body}\n}};\n"


if __name__ == "__main__":
    print("/* SPDX-License-Identifier: Apache-2.0 */")
    print("/* The Adams and BDF formulas.  Written by tools/make_multistep_tables.py, which derives them. */")
    print('#include "method/formula.h"\n')
    print("/* clang-format off */")
    print(table("adams", 12))
    print(table("bdf", 5), end="")
    print("/* clang-format on */")
