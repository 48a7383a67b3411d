/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison, see work_precision_tables.h. */
#include "work_precision_tables.h"

#include <math.h>
#include <stdlib.h>

enum { ACROSS = 4 }; /* contenders side by side */

void print_seconds(double seconds)
{
    if (isinf(seconds))
        printf("%8s", "-");
    else if (seconds < 1e-3)
        printf("%6.4gus", 1e6 * seconds);
    else if (seconds < 1)
        printf("%6.4gms", 1e3 * seconds);
    else
        printf("%7.4gs", seconds);
}

void print_heading(const struct comparison *c, const struct opponent *peer)
{
    static const char *const ways[] = {"sparse products", "tangents"};
    const struct reference *exact = &c->task->exact;
    printf(
        "%s: %zu states, %zu columns of S; its error: the largest e_k over %zu time%s to t = %g\n",
        c->task->problem->name, exact->n, exact->ns, exact->times, exact->times > 1 ? "s" : "",
        exact->t[exact->times - 1]);
    if (peer->implicit)
        printf("IDAS gets the residuals of S by %s; fused vector operations are %s\n",
               ways[peer->idas.by_tangents], peer->idas.fused ? "on" : "off");
    else
        printf("CVODES gets J s + f_p by %s (column by column: by %s); fused vector operations are "
               "%s\n",
               ways[peer->cvodes.tangents[0]], ways[peer->cvodes.tangents[1]],
               peer->cvodes.fused ? "on" : "off");
}

static void print_block(const struct comparison *c, const size_t *who, size_t count)
{
    printf("\n%8s", "");
    for (size_t x = 0; x < count; x++) {
        char title[64];
        snprintf(title, sizeof title, "%s %s", code_name(c->contender[who[x]].code, c->task),
                 c->contender[who[x]].name);
        printf(" | %-28.28s", title);
    }
    printf("\n%8s", "rtol");
    for (size_t x = 0; x < count; x++) printf(" | %8s %10s %8s", "steps", "error of S", "time");
    printf("\n");
    for (size_t m = 0; m < c->tolerances; m++) {
        printf("%8.1e", c->point[0][m].rtol);
        for (size_t x = 0; x < count; x++) {
            const struct point *p = &c->point[who[x]][m];
            printf(" | %8zu %10.1e ", p->steps, p->error);
            print_seconds(p->seconds);
        }
        printf("\n");
    }
}

void print_runs(const struct comparison *c)
{
    for (int code = 0; code < CODES; code++) {
        size_t who[MAX_CONTENDERS], count = 0;
        for (size_t k = 0; k < c->contenders; k++)
            if (c->contender[k].code == (enum code)code) who[count++] = k;
        for (size_t x = 0; x < count; x += ACROSS)
            print_block(c, who + x, count - x < ACROSS ? count - x : ACROSS);
    }
}

static void print_verdict(const struct verdict *v)
{
    printf(" | ");
    print_seconds(v->seconds);
    printf(" %-24s", v->who ? v->who->name : "");
}

void print_verdicts(const struct comparison *c)
{
    printf("\nat equal error of S\n%8s | %-33s | %-33s | %s\n", "error", "tansy, best variant",
           "peer, best variant", "ratio");
    for (int l = 0; l < c->levels; l++) {
        const struct verdict *ours = &c->verdict[BEST_TANSY][l],
                             *theirs = &c->verdict[BEST_PEER][l];
        printf("%8.0e", c->level[l]);
        print_verdict(ours);
        print_verdict(theirs);
        if (ours->who && theirs->who) printf(" | %5.2f", theirs->seconds / ours->seconds);
        printf("\n");
    }
    printf("speedup of the best variants %.2f, of Tansy's defaults %.2f",
           speedup(c, BEST_PEER, BEST_TANSY), speedup(c, BEST_PEER, DEFAULT_TANSY));
    printf("\n\n");
    fflush(stdout);
}

FILE *results_open(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "bench/results/%s.csv", name);
    FILE *file = fopen(path, "w");
    if (file) return file;
    perror(path);
    exit(EXIT_FAILURE);
}

void write_comparison(const struct comparison *c)
{
    FILE *file = results_open(c->task->name);
    fprintf(file, "# states: %zu\n# columns: %zu\n# speedup: %.2f\n# speedup of defaults: %.2f\n",
            c->task->exact.n, c->task->exact.ns, speedup(c, BEST_PEER, BEST_TANSY),
            speedup(c, BEST_PEER, DEFAULT_TANSY));
    for (int l = 0; l < c->levels; l++)
        for (int code = 0; code < CODES; code++)
            if (c->verdict[code][l].who)
                fprintf(file, "# %s at %.0e: %.4e s by %s\n", code_name((enum code)code, c->task),
                        c->level[l], c->verdict[code][l].seconds, c->verdict[code][l].who->name);
    fprintf(file, "code,variant,rtol,steps,error,absolute,seconds\n");
    for (size_t k = 0; k < c->contenders; k++)
        for (size_t m = 0; m < c->tolerances; m++) {
            const struct point *p = &c->point[k][m];
            fprintf(file, "%s,%s,%.3e,%zu,%.4e,%.4e,%.4e\n", code_name(p->who->code, c->task),
                    p->who->name, p->rtol, p->steps, p->error, p->absolute, p->seconds);
        }
    fclose(file);
}
