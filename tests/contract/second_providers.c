/* SPDX-License-Identifier: Apache-2.0 */
/* What every provider of second derivatives R = d/dy(J v + tau f_t) V + d/dp(J v + tau f_t) U must do, over all sources, and of df/dt. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "support/second_case.h"
#include "test.h"

struct provider {
    const char *name;
    int gives;
    enum source source;
    double bound; /* of the error; see bounds */
};

/* Products make some tens of roundings.  Differences: twice the error of the model in second.c, 5.5e-11 of an exact
   tangent and 4.5e-8 of f, because y + eps v is rounded too; terms of degree 4 in what moves have up to 4! times the
   derivatives of the model's. */
static const double exact = 64 * DBL_EPSILON, tangents = 24 * 1.1e-10, values = 24 * 9e-8;

/* clang-format off */
enum { MATRICES = GIVE_JACOBIAN | GIVE_PARAMETER };
static const struct provider providers[] = {
    {"given",                     GIVE_SECOND,                          SOURCE_GIVEN, exact},
    {"given, with all else",      GIVE_SECOND | GIVE_TANGENT | MATRICES, SOURCE_GIVEN, exact},
    {"tangent",                   GIVE_TANGENT,                         SOURCE_TANGENT, tangents},
    {"tangent and matrices",      GIVE_TANGENT | MATRICES,              SOURCE_TANGENT, tangents},
    {"matrices",                  MATRICES,                             SOURCE_MATRIX, tangents},
    {"band matrix",               MATRICES | GIVE_BANDED,               SOURCE_MATRIX, tangents},
    {"sparse matrix",             MATRICES | GIVE_SPARSE,               SOURCE_MATRIX, tangents},
    {"pattern of df/dp",          MATRICES | GIVE_PATTERN,              SOURCE_MATRIX, tangents},
    {"df/dy alone",               GIVE_JACOBIAN,                        SOURCE_MATRIX, values},
    {"df/dp alone",               GIVE_PARAMETER,                       SOURCE_DIFFERENCES, values},
    {"f alone",                   0,                                    SOURCE_DIFFERENCES, values},
    {"B y' = f",                  GIVE_MASS,                            SOURCE_DIFFERENCES, values},
    {"B y' = f, tangent",         GIVE_MASS | GIVE_TANGENT,             SOURCE_TANGENT, tangents},
};
/* clang-format on */
enum { PROVIDERS = sizeof providers / sizeof providers[0] };

TEST(every_provider_of_second_derivatives_reaches_its_accuracy)
{
    /* tau and v of all sizes against each other, also without one of them */
    static const double tau[] = {0, 1e-3, 0.25, -0.25, 40}, factor[] = {0, 1e-3, 1, 50};
    for (int x = 0; x < PROVIDERS; x++)
        for (size_t a = 0; a < sizeof tau / sizeof *tau; a++)
            for (size_t b = 0; b < sizeof factor / sizeof *factor; b++) {
                struct second_setup s;
                if (tau[a] == 0 && factor[b] == 0) continue;
                second_prepare(&s, providers[x].gives);
                s.along.tau = tau[a];
                for (int i = 0; i < SECOND_N; i++) s.v[i] *= factor[b];
                second_build(&s);
                CHECK_EQUAL(s.of.status, TANSY_OK);
                CHECK_EQUAL(s.of.d.second_source, providers[x].source);
                CHECK_EQUAL(second_evaluate(&s), 0);
                CHECK_AT_MOST(second_error(&s), providers[x].bound);
                CHECK_EQUAL(s.of.d.worker[0].counts.second, 3);
                derive_discard(&s.of);
            }
}
