/* SPDX-License-Identifier: Apache-2.0 */
/* Puts a study together from the model and the request. */
#include "study.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double study_rtol(const struct study *s)
{
    return s->options.rtol > 0 ? s->options.rtol : 1e-6;
}

double study_atol_at(const struct study *s, size_t i, double rtol)
{
    double const atol = s->atol[i];
    if (atol == TANSY_AUTO_ATOL) return atol;
    return atol > 0 ? fmax(atol * (rtol / study_rtol(s)), DBL_MIN) : 0;
}

double study_level(const struct study *s, size_t i)
{
    return s->atol[i] == TANSY_AUTO_ATOL ? 0 : s->atol[i] / study_rtol(s);
}

void study_tell_atol(const struct study *s, struct text *text)
{
    double least = HUGE_VAL, most = 0;
    size_t given = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (s->atol[i] == TANSY_AUTO_ATOL) continue;
        least = fmin(least, s->atol[i]);
        most = fmax(most, s->atol[i]);
        given++;
    }
    if (given < s->n) text_put(text, "auto");
    if (given > 0) text_add(text, "%s%g", given < s->n ? ", " : "", least);
    if (most > least) text_add(text, " to %g", most);
    if (given > 0 && given < s->n) text_put(text, " where given");
}

double study_start_at(const struct study *s, double rtol)
{
    static const double usual = 0.01;
    double const given = s->options.initial_tolerance;
    return fmin(given * (study_rtol(s) / rtol), fmax(given, usual));
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* An integral, or a state that is named as an output, stands among the states already: sorted, for both may be many. */
static void choose_outputs(struct study *s)
{
    s->outputs = tansy_model_count(s->model, TANSY_MODEL_OUTPUTS);
    s->output = take(s->outputs, sizeof *s->output);
    size_t const states = s->outputs > 0 ? s->n : 0;
    const char **const state = take(states, sizeof *state);
    for (size_t i = 0; i < states; i++) state[i] = study_name(s, i);
    qsort(state, states, sizeof *state, compare_names);
    for (size_t o = 0; o < s->outputs; o++) {
        const char *const name = tansy_model_name(s->model, TANSY_MODEL_OUTPUTS, o);
        if (!bsearch(&name, state, states, sizeof *state, compare_names)) s->output[s->no++] = o;
    }
    free((void *)state);
}

/* Without the folder and the suffix. */
static char *name_of_file(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *const name = copy_of(slash ? slash + 1 : path);
    char *const dot = strrchr(name, '.');
    if (dot && dot > name) *dot = '\0';
    return name;
}

/* Exported C that is compiled is a file NAME.so; anything else is a text. */
static bool is_shared_object(const char *path)
{
    size_t const length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".so") == 0;
}

bool study_is_compiled(const struct study *s)
{
    return s->summary.nodes == 0;
}

/* The page shows the text, and a pipe can be read but once. */
static tansy_model *read_model(struct study *s, const char *path)
{
    if (is_shared_object(path)) return tansy_model_load(path);
    if (s->request->report && text_read(&s->text, path))
        return tansy_model_parse(s->text.at, s->text.length, path);
    text_free(&s->text);
    return tansy_model_read(path);
}

