/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a unit: factors by space, `*`, `.` or `/` (which divides by the next factor alone), powers `^2`, `^(1/2)` or
   written behind as in `s-1`, groups in parentheses.  A name is looked up as it is, then as prefix and name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/token_number.h"
#include "model/units.h"

struct named_unit {
    const char *name;
    double factor;
    signed char exponent[UNIT_BASES]; /* m kg s A K mol cd */
    bool prefixed;                    /* may carry a prefix */
};

/* Exact by definition (SI 2019), or the conventional value: cal is the thermochemical calorie. */
/* clang-format off */
static const struct named_unit named[] = {
    {"m", 1, {1}, true}, {"g", 1e-3, {0, 1}, true}, {"s", 1, {0, 0, 1}, true}, {"A", 1, {0, 0, 0, 1}, true},
    {"K", 1, {0, 0, 0, 0, 1}, true}, {"mol", 1, {0, 0, 0, 0, 0, 1}, true}, {"cd", 1, {0, 0, 0, 0, 0, 0, 1}, true},
    {"rad", 1, {0}, true}, {"sr", 1, {0}, true}, {"deg", 0.017453292519943295, {0}, false},
    {"%", 1e-2, {0}, false}, {"ppm", 1e-6, {0}, false}, {"ppb", 1e-9, {0}, false},
    {"Hz", 1, {0, 0, -1}, true}, {"Bq", 1, {0, 0, -1}, true},
    {"N", 1, {1, 1, -2}, true}, {"dyn", 1e-5, {1, 1, -2}, false},
    {"Pa", 1, {-1, 1, -2}, true}, {"bar", 1e5, {-1, 1, -2}, true}, {"atm", 101325, {-1, 1, -2}, false},
    {"Torr", 101325.0 / 760, {-1, 1, -2}, true}, {"mmHg", 133.322387415, {-1, 1, -2}, false},
    {"psi", 6894.757293168361, {-1, 1, -2}, false},
    {"J", 1, {2, 1, -2}, true}, {"eV", 1.602176634e-19, {2, 1, -2}, true}, {"cal", 4.184, {2, 1, -2}, true},
    {"erg", 1e-7, {2, 1, -2}, false}, {"Wh", 3600, {2, 1, -2}, true},
    {"W", 1, {2, 1, -3}, true}, {"C", 1, {0, 0, 1, 1}, true}, {"V", 1, {2, 1, -3, -1}, true},
    {"Ohm", 1, {2, 1, -3, -2}, true}, {"ohm", 1, {2, 1, -3, -2}, true},
    {"\xce\xa9", 1, {2, 1, -3, -2}, true}, {"\xe2\x84\xa6", 1, {2, 1, -3, -2}, true}, /* omega, ohm sign */
    {"S", 1, {-2, -1, 3, 2}, true},
    {"F", 1, {-2, -1, 4, 2}, true}, {"H", 1, {2, 1, -2, -2}, true}, {"Wb", 1, {2, 1, -2, -1}, true},
    {"T", 1, {0, 1, -2, -1}, true}, {"lm", 1, {0, 0, 0, 0, 0, 0, 1}, true}, {"lx", 1, {-2, 0, 0, 0, 0, 0, 1}, true},
    {"Gy", 1, {2, 0, -2}, true}, {"Sv", 1, {2, 0, -2}, true}, {"kat", 1, {0, 0, -1, 0, 0, 1}, true},
    {"L", 1e-3, {3}, true}, {"l", 1e-3, {3}, true}, {"M", 1e3, {-3, 0, 0, 0, 0, 1}, true},
    {"P", 0.1, {-1, 1, -1}, true}, {"St", 1e-4, {2, 0, -1}, true}, {"D", 3.33564095198152e-30, {1, 0, 1, 1}, false},
    {"t", 1e3, {0, 1}, true}, {"u", 1.66053906892e-27, {0, 1}, false}, {"Da", 1.66053906892e-27, {0, 1}, true},
    {"min", 60, {0, 0, 1}, false}, {"h", 3600, {0, 0, 1}, false}, {"hr", 3600, {0, 0, 1}, false},
    {"d", 86400, {0, 0, 1}, false}, {"day", 86400, {0, 0, 1}, false}, {"yr", 31557600, {0, 0, 1}, false},
    {"ha", 1e4, {2}, false}, {"in", 0.0254, {1}, false}, {"ft", 0.3048, {1}, false}, {"lb", 0.45359237, {0, 1}, false},
};
static const struct { const char *name; double factor; } prefix[] = {
    {"da", 1e1}, {"h", 1e2}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15}, {"E", 1e18},
    {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3}, {"u", 1e-6}, {"\xc2\xb5", 1e-6}, {"\xce\xbc", 1e-6}, {"n", 1e-9},
    {"p", 1e-12}, {"f", 1e-15}, {"a", 1e-18},
};
/* What units are called in words, without the s of more than one. */
static const struct { const char *word, *unit; } words[] = {
    {"sec", "s"}, {"second", "s"}, {"msec", "ms"}, {"minute", "min"}, {"min", "min"}, {"hour", "h"}, {"hr", "h"},
    {"day", "d"}, {"year", "yr"}, {"yr", "yr"}, {"mole", "mol"}, {"mol", "mol"}, {"mmol", "mmol"}, {"mmole", "mmol"},
    {"kmole", "kmol"}, {"umole", "umol"}, {"molar", "M"}, {"gram", "g"}, {"gm", "g"}, {"milligram", "mg"},
    {"kilogram", "kg"}, {"kg", "kg"}, {"tonne", "t"}, {"ton", "t"}, {"meter", "m"}, {"metre", "m"}, {"centimeter", "cm"},
    {"centimetre", "cm"}, {"kilometer", "km"}, {"kilometre", "km"}, {"micron", "um"}, {"inch", "in"}, {"foot", "ft"},
    {"feet", "ft"}, {"pound", "lb"}, {"lb", "lb"}, {"liter", "L"}, {"litre", "L"}, {"milliliter", "mL"},
    {"millilitre", "mL"}, {"cc", "cm^3"}, {"kelvin", "K"}, {"ampere", "A"}, {"amp", "A"}, {"volt", "V"}, {"watt", "W"},
    {"joule", "J"}, {"newton", "N"}, {"pascal", "Pa"}, {"hertz", "Hz"}, {"ohm", "Ohm"}, {"calorie", "cal"},
    {"degree", "deg"}, {"\xc2\xb0", "deg"}, {"radian", "rad"}, {"percent", "%"}, {"dalton", "Da"},
};
/* clang-format on */
enum { NAMED = sizeof named / sizeof *named, PREFIXES = sizeof prefix / sizeof *prefix };
enum { WORDS = sizeof words / sizeof *words };
enum { MAX_DEPTH = 16 }; /* of parentheses */

