/* SPDX-License-Identifier: Apache-2.0 */
/* Is Q(t, y, p) differentiable along (tau, s, u)?  Conditions whose g is zero at the point, as far as bounds of its rounding errors can
   tell, are given the side they have at (y, p) +- d (s, u); all others keep the side they have at the point, however near
   another corner is.  With the two sets of modes that makes, frozen, Q and Q_y s + Q_p u are compared at the point; those that
   the point itself has may be neither (min(p, max(q, p)) is p, whatever its conditions are where p = q), so that the
   derivative is taken from a side: that of the point, if it is one of them; else one to which Q does not jump. */
#include "model/corners.h"

#include <math.h>
#include <string.h>

#include "model/lane_asked.h"

static const double nearby = 1e-5; /* of what moves: d is so short */
static const double same = 1e-9;   /* values that differ by less are equal */
static const double small_share =
    1e-3; /* a jump is more than this share of what a kink makes at d */

enum {
    UP,
    DOWN,
    HERE, /* as they stand at the point */
    ONE,  /* as UP, but with one condition turned */
    SIDES,
    BOUNDS = 4
};

/* The room, cut into pieces. */
struct pieces {
    double *p, *p_moved, *y_moved, *zero; /* p[np + conditions + 1] each, y_moved[n], zero[n] */
    double *here, *there;                 /* bounds[BOUNDS*conditions] at the point and nearby */
    double *mode[SIDES], *value[SIDES], *slope[SIDES]; /* value[rows], slope[rows] */
    double *work;
};

static size_t rounded(size_t doubles)
{
    return (doubles + 7) / 8 * 8;
}

static size_t work_of(const struct corner_programs *c)
{
    size_t work = program_work(c->value);
    if (lane_asked_work(c->tangent) > work) work = lane_asked_work(c->tangent);
    if (program_work(c->condition) > work) work = program_work(c->condition);
    return enclosure_work(c->enclosure) > work ? enclosure_work(c->enclosure) : work;
}

size_t corners_room(const struct corner_programs *c, size_t n, size_t np)
{
    return rounded(work_of(c)) + 2 * (np + c->conditions + 1) + 2 * n +
           2 * (BOUNDS * c->conditions) + SIDES * (c->conditions + 2 * c->rows);
}

static double *cut(double **room, size_t doubles)
{
    double *const piece = *room;
    *room += doubles;
    return piece;
}

static struct pieces cut_all(const struct corner_programs *c, size_t n, size_t np, double *room)
{
    size_t const all = np + c->conditions + 1;
    struct pieces x = {.work = cut(&room, rounded(work_of(c)))};
    x.p = cut(&room, all);
    x.p_moved = cut(&room, all);
    x.y_moved = cut(&room, n);
    x.zero = cut(&room, n);
    x.here = cut(&room, BOUNDS * c->conditions);
    x.there = cut(&room, BOUNDS * c->conditions);
    for (int side = 0; side < SIDES; side++) {
        x.mode[side] = cut(&room, c->conditions);
        x.value[side] = cut(&room, c->rows);
        x.slope[side] = cut(&room, c->rows);
    }
    return x;
}

/* Bounds of g at a point: low[conditions], high[conditions], and rates that nobody asks for. */
/* NOLINTBEGIN(readability-non-const-parameter): written through g */
static void enclose(const struct corner_programs *c, const struct leaves *at,
                    const struct pieces *x, double *bounds)
/* NOLINTEND(readability-non-const-parameter) */
{
    tansy_box const box = {at->t, at->t, at->y, at->y, x->zero, x->zero};
    tansy_bounds const g = {bounds, bounds + c->conditions, bounds + 2 * c->conditions,
                            bounds + 3 * c->conditions};
    enclosure_run(c->enclosure, at, &box, x->work, &g);
}

/* The sign of g_j where its bounds tell it: 1, 0, or -1 where they do not. */
static int side_of(const struct corner_programs *c, const double *bounds, size_t j)
{
    return bounds[j] > 0 ? 1 : bounds[c->conditions + j] < 0 ? 0 : -1;
}

static bool any_stands(const struct corner_programs *c, const double *bounds)
{
    bool any = false;
    for (size_t j = 0; j < c->conditions; j++) any = any || side_of(c, bounds, j) < 0;
    return any;
}

