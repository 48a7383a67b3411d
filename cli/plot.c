/* SPDX-License-Identifier: Apache-2.0 */
/* Scripts for gnuplot with the data inside. */
#include "plot.h"
#include "gnuplot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Okabe and Ito's colours, which all people tell apart, less yellow and black, one of which vanishes on any ground. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#8c8c8c"};
enum { COLOURS = sizeof colours / sizeof *colours };

static void add_quoted(struct text *script, const char *words)
{
    text_put(script, "'");
    for (; *words; words++) {
        if (*words == '\'') text_put(script, "'");
        text_bytes(script, 1, (unsigned char)*words < ' ' ? " " : words);
    }
    text_put(script, "'");
}

/* Times spread over decades want a logarithmic axis: more than half of them lie in the first hundredth of the span. */
static bool logarithmic(const struct series *series)
{
    size_t early = 0;
    if (series->count < 5) return false;
    double const last = series->t[series->count - 1];
    if (series->t[0] < 0 || last < 0) return false;
    for (size_t j = 0; j < series->count; j++) early += series->t[j] < last / 100;
    return 2 * early > series->count;
}

static void add_time_axis(struct text *script, const struct study *s, const struct series *series)
{
    bool const log_axis = logarithmic(series);
    double from = series->t[0], to = series->t[series->count - 1];
    if (log_axis && from == 0) from = series->t[1];
    if (from > to) {
        double const swap = from;
        from = to;
        to = swap;
    }
    if (from == to) from -= 0.5, to += 0.5;
    text_put(script, log_axis ? "set logscale x\nset format x '%g'\n"
                              : "unset logscale x\nset format x '%h'\n");
    text_add(script, "set xrange [%.17g:%.17g]\nset xlabel ", from, to);
    struct text label = {0};
    text_put(&label, "t");
    if (*s->summary.time_unit) text_add(&label, " [%s]", s->summary.time_unit);
    add_quoted(script, label.at);
    text_put(script, "\n");
    text_free(&label);
}

static void add_title(struct text *script, const struct curves *curves, enum panel panel)
{
    struct text title = {0};
    text_put(&title, panel == PANEL_TRAJECTORIES ? "Trajectories"
                     : panel == PANEL_SENSITIVITIES
                         ? "Sensitivities dx/dp"
                         : "Normalised sensitivities |p| dx/dp / max|x|");
    if (curves->of > curves->count)
        text_add(&title,
                 panel == PANEL_TRAJECTORIES ? " (outputs and largest, %zu of %zu)"
                                             : " (the %zu most important of %zu)",
                 curves->count, curves->of);
    text_put(script, "set title ");
    add_quoted(script, title.at);
    text_put(script, "\n");
    text_free(&title);
}

static void add_data(struct text *script, const struct study *s, const struct series *series,
                     const struct curves *curves, enum panel panel)
{
    bool finite = false;
    text_add(script, "$panel%d << END\n", (int)panel);
    for (size_t j = 0; j < series->count; j++) {
        text_add(script, "%.10g", series->t[j]);
        for (size_t c = 0; c < curves->count; c++) {
            const struct curve *const curve = &curves->curve[c];
            double const value = curve_value(curve, s, series, panel, j) * pow(10, -curve->power);
            finite = finite || isfinite(value);
            text_add(script, isfinite(value) ? " %.7g" : " nan", value);
        }
        text_put(script, "\n");
    }
    text_put(script, "END\n");
    text_put(script, finite ? "set yrange [*:*]\n" : "set yrange [-1:1]\n");
}

static void add_legend(struct text *script, const struct study *s, const struct curve *curve)
{
    struct text name = {0};
    if (curve->k < 0)
        text_put(&name, study_name(s, curve->i));
    else
        text_add(&name, "d(%s)/d(%s)", study_name(s, curve->i), s->column_name[curve->k]);
    if (curve->power != 0) text_add(&name, " × 1e%d", -curve->power);
    add_quoted(script, name.at);
    text_free(&name);
}