struct reader {
    const char *text;
    size_t length, at;
    struct unit_fault *fault;
    struct {
        struct unit unit;
        int sign; /* of the factor that follows */
    } group[MAX_DEPTH];
    size_t depth;
};

static bool fail(struct reader *r, size_t offset, size_t length, const char *what)
{
    r->fault->offset = offset;
    r->fault->length = length;
    (void)snprintf(r->fault->what, sizeof r->fault->what, "%s", what);
    return false;
}

static char look(const struct reader *r)
{
    return r->at < r->length ? r->text[r->at] : 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, %, degree and micro signs, and all else beyond ASCII. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

static bool follows(const struct reader *r, const char *sign)
{
    size_t const length = strlen(sign);
    return r->length - r->at >= length && memcmp(r->text + r->at, sign, length) == 0;
}

/* Bytes of the dot in the middle of the line, U+00B7 or U+22C5; 0: it is none. */
static size_t dot_length(const struct reader *r)
{
    return follows(r, "\xc2\xb7") ? 2 : follows(r, "\xe2\x8b\x85") ? 3 : 0;
}

/* The superscript that follows: what is written for it and its bytes; NUL: none does. */
static char superscript(const struct reader *r, size_t *bytes)
{
    static const struct {
        const char *sign;
        char written;
    } all[] = {{"\xe2\x81\xb0", '0'}, {"\xc2\xb9", '1'},     {"\xc2\xb2", '2'},
               {"\xc2\xb3", '3'},     {"\xe2\x81\xb4", '4'}, {"\xe2\x81\xb5", '5'},
               {"\xe2\x81\xb6", '6'}, {"\xe2\x81\xb7", '7'}, {"\xe2\x81\xb8", '8'},
               {"\xe2\x81\xb9", '9'}, {"\xe2\x81\xba", '+'}, {"\xe2\x81\xbb", '-'}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *bytes = strlen(all[k].sign);
        if (follows(r, all[k].sign)) return all[k].written;
    }
    return 0;
}

/* A power in superscripts is refused with what to write; true: there is none. */
static bool has_no_superscript(struct reader *r)
{
    char what[40] = "write ^";
    size_t const start = r->at;
    size_t bytes, used = strlen(what);
    for (char c; used + 1 < sizeof what && (c = superscript(r, &bytes)) != 0; r->at += bytes)
        what[used++] = c;
    return r->at == start || fail(r, start, r->at - start, what);
}

static const struct named_unit *find(const char *name, size_t length)
{
    for (size_t k = 0; k < NAMED; k++)
        if (strlen(named[k].name) == length && memcmp(named[k].name, name, length) == 0)
            return &named[k];
    return NULL;
}

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Letters of a name that differ from those of a word by case; SIZE_MAX: others do. */
static size_t case_distance(const char *name, size_t length, const char *word)
{
    size_t count = 0;
    if (strlen(word) != length) return SIZE_MAX;
    for (size_t k = 0; k < length; k++) {
        if (lower(name[k]) != lower(word[k])) return SIZE_MAX;
        count += name[k] != word[k];
    }
    return count;
}

/* The unit that a name is but for case, the nearest; false: it is none. */
static bool find_by_case(const char *name, size_t length, char *meant, size_t size)
{
    size_t best = SIZE_MAX;
    for (size_t k = 0; k <= PREFIXES; k++) {
        const char *const before = k == 0 ? "" : prefix[k - 1].name;
        size_t const skip = strlen(before);
        size_t const first = skip < length ? case_distance(name, skip, before) : SIZE_MAX;
        for (size_t i = 0; i < NAMED && first != SIZE_MAX; i++) {
            size_t const rest = case_distance(name + skip, length - skip, named[i].name);
            if ((k > 0 && !named[i].prefixed) || rest == SIZE_MAX || first + rest >= best) continue;
            best = first + rest;
            (void)snprintf(meant, size, "%s%s", before, named[i].name);
        }
    }
    return best != SIZE_MAX;
}

/* The unit that a name means in words. */
static const char *find_by_word(const char *name, size_t length)
{
    for (int plural = 0; plural < 2; plural++) {
        if (plural && (length < 2 || lower(name[length - 1]) != 's')) break;
        for (size_t k = 0; k < WORDS; k++)
            if (case_distance(name, length - (size_t)plural, words[k].word) != SIZE_MAX)
                return words[k].unit;
    }
    return NULL;
}

static bool refuse_name(struct reader *r, size_t start, size_t length)
{
    enum { SHOWN = 20 };
    const char *const name = r->text + start;
    const char *const word = find_by_word(name, length);
    char meant[SHOWN] = "", what[80];
    bool const found = word || find_by_case(name, length, meant, sizeof meant);
    if (!found && length >= 2 &&
        (name[length - 1] == 'C' || case_distance(name, length, "celsius") != SIZE_MAX))
        return fail(r, start, length,
                    "temperatures are in K: degrees Celsius have no zero to start from");
    if (!found) return fail(r, start, length, "no unit has this name");
    (void)snprintf(what, sizeof what, "no unit has this name; did you mean %s?",
                   word ? word : meant);
    return fail(r, start, length, what);
}

static bool read_name(struct reader *r, struct unit *unit)
{
    size_t const start = r->at;
    size_t bytes;
    if (!has_no_superscript(r)) return false;
    while (is_letter(look(r)) && dot_length(r) == 0 && !superscript(r, &bytes)) r->at++;
    const char *const name = r->text + start;
    size_t const length = r->at - start;
    double factor = 1;
    const struct named_unit *found = find(name, length);
    for (size_t k = 0; k < PREFIXES && !found; k++) {
        size_t const skip = strlen(prefix[k].name);
        if (skip >= length || memcmp(prefix[k].name, name, skip) != 0) continue;
        found = find(name + skip, length - skip);
        if (found && !found->prefixed) found = NULL;
        if (found) factor = prefix[k].factor;
    }
    if (!found) return refuse_name(r, start, length);
    unit->factor = factor * found->factor;
    for (size_t i = 0; i < UNIT_BASES; i++) unit->exponent[i] = found->exponent[i];
    return true;
}

/* A number without sign: digits and a point. */
static bool read_number(struct reader *r, double *number)
{
    enum { LONGEST = 31 };
    size_t const start = r->at;
    while (is_digit(look(r)) || look(r) == '.') r->at++;
    size_t const count = r->at - start;
    if (count > LONGEST) return fail(r, start, LONGEST, "this number is too long");
    return token_number_read(r->text + start, count, number) ||
           fail(r, start, count ? count : 1, "a number is expected here");
}

static bool read_sign(struct reader *r)
{
    bool const negative = look(r) == '-';
    if (negative || look(r) == '+') r->at++;
    return negative;
}

/* `^2`, `^-1`, `^(1/2)`, `-1`, `2`; nothing: 1. */
static bool read_power(struct reader *r, double *power)
{
    *power = 1;
    if (!has_no_superscript(r)) return false;
    bool const marked = look(r) == '^';
    if (!marked && look(r) != '-' && look(r) != '+' && !is_digit(look(r))) return true;
    if (marked) r->at++;
    bool const grouped = marked && look(r) == '(';
    if (grouped) r->at++;
    bool const negative = read_sign(r);
    if (!read_number(r, power)) return false;
    if (grouped && look(r) == '/') {
        double below;
        size_t const start = ++r->at;
        if (!read_number(r, &below)) return false;
        if (below == 0) return fail(r, start, 1, "this power divides by zero");
        *power /= below;
    }
    if (grouped && look(r) != ')') return fail(r, r->at, 1, "a ) is missing here");
    if (grouped) r->at++;
    if (negative) *power = -*power;
    return fabs(*power) <= 100 || fail(r, r->at - 1, 1, "this power is too large");
}

static void apply(struct reader *r, const struct unit *unit, double power)
{
    struct unit *const product = &r->group[r->depth].unit;
    power *= r->group[r->depth].sign;
    product->factor *= pow(unit->factor, power);
    for (size_t i = 0; i < UNIT_BASES; i++) product->exponent[i] += power * unit->exponent[i];
    r->group[r->depth].sign = 1;
}

static bool open_group(struct reader *r)
{
    if (r->depth + 1 == MAX_DEPTH) return fail(r, r->at, 1, "too many parentheses");
    r->at++;
    r->depth++;
    r->group[r->depth].unit = (struct unit){.factor = 1};
    r->group[r->depth].sign = 1;
    return true;
}

static bool close_group(struct reader *r)
{
    if (r->depth == 0) return fail(r, r->at, 1, "this ) closes nothing");
    r->at++;
    double power;
    if (!read_power(r, &power)) return false;
    struct unit const inner = r->group[r->depth--].unit;
    apply(r, &inner, power);
    return true;
}

static bool read_factor(struct reader *r)
{
    struct unit unit = {.factor = 1};
    double power = 1;
    if (is_digit(look(r))) {
        if (!read_number(r, &unit.factor)) return false;
        if (unit.factor == 0) return fail(r, r->at - 1, 1, "a unit cannot be zero");
        if (look(r) == '^' && !read_power(r, &power)) return false;
    } else if (!read_name(r, &unit) || !read_power(r, &power)) {
        return false;
    }
    apply(r, &unit, power);
    return true;
}

static bool read_next(struct reader *r)
{
    char const c = look(r);
    if (c == '(') return open_group(r);
    if (c == ')') return close_group(r);
    if (dot_length(r) > 0) {
        r->at += dot_length(r);
        return true;
    }
    if (is_digit(c) || is_letter(c)) return read_factor(r);
    if (!c || !strchr(" \t*./", c)) return fail(r, r->at, 1, "this has no meaning in a unit");
    if (c == '/') r->group[r->depth].sign = -1;
    r->at++;
    return true;
}

bool unit_parse(const char *text, size_t length, struct unit *unit, struct unit_fault *fault)
{
    struct reader r = {.text = text, .length = length, .fault = fault};
    r.group[0].unit.factor = 1;
    r.group[0].sign = 1;
    if (length == 1 && text[0] == '-') r.at = 1;
    while (r.at < length)
        if (!read_next(&r)) return false;
    if (r.depth > 0) return fail(&r, length - 1, 1, "a ) is missing here");
    if (r.group[0].sign < 0) return fail(&r, length - 1, 1, "a unit is missing behind /");
    *unit = r.group[0].unit;
    return (isfinite(unit->factor) && unit->factor > 0) ||
           fail(&r, 0, length, "this unit is out of range");
}
