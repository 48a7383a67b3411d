/* SPDX-License-Identifier: Apache-2.0 */
/* Exported C as a shared object tells what the text of the model tells, and what is no such object is refused. */
#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tansy/tansy.h>
#include <unistd.h>

#include "support/shared_object.h"
#include "test.h"

/* A bit of all; the signs of the title are those that a string of C cannot have as they are. */
static const char mixed[] = "model mixed \"Signs \\ ?\?/ and % of units\"\n"
                            "parameter k [1/s] = 2 in 1 .. 3 scale 4, c [mol] = 0.5\n"
                            "control u = {1, 5} piecewise constant at {0, 1, 2}\n"
                            "state x [mol] = 4*c atol 1e-5, y [mol] = 0, z [mol] = x(0)\n"
                            "x' = if x > c then -k*x else 0\n"
                            "y' = u\n"
                            "z' = -k*z\n"
                            "output big [mol] = if y > c then 10*y else y\n"
                            "output level = u*k + (if z > 2*c then x else z)*k\n"
                            "integral area = x\n"
                            "time 0 .. 2 [s]\n";
static const char plain[] =
    "model mixed\nparameter k = 2\nstate x = 1\nx' = -k*x\noutput q = k*x\n";
static const char implicit[] =
    "parameter k = 2\nstate x = 1, w = 0\nalgebraic z = 1\n"
    "x' = if w > 1 then 2*z else z\nw' + x' = exp(-k)*w\n0 = x - k*sin(t)\ntime 0 .. 1\n";

static tansy_model *parse(const char *text)
{
    tansy_model *const m = tansy_model_parse(text, strlen(text), "test.tansy");
    if (tansy_model_error(m) < 0) puts(tansy_model_message(m));
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    return m;
}

static tansy_model *load(const tansy_model *m)
{
    tansy_model *const loaded = shared_object_of(m);
    if (tansy_model_error(loaded) < 0) puts(tansy_model_message(loaded));
    CHECK_EQUAL(tansy_model_error(loaded), TANSY_OK);
    return loaded;
}

static void check_same_text(const char *a, const char *b)
{
    if (strcmp(a, b) != 0) (void)printf("'%s' is not '%s'\n", a, b);
    CHECK(strcmp(a, b) == 0);
}

static void check_names(const tansy_model *a, const tansy_model *b)
{
    for (tansy_model_kind kind = TANSY_MODEL_STATES; kind <= TANSY_MODEL_ALGEBRAIC; kind++) {
        size_t const count = tansy_model_count(a, kind);
        CHECK_EQUAL(tansy_model_count(b, kind), count);
        for (size_t i = 0; i < count; i++) {
            check_same_text(tansy_model_name(b, kind, i), tansy_model_name(a, kind, i));
            check_same_text(tansy_model_unit(b, kind, i), tansy_model_unit(a, kind, i));
        }
    }
    for (size_t k = 0; k < tansy_model_count(a, TANSY_MODEL_PARAMETERS); k++) {
        tansy_parameter const p = tansy_model_parameter(a, k), q = tansy_model_parameter(b, k);
        CHECK(p.value == q.value && p.lower == q.lower && p.upper == q.upper);
        CHECK(p.scale == q.scale && p.active_from == q.active_from && p.is_level == q.is_level);
    }
    for (size_t i = 0; i < tansy_model_count(a, TANSY_MODEL_STATES); i++)
        CHECK_EQUAL(tansy_model_initial_is_used(b, i), tansy_model_initial_is_used(a, i));
}

static void check_summary(const tansy_model *a, const tansy_model *b)
{
    tansy_model_summary s, r;
    tansy_model_summarise(a, &s);
    tansy_model_summarise(b, &r);
    check_same_text(r.name, s.name);
    check_same_text(r.title, s.title);
    check_same_text(r.form, s.form);
    check_same_text(r.note, s.note);
    check_same_text(r.time_unit, s.time_unit);
    CHECK((r.t0 == s.t0 || (isnan(r.t0) && isnan(s.t0))) &&
          (r.t1 == s.t1 || (isnan(r.t1) && isnan(s.t1))));
    CHECK(r.states == s.states && r.algebraic == s.algebraic && r.integrals == s.integrals);
    CHECK(r.parameters == s.parameters && r.outputs == s.outputs && r.breaks == s.breaks);
    CHECK(r.conditions == s.conditions && r.index == s.index && r.multipliers == s.multipliers);
    CHECK_EQUAL(r.jacobian_entries, s.jacobian_entries);
    CHECK_EQUAL(r.parameter_entries, s.parameter_entries);
    CHECK_EQUAL(r.rate_entries, s.rate_entries);
    CHECK(r.lower == s.lower && r.upper == s.upper && r.output_rates == s.output_rates);
    CHECK((r.atol == NULL) == (s.atol == NULL) && (r.kind == NULL) == (s.kind == NULL));
    for (size_t i = 0; i < s.states; i++)
        CHECK((!s.atol || r.atol[i] == s.atol[i]) && (!s.kind || r.kind[i] == s.kind[i]));
    CHECK_EQUAL(r.nodes, 0);
    CHECK_EQUAL(r.end_parameter, s.end_parameter);
}

