/* SPDX-License-Identifier: Apache-2.0 */
/* Times of control grids that depend on parameters: do they still rise when the parameters are others? */
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/message.h"
#include "model/model.h"

tansy_status model_compile_grid(struct tansy_model *m)
{
    const struct system *const system = &m->system;
    size_t const pairs = system->grid_pair.count;
    if (pairs == 0) return TANSY_OK;
    uint32_t *const root = heap_take(2 * pairs * sizeof *root);
    if (!root) return TANSY_OUT_OF_MEMORY;
    for (size_t k = 0; k < pairs; k++) {
        root[2 * k] = system->grid_pair.item[k].before;
        root[2 * k + 1] = system->grid_pair.item[k].after;
    }
    tansy_status const status = program_create(system->grid, NULL, root, 2 * pairs, &m->code.grid);
    heap_return(root);
    if (status != TANSY_OK) return status;
    size_t const work = program_work(m->code.grid) + 2 * pairs; /* and the times */
    if (work > m->code.work) m->code.work = work;
    return TANSY_OK;
}

/* The first pair out of order, or how many there are. */
static size_t first_wrong(const struct tansy_model *m, const double *time)
{
    size_t k = 0;
    while (k < m->system.grid_pair.count && time[2 * k + 1] > time[2 * k]) k++;
    return k;
}

bool model_grid_rises(const struct tansy_model *m, const struct leaves *at, double *work)
{
    double *const time = work + program_work(m->code.grid);
    program_run(m->code.grid, at, work, time);
    return first_wrong(m, time) == m->system.grid_pair.count;
}

/* time[2*pairs], behind the work space. */
static tansy_status find_times(const struct tansy_model *m, const double *p, double *work,
                               double *time)
{
    struct leaves const at = {.p = p, .np = m->system.parameter.count};
    if (m->loaded.object)
        return m->loaded.about->grid_times(0, p, time, NULL) ? TANSY_OUT_OF_MEMORY : TANSY_OK;
    program_run(m->code.grid, &at, work, time);
    return TANSY_OK;
}

tansy_status tansy_model_check_times(const tansy_model *m, const double *p, char *message,
                                     size_t size)
{
    if (!m || m->diagnosis.status < 0) return TANSY_BAD_CALL;
    size_t const pairs = m->system.grid_pair.count;
    if (pairs == 0) return TANSY_OK;
    size_t const work = m->loaded.object ? 0 : program_work(m->code.grid);
    double *const room = heap_take((work + 2 * pairs) * sizeof *room);
    if (!room) return TANSY_OUT_OF_MEMORY;
    double *const time = room + work;
    tansy_status status = find_times(m, p, room, time);
    size_t const k = status == TANSY_OK ? first_wrong(m, time) : pairs;
    if (k < pairs) {
        (void)snprintf(message, size,
                       "the times of the grid of control %s must rise, but %.10g follows %.10g",
                       m->system.grid_pair.item[k].control, time[2 * k + 1], time[2 * k]);
        status = TANSY_BAD_PROBLEM;
    }
    heap_return(room);
    return status;
}
