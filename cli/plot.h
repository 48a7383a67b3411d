/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of a run: trajectories, sensitivities, normalised sensitivities, ranking. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "output_file.h"
#include "series.h"

enum { MOST_CURVES = 10, MOST_BARS = 20 };

/* Draws the panels (bits of enum panel) in one picture of the kind "svg", "png" or "pdf"; "inline": SVG without background and
   with the text's colour for black, to stand in a page.  false with a sentence in why[size]. */
bool plot_draw(const struct study *s, const struct series *series, unsigned panels,
               const char *kind, struct text *picture, char *why, size_t size);
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
