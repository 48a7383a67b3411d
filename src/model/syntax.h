/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser hands to the binder: statements, and expressions in postfix order, so that neither of the two
   recurses.  Names are numbers of `name`; everything remembers its place in the source. */
#ifndef MODEL_SYNTAX_H
#define MODEL_SYNTAX_H

#include <stdbool.h>

#include "base/grow.h"
#include "model/source.h"

#define NO_NAME UINT32_MAX

enum {
    MAX_INDICES = 3,
    MAX_DEPTH = 1000, /* of open brackets and ifs in an expression; the stacks are on the heap */
    MAX_SUMS = 8      /* of sums in sums: their ranges multiply */
};

/* One term of an expression in postfix order; `pops` arguments are taken off the stack and one is pushed. */
enum term_kind {
    TERM_NUMBER,  /* pushes number, with the unit `unit` when unit.offset > 0 */
    TERM_NAME,    /* pops `count` indices, pushes the value of name[...]; also `time`, `pi` */
    TERM_RATE,    /* the same for name[...]' */
    TERM_INITIAL, /* the same for name[...](0): the initial value, in other initial values */
    TERM_NEGATE,
    TERM_ADD,
    TERM_SUBTRACT,
    TERM_MULTIPLY,
    TERM_DIVIDE,
    TERM_POWER,
    TERM_CALL, /* function `name` with `count` >= 1 arguments; the name may be no function: the binder says so */
    TERM_LESS,
    TERM_LESS_EQUAL,
    TERM_GREATER,
    TERM_GREATER_EQUAL,
    TERM_EQUAL, /* of index expressions and constants only */
    TERM_NOT_EQUAL,
    TERM_NOT,
    TERM_AND,
    TERM_OR,
    TERM_SELECT, /* condition, then, else */
    TERM_SUM,    /* pushes the sum of body over ranges: sum(i in 1..N: body) */
    TERM_PRODUCT
};

struct term {
    enum term_kind kind;
    uint32_t name;  /* of TERM_NAME, TERM_RATE, TERM_INITIAL, TERM_CALL */
    uint32_t count; /* of indices or arguments; of TERM_SUM: the ranges */
    uint32_t body;  /* of TERM_SUM: number in syntax.body; its ranges are in syntax.range */
    double number;
    struct place place; /* the number, the name with its indices, the operator, `if`, `sum` */
    struct place unit;  /* text between the brackets; offset 0: there are none */
};

/* terms first .. first + count; count = 0: there is none. */
struct expression {
    uint32_t first, count;
};

/* `i in from .. to`, or `from .. to` without a name. */
struct range {
    uint32_t name; /* or NO_NAME */
    struct expression from, to;
    struct place place;
};

/* first .. first + count of syntax.range. */
struct ranges {
    uint32_t first, count;
};

/* The body of a sum; `body` of the sums inside it are lower numbers. */
struct body {
    struct ranges ranges;
    struct expression value;
};

/* A list {a, b, c}: first .. first + count of syntax.item (expressions). */
struct items {
    uint32_t first, count;
    bool given;
};

enum statement_kind {
    STATEMENT_MODEL,     /* model NAME "title" */
    STATEMENT_PARAMETER, /* one statement for every name declared */
    STATEMENT_CONSTANT,
    STATEMENT_STATE,
    STATEMENT_ALGEBRAIC,
    STATEMENT_LET,
    STATEMENT_OUTPUT,
    STATEMENT_INTEGRAL, /* integral NAME = integrand: an output that is a trailing quadrature state */
    STATEMENT_CONTROL,
    STATEMENT_INPUT,
    STATEMENT_REACTION,
    STATEMENT_EQUATION, /* left = value [for ranges] */
    STATEMENT_TIME      /* time from .. to [unit] */
};

/* One side of a reaction: `stoichiometry` (count = 0: 1) of species name[indices]. */
struct species {
    struct expression stoichiometry;
    uint32_t name;
    struct expression index[MAX_INDICES]; /* count = 0: none */
    struct place place;
};

struct statement {
    enum statement_kind kind;
    struct place place;   /* the declared name; of an equation its left side; else the first word */
    uint32_t name;        /* declared name; of a reaction its label, or NO_NAME */
    struct ranges ranges; /* subscripts of a declaration, `for` of an equation or reaction */
    struct place unit;    /* text between the brackets of the declaration; offset 0: none */
    struct place text;    /* model: title; input: file name; both without the quotes */
    struct expression left; /* of an equation */
    struct expression
        value; /* initial value, definition, right-hand side, integrand, forward rate */
    struct items
        list; /* value given as {a, b, c}, one for each entry of a vector or level of a control */
    struct expression lower, upper;  /* in lower .. upper; time: from, to */
    struct expression scale;         /* scale VALUE */
    struct expression atol;          /* atol VALUE */
    bool is_linear;                  /* control, input: piecewise linear instead of constant */
    struct items grid;               /* control: at {t0, ..., tN} */
    struct expression from, to, by;  /* control: on from .. to by N */
    struct place column;             /* input: column "name", without the quotes; offset 0: none */
    uint32_t column_number;          /* input: column 3, from 1; 0: not given */
    uint32_t left_first, left_count; /* reaction: reactants, in syntax.species */
    uint32_t right_first, right_count; /* products */
    bool reversible;                   /* A <-> B, forward rate, backward rate */
    struct expression backward;
};

struct syntax {
    struct source source;
    LIST(const char *) name; /* the distinct names, each ends with NUL, from `letters` */
    LIST(struct term) term;
    LIST(struct expression) item;
    LIST(struct range) range;
    LIST(struct body) body;
    LIST(struct species) species;
    LIST(struct statement) statement;
    struct letters *letters; /* private to syntax.c: the memory of the names */
    struct diagnosis diagnosis;
};

/* The number of a name, NO_NAME when the text does not have it. */
uint32_t syntax_name(const struct syntax *syntax, const char *name);

/* Parses source.text.  TANSY_OK or the diagnosis' status.  syntax must be zeroed; syntax_free in any case.  The
   source is kept by reference. */
tansy_status syntax_parse(struct syntax *syntax, struct source source);
void syntax_free(struct syntax *syntax);

#endif
