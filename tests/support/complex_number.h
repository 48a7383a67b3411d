/* SPDX-License-Identifier: Apache-2.0 */
/* A complex number from its parts; not every compiler has C11's CMPLX. */
#ifndef TEST_COMPLEX_NUMBER_H
#define TEST_COMPLEX_NUMBER_H

#include <complex.h>

static inline double complex complex_number(double real, double imaginary)
{
    union {
        double part[2];
        double complex whole;
    } const number = {{real, imaginary}};
    return number.whole;
}

#endif
