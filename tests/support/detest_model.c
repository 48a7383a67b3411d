/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of lines "key: value" become models, line by line:
     y2(0): VALUE  ->  state y2 = VALUE;   aux: NAME = VALUE  ->  let NAME = VALUE;   f2: VALUE  ->  y2' = VALUE,
   with ** written ^. */
#include "detest_model.h"

#include "reference_file.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Where a line comes from, for messages. */
struct place {
    const char *file;
    const struct line *line;
};

__attribute__((format(printf, 3, 4))) static void
append(struct detest_model *model, const struct place *place, const char *format, ...)
{
    va_list arguments;
    size_t const room = sizeof model->text - model->length;
    va_start(arguments, format);
    int const length = vsnprintf(model->text + model->length, room, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= room)
        line_fail(place->file, place->line, "the model is too long");
    model->length += (size_t)length;
}

/* Powers as the language writes them. */
static void translate(char *value)
{
    char *to = value;
    for (const char *from = value; *from; from++) {
        int const power = from[0] == '*' && from[1] == '*';
        *to++ = power ? '^' : *from;
        if (power) from++;
    }
    *to = 0;
}

/* The number behind `head` in a key: 12 of "yend12" and "yend"; 0 if the key is another one. */
static size_t index_in(const char *key, const char *head, const char *tail)
{
    size_t const length = strlen(head);
    char *end = NULL;
    if (strncmp(key, head, length) != 0) return 0;
    unsigned long const i = strtoul(key + length, &end, 10);
    return end != key + length && strcmp(end, tail) == 0 ? i : 0;
}

static void take_line(struct detest_model *model, const struct place *place)
{
    char *const *word = place->line->word;
    if (place->line->count < 2) line_fail(place->file, place->line, "no value");
    const char *key = word[0];
    size_t i = 0;
    translate(word[1]);
    if (strcmp(key, "t0") == 0) model->t0 = line_number(place->file, place->line, 1);
    if (strcmp(key, "tend") == 0) model->t_end = line_number(place->file, place->line, 1);
    if (strcmp(key, "aux") == 0) append(model, place, "let%s\n", word[1]);
    if ((i = index_in(key, "y", "(0)"))) append(model, place, "state y%zu =%s\n", i, word[1]);
    if ((i = index_in(key, "f", ""))) append(model, place, "y%zu' =%s\n", i, word[1]);
    if ((i = index_in(key, "yend", "")) && i <= DETEST_MOST_STATES) {
        model->y_end[i - 1] = line_number(place->file, place->line, 1);
        model->n = i;
    }
}

void detest_model_read(const char *file, const char *name, struct detest_model *model)
{
    struct line line = {.number = 0};
    struct place const place = {file, &line};
    FILE *const from = reference_open(file, "r");
    int inside = 0;
    *model = (struct detest_model){.n = 0};
    while (line_read(from, ":", &line)) {
        if (strcmp(line.word[0], "problem") == 0) {
            if (inside) break;
            inside = line.count > 1 && strcmp(line.word[1] + strspn(line.word[1], " "), name) == 0;
        } else if (inside) {
            take_line(model, &place);
        }
    }
    fclose(from);
    if (model->n == 0) line_fail(file, &line, "there is no such problem");
}
