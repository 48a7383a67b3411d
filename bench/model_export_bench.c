/* SPDX-License-Identifier: Apache-2.0 */
/* Is exported C as fast as C by hand?  Kinetic models are written in the language, exported, compiled with cc -O2 and timed
   against hand-written C of the same model, compiled with cc -O3 -march=native: f, df/dy and df/dp, with T as a parameter and
   as a state.  Both write the same entries of the same arrays; values are compared, too.  At the end the same without any T^b,
   where the C by hand has no powers to take: T as a state, as nothing can be computed once per p then; it is shown, the
   last line names the largest ratio and does not judge it. */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tansy/tansy.h>
#include <unistd.h>

#include "base/heap.h"
#include "support/claims.h"
#include "support/model_hand.h"
#include "support/stopwatch.h"
#include "support/temporary.h"

enum { F, J, FP, FUNCTIONS, ROUNDS = 60, PATH = TEMPORARY_PATH + 16, COMMAND = PATH + 500 };
static const double shortest = 2e-4; /* seconds of a measurement */
static const char *const function_name[] = {"f", "J", "df/dp"};

typedef void hand_function(const double *y, const double *p, double *out);

/* One model in both forms. */
struct contest {
    struct hand_model model;
    char folder[TEMPORARY_PATH];
    void *exported, *written;
    tansy_problem problem;
    tansy_local local;
    hand_function *hand[FUNCTIONS];
    double *y, *out;
    size_t length[FUNCTIONS]; /* of out */
    double export_seconds;
};

static void fail(const char *what)
{
    fprintf(stderr, "model_export: %s\n", what);
    exit(EXIT_FAILURE);
}

static void *take(size_t bytes)
{
    void *const block = heap_take(bytes);
    if (!block) fail("no memory");
    return block;
}

/* The path of a file in the folder. */
static void place(const struct contest *c, const char *name, char path[PATH])
{
    int const length = snprintf(path, PATH, "%s/%s", c->folder, name);
    if (length < 0 || length >= PATH) fail("the path of the folder is too long");
}

/* The C by hand to folder/hand.c; it needs to know in which order df/dp is wanted. */
static void write_by_hand(const struct contest *c, const tansy_model *m)
{
    char path[PATH];
    tansy_problem problem;
    if (tansy_model_problem(m, &problem) != TANSY_OK) fail("no problem");
    place(c, "hand.c", path);
    FILE *const file = fopen(path, "w");
    if (!file) fail("cannot write");
    hand_model_write_c(&c->model, &problem.parameter_pattern, file);
    fclose(file);
}

/* Text of the model, parsed; exported to folder/model.c. */
static void export_model(struct contest *c)
{
    char *text = NULL, path[PATH];
    size_t length = 0;
    FILE *const memory = open_memstream(&text, &length);
    hand_model_write_text(&c->model, memory);
    fclose(memory);
    tansy_model *const m = tansy_model_parse(text, length, "generated");
    if (tansy_model_error(m) < 0) fail(tansy_model_message(m));
    double const start = stopwatch_seconds();
    size_t const size = tansy_model_export_c(m, NULL, 0);
    char *const code = take(size + 1);
    if (tansy_model_export_c(m, code, size + 1) != size || size == 0) fail("no export");
    c->export_seconds = stopwatch_seconds() - start;
    place(c, "model.c", path);
    FILE *const file = fopen(path, "w");
    if (!file || fputs(code, file) < 0 || fclose(file)) fail("cannot write");
    write_by_hand(c, m);
    tansy_model_free(m);
    heap_return(code);
    free(text);
}

/* Both at once. */
static void compile(const struct contest *c)
{
    char command[COMMAND];
    int const length = snprintf(
        command, sizeof command,
        "cd '%s' && { cc -std=c17 -O3 -march=native -shared -fPIC -o hand.so hand.c -lm &\n"
        "cc -std=c17 -O2 -I\"$OLDPWD\"/include -shared -fPIC -o model.so model.c -lm; wait; }",
        c->folder);
    if (length < 0 || length >= COMMAND || system(command) != 0) fail("does not compile");
}

static void *load(const struct contest *c, const char *name)
{
    char path[PATH];
    place(c, name, path);
    void *const handle = dlopen(path, RTLD_NOW);
    if (!handle) fail("cannot be loaded");
    return handle;
}

static void *find(void *handle, const char *name)
{
    void *const symbol = dlsym(handle, name);
    if (!symbol) fail(name);
    return symbol;
}

static void load_exported(struct contest *c)
{
    size_t const n = (size_t)c->model.n;
    void (*fill)(tansy_problem *) = NULL;
    c->exported = load(c, "model.so");
    void *const symbol = find(c->exported, "mechanism_problem");
    memcpy(&fill, &symbol, sizeof fill);
    fill(&c->problem);
    c->local = (tansy_local){.scratch = take(c->problem.scratch + 1), .version = 1};
    c->length[F] = n;
    c->length[J] = n * n;
    c->length[FP] = c->problem.parameter_pattern.entries;
}

static void load_written(struct contest *c)
{
    static const char *const name[] = {"hand_f", "hand_J", "hand_fp"};
    c->written = load(c, "hand.so");
    for (int k = 0; k < FUNCTIONS; k++) {
        void *const symbol = find(c->written, name[k]);
        memcpy(&c->hand[k], &symbol, sizeof symbol);
    }
}

