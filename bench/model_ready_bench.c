/* SPDX-License-Identifier: Apache-2.0 */
/* How long a user waits for a model: a generated mechanism of 600 species and 2,500 Arrhenius reactions, and a heat
   equation on a grid of 400 x 400, from text to compiled programs.  Each is read in a process of its own, whose memory
   is measured; the best of several.  And the program `tansy` itself: from its start to the last line of S(t) as CSV. */
#include "support/claims.h"
#include "support/stopwatch.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tansy/tansy.h>
#include <unistd.h>

enum { SPECIES = 600, REACTIONS = 2500, REPEATS = 5, TEXT = 1 << 20 };
enum { RUNS = 40, LINES = 202 };          /* of the program; it writes a header and 201 points */
static const double shown_within = 0.020; /* s: a person does not notice it */

extern char **environ; /* NOLINT(readability-redundant-declaration): not in every unistd.h */

struct text {
    char *start;
    size_t length;
};

static void add(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int const written = vsnprintf(t->start + t->length, TEXT - t->length, format, arguments);
    va_end(arguments);
    t->length += (size_t)written;
}

static unsigned next(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* k = A exp(-E/T), T a parameter; every reaction A + B -> C + D. */
static struct text mechanism(void)
{
    struct text t = {.start = calloc(1, TEXT)};
    unsigned random = 1;
    add(&t, "model mechanism\nparameter T = 1200\n");
    for (int r = 0; r < REACTIONS; r++)
        add(&t, "parameter A%d = %d, E%d = %d\n", r, 1 + (int)(next(&random) % 9), r,
            1000 + (int)(next(&random) % 9000));
    for (int s = 0; s < SPECIES; s++) add(&t, "state y%d = %g\n", s, 0.001 * (1 + s % 7));
    for (int r = 0; r < REACTIONS; r++) {
        unsigned const a = next(&random) % SPECIES, b = next(&random) % SPECIES;
        unsigned const c = r < SPECIES ? (unsigned)r : next(&random) % SPECIES;
        unsigned const d = next(&random) % SPECIES;
        add(&t, "r%d: y%u + y%u -> y%u + y%u, A%d*exp(-E%d/T)*y%u*y%u\n", r, a, b, c, d, r, r, a,
            b);
    }
    return t;
}

static struct text grid(void)
{
    struct text t = {.start = calloc(1, TEXT)};
    add(&t,
        "model heat_400\nconstant N = 400, h = 1/(N + 1)\nparameter a = 1, q = 0\n"
        "state u[i in 1..N, j in 1..N] = sin(pi*i*h)*sin(pi*j*h)\n"
        "u[i,j]' = a/h^2*((if i > 1 then u[i-1,j] else 0) + (if i < N then u[i+1,j] else 0) \\\n"
        "    + (if j > 1 then u[i,j-1] else 0) + (if j < N then u[i,j+1] else 0) - 4*u[i,j]) + q "
        "\\\n"
        "    for i in 1..N, j in 1..N\n"
        "time 0 .. 1\n");
    return t;
}

struct wait {
    double seconds, megabytes;
    double cpu; /* s, of the process: what is left of the seconds beside other work */
    size_t states, nonzeros;
};

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void read_once(const struct text *t, struct wait *w)
{
    double const start = stopwatch_seconds();
    tansy_model *const m = tansy_model_parse(t->start, t->length, "generated");
    w->seconds = stopwatch_seconds() - start;
    if (tansy_model_error(m) < 0) fputs(tansy_model_message(m), stderr);
    tansy_model_summary s;
    tansy_model_summarise(m, &s);
    w->states = s.states;
    w->nonzeros = s.jacobian_entries;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    w->megabytes = (double)usage.ru_maxrss / 1024;
    w->cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    tansy_model_free(m);
}

/* In a process of its own. */
static struct wait read_apart(const struct text *t)
{
    struct wait w = {.seconds = -1};
    int ends[2];
    if (pipe(ends) != 0) return w;
    pid_t const child = fork();
    if (child == 0) {
        read_once(t, &w);
        _exit(write(ends[1], &w, sizeof w) == sizeof w ? 0 : 1);
    }
    close(ends[1]);
    if (read(ends[0], &w, sizeof w) != sizeof w) w.seconds = -1;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return w;
}

static struct wait measure(const char *name, struct text t)
{
    struct wait best = read_apart(&t);
    for (int k = 1; k < REPEATS; k++) {
        struct wait const w = read_apart(&t);
        if (w.seconds < best.seconds) best = w;
    }
    printf("%-10s %7zu states, %8zu entries of df/dy: ready in %.3f s (CPU %.3f s), %.0f MB\n",
           name, best.states, best.nonzeros, best.seconds, best.cpu, best.megabytes);
    free(t.start);
    return best;
}

/* Reads all that comes; how many lines are no comments, and whether there are columns d(x)/d(p). */
static int count_lines(int from, int *has_columns)
{
    static char text[1 << 16];
    int lines = 0;
    char before = '\n';
    *has_columns = 0;
    for (;;) {
        ssize_t const got = read(from, text, sizeof text - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return lines;
        text[got] = 0;
        *has_columns |= strstr(text, ")/d(") != NULL;
        for (ssize_t k = 0; k < got; before = text[k++]) lines += before == '\n' && text[k] != '#';
    }
}

/* Seconds from the program's start to its end, its CSV read through a pipe; negative when that is not S(t). */
static double time_program(const char *model)
{
    char path[128];
    int ends[2], status = -1, has_columns = 0;
    pid_t child = 0;
    posix_spawn_file_actions_t actions;
    snprintf(path, sizeof path, "examples/models/%s.tansy", model);
    char *const words[] = {TANSY_PROGRAM, "solve", path, "--quiet", NULL};
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    double const start = stopwatch_seconds();
    int const spawned = posix_spawn(&child, TANSY_PROGRAM, &actions, NULL, words, environ);
    close(ends[1]);
    int const lines = count_lines(ends[0], &has_columns);
    if (spawned == 0) waitpid(child, &status, 0);
    double const seconds = stopwatch_seconds() - start;
    close(ends[0]);
    posix_spawn_file_actions_destroy(&actions);
    return status == 0 && lines == LINES && has_columns ? seconds : -1;
}

static int compare(const void *a, const void *b)
{
    double const x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_program(struct claims *claims, const char *model)
{
    double seconds[RUNS];
    for (int k = 0; k < RUNS; k++) seconds[k] = time_program(model);
    qsort(seconds, RUNS, sizeof *seconds, compare);
    double const least = seconds[0], median = (seconds[RUNS / 2 - 1] + seconds[RUNS / 2]) / 2;
    printf("%-10s program start to S(t) as CSV, %d runs: at least %.1f ms, median %.1f ms\n", model,
           RUNS, 1e3 * least, 1e3 * median);
    claim(claims, least > 0 && least < shown_within, "the program takes too long",
          "%s: S(t) written within 20 ms of the program's start: least %.1f ms, median %.1f ms",
          model, 1e3 * least, 1e3 * median);
}

int main(void)
{
    struct claims claims = {.name = "model_ready"};
    struct wait const kinetics = measure("mechanism", mechanism());
    claim(&claims, kinetics.states == SPECIES && kinetics.seconds < 1,
          "the mechanism takes too long",
          "600 states and 2500 reactions ready in under 1 s: %.3f s", kinetics.seconds);
    claim(&claims, kinetics.megabytes < 300, "the mechanism takes too much memory",
          "in under 300 MB: %.0f MB", kinetics.megabytes);
    struct wait const heat = measure("grid", grid());
    claim(&claims, heat.states == 160000 && heat.seconds < 2, "the grid takes too long",
          "400 x 400 grid ready in under 2 s: %.3f s", heat.seconds);
    measure_program(&claims, "hires");
    measure_program(&claims, "pollution");
    claims_finish(&claims);
    return 0;
}
