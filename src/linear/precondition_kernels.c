/* SPDX-License-Identifier: Apache-2.0 */
/* Which solves of preconditioners belong to which kernels. */
#include "linear/precondition_kernels.h"

#include <string.h>

extern const struct precondition_kernels precondition_kernels_plain, precondition_kernels_avx2,
    precondition_kernels_avx512;

const struct precondition_kernels *precondition_kernels_for(const struct kernels *kernels)
{
#ifdef TANSY_HAVE_AVX512
    if (strcmp(kernels->name, "avx512") == 0) return &precondition_kernels_avx512;
#endif
#ifdef TANSY_HAVE_AVX2
    if (strcmp(kernels->name, "avx2") == 0) return &precondition_kernels_avx2;
#endif
    (void)kernels;
    return &precondition_kernels_plain;
}
