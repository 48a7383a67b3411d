/* SPDX-License-Identifier: Apache-2.0 */
/* Reactions: what they add to the equations of their species. */
#include "test.h"

#include <stdio.h>

#include "support/bound_model.h"

/* The model's right-hand sides at y for its own parameters; the model is freed. */
static void right_sides(const char *text, const double *y, double *f)
{
    struct bound_model m;
    double p[8] = {0};
    bound_parse(&m, text);
    if (m.status != TANSY_OK) fprintf(stderr, "%s\n", m.syntax.diagnosis.text);
    CHECK_EQUAL(m.status, TANSY_OK);
    CHECK_EQUAL(m.system.form, FORM_EXPLICIT);
    CHECK(m.system.parameter.count <= 8);
    for (size_t k = 0; k < m.system.parameter.count; k++) p[k] = m.system.parameter.item[k].value;
    bound_values(&m, 0, y, p, m.system.rhs, m.system.state.count, f);
    bound_free(&m);
}

static void refuses(const char *text, const char *place, const char *words)
{
    struct bound_model m;
    char start[40];
    bound_parse(&m, text);
    snprintf(start, sizeof start, ":%s: ", place);
    CHECK_EQUAL(m.status, TANSY_BAD_MODEL);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, words);
    CHECK_TEXT_CONTAINS(m.syntax.diagnosis.text, start);
    bound_free(&m);
}

TEST(a_reaction_takes_from_the_left_and_adds_to_the_right)
{
    double f[4];
    right_sides("parameter k = 2\nstate A = 1, B = 1, C = 0, D = 0\nreaction r: 2 A + B -> C + 3 "
                "D, k*A*B\n",
                (double[]){3, 5, 7, 11}, f);
    CHECK_CLOSE(f[0], -60, 0);
    CHECK_CLOSE(f[1], -30, 0);
    CHECK_CLOSE(f[2], 30, 0);
    CHECK_CLOSE(f[3], 90, 0);
}

TEST(a_species_on_both_sides_changes_by_the_difference)
{
    double f[2];
    right_sides("state A = 1, B = 1\nr: 2 A + B -> 3 A + B, A*B\ns: 0 -> B, 4\nq: B -> 0, B\n",
                (double[]){3, 5}, f);
    CHECK_CLOSE(f[0], 15, 0);
    CHECK_CLOSE(f[1], 4 - 5, 0);
}

/* Its own equation, if it has one, is not one that reactions would have to add to. */
TEST(a_catalyst_stays_as_it_is)
{
    double f[3];
    right_sides("parameter k = 2\nstate E = 1, S = 1, P = 0\nr: E + S -> E + P, k*E*S\n",
                (double[]){3, 5, 0}, f);
    CHECK_CLOSE(f[0], 0, 0);
    CHECK_CLOSE(f[1], -30, 0);
    CHECK_CLOSE(f[2], 30, 0);
    right_sides("parameter k = 2\nstate E = 1, S = 1, P = 0\nr: E + S -> E + P, k*E*S\nE' = -E\n",
                (double[]){3, 5, 0}, f);
    CHECK_CLOSE(f[0], -3, 0);
}

/* A tank in which c[3] only helps: what the reactions give it is 0. */
TEST(reactions_of_a_catalyst_are_zero)
{
    double f[3];
    right_sides("parameter k = 2, D = 0.5, cin[1..3] = {1, 0, 0.25}\nstate c[1..3] = 0\n"
                "r: c[1] + c[3] -> c[2] + c[3], k*c[1]*c[3]\n"
                "c[i]' = reactions + D*(cin[i] - c[i]) for i in 1..3\n",
                (double[]){3, 5, 7}, f);
    CHECK_CLOSE(f[0], -42 - 1, 0);
    CHECK_CLOSE(f[1], 42 - 2.5, 0);
    CHECK_CLOSE(f[2], -3.375, 0);
    refuses("state A = 1, B = 1, C = 1\nr: A + B -> B, A\nC' = reactions - C", "3:6",
            "no reaction changes C, and it stands in none");
}