/* Both problems say from when on a parameter acts, where any has to wait. */
static void check_activity(const tansy_model *a, const tansy_model *b)
{
    tansy_problem p, q;
    CHECK_EQUAL(tansy_model_problem(a, &p), TANSY_OK);
    CHECK_EQUAL(tansy_model_problem(b, &q), TANSY_OK);
    for (size_t k = 0; k < p.np; k++)
        CHECK(p.active_from[k] == (q.active_from ? q.active_from[k] : -HUGE_VAL));
}

TEST(a_loaded_model_tells_what_its_text_tells)
{
    static const char *const texts[] = {mixed, plain, implicit,
                                        "model still\nstate x = 1\nx' = -x\n",
                                        "model moving\nparameter a = 1, T = 3\nstate x = 1\n"
                                        "control u = 1 piecewise constant at {0, 1, a*1.5, 2, T}\n"
                                        "x' = u - x\ntime 0 .. T\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        tansy_model *const m = parse(texts[k]), *const loaded = load(m);
        check_names(m, loaded);
        check_summary(m, loaded);
        check_activity(m, loaded);
        CHECK_EQUAL(strlen(tansy_model_message(loaded)), 0);
        CHECK_EQUAL(strlen(tansy_model_warnings(loaded)), 0);
        CHECK_EQUAL(tansy_model_export_c(loaded, NULL, 0), 0);
        tansy_model_free(m);
        tansy_model_free(loaded);
    }
}

/* Both sides of the break at t = 1, both branches of each condition, more columns than lanes; a handful of roundings of numbers
   below 100. */
TEST(outputs_of_a_loaded_model_are_those_of_the_text)
{
    enum { STATES = 4, PARAMETERS = 4, OUTPUTS = 3, COLUMNS = 35 };
    tansy_model *const m = parse(mixed), *const loaded = load(m);
    double const p[PARAMETERS] = {2, 0.5, 1, 5};
    double sens[COLUMNS * STATES], direction[COLUMNS * PARAMETERS];
    for (size_t k = 0; k < COLUMNS * STATES; k++) sens[k] = sin((double)k);
    for (size_t k = 0; k < COLUMNS * PARAMETERS; k++) direction[k] = cos((double)k);
    for (int k = 0; k < 8; k++) {
        double const y[STATES] = {k & 1 ? 3 : 0.25, k & 2 ? 0.75 : 0.25, k & 4 ? 2 : 0.5, 7};
        for (int side = -1; side <= 1; side += 2) {
            tansy_point const at = {.t = 1, .side = side, .y = y, .p = p};
            tansy_columns const columns = {COLUMNS, sens, k == 3 ? NULL : direction, NULL, NULL};
            double q[2][OUTPUTS], dq[2][COLUMNS * OUTPUTS];
            for (int j = 0; j < 2; j++) {
                const tansy_model *const which = j ? loaded : m;
                CHECK_EQUAL(tansy_model_outputs_at(which, &at, q[j]), TANSY_OK);
                CHECK_EQUAL(tansy_model_output_columns_at(which, &at, &columns, dq[j]), TANSY_OK);
            }
            for (size_t i = 0; i < OUTPUTS; i++) CHECK_CLOSE(q[1][i], q[0][i], 400 * DBL_EPSILON);
            for (size_t i = 0; i < COLUMNS * OUTPUTS; i++)
                CHECK_CLOSE(dq[1][i], dq[0][i], 400 * DBL_EPSILON);
            CHECK_CLOSE(q[1][0], y[1] * (k & 2 ? 10 : 1), 400 * DBL_EPSILON);
        }
    }
    tansy_corner corner[OUTPUTS];
    tansy_columns const none = {0};
    CHECK_EQUAL(tansy_model_output_corners(loaded, &(tansy_point){.p = p}, &none, corner),
                TANSY_OK);
    CHECK(!corner[0].condition && !corner[1].condition);
    tansy_model_free(m);
    tansy_model_free(loaded);
}

