/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the binder: the table of symbols, values on the stack of the evaluator, and what its files ask of each other.
   The order of the work is in bind.c. */
#ifndef MODEL_BIND_H
#define MODEL_BIND_H

#include "base/message.h"
#include "model/system.h"
#include "model/units.h"

enum {
    MAX_ENTRIES = 10000000,    /* of a vector, a loop, a sum */
    MAX_TOTAL = 40000000,      /* of all vectors of a kind */
    MAX_EVALUATED = 100000000, /* terms in all: beyond this a model does not end in half a minute */
    MAX_LEVELS = 2000,         /* of a control: every evaluation of it costs as many products */
    MAX_CYCLES = 1000,         /* in branches not taken: more are an error at once */
    ENTRY_NAME = 160           /* bytes of "u[3,4]" in a message */
};

/* Index names and their ranges: of a vector, a loop or a sum. */
struct indices {
    uint32_t count;
    uint32_t name[MAX_INDICES]; /* NO_NAME: has none */
    int64_t lower[MAX_INDICES];
    uint32_t size[MAX_INDICES];
    size_t entries; /* the product of the sizes */
};

enum value_kind {
    VALUE_NUMBER, /* a constant */
    VALUE_NODE,   /* an expression of the graph */
    VALUE_POISON /* an error that counts only if the value is used: node is its number in binder.poison */
};

struct value {
    double number;
    uint32_t node;
    uint32_t unit;      /* of units.h */
    struct place place; /* the text it comes from */
    uint8_t kind;       /* enum value_kind */
    bool is_condition;  /* 0 or 1: a comparison and what `and`, `or`, `not` make of it */
    bool is_negated;    /* of a condition: 1 - node */
};

enum poison_kind { POISON_INDEX, POISON_NOT_INTEGER, POISON_ZERO, POISON_NOT_FINITE, POISON_CYCLE };
struct poison {
    enum poison_kind kind;
    struct place place;
    uint32_t symbol; /* POISON_INDEX: of it; index number `index` is not in lower .. upper */
    uint32_t index;
    double value, lower, upper;
    size_t entry;     /* POISON_CYCLE: entry `entry` of `symbol` needs itself */
    const char *text; /* and by which way */
};

enum symbol_kind {
    SYMBOL_PARAMETER,
    SYMBOL_CONSTANT,
    SYMBOL_STATE,
    SYMBOL_ALGEBRAIC,
    SYMBOL_INTEGRAL,
    SYMBOL_LET,
    SYMBOL_OUTPUT,
    SYMBOL_REACTION,
    SYMBOL_CONTROL,
    SYMBOL_INPUT
};

struct symbol {
    enum symbol_kind kind;
    uint32_t name, statement;
    struct place place;
    uint32_t unit;
    const char *unit_text;
    struct indices indices;
    bool is_sized;
    uint32_t first; /* parameter, state, input: number of entry 0; control: number of level 1 */
    uint32_t slot;  /* number of the definition of entry 0 */
    uint32_t node;  /* control: its value */
};

/* A value that is found when it is first asked for: of a constant, a let, an output, a reaction's rate; of a state its
   initial value. */
enum definition_progress { DEFINITION_OPEN, DEFINITION_STARTED, DEFINITION_DONE };
struct definition {
    struct value value;
    uint8_t progress; /* enum definition_progress */
};

/* A comparison.  While models are bound OP_SWITCH has its number here; bind_conditions.c gives the final ones. */
struct switching {
    uint32_t node; /* g, or the constant T of `time >= T` */
    struct place place;
    struct condition_entry entry;
};

struct equation {
    uint32_t state; /* of x' = node; UINT32_MAX: another form, 0 = node */
    uint32_t node;
    struct place place;
};

/* A state's share of a reaction. */
struct share {
    uint32_t state, node;
};

