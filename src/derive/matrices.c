/* SPDX-License-Identifier: Apache-2.0 */
/* The matrices J and M together, from whatever source each has, ready for products with panels where these need them. */
#include "derive/providers.h"

int matrices_evaluate(struct derive *d, const struct point *at)
{
    int code =
        d->jacobian_source == SOURCE_GIVEN ? given_jacobian(d, at) : differences_jacobian(d, at);
    if (code == 0 && d->M)
        code = d->rate_source == SOURCE_GIVEN ? given_rate(d, at) : differences_rate(d, at);
    if (code != 0 || !(d->tangent_needs_matrices || d->has_apply)) return code;
    matrix_make_ready(d->J);
    if (d->M) matrix_make_ready(d->M);
    return 0;
}