int study_read(struct study *s, const struct request *request)
{
    const char *const path = request->operand;
    *s = (struct study){.request = request, .options = request->options};
    s->model = read_model(s, path);
    tansy_status const status = s->model ? tansy_model_error(s->model) : TANSY_OUT_OF_MEMORY;
    if (status == TANSY_OUT_OF_MEMORY) return complain(IO_FAILED, "out of memory");
    if (status != TANSY_OK) {
        const char *const message = tansy_model_message(s->model);
        size_t const length = strlen(message);
        (void)fprintf(stderr, "%s%s", message,
                      length > 0 && message[length - 1] == '\n' ? "" : "\n");
        return status == TANSY_NO_FILE ? IO_FAILED : BAD_USAGE;
    }
    tansy_model_summarise(s->model, &s->summary);
    if (!*s->summary.name) s->summary.name = s->name = name_of_file(path);
    s->n = tansy_model_count(s->model, TANSY_MODEL_STATES);
    choose_outputs(s);
    s->np = tansy_model_count(s->model, TANSY_MODEL_PARAMETERS);
    s->nx = s->n + s->no;
    s->p = take(s->np, sizeof *s->p);
    s->given = take(s->np, sizeof *s->given);
    for (size_t k = 0; k < s->np; k++) s->p[k] = tansy_model_parameter(s->model, k).value;
    const char *const warnings = tansy_model_warnings(s->model);
    if (*warnings && !request->quiet)
        (void)fprintf(stderr, "%s%s", warnings, warnings[strlen(warnings) - 1] == '\n' ? "" : "\n");
    return DONE;
}

bool study_is_in_bounds(const struct study *s, size_t k, double value)
{
    tansy_parameter const about = tansy_model_parameter(s->model, k);
    return !(value < about.lower || value > about.upper);
}

void study_tell_bounds(const struct study *s, size_t k, double value, const char *where)
{
    tansy_parameter const about = tansy_model_parameter(s->model, k);
    (void)complain(DONE, "warning: %s%s = %g is outside its bounds %g .. %g", where,
                   tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, k), value, about.lower,
                   about.upper);
}

void study_add_bounds(struct text *text, const struct study *s)
{
    struct alike all = {0};
    for (size_t k = 0; k < s->np; k++) {
        tansy_parameter const about = tansy_model_parameter(s->model, k);
        const char *const name = tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, k);
        if (study_is_in_bounds(s, k, s->p[k]) || !alike_add(&all, name)) continue;
        text_add(text, "%s = %g is outside its bounds %g .. %g", name, s->p[k], about.lower,
                 about.upper);
    }
    if (all.count > 0) alike_tell(text, &all);
}

/* "name=value", which is changed, of the command line or of a line of a file. */
static int set_one(struct study *s, char *text, const char *where, bool in_file)
{
    char *name = NULL, *value = NULL;
    double number = 0;
    if (!split_assignment(text, &name, &value))
        return complain(BAD_USAGE, "%s: it must be NAME=VALUE%s", where,
                        in_file ? "" : ", or @FILE with such lines");
    if (!read_number(value, &number) || strchr(name, '='))
        return complain(BAD_USAGE, "%s: %s = %s: the value must be a number%s", where, name, value,
                        strchr(name, '=') ? "; give one NAME=VALUE, and the option again for more"
                        : strchr(value, '[') ? ", in the unit that the model has: leave [...] out"
                                             : "");
    ptrdiff_t const k = study_parameter(s, in_file ? where : "--set", name);
    if (k < 0) return BAD_USAGE;
    s->p[k] = number;
    s->given[k] = true;
    return DONE;
}

static int set_from_file(struct study *s, const char *path)
{
    struct text file = {0};
    int status = DONE;
    if (!text_read(&file, path))
        status = complain(IO_FAILED, "cannot read %s: %s", path, strerror(errno));
    else if (text_nul_line(&file) > 0)
        status = complain(BAD_USAGE, "--set @%s, line %zu: a NUL byte: is it a text?", path,
                          text_nul_line(&file));
    size_t row = 1;
    for (char *line = status == DONE ? text_start(&file) : NULL; line && status == DONE; row++) {
        char *const end = strchr(line, '\n');
        if (end) *end = '\0';
        line[strcspn(line, "#")] = '\0';
        char where[512];
        (void)snprintf(where, sizeof where, "--set @%s, line %zu", path, row);
        char *const content = trim(line);
        if (*content) status = set_one(s, content, where, true);
        line = end ? end + 1 : NULL;
    }
    text_free(&file);
    return status;
}

