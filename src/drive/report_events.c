/* SPDX-License-Identifier: Apache-2.0 */
/* What the page says of switching points and breaks, see report_page.h. */
#include "drive/report_page.h"

#include <math.h>
#include <stdio.h>

#include "derive/names.h"
#include "drive/solver.h"

/* Is the same to be said of two conditions, at one time? */
static bool is_like(const struct events *e, size_t x, size_t y)
{
    ptrdiff_t const a = e->corner[x].other, b = e->corner[y].other;
    bool const same = a == b && e->corner[x].mixed == e->corner[y].mixed;
    return same && e->corner[x].t == e->corner[y].t;
}

/* Of point x one line speaks for all of `count` that are like it, "; so it is with .." in more[size]; false: an earlier one does. */
static bool collect_like(const struct tansy_solver *s, size_t x, size_t count, char *more,
                         size_t size)
{
    const struct events *const e = &s->events;
    size_t others = 0, next = 0;
    struct name name;
    for (size_t y = 0; y < x; y++)
        if (is_like(e, x, y)) return false;
    for (size_t y = count - 1; y > x; y--) {
        if (!is_like(e, x, y)) continue;
        others++;
        next = y;
    }
    if (others > 0)
        (void)snprintf(more, size, "; so it is with %s%s",
                       name_switch(&s->problem, e->corner[next].number, &name),
                       others > 1 ? ", and others" : "");
    return true;
}

/* Points where S is one-sided. */
static void write_corners(struct page *page, const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    struct name name, other;
    size_t const count = e->corners < REMEMBERED ? e->corners : REMEMBERED;
    for (size_t x = 0; x < count; x++) {
        ptrdiff_t const with = e->corner[x].other;
        char more[240] = "";
        if (!collect_like(s, x, count, more, sizeof more)) continue;
        const char *const what = with == CORNER_START   ? "the solution starts on its surface"
                                 : with == CORNER_BREAK ? "a break time falls on it"
                                 : with == CORNER_FLAT  ? "from there on it stays at its surface"
                                 : with == CORNER_TOUCH ? "it only touches its surface"
                                                        : "at the same time as ";
        const char *const how = with == CORNER_TOUCH ? ", infinite for p to the other side"
                                : e->corner[x].mixed ? ", or neither of its limits"
                                                     : "";
        page_line(page, "warning: %s at t = %.10g: %s%s; S is one-sided there%s%s\n",
                  name_switch(&s->problem, e->corner[x].number, &name), e->corner[x].t, what,
                  with >= 0 ? name_switch(&s->problem, (size_t)with, &other) : "", how, more);
    }
    if (e->corners > REMEMBERED)
        page_line(page, "warning: S is one-sided at %zu more points\n", e->corners - REMEMBERED);
}

/* Corners of y0(p): the values of p are on them. */
void report_initial_corners(struct page *page, const struct tansy_solver *s)
{
    for (size_t x = 0; x < s->initial_corners; x++) {
        const tansy_corner *const c = &s->initial_corner[x].first;
        size_t const more = s->initial_corner[x].columns - 1;
        struct name state, column;
        char others[48] = "", beside[48] = "";
        if (c->more > 0) (void)snprintf(beside, sizeof beside, " (and of %zu more)", c->more);
        if (more > 0)
            (void)snprintf(others, sizeof others, " and %zu more column%s", more,
                           more > 1 ? "s" : "");
        page_line(
            page,
            "warning: the initial value of %s%s %s at these parameters, where %.100s is on its "
            "edge; S is %s in %s%s\n",
            name_state(&s->problem, c->row, &state), beside, c->jumps ? "jumps" : "has a corner",
            c->condition, c->jumps ? "not defined" : "one-sided",
            name_column(&s->problem, activation_name(s, (ptrdiff_t)c->column), &column), others);
    }
}

void report_spikes(struct page *page, const struct tansy_solver *s)
{
    const struct spike *const x = &s->spike;
    struct name state, column;
    if (x->spent == 0) return;
    page_line(page, "spikes         of S were passed in %zu steps with lower tolerances\n",
              x->spent);
    if (x->is_left)
        page_line(
            page,
            "warning: S has spikes, fast phases in which it is many times as large as before and "
            "after, which were not followed to the end with lower tolerances, as that had taken "
            "%zu steps: S of slow components may be wrong behind them; a smaller rtol "
            "helps, and --verify tells\n",
            x->spent);
    if (!(x->worst.left > 0)) return;
    page_line(page,
              "warning: %s of %s is %.1g times its usual size for a short time near t = %.10g, "
              "and rounding, or noise in f, does not let the tolerance be small enough for it: "
              "about %.0f digits are left behind it\n",
              name_column(&s->problem, activation_name(s, (ptrdiff_t)x->worst.column), &column),
              name_state(&s->problem, x->worst.row, &state), x->worst.size, x->worst.t,
              fmax(0, -log10(10 * x->worst.left * s->tolerances.tightest)));
}

