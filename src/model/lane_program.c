/* SPDX-License-Identifier: Apache-2.0 */
/* Tangents in lanes: a scalar program for the coefficients, each once, which stay where it computes them, then
   row_r = sum_e coefficient_e source_e over all lanes, a row with all its terms at a time. */
#include "model/program.h"

#include "base/heap.h"
#include "base/message.h"
#include "model/lane_program.h"

static const struct lane_extra nothing = {0};

/* J, where it has fewer terms than the rows without p; else NULL. */
static const struct derivative *choose_matrix(const struct tangent *t, const struct derivative *J,
                                              size_t of_p)
{
    return J && t->rates == 0 && J->entries < t->terms - of_p ? J : NULL;
}

/* The map without U: by J, if that is better. */
static tansy_status create_states(struct lane_map *m, const struct lane_frame *from,
                                  const struct tangent *t, const struct derivative *J)
{
    if (!J) return lane_map_create(m, from, t, false, &nothing);
    struct tangent direct;
    tansy_status const status = tangent_of_matrices(J, NULL, &direct)
                                    ? lane_map_create(m, from, &direct, false, &nothing)
                                    : TANSY_OUT_OF_MEMORY;
    tangent_free(&direct);
    return status;
}

static tansy_status create(struct lane_program *p, const struct lane_frame *from,
                           const struct tangent *t, const struct derivative *J)
{
    size_t of_p = 0;
    for (size_t e = 0; e < t->terms; e++) of_p += lane_is_of_p(t, t->source[e]);
    const struct derivative *const matrix = choose_matrix(t, J, of_p);
    p->engine = engine_choose();
    TRY(lane_map_create(&p->all, from, t, true, &nothing));
    if (matrix || of_p > 0) TRY(create_states(&p->states, from, t, matrix));
    bool const may_be_few = of_p > 0 && t->np >= LEAST_PARAMETERS;
    return may_be_few ? lane_few_create(&p->few, from, t, matrix) : TANSY_OK;
}

tansy_status lane_program_create_either(const struct graph *g, const struct hoist *plan,
                                        const struct tangent *tangent, const struct derivative *J,
                                        struct lane_program **program)
{
    struct lane_program *p = heap_take(sizeof *p);
    tansy_status const status =
        p ? create(p, &(struct lane_frame){g, plan}, tangent, J) : TANSY_OUT_OF_MEMORY;
    if (status != TANSY_OK) {
        lane_program_free(p);
        p = NULL;
    }
    *program = p;
    return status;
}

tansy_status lane_program_create(const struct graph *g, const struct hoist *plan,
                                 const struct tangent *tangent, struct lane_program **program)
{
    return lane_program_create_either(g, plan, tangent, NULL, program);
}

tansy_status lane_program_create_direct(const struct graph *g, const struct hoist *plan,
                                        const struct derivative *J, const struct derivative *P,
                                        struct lane_program **program)
{
    struct tangent t;
    *program = NULL;
    tansy_status const status = tangent_of_matrices(J, P, &t)
                                    ? lane_program_create(g, plan, &t, program)
                                    : TANSY_OUT_OF_MEMORY;
    tangent_free(&t);
    return status;
}

void lane_program_free(struct lane_program *p)
{
    if (!p) return;
    lane_map_free(&p->all);
    lane_map_free(&p->states);
    lane_few_free(&p->few);
    heap_return(p);
}

/* A strip of the inner rows, then what the scalar program needs. */
static size_t map_work(const struct lane_map *m)
{
    return m->program ? m->inner * LANE_STRIP + program_work(m->program) : 0;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t lane_program_work(const struct lane_program *p, size_t columns)
{
    (void)columns; /* strip after strip */
    size_t const few = map_work(&p->few.along) + lane_few_work(&p->few);
    return larger(larger(map_work(&p->all), map_work(&p->states)), few);
}

/* The rows of a map whose coefficients stand behind the strip. */
static struct lane_rows rows_of(const struct lane_map *m, const double *work)
{
    const double *const scalars = work ? work + m->inner * LANE_STRIP : NULL;
    return (struct lane_rows){m->rows, m->inner, m->root,      m->count,
                              m->term, scalars,  m->has_rates, m->of_y_alone};
}

struct lane_rows lane_program_rows(const struct lane_program *p, const double *work)
{
    return rows_of(&p->all, work);
}

void lane_program_coefficients(const struct lane_program *p, const struct leaves *at, double *work)
{
    program_run(p->all.program, at, work + p->all.inner * LANE_STRIP, NULL);
}

static void run_map(const struct lane_program *p, const struct lane_map *m, const struct leaves *at,
                    const struct lane_panels *panels, double *work)
{
    struct lane_rows const rows = rows_of(m, work);
    program_run(m->program, at, work + m->inner * LANE_STRIP, NULL);
    p->engine->lanes(&rows, panels, work);
}

static void run_few(const struct lane_program *p, const struct leaves *at,
                    const struct lane_panels *panels, double *work)
{
    const struct lane_map *const m = &p->few.along;
    struct lane_panels along = *panels;
    along.U = NULL;
    run_map(p, m, at, &along, work);
    lane_few_add(&p->few, work + m->inner * LANE_STRIP, panels, work + map_work(m));
}

void lane_program_run(const struct lane_program *p, const struct leaves *at,
                      const struct lane_panels *panels, double *work)
{
    if (panels->U && panels->moving_row &&
        lane_few_applies(&p->few, panels->moving, panels->moving_row))
        run_few(p, at, panels, work);
    else
        run_map(p, panels->U || !p->states.program ? &p->all : &p->states, at, panels, work);
}