static int set_parameters(struct study *s)
{
    const struct words *const set = &s->request->set;
    int status = DONE;
    for (size_t k = 0; k < set->count && status == DONE; k++) {
        if (strcmp(set->word[k], "@") == 0)
            return complain(BAD_USAGE, "--set @: the name of a file is missing behind @");
        if (set->word[k][0] == '@') {
            status = set_from_file(s, set->word[k] + 1);
            continue;
        }
        char where[256];
        char *const copy = copy_of(set->word[k]);
        (void)snprintf(where, sizeof where, "--set %s", set->word[k]);
        status = set_one(s, copy, where, false);
        free(copy);
    }
    struct text words = {0};
    if (status == DONE && !s->request->quiet) study_add_bounds(&words, s);
    if (words.length > 0) (void)complain(DONE, "warning: %.*s", (int)words.length - 1, words.at);
    text_free(&words);
    return status;
}

/* Column k is dx/dcolumn, a parameter's number or TANSY_INITIAL. */
static void set_column(struct study *s, size_t k, int column, const char *name)
{
    s->columns[k] = column;
    s->column_name[k] = copy_of(name);
    if (column >= 0 && s->direction) s->direction[k * s->np + (size_t)column] = 1;
}

/* Column k by the initial value of `state`, as x(0) in `name`. */
static int name_initial_column(struct study *s, size_t k, const char *state, const char *name)
{
    ptrdiff_t const i = tansy_model_index(s->model, TANSY_MODEL_STATES, state);
    if (i < 0) return study_unknown(s, "--sens", state, NAMED_STATE);
    int const stem = (int)strcspn(state, "["); /* u of u[3] */
    if (tansy_model_initial_is_used(s->model, (size_t)i))
        return complain(BAD_USAGE,
                        "--sens: %s is used elsewhere in the model: make it a parameter, "
                        "`parameter %.*s0 = ...`, `state %s = %.*s0`, and ask for %.*s0",
                        name, stem, state, state, stem, state, stem, state);
    set_column(s, k, TANSY_INITIAL(i), name);
    return DONE;
}

/* The name is a parameter's or, written x(0), stands for an initial value. */
static int name_column(struct study *s, size_t k, const char *name)
{
    for (size_t j = 0; j < k; j++)
        if (strcmp(s->column_name[j], name) == 0)
            return complain(BAD_USAGE, "--sens: %s is named twice; once is enough", name);
    size_t const length = strlen(name);
    if (length > 3 && strcmp(name + length - 3, "(0)") == 0) {
        char *const state = copy_of(name);
        state[length - 3] = '\0';
        int const status = name_initial_column(s, k, state, name);
        free((void *)state);
        return status;
    }
    bool const none = strcmp(name, "none") == 0;
    if (none && tansy_model_index(s->model, TANSY_MODEL_PARAMETERS, name) < 0)
        return complain(BAD_USAGE,
                        "--sens %s: none stands alone, and means no columns: leave it "
                        "out, or all else",
                        s->request->sens);
    ptrdiff_t const l = study_parameter(s, "--sens", name);
    if (l < 0) return BAD_USAGE;
    set_column(s, k, (int)l, name);
    return DONE;
}

/* All parameters, from column k on; those before were named. */
static int name_all_columns(struct study *s, size_t k)
{
    for (size_t j = 0; j < k; j++)
        if (s->columns[j] >= 0)
            return complain(BAD_USAGE,
                            "--sens %s: all stands for every parameter, once: leave out all, or %s",
                            s->request->sens, s->column_name[j]);
    for (size_t l = 0; l < s->np; l++)
        set_column(s, k + l, (int)l, tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, l));
    return DONE;
}

/* Columns by the items of a list. */
static int name_columns(struct study *s, const struct words *items)
{
    int status = DONE;
    size_t k = 0;
    for (size_t item = 0; item < items->count && status == DONE; item++) {
        bool const all = strcmp(items->word[item], "all") == 0;
        status = all ? name_all_columns(s, k) : name_column(s, k, items->word[item]);
        k += all ? s->np : 1;
    }
    return status;
}