/* What may be used where; MODE_TIME: in the times of a grid, which may be parameters. */
enum mode { MODE_CONSTANT, MODE_TIME, MODE_INITIAL, MODE_MODEL };

struct binding {
    uint32_t name;
    double value;
};

struct evaluator; /* bind_evaluate.c */

struct binder {
    size_t terms, most_terms; /* that may still be evaluated; in all */
    size_t loop_left; /* entries of the loop at hand that are not done; 0: there is no loop */
    struct system *system;
    struct syntax *syntax;
    struct graph *graph;
    struct unit_table units;
    LIST(const char *) unit_text; /* by number - 1: as the model writes it, NULL: it does not */
    uint32_t time_unit;
    uint32_t name_time, name_t, name_pi, name_reactions;
    uint32_t *symbol_of; /* symbol_of[names]: or NO_NAME */
    LIST(struct symbol) symbol;
    LIST(struct definition) definition;
    LIST(uint32_t) state_leaf; /* nodes of the states, UINT32_MAX: not made yet */
    LIST(struct binding) binding;
    LIST(struct poison) poison;
    LIST(struct switching) switching;
    LIST(uint32_t) switching_of; /* by node: number + 1 in switching, or 0 */
    LIST(struct equation) equation;
    LIST(struct share) share; /* sorted by state after bind_reactions */
    size_t first_integral;
    LIST(uint32_t) integrand;
    LIST(uint32_t) scratch;
    bool reactions_used;
    uint32_t current_state; /* whose equation is evaluated, for `reactions`; UINT32_MAX: none */
    bool no_memory;         /* seen when an evaluation ends */
    struct evaluator *evaluator;
};

/* system_bind() with a limit on the number of terms that are evaluated: nobody waits for ever. */
tansy_status bind_within(struct system *system, struct syntax *syntax, size_t terms);

/* Errors: at a place; no memory. */
#define BIND_ERROR(b, place, ...)                                                                  \
    source_error(&(b)->syntax->source, &(b)->syntax->diagnosis, place, __VA_ARGS__)
#define BIND_WARN(b, place, ...)                                                                   \
    source_warn(&(b)->syntax->source, &(b)->syntax->diagnosis, place, __VA_ARGS__)
#define BIND_NO_MEMORY(b) source_no_memory(&(b)->syntax->diagnosis)

static inline const struct statement *bind_statement(const struct binder *b, const struct symbol *s)
{
    return &b->syntax->statement.item[s->statement];
}

static inline const char *bind_name(const struct binder *b, uint32_t name)
{
    return name == NO_NAME ? "this reaction" : b->syntax->name.item[name];
}

/* bind_text.c: memory that lives as long as the system. */
void *text_take(struct system *system, size_t size); /* zeroed, or NULL */
const char *text_keep(struct system *system, const char *text, size_t length);
void text_free(struct system *system);
/* "name" or "name[3,4]" for entry number k. */
const char *text_entry(struct system *system, const char *name, const struct indices *indices,
                       size_t k);

/* bind_names.c: symbols, sizes, units, errors about names. */
tansy_status bind_declare(struct binder *b);
tansy_status bind_size(struct binder *b);
/* Refuses a name that nothing declares, and says what it is or may have been meant to be. */
tansy_status bind_unknown(struct binder *b, uint32_t name, struct place place);
const char *symbol_kind_text(enum symbol_kind kind);
void bind_entry_name(const struct binder *b, const struct symbol *s, size_t k,
                     char text[ENTRY_NAME]);
void bind_binding(struct binder *b, const struct indices *indices, size_t k, size_t from);

/* bind_units.c: units of names. */
/* The number of the unit at a place of the text and, unless NULL, the text itself; offset 0: unknown. */
tansy_status bind_unit(struct binder *b, struct place place, uint32_t *number, const char **text);
/* A value of the symbol, in a unit: where the declaration says none the symbol takes the first that there is, with its text; else both
   are the same, or it is an error. */