/* A length along (s, u) by which nothing moves by more than a small share of itself. */
static double length_of(const struct corner_look *l)
{
    double largest = 0;
    for (size_t i = 0; i < l->n && l->s; i++)
        if (l->at.y[i] != 0) largest = fmax(largest, fabs(l->s[i] / l->at.y[i]));
    for (size_t k = 0; k < l->at.np; k++)
        if (l->at.p[k] != 0) largest = fmax(largest, fabs(l->u[k] / l->at.p[k]));
    if (l->at.t != 0) largest = fmax(largest, fabs(l->tau / l->at.t));
    return largest > 0 && largest < HUGE_VAL ? nearby / largest : nearby;
}

/* The modes of the point itself, on its side in time, by the values of g as they are computed. */
static void find_modes_here(const struct corner_programs *c, const struct corner_look *l,
                            const struct pieces *x)
{
    double *const mode = x->p + l->at.np, *const g = x->here;
    struct leaves at = l->at;
    bool changed = true;
    at.p = x->p;
    at.t = l->beside;
    memset(mode, 0, c->conditions * sizeof *mode);
    for (size_t pass = 0; pass <= c->conditions && changed; pass++) {
        changed = false;
        program_run(c->condition, &at, x->work, g);
        for (size_t j = 0; j < c->conditions; j++) {
            double const now = g[j] >= 0;
            changed = changed || now != mode[j];
            mode[j] = now;
        }
    }
    memcpy(x->mode[HERE], mode, c->conditions * sizeof *mode);
}

/* The modes on the side of the point that lies at distance d: as often as it takes to change nothing, since g may depend on the
   modes of lower conditions.  Where not even that tells, g does not move, and they are those of the point. */
static void find_modes(const struct corner_programs *c, const struct corner_look *l, double d,
                       const struct pieces *x, double *mode)
{
    struct leaves at = l->at, moved = l->at;
    size_t const np = l->at.np, bytes = c->conditions * sizeof *mode;
    bool changed = true;
    at.p = x->p;
    moved.p = x->p_moved;
    moved.t += d * l->tau;
    if (l->s) moved.y = x->y_moved;
    for (size_t i = 0; i < l->n && l->s; i++) x->y_moved[i] = l->at.y[i] + d * l->s[i];
    for (size_t k = 0; k < np; k++) x->p_moved[k] = x->p[k] + d * l->u[k];
    memset(mode, 0, bytes);
    for (size_t pass = 0; pass <= c->conditions && changed; pass++) {
        memcpy(x->p + np, mode, bytes);
        memcpy(x->p_moved + np, mode, bytes);
        enclose(c, &at, x, x->here);
        enclose(c, &moved, x, x->there);
        changed = false;
        for (size_t j = 0; j < c->conditions; j++) {
            int side = side_of(c, x->here, j);
            if (side < 0) side = side_of(c, x->there, j);
            double const now = side < 0 ? x->mode[HERE][j] : side;
            changed = changed || now != mode[j];
            mode[j] = now;
        }
    }
}

/* Q and its derivative along the direction, at the point, with these modes. */
static void evaluate(const struct corner_programs *c, const struct corner_look *l,
                     const struct pieces *x, int side)
{
    struct leaves at = l->at;
    at.p = x->p;
    memcpy(x->p + l->at.np, x->mode[side], c->conditions * sizeof(double));
    program_run(c->value, &at, x->work, x->value[side]);
    lane_asked_run(c->tangent, &at,
                   &(struct lane_panels){.columns = 1,
                                         .ld = 1,
                                         .V = l->s ? l->s : x->zero,
                                         .U = l->u,
                                         .R = x->slope[side],
                                         .V_rate = l->s_rate},
                   x->work);
    if (l->tau == 0) return;
    double *const dqdt = l->time_room + program_work(l->time);
    program_run(l->time, &at, l->time_room, dqdt);
    for (size_t row = 0; row < c->rows; row++) x->slope[side][row] += l->tau * dqdt[row];
}

static bool differ(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b))) return false;
    return !isfinite(a - b) || !(fabs(a - b) <= same * (fabs(a) + fabs(b)));
}

/* The values of a row on two sides differ by more than what a kink between them makes at the distance d. */
static bool jumps(const struct pieces *x, size_t row, double d, int one, int other)
{
    double const a = x->value[one][row], b = x->value[other][row];
    double const kink = fabs(x->slope[one][row] - x->slope[other][row]);
    double const least = isfinite(kink) ? small_share * d * kink : 0;
    return differ(a, b) && !(fabs(a - b) <= least);
}

