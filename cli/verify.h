/* SPDX-License-Identifier: Apache-2.0 */
/* How good a solution is: solved again by another method at a tighter tolerance and, where that cannot be or the model has
   conditions, by differences of whole runs. */
#ifndef CLI_VERIFY_H
#define CLI_VERIFY_H

#include "series.h"

/* Whether the error of a quantity is held by the error tests. */
enum control {
    CONTROLLED = 0,
    BELOW_ATOL, /* never above its atol/rtol */
    SUPPRESSED, /* an algebraic variable, and --suppress-algebraic takes them out of the tests */
    MULTIPLIER, /* of index 2: never tested; or an output that depends on one */
    LOST        /* a column behind a surface where f is 0/0, as the report warns */
};

/* What there was to compare of a quantity or a column. */
enum seen {
    NOTHING = 0,
    ZEROS, /* in both runs, at all times; of an output also what is but rounding of its terms */
    VALUES
};

enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_UNDECIDED };

/* Of quantity `quantity` itself, column = SIZE_MAX, or of one of its columns. */
struct difference {
    double error, t;
    size_t quantity, column;
};

/* Errors in the norm of DESIGN 12, relative: state[nx] of states and outputs; column[ns] and the worst of each; by_difference[ns], NaN when
   nothing is decided, and doubt[ns], what the difference itself may be off by. */
struct verification {
    bool done;
    size_t n, nx, ns, missed;
    size_t steps;  /* of the run */
    size_t marked; /* quantities that are not controlled and columns that atol hides */
    size_t hidden_ones, unseen, zeros; /* that miss the promise but for atol; NOTHING; ZEROS */
    double promise;                    /* 100 rtol */
    double *floor;                     /* floor[nx] */
    double *state, *column, *by_difference, *doubt;
    bool differences; /* were taken */
    bool *differs;    /* differs[ns]: some value is wrong by differences */
    double *decided;  /* decided[ns]: the part of the values that differences can tell, 0 .. 1 */
    size_t *open, *open_first; /* open[ns]: quantities of which they tell no value, and the first */
    size_t *
        one_sided, /* one_sided[ns]: values that are but one of two limits, away from any switching point, */
        *one_sided_first; /* and row*nx + quantity of the first */
    double *until; /* until[ns]: how far they go; to t_end, but where one of their runs stops */
    double t_end, span; /* the last time, its distance from t0 */
    double *moved_state,
        *moved_column;  /* [nx], [ns]: by how much a change of p by rtol moves them; 0: not asked */
    size_t conditioned; /* how many are off by more than the promise, but by less than that */
    size_t times,
        times_all;   /* at how many times of output the runs are compared, and of how many */
    size_t left_out; /* times at switching points of which something is not compared */
    bool interrupted;
    bool stopped;          /* the run itself came to no end, and there is nothing else in here */
    bool nothing_left;     /* all times are such */
    struct numbers turned; /* times at which a condition turns */
    struct series base;    /* the run at the tolerance of the differences, */
    size_t base_calls;     /* and its evaluations of f */
    double *noise;         /* noise[nx]: an output below is rounding of its terms */
    enum control *control; /* control[nx] */
    enum seen *seen, *seen_column; /* [nx], [ns] */
    bool lost;                     /* columns are LOST where differences do not tell them */
    size_t untested; /* how many of them take no part in the error tests, nor in the verdict */
    double *
        aside; /* aside[ns]: the largest error of those in the column, of max over t of abs(s_ik) */
    size_t *aside_worst;
    double *
        of_largest; /* of_largest[nx]: of such ones the error relative to max over t of abs(x_i) alone */
    double *
        hidden; /* hidden[ns]: the largest error of such ones in the column, relative to max over t of abs(s_ik) */
    size_t *worst;
    struct difference most;           /* the largest error of all, */
    double *most_state, *most_column; /* [nx], [ns]: those that it is the largest of */
    size_t partner;                   /* by which of verify_partners() it was solved again */
    char *how;                        /* a sentence */
};

/* DONE; NOT_VERIFIED, also when no second run can be made; STOPPED when interrupted. */
int verify_run(struct study *s, const struct series *series, const struct outcome *outcome,
               struct verification *v);
/* FAIL where anything is worse than promised, UNDECIDED where anything is open or nothing is promised or compared. */
enum verdict verify_verdict(const struct verification *v);
/* "pass", "fail" or "undecided". */
const char *verify_verdict_word(const struct verification *v);
/* The verdict in capitals and why, one line without its end. */
void verify_tell(struct text *text, const struct verification *v);
/* The digits of an error with one decimal; "-" where there was nothing, or zeros, to compare. */
const char *verify_digits(enum seen seen, double error, char *answer, size_t size);
/* Why it has none; or "". */
const char *verify_seen_text(enum seen seen);
/* "not controlled: why", or "". */
const char *verify_control_text(enum control control);
/* Does it take no part in the error tests? */
bool verify_untested(enum control control);
/* A table for people; of very many states the worst ones. */
void verify_table(struct text *text, const struct study *s, const struct verification *v);
/* What the differences say of column k. */
void verify_difference(struct text *text, const struct study *s, const struct verification *v,
                       size_t k);
/* -log10(e) in [0, 16]; 0 for NaN. */
double digits_of(double e);
/* Is anything promised?  An error of 100 % is no promise, which none can miss: then nothing is verified. */
bool verify_promises(const struct verification *v);
bool verify_column_passed(const struct verification *v, size_t k);
bool verify_state_passed(const struct verification *v, size_t i);
/* The error of quantity i that tells its digits. */
double verify_shown(const struct verification *v, size_t i);
/* Is it as good as promised beside its atol, and not of its own size? */
bool verify_state_hidden(const struct verification *v, size_t i);
/* Has what is not tested two digits in the column? */
bool verify_aside_passed(const struct verification *v, size_t k);
/* Are these off by more than the promise, but by less than a change of the parameters by rtol moves them? */
bool verify_column_conditioned(const struct verification *v, size_t k);
bool verify_state_conditioned(const struct verification *v, size_t i);
/* Whether atol hides an error in column k that is worse than promised. */
bool verify_column_hidden(const struct verification *v, size_t k);
enum control verify_column_control(const struct verification *v, size_t k);
void verify_free(struct verification *v);

#endif
