/* SPDX-License-Identifier: Apache-2.0 */
/* An object that says as little as it may, and whose functions run out of memory where they are told to. */
#include <string.h>
#include <tansy/tansy.h>

#include "support/shared_object.h"
#include "test.h"

static const char code[] =
    "#include <tansy/exported.h>\n"
    "static int rhs(double t, const double *y, const double *p, double *f, void *context)\n"
    "{ (void)t, (void)p, (void)context; f[0] = -y[0]; return 0; }\n"
    "static int settle(double t, const double *y, size_t first, double *x)\n"
    "{ (void)y, (void)first, (void)x; return t == 1 ? -1 : 0; }\n"
    "static int values(double t, const double *y, const double *yp, const double *p, double *q,\n"
    "                  void *context)\n"
    "{ (void)yp, (void)p, (void)context; q[0] = y[0]; return t == 2 ? -1 : 0; }\n"
    "static int tangent(double t, const double *y, const double *yp, const double *p,\n"
    "                   size_t columns, size_t ld, const double *V, const double *V_rate,\n"
    "                   const double *U, double *R, void *context)\n"
    "{ (void)y, (void)yp, (void)p, (void)ld, (void)V_rate, (void)U, (void)context;\n"
    "  for (size_t k = 0; k < columns; k++) R[k] = V[k];\n"
    "  return t == 3 ? -1 : 0; }\n"
    "static int times(double t, const double *y, const double *yp, const double *p, double *q,\n"
    "                 void *context)\n"
    "{ (void)y, (void)yp, (void)p, (void)context; q[0] = 10; return t == 0 ? -1 : 0; }\n"
    "static int grid(double t, const double *p, double *times, void *context)\n"
    "{ (void)t, (void)p, (void)times, (void)context; return -1; }\n"
    "static const double y0[] = {1}, p[] = {0};\n"
    "static void problem(tansy_problem *to)\n"
    "{ *to = (tansy_problem){.n = 1, .np = 1, .rhs = rhs, .y0 = y0, .p = p}; }\n"
    "TANSY_EXPORTED const tansy_exported tansy_exported_model = {\n"
    "  .size = sizeof(tansy_exported), .problem_size = sizeof(tansy_problem),\n"
    "  .major = TANSY_VERSION_MAJOR, .minor = TANSY_VERSION_MINOR, .name = \"\", .title = \"\",\n"
    "  .time_unit = \"\", .problem = problem, .conditions = 1, .outputs = 1, .settle = settle,\n"
    "  .output_values = values, .output_tangent = tangent,\n"
    "  .output_times = times, .grid_pairs = 1, .grid_times = grid};\n";

TEST(names_that_an_object_does_not_have_are_empty)
{
    tansy_model *const m = shared_object_load(code);
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_STATES), 1);
    for (tansy_model_kind kind = TANSY_MODEL_STATES; kind <= TANSY_MODEL_CONDITIONS; kind++)
        CHECK_EQUAL(strlen(tansy_model_name(m, kind, 0)), 0);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_CONSTRAINTS), 0);
    tansy_model_free(m);
}

TEST(functions_of_an_object_that_have_no_memory_say_so)
{
    tansy_model *const m = shared_object_load(code);
    double const y[] = {5}, p[] = {0}, sens[] = {7};
    tansy_columns const columns = {.ns = 1, .sens = sens};
    for (int t = 0; t < 4; t++) {
        double q[1], dq[1];
        tansy_status const values = tansy_model_outputs(m, t, 1, y, p, q);
        tansy_status const tangents = tansy_model_output_columns(m, t, 1, y, p, &columns, dq);
        CHECK_EQUAL(values, t == 1 || t == 2 ? TANSY_OUT_OF_MEMORY : TANSY_OK);
        CHECK_EQUAL(tangents, t > 0 ? TANSY_OUT_OF_MEMORY : TANSY_OK); /* they ask for values */
        if (values == TANSY_OK) CHECK_CLOSE(q[0], 5, 0);
        if (tangents == TANSY_OK) CHECK_CLOSE(dq[0], 7, 0);
    }
    double const moves[] = {2};
    tansy_columns const moving = {.ns = 1, .sens = sens, .direction_t = moves};
    double dq[1];
    CHECK_EQUAL(tansy_model_output_columns(m, 0, 1, y, p, &moving, dq), TANSY_OUT_OF_MEMORY);
    CHECK_EQUAL(tansy_model_output_columns(m, 4, 1, y, p, &moving, dq), TANSY_OK);
    CHECK_CLOSE(dq[0], 7 + 2 * 10, 0);
    char words[100];
    CHECK_EQUAL(tansy_model_check_times(m, p, words, sizeof words), TANSY_OUT_OF_MEMORY);
    tansy_model_free(m);
}
