/* SPDX-License-Identifier: Apache-2.0 */
/* The page: summary, plots, tables, the model; style inside, no script, light and dark. */
#include "report.h"
#include "plot.h"
#include "stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char style[] =
    ":root{color-scheme:light dark;--ink:#1c2330;--soft:#5b6675;--paper:#f6f7f9;--card:#fff;--line:#d9dee5;--bar:#0072b2;--good:#00704f;--bad:#b3261e}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e3e7ee;--soft:#9aa5b4;--paper:#14181f;--card:#1d232c;--line:#343c48;--bar:#56b4e9;--good:#4cc69a;--bad:#ff8a80}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}\n"
    "main{max-width:1080px;margin:0 auto;padding:24px 16px 64px}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0 0 4px;overflow-wrap:anywhere}\n"
    "h2{font-size:1.1rem;margin:0 0 12px}\n"
    ".lead{color:var(--soft);margin:0 0 20px}\n"
    ".facts{display:flex;flex-wrap:wrap;gap:12px;margin:0 0 20px}\n"
    ".facts div,section{background:var(--card);border:1px solid var(--line);border-radius:10px}\n"
    ".facts div{flex:1 1 auto;min-width:96px;padding:10px 14px}\n"
    ".facts b{display:block;font-size:1.25rem;font-variant-numeric:tabular-nums}\n"
    ".facts span{color:var(--soft);font-size:.85rem}\n"
    "section{padding:16px;margin:0 0 16px;min-width:0}\n"
    ".pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));gap:0 16px;align-items:start}\n"
    "figure{margin:0;overflow-x:auto}\nsvg{width:100%;min-width:560px;height:auto;display:block}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%;font-size:.9rem}\n"
    "th,td{padding:5px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}\n"
    "tr:last-child>*{border-bottom:0}\n"
    "th{font-weight:600;white-space:nowrap}th[scope=row]{font-family:ui-monospace,Consolas,monospace;font-weight:400}\n"
    ".number{font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    ".bar{width:40%;min-width:90px}.bar span{display:block;height:.8em;margin-top:.35em;min-width:1px;background:var(--bar);border-radius:3px}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:600}\n"
    ".note{color:var(--soft);font-size:.85rem;margin:10px 0 0}\n"
    "pre{margin:0;font:13px/1.5 ui-monospace,Consolas,monospace;overflow-x:auto;tab-size:4}\n"
    "#warnings pre{white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "pre .row{display:inline-block;width:3.5em;padding-right:1em;text-align:right;color:var(--soft);user-select:none}\n"
    "footer{color:var(--soft);font-size:.85rem}\n";
/* clang-format on */

static void add_fact(struct text *page, const char *value, const char *name)
{
    text_put(page, "<div><b>");
    text_html(page, value);
    text_put(page, "</b><span>");
    text_html(page, name);
    text_put(page, "</span></div>\n");
}

static void add_number_fact(struct text *page, size_t value, const char *name)
{
    char words[32];
    (void)snprintf(words, sizeof words, "%zu", value);
    add_fact(page, words, name);
}