tansy_status bind_take_unit(struct binder *b, struct symbol *s, struct place place, uint32_t unit,
                            const char *what);
/* The same for a time and the unit of time. */
tansy_status bind_take_time_unit(struct binder *b, const struct value *v, const char *what);
tansy_status bind_is_time(struct binder *b, struct place place, uint32_t unit);
/* The same for an integral and its integrand. */
tansy_status bind_take_integral_unit(struct binder *b, struct symbol *s, const struct value *v);
/* Keeps how x' of the symbol is written where its unit is known. */
tansy_status bind_rate_unit(struct binder *b, const struct symbol *s);
/* A unit for a message: as the model writes it or, where it does not, in base units. */
void bind_unit_text(const struct binder *b, uint32_t unit, char text[UNIT_TEXT]);

/* bind_ranges.c: bounds of indices, loops, entries. */
tansy_status bind_ranges(struct binder *b, struct ranges ranges, struct indices *indices);
tansy_status bind_range_set(struct binder *b, struct indices *indices, uint32_t which,
                            const struct range *range, double lower, double upper);
tansy_status bind_range_finish(struct binder *b, struct indices *indices, struct place place);
tansy_status bind_index_free(struct binder *b, const struct range *range, size_t scope);
/* The earlier index that a bound of one of the ranges names, or NO_NAME. */
uint32_t bind_range_follows(const struct binder *b, struct ranges ranges);
/* One range with the bindings there are. */
tansy_status bind_range_number(struct binder *b, struct indices *indices, uint32_t which,
                               const struct range *range);
/* The loop over the indices: sets the bindings to entry k. */
tansy_status bind_loop_begin(struct binder *b, const struct indices *indices);
void bind_loop_set(struct binder *b, const struct indices *indices, size_t k);
void bind_loop_end(struct binder *b);

/* bind_evaluate.c: the value of an expression with the bindings there are (bind_number: of constants); an error when it
   is poison or a condition. */
tansy_status bind_evaluate(struct binder *b, struct expression e, enum mode mode,
                           struct value *value);
tansy_status bind_number(struct binder *b, struct expression e, struct value *value);
/* Of an expression that is x[...]' alone: the state, and the unit of x'. */
tansy_status bind_rate(struct binder *b, struct expression e, uint32_t *state, uint32_t *unit);
/* The definition of entry k of a symbol. */
tansy_status bind_definition(struct binder *b, uint32_t symbol, size_t k, struct value *value);
void bind_evaluator_free(struct binder *b);
tansy_status bind_poisoned(struct binder *b, const struct value *value);

/* bind_refer.c: what a name stands for. `wait` is set to the definition that is to be found first (symbol, entry). */
struct wanted {
    uint32_t symbol;
    size_t entry;
    bool is_waiting;
};
tansy_status bind_refer(struct binder *b, const struct term *term, enum mode mode,
                        const struct value *index, struct value *result, struct wanted *wanted);
/* time, t or pi: names of numbers that the model does not declare. */
bool bind_is_number(const struct binder *b, uint32_t name);
/* The entry that count indices name; poison in *result when there is none: then *entry is SIZE_MAX. */
tansy_status bind_entry(struct binder *b, uint32_t symbol, struct place place,
                        const struct value *index, uint32_t count, size_t *entry,
                        struct value *result);
/* x[...]' of a state: its number and unit. */
tansy_status bind_rate_of(struct binder *b, const struct term *term, const struct value *index,
                          uint32_t *state, uint32_t *unit, struct value *fault);
uint32_t bind_state_leaf(struct binder *b, uint32_t state);

/* bind_arithmetic.c: operations on values. a is replaced by the result. */
uint32_t value_node(struct binder *b, const struct value *v);
static inline struct value value_number(double number, struct place place)
{
    return (struct value){.number = number, .place = place};
}