static void add_curves(struct text *script, const struct study *s, const struct series *series,
                       enum panel panel)
{
    struct curves curves;
    curves_choose(&curves, s, series, panel);
    add_data(script, s, series, &curves, panel);
    add_title(script, &curves, panel);
    add_time_axis(script, s, series);
    text_put(script, "set key outside right top Left reverse samplen 1.5 spacing 1.2\n"
                     "set ytics auto\nunset ylabel\nset grid xtics ytics\nplot ");
    bool const points = series->count < 12;
    for (size_t c = 0; c < curves.count; c++) {
        text_add(script, "%s$panel%d using 1:%zu with %s lw %.1f dt %d lc rgb '%s' %s title ",
                 c > 0 ? ", \\\n  " : "", (int)panel, c + 2, points ? "linespoints" : "lines",
                 3 - 0.17 * (double)c, /* of two curves in one place both are seen */
                 c < COLOURS ? 1 : 2, colours[c % COLOURS], points ? "pt 7 ps 0.5" : "");
        add_legend(script, s, &curves.curve[c]);
    }
    text_put(script, curves.count > 0 ? "\n" : "0 lw 2 lc rgb '#0072b2' title 'all are zero'\n");
}

static void add_bars_title(struct text *script, const struct drawing *d, const struct ranking *r,
                           size_t bars)
{
    enum { MOST_NAMES = 4 };
    const struct series *const series = d->series;
    struct text title = {0}, over = {0};
    text_put(&title, "Which parameters matter to ");
    ranking_name(&title, d->study, r, MOST_NAMES);
    if (r->ns > bars) text_add(&title, " (the first %zu of %zu)", bars, r->ns);
    text_add(&over, "root mean square of |p| dx/dp / max|x| over %zu times from t = %g to %g",
             series->seen, series->t[0], series->t[series->count - 1]);
    text_put(script, "set title ");
    add_quoted(script, title.at);
    text_put(script, "\nset xlabel ");
    add_quoted(script, over.at);
    text_put(script, "\n");
    text_free(&title);
    text_free(&over);
}

/* Bars of ranking number a from the top down, longest first. */
static void add_bars(struct text *script, const struct drawing *d, size_t a)
{
    const struct study *const s = d->study;
    const struct ranking *const r = &d->rankings->one[a];
    size_t const bars = r->ns < MOST_BARS ? r->ns : MOST_BARS;
    double const most = r->norm[r->order[0]];
    text_add(script, "$bars%zu << END\n", a);
    for (size_t b = 0; b < bars; b++)
        text_add(script, "%.7g %zu\n", r->norm[r->order[b]], bars - b);
    text_put(script, "END\nunset key\nunset logscale x\nset format x '%h'\nunset ylabel\n"
                     "set grid xtics noytics\n");
    add_bars_title(script, d, r, bars);
    text_add(script, "set xrange [0:%.7g]\nset yrange [0.3:%zu.7]\nset ytics (",
             most > 0 ? 1.05 * most : 1, bars);
    for (size_t b = 0; b < bars; b++) {
        text_put(script, b > 0 ? ", " : "");
        add_quoted(script, s->column_name[r->order[b]]);
        text_add(script, " %zu", bars - b);
    }
    text_add(script,
             ")\nplot $bars%zu using (0):2:(0):1:($2-0.38):($2+0.38) with boxxyerror fs solid "
             "noborder lc rgb '#0072b2'\n",
             a);
}

size_t plot_rankings(const struct rankings *rankings)
{
    return rankings->count < MOST_RANKINGS ? rankings->count : MOST_RANKINGS;
}

