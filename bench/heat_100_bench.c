/* SPDX-License-Identifier: Apache-2.0 */
/* The heat equation on 100 x 100 inner points with its two conductivities as parameters (Maly and Petzold 1996, 5.1), to t = 10.24,
   by GMRES with a tridiagonal preconditioner in both codes. */
#include "support/heat_bench.h"

int main(void)
{
    heat_compare("heat_100", 100);
    return 0;
}