static inline struct value value_of(uint32_t node, uint32_t unit, struct place place)
{
    return (struct value){.kind = VALUE_NODE, .node = node, .unit = unit, .place = place};
}

struct value value_poison(struct binder *b, struct poison poison);
tansy_status value_operate(struct binder *b, enum term_kind kind, struct place place,
                           struct value *a, const struct value *c);
tansy_status value_negate(struct binder *b, struct place place, struct value *a);
tansy_status value_call(struct binder *b, const struct term *term, struct value *argument);
/* bind_functions.c: the name of a function without its arguments; TANSY_OK: it is none. */
tansy_status bind_refuse_function(struct binder *b, uint32_t name, struct place place);
/* Both must have the same unit, if both are known; what: "the two sides of this equation have". */
tansy_status value_same_unit(struct binder *b, struct place place, uint32_t x, uint32_t y,
                             const char *what);
/* It has no unit, or 1; what: "an exponent has no dimension, but there are". */
tansy_status value_is_plain(struct binder *b, const struct value *v, const char *what);
struct place place_span(struct place a, struct place b);
tansy_status value_needs_number(struct binder *b, const struct value *v);
void value_fold(struct binder *b, struct value *v);

/* bind_conditions.c */
tansy_status value_compare(struct binder *b, enum term_kind kind, struct place place,
                           struct value *a, const struct value *c);
tansy_status value_combine(struct binder *b, enum term_kind kind, struct value *a,
                           const struct value *c);
tansy_status value_not(struct binder *b, struct place place, struct value *a);
tansy_status value_select(struct binder *b, struct place place, struct value *a,
                          const struct value *then, const struct value *otherwise);
/* 1 where node >= 0; where time >= T. */
uint32_t bind_switch(struct binder *b, uint32_t node, struct place place);
uint32_t bind_time_switch(struct binder *b, double T, struct place place);
/* bind_numbering.c: final numbers, break times, what is used where, warnings. */
tansy_status bind_numbering(struct binder *b);
/* bind_rebuild.c: the graph anew with what is marked alone and with switches of their final numbers, by switching. */
enum { IN_EQUATIONS = 1, IN_OUTPUTS = 2, IN_INITIAL = 4 }; /* marks */
struct final_switch {
    bool is_time; /* piece >= number, else switch `number` */
    uint32_t number;
    uint32_t g; /* with explicit variables replaced, see bind_explicit.c; else that of switching */
    bool is_placed; /* it has its number */
    uint32_t start; /* its number among the conditions of the initial values */
};
tansy_status bind_rebuild(struct binder *b, const uint8_t *mark, const struct final_switch *final);
/* bind_explicit.c: final[].g of a system that is not explicit; the graph grows. */
tansy_status bind_explicit(struct binder *b, const uint8_t *mark, struct final_switch *final);

/* The parts of a model, in the order of the work. */
tansy_status bind_time(struct binder *b);
tansy_status bind_parameters(struct binder *b);
tansy_status bind_parameter_add(struct binder *b, struct symbol *s, struct expression value,
                                struct parameter p); /* with its limits */
/* Shows the unit of the symbol, whose levels or entries are the last parameters, when all are read. */
void bind_parameter_units(struct binder *b, const struct symbol *s);
tansy_status bind_controls(struct binder *b);
tansy_status bind_inputs(struct binder *b);
tansy_status bind_states(struct binder *b);
tansy_status bind_reactions(struct binder *b);
uint32_t bind_shares_of(struct binder *b, uint32_t state, size_t *count); /* their sum */
bool bind_is_species(const struct binder *b,
                     uint32_t state); /* it stands in a reaction, be it as a catalyst */
uint32_t value_sum(struct binder *b, uint32_t *node,
                   size_t count); /* as a tree; node[] is used up */
tansy_status bind_equations(struct binder *b);
tansy_status bind_form(struct binder *b);
tansy_status bind_outputs(struct binder *b);
tansy_status bind_span(struct binder *b);

#endif
