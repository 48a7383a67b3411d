# SPDX-License-Identifier: Apache-2.0
"""Writes decay.csv: y' = -k y in closed form, y = y0 exp(-k t), dy/dk = -t y, dy/dy0 = y/y0, with 40 digits."""
from decimal import Decimal, getcontext

getcontext().prec = 40
k, y0 = Decimal("0.7314"), Decimal(2)
print("# Decay: y' = -k y, k = 0.7314, y(0) = 2; y, dy/dk and dy/dy0 at t=0.5,1,2,5,10")
print("# Value: closed form in 40-digit arithmetic, by make_decay.py.")
print("# agree_digits: 21 = all printed digits")
print("t,quantity,parameter,value,agree_digits")
for t in (Decimal("0.5"), Decimal(1), Decimal(2), Decimal(5), Decimal(10)):
    y = y0 * (-k * t).exp()
    for name, value in (("", y), ("k", -t * y), ("y_0", y / y0)):
        print(f"{t},y,{name},{value:.20e},21")