/* Both keep the promise of 100 rtol, so that they are within twice that; the derived quantities are up to 50. */
TEST(runs_of_a_loaded_model_have_its_derived_quantities)
{
    enum { STATES = 4, PARAMETERS = 4, OUTPUTS = 3 };
    tansy_model *const m = parse(mixed), *const loaded = load(m);
    double Q[2][OUTPUTS], Q_p[2][OUTPUTS * PARAMETERS];
    for (int k = 0; k < 2; k++) {
        tansy_problem problem;
        double y[STATES], sens[STATES * PARAMETERS];
        CHECK_EQUAL(tansy_model_problem(k ? loaded : m, &problem), TANSY_OK);
        check_same_text(problem.switch_names[0], "x > c");
        tansy_solver *const s =
            tansy_create(&problem, &(tansy_options){.rtol = 1e-9, .atol = 1e-11});
        CHECK_EQUAL(tansy_solve(s, 1.5, y, sens), TANSY_OK);
        CHECK_EQUAL(tansy_derived_at(s, 1.5, Q[k], Q_p[k]), TANSY_OK);
        CHECK_TEXT_CONTAINS(tansy_model_name(loaded, TANSY_MODEL_STATES, 0), "x");
        tansy_free(s);
    }
    for (size_t i = 0; i < OUTPUTS; i++) CHECK_CLOSE(Q[1][i], Q[0][i], 200e-9 * 50);
    for (size_t i = 0; i < OUTPUTS * PARAMETERS; i++)
        CHECK_CLOSE(Q_p[1][i], Q_p[0][i], 200e-9 * 50);
    tansy_model_free(m);
    tansy_model_free(loaded);
}

/* In all storages of the matrices: dense, and a band for the chain. */
TEST(the_index_of_a_loaded_model_is_found_by_numbers)
{
    static const char chain[] = "constant N = 30\nstate u[i in 1..N] = i/N\nalgebraic v = 0\n"
                                "u[i]' + 0.1*(if i > 1 then u[i-1]' else 0) = -u[i]^2 for i in "
                                "1..N\n0 = v + v^3 - u[N]\n";
    static const char *const texts[] = {implicit, chain};
    for (size_t k = 0; k < 2; k++) {
        tansy_model *const m = parse(texts[k]), *const loaded = load(m);
        tansy_model_rank rank[2];
        double const p[] = {2};
        for (int j = 0; j < 2; j++) {
            tansy_point const at = {.side = 1, .p = p};
            CHECK_EQUAL(tansy_model_find_rank(j ? loaded : m, &at, &rank[j]), TANSY_OK);
            CHECK(rank[j].found);
        }
        CHECK_EQUAL(rank[1].rank, rank[0].rank);
        CHECK_EQUAL(rank[1].index, rank[0].index);
        CHECK_EQUAL(rank[1].is_at_least, rank[0].is_at_least);
        tansy_model_free(m);
        tansy_model_free(loaded);
    }
}

static void *load_and_free(void *path)
{
    for (int k = 0; k < 50; k++) {
        tansy_model *const m = tansy_model_load(path);
        double const y[] = {3, 1, 2, 0}, p[] = {2, 0.5, 1, 5};
        double q[3] = {0};
        if (tansy_model_error(m) != TANSY_OK) return path;
        (void)tansy_model_outputs(m, 0, 1, y, p, q);
        tansy_model_free(m);
        if (q[0] != 10) return path;
    }
    return NULL;
}

static void write_object(const tansy_model *m, char path[SHARED_OBJECT_PATH])
{
    static char code[200000];
    CHECK(tansy_model_export_c(m, code, sizeof code) < sizeof code);
    CHECK(shared_object_write(code, "cc", path));
}

TEST(threads_load_and_free_one_object_at_the_same_time)
{
    char path[SHARED_OBJECT_PATH];
    tansy_model *const m = parse(mixed);
    pthread_t id[2];
    void *failed[2];
    write_object(m, path);
    for (int k = 0; k < 2; k++) CHECK_EQUAL(pthread_create(&id[k], NULL, load_and_free, path), 0);
    for (int k = 0; k < 2; k++) CHECK_EQUAL(pthread_join(id[k], &failed[k]), 0);
    CHECK(!failed[0] && !failed[1]);
    shared_object_remove(path);
    tansy_model_free(m);
}

