/* SPDX-License-Identifier: Apache-2.0 */
/* One multistep formula on a Nordsieck array z[j] = h^j y^(j)/j!, normalised so that y = y0 + e:
     z <- P z + l e,   h y' = h y0' + e/l0   (ODESSA 4.2 to 4.5 with e = l0 a). */
#ifndef METHOD_FORMULA_H
#define METHOD_FORMULA_H

enum { ADAMS_ORDERS = 12, BDF_ORDERS = 5 };

struct formula {
    double l0;
    double same, down, up; /* local errors: same |e|, down |z_q|, up |e - e of the step before| */
    double l[ADAMS_ORDERS + 1];
};

extern const struct formula formula_adams[ADAMS_ORDERS + 1], formula_bdf[BDF_ORDERS + 1];

#endif