static void add_head(struct text *page, const struct job *job)
{
    const struct study *const s = &job->study;
    const char *const title = *s->summary.title ? s->summary.title : s->summary.name;
    text_put(page, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<title>");
    text_html(page, title);
    text_add(page, "</title>\n<style>\n%s</style></head>\n<body><main>\n<h1>", style);
    text_html(page, title);
    text_put(page, "</h1>\n<p class=\"lead\">Model ");
    text_html(page, s->summary.name);
    text_add(page, ", %s, from t = %g to %g", s->summary.form, s->t0, job->outcome.t);
    if (*s->summary.time_unit) {
        text_put(page, " ");
        text_html(page, s->summary.time_unit);
    }
    text_put(page, "</p>\n");
}

static void add_facts(struct text *page, const struct job *job, const struct verification *v)
{
    const struct study *const s = &job->study;
    char seconds[32];
    double const time = job->outcome.seconds;
    (void)snprintf(seconds, sizeof seconds, "%.3g %s", time < 1 ? 1e3 * time : time,
                   time < 1 ? "ms" : "s");
    text_put(page, "<div class=\"facts\">\n");
    add_number_fact(page, s->n, s->n == 1 ? "state" : "states");
    add_number_fact(page, s->np, s->np == 1 ? "parameter" : "parameters");
    add_number_fact(page, s->ns, s->ns == 1 ? "column of S" : "columns of S");
    add_number_fact(page, job->outcome.stats.steps, "steps");
    add_fact(page, stats_method(&job->outcome), "method");
    add_fact(page, seconds, "to solve");
    if (v->how) add_fact(page, verify_verdict_word(v), "verification");
    text_put(page, "</div>\n");
}

/* Why the run ended early, what the model and the solver warn of. */
static void add_warnings(struct text *page, const struct job *job)
{
    const char *const model = tansy_model_warnings(job->study.model);
    struct text words = {0};
    text_put(&words, "");
    if (job->outcome.why)
        text_add(&words, "stopped at t = %.10g: %s\n", job->outcome.t, job->outcome.why);
    text_put(&words, model);
    study_add_bounds(&words, &job->study);
    watch_warnings(&words, &job->study, &job->watch);
    char *const report = study_words(&job->study, job->outcome.report ? job->outcome.report : "");
    for (const char *line = report; *line;) {
        size_t const end = strcspn(line, "\n");
        if (strncmp(line, "warning:", 8) == 0 || strncmp(line, "note:", 5) == 0) {
            text_bytes(&words, end, line);
            text_put(&words, "\n");
        }
        line += end + (line[end] == '\n');
    }
    free(report);
    text_put(page, "<section id=\"warnings\"><h2>Warnings</h2>\n");
    if (words.length > 0) {
        text_put(page, "<pre>");
        text_html(page, words.at);
        text_put(page, "</pre>\n");
    } else {
        text_put(page, "<p class=\"note\">None.</p>\n");
    }
    text_put(page, "</section>\n");
    text_free(&words);
}

/* false when gnuplot is missing or fails, which is said once in the page. */
static bool add_plot(struct text *page, const struct job *job, enum panel panel, const char *id)
{
    char why[256] = "";
    struct text picture = {0};
    struct drawing const drawing = {.study = &job->study,
                                    .series = &job->series,
                                    .rankings = &job->rankings,
                                    .panels = (unsigned)panel,
                                    .kind = "inline"};
    bool const drawn = plot_draw(&drawing, &picture, why, sizeof why);
    text_add(page, "<section id=\"plot-%s\"><figure>\n", id);
    if (drawn) {
        text_bytes(page, picture.length, picture.at);
    } else {
        text_put(page, "<p class=\"note\">");
        text_html(page, why);
        text_put(page, "</p>\n");
        (void)complain(IO_FAILED, "the report is written without plots: %s", why);
    }
    text_put(page, "</figure></section>\n");
    text_free(&picture);
    return drawn;
}

static bool add_plots(struct text *page, const struct job *job)
{
    static const enum panel panels[] = {PANEL_TRAJECTORIES, PANEL_NORMALISED, PANEL_SENSITIVITIES,
                                        PANEL_RANKING};
    static const char *const ids[] = {"trajectories", "normalised", "sensitivities", "ranking"};
    bool drawn = true;
    for (size_t k = 0; k < 4 && drawn; k++)
        if (plot_possible(&job->study, &job->series, (unsigned)panels[k]))
            drawn = add_plot(page, job, panels[k], ids[k]);
    return drawn;
}

static void add_model(struct text *page, const struct text *model)
{
    enum { MOST_LINES = 2000 };
    if (!model->at) return;
    text_put(page, "<section id=\"model\"><h2>Model</h2>\n<pre>");
    size_t row = 1;
    struct text words = {0};
    for (const char *line = model->at; *line && row <= MOST_LINES; row++) {
        size_t const length = strcspn(line, "\n");
        bool const returns = length > 0 && line[length - 1] == '\r';
        words.length = 0;
        text_bytes(&words, returns ? length - 1 : length, line);
        text_add(page, "<span class=\"row\">%zu</span>", row);
        text_html(page, words.at);
        text_put(page, "\n");
        line += length + (line[length] == '\n');
    }
    text_free(&words);
    text_put(page, row > MOST_LINES ? "...</pre>" : "</pre>");
    text_put(page, "</section>\n");
}

int report_write(struct job *job, const struct verification *v, bool *whole)
{
    if (!job->report.file) return DONE;
    struct text page = {0};
    add_head(&page, job);
    add_facts(&page, job, v);
    add_warnings(&page, job);
    *whole = add_plots(&page, job);
    if (job->series.count > 0) {
        report_values(&page, job);
        if (job->study.ns > 0) {
            report_sensitivities(&page, job);
            report_ranking(&page, job);
        }
    }
    report_verification(&page, job, v);
    text_put(&page, "<div class=\"pair\">\n<div>\n");
    report_statistics(&page, job);
    text_put(&page, "</div>\n<div>\n");
    report_options(&page, job);
    report_derivatives(&page, job);
    text_put(&page, "</div>\n</div>\n");
    add_model(&page, &job->study.text);
    text_add(&page, "<footer>Made by tansy %s.</footer>\n</main></body></html>\n", tansy_version());
    int const status = output_write(&job->report, &page);
    text_free(&page);
    return worse(status, output_close(&job->report));
}