/* Both are called mixed, and so are their functions. */
TEST(two_models_of_one_name_have_their_own_functions)
{
    tansy_model *const m = parse(mixed), *const first = load(m);
    tansy_model *const other = parse(plain), *const second = load(other);
    double const y[] = {3, 1, 2, 0}, p[] = {2, 0.5, 1, 5};
    double q[3];
    CHECK_EQUAL(tansy_model_outputs(second, 0, 1, y, p, q), TANSY_OK);
    CHECK_CLOSE(q[0], 6, 0);
    CHECK_EQUAL(tansy_model_outputs(first, 0, 1, y, p, q), TANSY_OK);
    CHECK_CLOSE(q[0], 10, 0);
    tansy_model_free(first);
    CHECK_EQUAL(tansy_model_outputs(second, 0, 1, y, p, q), TANSY_OK);
    CHECK_CLOSE(q[0], 6, 0);
    tansy_model_free(second);
    tansy_model_free(other);
    tansy_model_free(m);
}

/* Not among the system's libraries. */
TEST(a_name_without_a_folder_is_a_file_here)
{
    char path[SHARED_OBJECT_PATH], here[1024];
    tansy_model *const m = parse(plain);
    write_object(m, path);
    CHECK(getcwd(here, sizeof here) != NULL);
    *strrchr(path, '/') = '\0';
    CHECK_EQUAL(chdir(path), 0);
    tansy_model *const loaded = tansy_model_load("model.so");
    CHECK_EQUAL(chdir(here), 0);
    path[strlen(path)] = '/';
    CHECK_EQUAL(tansy_model_error(loaded), TANSY_OK);
    shared_object_remove(path);
    tansy_model_free(loaded);
    tansy_model_free(m);
}

static void check_refused(tansy_model *m, tansy_status status, const char *says)
{
    tansy_problem problem;
    CHECK_EQUAL(tansy_model_error(m), status);
    CHECK_TEXT_CONTAINS(tansy_model_message(m), says);
    CHECK_EQUAL(tansy_model_problem(m, &problem), status);
    CHECK_EQUAL(tansy_model_count(m, TANSY_MODEL_STATES), 0);
    tansy_model_free(m);
}

TEST(what_is_no_model_is_refused)
{
    check_refused(tansy_model_load(NULL), TANSY_NO_FILE, "no file name was given");
    check_refused(tansy_model_load("no/such/model.so"), TANSY_NO_FILE,
                  "no/such/model.so: cannot be read: No such file");
    check_refused(tansy_model_load("examples"), TANSY_BAD_MODEL, "examples: cannot be loaded: ");
    check_refused(tansy_model_load("README.md"), TANSY_BAD_MODEL, "README.md: cannot be loaded: ");
    check_refused(shared_object_load("int answer(void);\nint answer(void) { return 42; }\n"),
                  TANSY_BAD_MODEL, "is not a model: it has no tansy_exported_model");
}

/* The text with one word replaced by another of at most its length. */
static tansy_model *load_changed(const char *word, const char *by)
{
    static char code[200000];
    tansy_model *const m = parse(plain);
    CHECK(tansy_model_export_c(m, code, sizeof code) < sizeof code);
    char *const at = strstr(code, word);
    CHECK(at != NULL);
    memset(at, ' ', strlen(word));
    memcpy(at, by, strlen(by));
    tansy_model_free(m);
    return shared_object_load(code);
}

TEST(objects_for_another_version_are_refused)
{
    char message[100];
    (void)snprintf(message, sizeof message,
                   "was made for Tansy %d.99.%d, and this is %s; export and compile it again",
                   TANSY_VERSION_MAJOR, TANSY_VERSION_PATCH, tansy_version());
    check_refused(load_changed("TANSY_VERSION_MINOR", "99"), TANSY_BAD_MODEL, message);
    check_refused(load_changed("TANSY_VERSION_MAJOR", "98"), TANSY_BAD_MODEL, "Tansy 98.");
    check_refused(load_changed("sizeof(tansy_problem)", "16"), TANSY_BAD_MODEL,
                  "was made for another build of Tansy");
    check_refused(load_changed("sizeof(tansy_exported)", "160"), TANSY_BAD_MODEL,
                  "was made for another build of Tansy");
    tansy_model *const m = load_changed("TANSY_VERSION_PATCH", "97");
    CHECK_EQUAL(tansy_model_error(m), TANSY_OK);
    tansy_model_free(m);
}
