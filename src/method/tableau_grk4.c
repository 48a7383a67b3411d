/* SPDX-License-Identifier: Apache-2.0 */
/* GRK4A and GRK4T of Kaps and Rentrop (Numer. Math. 33 (1979) 55), the first of which is GRK4AS's: order 4 with embedded
   order 3, the last stage takes f of the one before.  The conditions of order 3 for every s have no solution with these stages
   (the embedded formula is in the kernel), so dense output is of order 2 only, with the smallest weights: steps end where output is
   wanted, as in GRK4AS. */
#include "method/rosenbrock.h"

static const double grk4a_alpha[] = {0.0, 0.43800000000000004, 0.86999999999999996,
                                     0.86999999999999996};
static const double grk4a_d[] = {0.395, -0.3726723954840920, 0.06629196544571492,
                                 0.4340946962568634};
static const double grk4a_a[][ROSENBROCK_STAGES] = {{0},
                                                    {1.108860759493671},
                                                    {2.377085261983360, 0.1850114988899692},
                                                    {2.377085261983360, 0.1850114988899692, 0}};
static const double grk4a_c[][ROSENBROCK_STAGES] = {
    {0},
    {-4.920188402397641},
    {1.055588686048583, 3.351817267668938},
    {3.846869007049313, 3.427109241268180, -2.162408848753263}};
static const double grk4a_m[] = {1.845683240405840, 0.1369796894360503, 0.7129097783291559,
                                 0.6329113924050632};
static const double grk4a_e[] = {-0.048318701772018, 0.6471108651049505, -0.218687666050024,
                                 0.6329113924050632};
static const double grk4a_h[][ROSENBROCK_STAGES] = {
    {3.5032507610830145, 2.5020924252310326, -1.1054290385652227, -0.87087497826370365}};
/* v = (1, 0.157, -0.874, -0.386), the smallest; without theta R(infinity) = 0.995 and the estimate has -0.68 delta in it. */
static const double grk4a_theta[] = {0, 0.26573004693728464, 0.5323635075262292, 1.020160909608893};
const struct rosenbrock rosenbrock_grk4a = {.stages = 4,
                                            .gamma = 0.395,
                                            .alpha = grk4a_alpha,
                                            .d = grk4a_d,
                                            .a = grk4a_a,
                                            .c = grk4a_c,
                                            .m = grk4a_m,
                                            .e = grk4a_e,
                                            .dense_rows = 1,
                                            .dense = grk4a_h,
                                            .theta = grk4a_theta,
                                            .reuses = 3};

static const double grk4t_alpha[] = {0.0, 0.462, 0.88020833333333352, 0.88020833333333352};
static const double grk4t_d[] = {0.231, -0.03962966775244303, 0.5507789395789127,
                                 -0.05535098457052764};
static const double grk4t_a[][ROSENBROCK_STAGES] = {
    {0}, {2.0}, {4.524708207373116, 4.163528788597648}, {4.524708207373116, 4.163528788597648, 0}};
static const double grk4t_c[][ROSENBROCK_STAGES] = {
    {0},
    {-5.071675338776316},
    {6.020152728650786, 0.1597506846727117},
    {-1.856343618686113, -8.505380858179826, -2.084075136023187}};
static const double grk4t_m[] = {3.957503746640777, 4.624892388363313, 0.6174772638750108,
                                 1.282612945269037};
static const double grk4t_e[] = {-2.302155402932996, -3.073634485392623, 0.8732808018045032,
                                 1.282612945269037};
static const double grk4t_h[][ROSENBROCK_STAGES] = {
    {4.5914185708265741, 0.35707891206105274, -1.9251187486463453, -0.25018690879323057}};
/* v = (1, -0.680, 0.086, 0.106); without theta R(infinity) = 0.454 and the estimate has 2.15 delta in it. */
static const double grk4t_theta[] = {0, 0.3196620372831016, 0.7783358970116627, 0.7979310610649895};
const struct rosenbrock rosenbrock_grk4t = {.stages = 4,
                                            .gamma = 0.231,
                                            .alpha = grk4t_alpha,
                                            .d = grk4t_d,
                                            .a = grk4t_a,
                                            .c = grk4t_c,
                                            .m = grk4t_m,
                                            .e = grk4t_e,
                                            .dense_rows = 1,
                                            .dense = grk4t_h,
                                            .theta = grk4t_theta,
                                            .reuses = 3};
