/* SPDX-License-Identifier: Apache-2.0 */
/* Index 2 where the constraint alone fixes the other component, as in inverse dynamics: x = sin t, and z is what that takes.
     scale (x' + b(t) (z + a z^3) - cos t - b(t) (Z + a Z^3)) = 0,   x - sin t = 0,   b = 2 + sin(w t),  Z = p cos 2t:
   x converges in one iteration whatever z does, df/dz changes with t and z, and z and dz/dp have to be right all the same. */
#include <tansy/tansy.h>

#include <math.h>

#include "test.h"

struct tracking {
    double a, w, scale;
    size_t row; /* of the equation of x'; the other one is the constraint's */
};

static double sway(const struct tracking *u, double t)
{
    return 2 + sin(u->w * t);
}

static int residual(double t, const double *y, const double *yp, const double *p, double *r,
                    void *context)
{
    const struct tracking *const u = context;
    double const Z = p[0] * cos(2 * t), z = y[1];
    r[u->row] =
        u->scale * (yp[0] - cos(t) + sway(u, t) * (z + u->a * z * z * z - Z - u->a * Z * Z * Z));
    r[1 - u->row] = y[0] - sin(t);
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                    void *context)
{
    const struct tracking *const u = context;
    (void)yp;
    (void)p;
    J[2 * u->row + 1] = u->scale * sway(u, t) * (1 + 3 * u->a * y[1] * y[1]);
    J[2 * (1 - u->row)] = 1;
    return 0;
}

static int rate_jacobian(double t, const double *y, const double *yp, const double *p, double *J,
                         void *context)
{
    const struct tracking *const u = context;
    (void)t;
    (void)y;
    (void)yp;
    (void)p;
    J[2 * u->row] = u->scale;
    return 0;
}

static int by_parameter(double t, const double *y, const double *yp, const double *p, double *P,
                        void *context)
{
    const struct tracking *const u = context;
    double const Z = p[0] * cos(2 * t);
    (void)y;
    (void)yp;
    P[u->row] = -u->scale * sway(u, t) * (1 + 3 * u->a * Z * Z) * cos(2 * t);
    return 0;
}

static const tansy_kind kinds[] = {TANSY_DIFFERENTIAL, TANSY_INDEX_2};

/* From t0 to t0 + span in steps of 0.1, or backwards. */
static void check_tracking(struct tracking *u, const tansy_options *options, double span)
{
    double const p[] = {1}, y0[] = {0, 1}, most = 100 * options->rtol;
    double y[2], sens[2];
    tansy_problem const problem = {.n = 2,
                                   .np = 1,
                                   .y0 = y0,
                                   .p = p,
                                   .residual = residual,
                                   .residual_jacobian = jacobian,
                                   .rate_jacobian = rate_jacobian,
                                   .residual_parameter = by_parameter,
                                   .kind = kinds,
                                   .context = u};
    tansy_solver *const s = tansy_create(&problem, options);
    for (int m = 1; m <= 100; m++) {
        double const t = span * m / 100, exact = cos(2 * t);
        CHECK_EQUAL(tansy_solve(s, t, y, options->sensitivities == TANSY_NONE ? NULL : sens),
                    TANSY_OK);
        CHECK_CLOSE(y[0], sin(t), most);
        CHECK_CLOSE(y[1], exact, most);
        if (options->sensitivities == TANSY_NONE) continue;
        CHECK_CLOSE(sens[0], 0, most);
        CHECK_CLOSE(sens[1], exact, most);
    }
    tansy_free(s);
}

static tansy_options options_of(tansy_sensitivities way, double rtol)
{
    return (tansy_options){
        .method = TANSY_DASSL, .sensitivities = way, .rtol = rtol, .atol = 1e-3 * rtol};
}

TEST(multipliers_are_right_by_all_correctors_and_controls)
{
    static const tansy_sensitivities ways[] = {TANSY_NONE, TANSY_SIMULTANEOUS, TANSY_STAGGERED,
                                               TANSY_DIRECT};
    static const double bends[] = {0, 0.1, 1}, sways[] = {0, 1, 3};
    for (int way = 0; way < 4; way++)
        for (int control = 0; control < 3; control++)
            for (int x = 0; x < 9; x++)
                for (int digits = 3; digits <= 9; digits++) {
                    struct tracking u = {.a = bends[x % 3], .w = sways[x / 3], .scale = 1};
                    tansy_options o = options_of(ways[way], pow(10, -digits));
                    o.error_control = (tansy_error_control)control;
                    check_tracking(&u, &o, 10);
                }
}

/* What weighs a multiplier must not depend on how equations are written, nor on the direction. */
TEST(scales_and_order_of_equations_change_nothing)
{
    static const double scales[] = {1e-6, 1, 1e6};
    for (int x = 0; x < 6; x++)
        for (int digits = 4; digits <= 8; digits += 2) {
            struct tracking u = {.a = 0.1, .w = 1, .scale = scales[x % 3], .row = (size_t)x / 3};
            tansy_options const o = options_of(TANSY_STAGGERED, pow(10, -digits));
            check_tracking(&u, &o, 10);
            check_tracking(&u, &o, -10);
        }
}
