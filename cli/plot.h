/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a run: trajectories, sensitivities, normalised sensitivities, ranking. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "output_file.h"
#include "series.h"

enum { MOST_CURVES = 10, MOST_BARS = 20, MOST_RANKINGS = 12 };

struct drawing {
    const struct study *study;
    const struct series *series;
    const struct rankings *rankings;
    unsigned panels; /* bits of enum panel */
    const char *
        kind; /* "svg", "png" or "pdf"; "inline": SVG without background and with the text's colour for black, to stand in a page */
};

/* Draws the panels in one picture; false with a sentence in why[size]. */
bool plot_draw(const struct drawing *drawing, struct text *picture, char *why, size_t size);
/* How many of the rankings are shown. */
size_t plot_rankings(const struct rankings *rankings);
/* Which of the panels there is something to show in. */
unsigned plot_possible(const struct study *s, const struct series *series, unsigned panels);

/* A curve: quantity i, or its column k; drawn divided by 10^power. */
struct curve {
    size_t i;
    ptrdiff_t k; /* -1: the quantity itself */
    int power;
    double norm;
};
struct curves {
    size_t count, of; /* drawn, and how many there are */
    struct curve curve[MOST_CURVES];
};
/* The most important curves of a panel. */
void curves_choose(struct curves *curves, const struct study *s, const struct series *series,
                   enum panel panel);
double curve_value(const struct curve *curve, const struct study *s, const struct series *series,
                   enum panel panel, size_t j);

#endif