/* How well a side goes with the point: 0 where a row jumps, 1 where a slope is another, 2. */
static int agreement(const struct corner_programs *c, const struct pieces *x, double d, int side)
{
    int agrees = 2;
    for (size_t row = 0; row < c->rows && agrees > 0; row++) {
        if (differ(x->slope[HERE][row], x->slope[side][row])) agrees = 1;
        if (jumps(x, row, d, HERE, side)) agrees = 0;
    }
    return agrees;
}

/* The side that derivatives are taken from, all rows from the same. */
static int choose_side(const struct corner_programs *c, const struct pieces *x, double d)
{
    return agreement(c, x, d, DOWN) > agreement(c, x, d, UP) ? DOWN : UP;
}

static void judge(const struct pieces *x, size_t row, double d, int side, struct bend *bend)
{
    bool const apart = jumps(x, row, d, UP, DOWN) || jumps(x, row, d, HERE, side);
    bool const bends = differ(x->slope[UP][row], x->slope[DOWN][row]);
    bend->kind = apart ? BEND_JUMP : bends ? BEND_SLOPE : BEND_NONE;
}

static bool same_modes(const struct corner_programs *c, const struct pieces *x, int one, int other)
{
    return memcmp(x->mode[one], x->mode[other], c->conditions * sizeof(double)) == 0;
}

/* The condition that makes the difference: turned alone it does, or it is the first of those that turn. */
static void name_causes(const struct corner_programs *c, const struct corner_look *l,
                        const struct pieces *x, struct bend *bend)
{
    size_t first = c->conditions;
    int const other = same_modes(c, x, UP, DOWN) ? HERE : DOWN;
    for (size_t j = c->conditions; j-- > 0;) {
        if (x->mode[UP][j] == x->mode[other][j]) continue;
        first = j;
        memcpy(x->mode[ONE], x->mode[UP], c->conditions * sizeof(double));
        x->mode[ONE][j] = x->mode[other][j];
        evaluate(c, l, x, ONE);
        for (size_t row = 0; row < c->rows; row++)
            if (differ(x->value[UP][row], x->value[ONE][row]) ||
                differ(x->slope[UP][row], x->slope[ONE][row]))
                bend[row].condition = j;
    }
    for (size_t row = 0; row < c->rows; row++)
        if (bend[row].condition == SIZE_MAX) bend[row].condition = first;
}

/* The point with room for modes behind p. */
static void place_point(const struct corner_programs *c, const struct corner_look *l,
                        const struct pieces *x)
{
    size_t const np = l->at.np;
    memset(x->zero, 0, l->n * sizeof *x->zero);
    if (np > 0) memcpy(x->p, l->at.p, np * sizeof *x->p);
    x->p[np + c->conditions] = x->p_moved[np + c->conditions] = l->piece;
}

bool corners_stand(const struct corner_programs *c, const struct corner_look *look, double *room)
{
    struct pieces const x = cut_all(c, look->n, look->at.np, room);
    place_point(c, look, &x);
    find_modes_here(c, look, &x);
    find_modes(c, look, 0, &x, x.mode[UP]);
    return any_stands(c, x.here);
}

bool corners_find(const struct corner_programs *c, const struct corner_look *look, double *room,
                  struct bend *bend, double *slope)
{
    struct pieces const x = cut_all(c, look->n, look->at.np, room);
    double const d = length_of(look);
    place_point(c, look, &x);
    find_modes_here(c, look, &x);
    find_modes(c, look, d, &x, x.mode[UP]);
    find_modes(c, look, -d, &x, x.mode[DOWN]);
    if (same_modes(c, &x, UP, HERE) && same_modes(c, &x, DOWN, HERE)) return false;
    evaluate(c, look, &x, UP);
    evaluate(c, look, &x, DOWN);
    evaluate(c, look, &x, HERE);
    int const side = choose_side(c, &x, d);
    memcpy(slope, x.slope[side], c->rows * sizeof *slope);
    for (size_t row = 0; row < c->rows; row++) {
        bend[row].condition = SIZE_MAX;
        judge(&x, row, d, side, &bend[row]);
    }
    name_causes(c, look, &x, bend);
    return true;
}