static int choose_columns(struct study *s)
{
    const char *const wanted = s->request->sens ? s->request->sens : "all";
    bool const none = strcmp(wanted, "none") == 0 || s->options.sensitivities == TANSY_NONE;
    struct words items = {0};
    if (none && strcmp(wanted, "none") != 0 && strcmp(wanted, "all") != 0)
        return complain(BAD_USAGE,
                        "--sens %s asks for columns and --sensitivities none forbids them: leave "
                        "one of them out",
                        wanted);
    char *const copy = copy_of(wanted);
    if (!none) split_list(copy, &items);
    for (size_t item = 0; item < items.count; item++)
        s->ns += strcmp(items.word[item], "all") == 0 ? s->np : 1;
    s->columns = take(s->ns, sizeof *s->columns);
    s->column_name = take(s->ns, sizeof *s->column_name);
    s->value = take(s->ns, sizeof *s->value);
    s->scale = take(s->ns, sizeof *s->scale);
    s->size = take(s->ns, sizeof *s->size);
    if (s->no > 0) s->direction = take(s->ns * s->np, sizeof *s->direction);
    int const status = name_columns(s, &items);
    free(items.word);
    free(copy);
    s->problem.ns = s->ns;
    s->problem.columns = s->ns > 0 ? s->columns : NULL;
    if (s->ns == 0) s->options.sensitivities = TANSY_NONE;
    return status;
}

/* One --atol: a number for all states, or NAME=VALUE. */
static int set_tolerance(struct study *s, const char *word)
{
    char *const copy = copy_of(word);
    char *name = NULL, *value = copy;
    double number = 0;
    bool const has_name = strchr(word, '=') != NULL;
    bool good = !has_name || split_assignment(copy, &name, &value);
    if (good && strcmp(value, "auto") == 0)
        number = TANSY_AUTO_ATOL;
    else
        good = good && read_number(value, &number) && number >= 0;
    ptrdiff_t const i =
        good && has_name ? tansy_model_index(s->model, TANSY_MODEL_STATES, name) : 0;
    int status = DONE;
    if (!good)
        status = complain(BAD_USAGE,
                          "--atol %s: write `auto`, or a number of at least 0 for all states, or "
                          "NAME=VALUE for one, and --atol again for others",
                          word);
    else if (i < 0)
        status = study_unknown(s, "--atol", name, NAMED_STATE);
    else if (has_name)
        s->atol[i] = number;
    for (size_t j = 0; status == DONE && !has_name && j < s->n; j++) s->atol[j] = number;
    free(copy);
    return status;
}

/* The command line before the model, the model before the default; NAME=VALUE before all. */
static int set_tolerances(struct study *s)
{
    const struct words *const given = &s->request->atol;
    int status = DONE;
    s->atol = take(s->n, sizeof *s->atol);
    s->y0 = take(s->n, sizeof *s->y0);
    for (size_t i = 0; i < s->n; i++) {
        double const own = s->summary.atol ? s->summary.atol[i] : 0;
        s->atol[i] = own > 0 ? own : TANSY_AUTO_ATOL;
    }
    for (int named = 0; named < 2; named++)
        for (size_t k = 0; k < given->count && status == DONE; k++)
            if ((strchr(given->word[k], '=') != NULL) == (named == 1))
                status = set_tolerance(s, given->word[k]);
    s->options.atol_state = s->atol;
    return status;
}

