# SPDX-License-Identifier: Apache-2.0
"""What is asked of sparse factors where there are none: for a dense model, by another linear solver, in a build without KLU."""
import json
import unittest

from program import HAS_KLU, MODEL, ProgramTest, main

# df/dy is sparse and has no band.
CROSS = """constant N = 200
parameter a = 1
state u[i in 1..N] = 1
u[i]' = -a*u[i] + u[N + 1 - i] for i in 1..N
time 0 .. 1
"""
SPARSING = ("--method", "limex", "--sparsing", 0.01)


class SparseFactors(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.folder / "m.tansy").write_text(CROSS, encoding="utf-8")

    def test_sparsing_where_there_are_no_sparse_factors(self):
        self.refused("solve", MODEL, *SPARSING, says="taken as a dense matrix, by its size and its zeros")
        for other in ("dense", "gmres"):
            self.refused("solve", "m.tansy", *SPARSING, "--linear-solver", other, says="leave --linear-solver out, or choose sparse")

    def solver_of(self, *words):
        self.good("solve", "m.tansy", "--points", 2, "--quiet", "--stats", "a.json", *words)
        stats = json.loads((self.folder / "a.json").read_text(encoding="utf-8"))
        self.assertEqual(stats["structure"], "sparse")
        return stats["linear_solver"]

    @unittest.skipUnless(HAS_KLU, "not run for want of KLU")
    def test_sparse_factors(self):
        self.good("solve", "m.tansy", *SPARSING, "--points", 2)
        for words in (("--method", "bdf"), ("--linear-solver", "sparse", "--method", "bdf"), SPARSING):
            self.assertEqual(self.solver_of(*words), "sparse")

    @unittest.skipIf(HAS_KLU, "for builds without KLU")
    def test_a_sparse_solver_that_was_not_built(self):
        why = "this library was built without SuiteSparse's KLU"
        self.refused("solve", "m.tansy", "--linear-solver", "sparse", "--method", "bdf",
                     says=f"--linear-solver sparse: {why}; choose dense or gmres")
        self.refused("solve", "m.tansy", *SPARSING, says=f"the option --sparsing is for the linear solver sparse, but {why}")
        self.assertEqual(self.solver_of("--method", "bdf", "--report", "a.html"), "dense")
        self.assertIn("dense_lu, for this library was built without", (self.folder / "a.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
