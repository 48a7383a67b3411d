/* SPDX-License-Identifier: Apache-2.0 */
/* The matrices J and M together, from whatever source each has, ready for products with panels where these need them. */
#include "derive/providers.h"

int matrices_evaluate(struct derive *d, const struct point *at)
{
    int code =
        d->jacobian_source == SOURCE_GIVEN ? given_jacobian(d, at) : differences_jacobian(d, at);
    bool const rates = d->M && !d->has_mass;
    if (code == 0 && rates) code = rates_evaluate(d, at);
    if (code == 0 && rates) d->has_mass = d->constant_mass;
    if (code != 0 || !(d->tangent_needs_matrices || d->has_apply)) return code;
    matrix_make_ready(d->J);
    if (d->M && (rates || !d->mass_is_ready)) /* its zeros are found once if it is constant */
        (d->constant_mass ? matrix_compress : matrix_make_ready)(d->M);
    d->mass_is_ready = true;
    return 0;
}