static void add_terminal(struct text *script, const char *kind, int width, int height)
{
    if (strcmp(kind, "png") == 0)
        text_add(script,
                 "if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size "
                 "%d,%d font 'Sans,11' noenhanced } else { set terminal png size %d,%d "
                 "noenhanced }\n",
                 width, height, width, height);
    else if (strcmp(kind, "pdf") == 0)
        text_add(script, "set terminal pdfcairo size %.2fin,%.2fin font 'Sans,9' noenhanced\n",
                 width / 110.0, height / 110.0);
    else
        text_add(script, "set terminal svg size %d,%d dynamic font 'sans-serif,13' noenhanced%s\n",
                 width, height, strcmp(kind, "inline") == 0 ? "" : " background '#ffffff'");
    text_put(script, "set output 'picture'\nset encoding utf8\nset datafile missing 'nan'\n"
                     "set border 3 lw 0.8\nset tics nomirror out scale 0.6\n"
                     "set style line 100 lw 0.6 dt 3 lc rgb '#9a9a9a'\n"
                     "set grid ls 100\nset xtics autofreq\n");
}

unsigned plot_possible(const struct study *s, const struct series *series, unsigned panels)
{
    if (series->count == 0) return 0;
    return s->ns > 0 ? panels : panels & PANEL_TRAJECTORIES;
}

/* Black becomes the colour of the page's text, and what is named in the picture is so once in the page. */
static void follow_page(const struct text *svg, unsigned panel, struct text *picture)
{
    static const char *const words[][2] = {{"\"black\"", "\"currentColor\""},
                                           {"'black'", "'currentColor'"},
                                           {"rgb(  0,   0,   0)", "currentColor"}};
    static const char *const names[] = {" id=\"", " id='", "href=\"#", "href='#", "url(#"};
    const char *at = strstr(svg->at, "<svg");
    for (at = at ? at : svg->at; *at;) {
        const char *const from = at;
        for (size_t k = 0; k < sizeof words / sizeof *words && at == from; k++) {
            size_t const length = strlen(words[k][0]);
            if (strncmp(at, words[k][0], length) != 0) continue;
            text_put(picture, words[k][1]);
            at += length;
        }
        for (size_t k = 0; k < sizeof names / sizeof *names && at == from; k++) {
            size_t const length = strlen(names[k]);
            if (strncmp(at, names[k], length) != 0) continue;
            text_add(picture, "%sp%u-", names[k], panel);
            at += length;
        }
        if (at == from) text_bytes(picture, 1, at++);
    }
}

/* In two columns where there are more than two. */
static void add_layout(struct text *script, const struct drawing *d, size_t count)
{
    int const columns = count > 2 ? 2 : 1, rows = ((int)count + columns - 1) / columns;
    size_t const bars = d->study->ns < MOST_BARS ? d->study->ns : MOST_BARS;
    int const high = d->panels == PANEL_RANKING ? 130 + 24 * (int)bars : 400;
    add_terminal(script, d->kind, 780 * columns, high * rows);
    if (count > 1) text_add(script, "set multiplot layout %d,%d\n", rows, columns);
}

bool plot_draw(const struct drawing *d, struct text *picture, char *why, size_t size)
{
    struct text script = {0}, svg = {0};
    size_t const rankings = d->panels & PANEL_RANKING ? plot_rankings(d->rankings) : 0;
    size_t count = rankings;
    for (unsigned bit = 1; bit < PANEL_RANKING; bit *= 2) count += (d->panels & bit) != 0;
    add_layout(&script, d, count);
    for (unsigned bit = 1; bit < PANEL_RANKING; bit *= 2)
        if (d->panels & bit) add_curves(&script, d->study, d->series, (enum panel)bit);
    for (size_t a = 0; a < rankings; a++) add_bars(&script, d, a);
    text_put(&script, count > 1 ? "unset multiplot\nunset output\n" : "unset output\n");
    bool const inside = strcmp(d->kind, "inline") == 0;
    bool const good = gnuplot_run(&script, inside ? &svg : picture, why, size);
    if (good && inside) follow_page(&svg, d->panels, picture);
    text_free(&script);
    text_free(&svg);
    return good;
}