TEST(a_reversible_reaction_has_a_net_rate_that_is_a_name)
{
    double f[3];
    right_sides(
        "state A = 1, B = 1, C = 0\nr: A <-> B, 2*A, 3*B\nC' = r + other\nother: A -> 0, 1\n",
        (double[]){3, 5, 0}, f);
    CHECK_CLOSE(f[0], 9 - 1, 0);
    CHECK_CLOSE(f[1], -9, 0);
    CHECK_CLOSE(f[2], -9 + 1, 0);
}

TEST(reactions_run_over_indices)
{
    double f[4];
    right_sides("constant N = 4\nparameter k[i in 1..N] = i\nstate u[1..N] = 1\n"
                "hop: u[i] -> u[i+1], k[i]*u[i] for i in 1..N-1\nu[1]' = reactions + hop[2]\n",
                (double[]){1, 2, 3, 4}, f);
    CHECK_CLOSE(f[0], -1 + 4, 0);
    CHECK_CLOSE(f[1], 1 - 4, 0);
    CHECK_CLOSE(f[2], 4 - 9, 0);
    CHECK_CLOSE(f[3], 9, 0);
}

TEST(stoichiometry_may_be_a_constant_expression)
{
    double f[2];
    right_sides("constant n = 3\nstate A = 1, B = 1\nr: (n/2) A -> (n + 1) B, A\n",
                (double[]){2, 0}, f);
    CHECK_CLOSE(f[0], -3, 0);
    CHECK_CLOSE(f[1], 8, 0);
}

TEST(many_reactions_of_one_species_add_up)
{
    enum { MANY = 1000 };
    static char text[MANY * 40 + 100];
    size_t used = (size_t)snprintf(text, sizeof text, "state A = 1\n");
    double f;
    for (int k = 1; k <= MANY; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "r%d: 0 -> A, %d*A\n", k, k);
    right_sides(text, (double[]){2}, &f);
    CHECK_CLOSE(f, MANY * (MANY + 1.0), 0);
}

/* What takes -1 A makes one, as other models write it that are imported. */
TEST(numbers_of_molecules_may_be_negative)
{
    static const char *const same[] = {
        "r: -1 A -> 3 B, 2*A",       "r: - A -> 3B, 2*A",          "r: (1 - 2) A -> 3*B, 2*A",
        "r: -(3 - 2)*A -> 3 B, 2*A", "r: -3 B -> A, 2*A",          "r: 0 -> A + 3 B, 2*A",
        "r: -1*A + -3 B -> 0, 2*A",  "r: A -> 2 A + -(-3) B, 2*A", "r: -A -> -3 B + 6 B, 2*A",
        "r: -1 A <-> 3 B, 3*A, A",
    };
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        char text[100];
        double f[2];
        snprintf(text, sizeof text, "state A = 1, B = 0\n%s", same[k]);
        right_sides(text, (double[]){5, 0}, f);
        CHECK_CLOSE(f[0], 10, 0);
        CHECK_CLOSE(f[1], 30, 0);
    }
}

TEST(what_is_no_reaction_is_refused)
{
    refuses("parameter k = 1\nstate A = 1\nr: A -> k, 1", "3:9",
            "the species of a reaction are states, but k is not");
    refuses("state A = 1\nr: A -> Bb, 1", "2:9", "Bb is not declared");
    refuses("state A = 1\nr: A -> 0, 1\nA' = 2", "3:1",
            "A has reactions; write A' = reactions + ...");
    refuses("state A = 1, B = 1\nr: A -> 0, 1", "1:14", "there is no equation for B");
    refuses("state A[1..2] = 1\nr: A -> 0, 1", "2:4", "A is a vector");
    refuses("state A[1..2] = 1\nr: A[i] -> A[i+1], 1 for i in 1..2", "2:14", "index 1 of A is 3");
    refuses("state A = 1\nr: - -> A, 1", "2:6", "expected a species");
    refuses("state A = 1\n-1 A -> 0, 1", "2:1", "a reaction begins with a label or `reaction`");
    refuses("state A = 1\nr: A -> 0, A > 1", "2:12", "this is a condition");
    refuses("state A = 1\nr: A -> 0, r", "2:12", "r depends on itself: r -> r");
    refuses("state A = 1\nr: A -> 0, 1\nr: 0 -> A, 1", "3:1", "r is declared twice");
}
