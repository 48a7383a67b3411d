/* SPDX-License-Identifier: Apache-2.0 */
/* What a call to Tansy returns: 0 done, positive an event, negative an error.  The code is for the program;
   tansy_message() holds the sentence for the person. */
#ifndef TANSY_STATUS_H
#define TANSY_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TANSY_API __attribute__((visibility("default")))
#else
#define TANSY_API
#endif

#define TANSY_VERSION_MAJOR 0
#define TANSY_VERSION_MINOR 1
#define TANSY_VERSION_PATCH 0

typedef enum tansy_status {
    TANSY_OK = 0,
    TANSY_STOPPED_AT_EVENT = 1,   /* reserved: no call returns it */
    TANSY_OUT_OF_MEMORY = -1,     /* also: the handle is NULL */
    TANSY_BAD_PROBLEM = -2,       /* a field of the problem is missing or makes no sense */
    TANSY_BAD_OPTION = -3,        /* an option or a tolerance makes no sense */
    TANSY_BAD_CALL = -4,          /* an argument of this call makes no sense; the solver goes on */
    TANSY_TOO_MANY_STEPS = -5,    /* max_steps were taken without reaching t */
    TANSY_STEP_TOO_SMALL = -6,    /* the error test failed down to the smallest step */
    TANSY_NOT_CONVERGED = -7,     /* the corrector failed down to the smallest step */
    TANSY_TOO_MUCH_ACCURACY = -8, /* the tolerances ask for more than double precision holds */
    TANSY_SINGULAR = -9,          /* the iteration matrix is singular down to the smallest step */
    TANSY_NOT_FINITE = -10,   /* a user function gave NaN or Inf and a smaller step did not help */
    TANSY_USER_FAILED = -11,  /* a user function said "not here" and a smaller step did not help */
    TANSY_USER_STOPPED = -12, /* a user function returned a negative value */
    TANSY_ZERO_WEIGHT = -13,  /* purely relative tolerance and a component that vanishes */
    TANSY_WRONG_DERIVATIVE = -14, /* tansy_check(): a given derivative differs from differences */
    TANSY_BAD_MODEL = -15,        /* the text of a model has an error; the message points at it */
    TANSY_NO_FILE = -16,          /* a file cannot be read or written */
    TANSY_SLIDING = -17,      /* both sides of a switch point at it: there is no solution beyond */
    TANSY_GRAZING = -18,      /* a switch is only touched where f jumps: S does not exist beyond */
    TANSY_INCONSISTENT = -19, /* no consistent initial values were found near the given ones */
    TANSY_HIGH_INDEX = -20    /* the index of the differential-algebraic problem is too high */
} tansy_status;

/* The name of a status in words, "out of memory"; never NULL. */
TANSY_API const char *tansy_status_text(tansy_status status);

/* The version of the library that runs, "0.1.0". */
TANSY_API const char *tansy_version(void);

#ifdef __cplusplus
}
#endif
#endif