/* What is compared. */
struct kind {
    int n, reactions;
    bool hot, has_power;
};

static void open_contest(struct contest *c, struct kind kind)
{
    int const n = kind.n;
    *c = (struct contest){.exported = NULL};
    if (!temporary_folder(c->folder, "model_export")) fail("cannot make a folder in TMPDIR");
    hand_model_make(&c->model, n, kind.reactions, kind.hot);
    for (int r = 0; r < kind.reactions && !kind.has_power; r++) c->model.reaction[r].b = 0;
    export_model(c);
    double const start = stopwatch_seconds();
    compile(c);
    printf("%d states%s%s, %d reactions: exported in %.2f s, both compiled in %.1f s\n", n,
           kind.hot ? " with T" : "", kind.has_power ? "" : ", no T^b", kind.reactions,
           c->export_seconds, stopwatch_seconds() - start);
    load_exported(c);
    load_written(c);
    c->y = take((size_t)n * sizeof *c->y);
    c->out = take((c->length[J] + c->length[FP]) * sizeof *c->out); /* the longer fits */
    c->problem.initial(0, c->problem.p, c->y, &c->local);
}

static void close_contest(struct contest *c)
{
    static const char *const name[] = {"model.c", "model.so", "hand.c", "hand.so"};
    char path[PATH];
    dlclose(c->exported);
    dlclose(c->written);
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        place(c, name[k], path);
        remove(path);
    }
    rmdir(c->folder);
    heap_return(c->y);
    heap_return(c->out);
    heap_return(c->local.scratch);
    hand_model_free(&c->model);
}

static void call(struct contest *c, int function, int by_hand)
{
    const double *const p = c->problem.p;
    if (by_hand)
        c->hand[function](c->y, p, c->out);
    else if (function == F)
        c->problem.rhs(0, c->y, p, c->out, &c->local);
    else if (function == J)
        c->problem.jacobian(0, c->y, p, c->out, &c->local);
    else
        c->problem.parameter_jacobian(0, c->y, p, c->out, &c->local);
}

static double time_calls(struct contest *c, int function, int by_hand, size_t calls)
{
    double const start = stopwatch_seconds();
    for (size_t k = 0; k < calls; k++) call(c, function, by_hand);
    return (stopwatch_seconds() - start) / (double)calls;
}

/* The least times of a call, both in turn. */
static void measure(struct contest *c, int function, double best[2])
{
    size_t calls = 1;
    while (time_calls(c, function, 1, calls) * (double)calls < shortest) calls *= 2;
    best[0] = best[1] = HUGE_VAL;
    for (int r = 0; r < ROUNDS; r++)
        for (int k = 0; k < 2; k++) best[k] = fmin(best[k], time_calls(c, function, k, calls));
}

/* The largest difference of an entry from that by hand, relative to the largest entry. */
static double difference(struct contest *c, int function)
{
    size_t const length = c->length[function];
    double *const own = take(length * sizeof *own);
    double top = 0, size = 0;
    memset(c->out, 0, length * sizeof *own);
    call(c, function, 0);
    memcpy(own, c->out, length * sizeof *own);
    memset(c->out, 0, length * sizeof *own);
    call(c, function, 1);
    for (size_t e = 0; e < length; e++) {
        if (!(fabs(own[e] - c->out[e]) <= HUGE_VAL)) top = HUGE_VAL;
        top = fmax(top, fabs(own[e] - c->out[e]));
        size = fmax(size, fabs(c->out[e]));
    }
    heap_return(own);
    return top / size;
}

/* Judged, or, without T^b, only shown; the largest ratio. */
static double compare(struct claims *claims, struct kind kind)
{
    struct contest c;
    double largest = 0;
    open_contest(&c, kind);
    for (int k = 0; k < FUNCTIONS; k++) {
        double best[2];
        char brief[100], line[200];
        measure(&c, k, best);
        double const apart = difference(&c, k), ratio = best[0] / best[1];
        largest = fmax(largest, ratio);
        snprintf(brief, sizeof brief, "%s at %d states%s %.2f", function_name[k], kind.n,
                 kind.hot ? " with T" : "", ratio);
        snprintf(line, sizeof line,
                 "%-5s %9.0f ns, by hand %9.0f ns, ratio %.2f; values differ by %.0e",
                 function_name[k], 1e9 * best[0], 1e9 * best[1], ratio, apart);
        if (kind.has_power)
            claim(claims, ratio <= 1.0, brief, "%s", line);
        else
            printf("shown:     %s\n", line);
        if (!(apart <= 1e-12)) claim(claims, 0, "values", "the values agree to 1e-12");
    }
    close_contest(&c);
    return largest;
}

int main(void)
{
    static const int size[][2] = {{10, 20}, {53, 325}, {600, 2500}};
    char name[100];
    double plain = 0;
    struct claims claims = {.name = name};
    printf("Exported C, cc -O2, against C by hand, cc -O3 -march=native\n");
    for (int hot = 0; hot < 2; hot++)
        for (int k = 0; k < 3; k++)
            compare(&claims, (struct kind){size[k][0], size[k][1], hot == 1, true});
    for (int k = 1; k < 3; k++)
        plain = fmax(plain, compare(&claims, (struct kind){size[k][0], size[k][1], true, false}));
    snprintf(name, sizeof name, "model_export (without T^b: up to %.2f)", plain);
    claims_finish(&claims);
    return 0;
}