/* What is asked for must suit the model; the library would speak of the problem's fields. */
static int check_linear_solver(const struct study *s)
{
    tansy_linear_solver const linear = s->options.linear_solver;
    tansy_structure const structure = s->problem.structure;
    const char *const is = structure == TANSY_DENSE    ? "dense"
                           : structure == TANSY_BANDED ? "band"
                                                       : "sparse";
    bool const wrong = (linear == TANSY_SPARSE_LU && structure != TANSY_SPARSE) ||
                       (linear == TANSY_BAND_LU && structure != TANSY_BANDED);
    if (wrong)
        return complain(BAD_USAGE,
                        "--linear-solver %s: df/dy of this model is taken as a %s matrix, by its "
                        "size and its zeros (tansy check); leave the option out, or choose %s",
                        linear == TANSY_BAND_LU ? "band" : "sparse", is, is);
    if (s->options.method != TANSY_LIMEX || !(s->options.sparsing > 0)) return DONE;
    if (structure != TANSY_SPARSE)
        return complain(BAD_USAGE,
                        "--sparsing leaves entries out of sparse factors, but df/dy of this model "
                        "is taken as a %s matrix, by its size and its zeros (tansy check); leave "
                        "the option out",
                        is);
    if (linear != TANSY_LINEAR_AUTO && linear != TANSY_SPARSE_LU)
        return complain(BAD_USAGE, "--sparsing leaves entries out of sparse factors: leave "
                                   "--linear-solver out, or choose sparse");
    return DONE;
}

int study_not_solvable(const struct study *s)
{
    return complain(BAD_USAGE, "%s cannot be solved as it is: %s", s->request->operand,
                    s->summary.note);
}

int study_prepare(struct study *s)
{
    int status = DONE;
    if (tansy_model_problem(s->model, &s->problem) != TANSY_OK) return study_not_solvable(s);
    s->problem.p = s->p;
    status = set_parameters(s);
    if (status == DONE) status = choose_columns(s);
    if (status == DONE) status = set_tolerances(s);
    if (status == DONE) status = check_linear_solver(s);
    return status == DONE ? study_choose_times(s) : status;
}

/* Largest level of the control that level k belongs to: its name up to the bracket. */
static double largest_level(const struct study *s, size_t k)
{
    const char *const name = tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, k);
    size_t const length = strcspn(name, "[") + 1;
    double largest = 0;
    for (size_t l = 0; l < s->np; l++)
        if (strncmp(name, tansy_model_name(s->model, TANSY_MODEL_PARAMETERS, l), length) == 0)
            largest = fmax(largest, fabs(s->p[l]));
    return largest;
}

/* |p_k|, of a control the largest level's. */
static double parameter_size(const struct study *s, size_t k)
{
    return tansy_model_parameter(s->model, k).is_level ? largest_level(s, k) : fabs(s->p[k]);
}

static double parameter_scale(const struct study *s, size_t k)
{
    tansy_parameter const about = tansy_model_parameter(s->model, k);
    if (about.scale > 0) return about.scale;
    double scale = parameter_size(s, k);
    if (scale == 0) scale = about.upper - about.lower;
    return isfinite(scale) && scale > 0 ? scale : 1;
}

void study_weigh_columns(struct study *s, const double *y0)
{
    memcpy(s->y0, y0, s->n * sizeof *y0);
    for (size_t k = 0; k < s->ns; k++) {
        int const column = s->columns[k];
        size_t const i = (size_t)(column < 0 ? -1 - column : column);
        s->value[k] = column < 0 ? y0[i] : s->p[i];
        s->scale[k] = column < 0 ? fmax(fabs(y0[i]), study_level(s, i)) : parameter_scale(s, i);
        if (!(s->scale[k] > 0)) s->scale[k] = 1;
        s->size[k] = column < 0 ? 0 : parameter_size(s, i);
        if (!(s->size[k] > 0)) s->size[k] = s->scale[k];
    }
}

void study_free(struct study *s)
{
    for (size_t k = 0; s->column_name && k < s->ns; k++) free(s->column_name[k]);
    free(s->column_name);
    free(s->columns);
    free(s->value);
    free(s->scale);
    free(s->size);
    free(s->direction);
    free(s->atol);
    free(s->y0);
    free(s->output);
    free(s->p);
    free(s->given);
    free(s->name);
    free(s->times);
    text_free(&s->text);
    tansy_model_free(s->model);
    *s = (struct study){0};
}