/* Transients of S with tolerances of their own. */
static void write_transients(struct page *page, const struct tansy_solver *s)
{
    const struct jump_transient *const x = &s->jump;
    struct name name;
    const char *const advice = method_is_one_step(s->stepper.method) ? "" : "use rosenbrock, or ";
    if (x->count == 0) return;
    page_line(page, "transients     of S behind %zu switching points, with lower tolerances\n",
              x->count);
    if (x->left > 0)
        page_line(
            page,
            "warning: behind %zu switching points S is many times its usual size until a stiff "
            "component has settled, and that was not followed with lower tolerances, as it "
            "had taken %zu steps elsewhere: S of slow components may be wrong there; %slet "
            "that component be algebraic, or what is switched change gradually\n",
            x->left, x->spent, advice);
    if (!(x->worst.left > 0)) return;
    page_line(page,
              "warning: %s is %.1g times its usual size behind t = %.10g, until a stiff component "
              "has settled: rounding leaves about %.0f digits of it then, and the tolerance asks "
              "for more; %slet that component be algebraic, or what is switched change gradually\n",
              name_column(&s->problem, activation_name(s, (ptrdiff_t)x->worst.column), &name),
              x->worst.size, x->worst.t, fmax(x->worst.digits, 0), advice);
}

/* The jump of S is not known as well as the tolerance asks for. */
static void write_rounded(struct page *page, const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    struct name name, state, column;
    if (!(e->rounded.wrong > 0)) return;
    const char *const at = name_switch(&s->problem, e->rounded.number, &name);
    const char *const of =
        name_column(&s->problem, activation_name(s, (ptrdiff_t)e->rounded.column), &column);
    const char *const row = name_state(&s->problem, e->rounded.row, &state);
    double const known = e->rounded.wrong / e->rounded.size;
    double const digits = fmax(0, -log10(e->rounded.wrong));
    if (e->rounded.by_atol)
        page_line(page,
                  "warning: at %s, at t = %.10g, the rate of the condition is so small that errors "
                  "of y as large as atol change it by %.1g of itself, and %s of %s by up to %.1g; "
                  "give a smaller atol, by a factor of %.0e\n",
                  at, e->rounded.t, known, of, row, fmin(e->rounded.wrong, 1),
                  e->rounded.wrong / (100 * s->tolerances.tightest));
    else
        page_line(page,
                  "warning: at %s, at t = %.10g, %s of %s is what is left of jumps %.1g times as "
                  "large, and the rate of the condition, which is stiff, is known to %.1g only: "
                  "about %.0f digits are right; %s\n",
                  at, e->rounded.t, of, row, e->rounded.size, known, digits,
                  s->stepper.method == &method_adams
                      ? "use rosenbrock or bdf"
                      : "let its fast component be algebraic, or slower");
}

/* S that was handed out is what is left of jumps. */
static void write_remains(struct page *page, const struct tansy_solver *s)
{
    const struct remains *const r = &s->events.remains;
    struct name name, state, column;
    if (!(r->told.wrong > 0)) return;
    page_line(page,
              "warning: behind %s, at t = %.10g, %s of %s is what is left of jumps %.1g times as "
              "large, and so are errors within the tolerance: about %.0f digits are right; give a "
              "smaller rtol, by a factor of %.0e\n",
              name_switch(&s->problem, r->told.number, &name), r->told.t,
              name_column(&s->problem, activation_name(s, (ptrdiff_t)r->told.column), &column),
              name_state(&s->problem, r->told.row, &state), r->told.size,
              fmax(0, -log10(r->told.wrong)),
              fmax(2, r->told.wrong / (100 * s->tolerances.tightest)));
}

/* The last switching points, oldest first. */
void report_events(struct page *page, const struct tansy_solver *s)
{
    const struct events *const e = &s->events;
    if (!e->any) return;
    size_t const turned = s->stats.switches;
    struct name name;
    page_line(page, "switched       %zu times, %zu starts anew\n", turned, s->stats.restarts);
    for (size_t x = turned > REMEMBERED ? turned - REMEMBERED : 0; x < turned; x++)
        page_line(page, "               condition %zu at t = %.10g\n",
                  e->last[x % REMEMBERED].number, e->last[x % REMEMBERED].t);
    write_transients(page, s);
    write_corners(page, s);
    if (e->held > 0)
        page_line(page,
                  "warning: %s is zero but for rounding from t = %.10g on: it is held where it is "
                  "until it is well beyond\n",
                  name_switch(&s->problem, e->held_switch, &name), e->held_from);
    if (e->losses > 0)
        page_line(page,
                  "warning: at %s, at t = %.10g, the right-hand side is but rounding, as 0/0 is, "
                  "and not known well beside it: S is not controlled behind it; choose the other "
                  "branch within a wider distance\n",
                  name_switch(&s->problem, e->lost_switch, &name), e->lost_at);
    write_rounded(page, s);
    write_remains(page, s);
    if (e->ties > 0)
        page_line(page,
                  "warning: %s is zero but for errors of algebraic variables at t = %.10g, and "
                  "stays so: chance decides it, and the solution depends on it\n",
                  name_switch(&s->problem, e->tie, &name), e->tie_at);
    if (e->unsure > 0)
        page_line(page,
                  "warning: in %zu steps conditions turn so fast, or come so near to turning, that "
                  "a change may have been passed over: set max_step\n",
                  e->unsure);
}
