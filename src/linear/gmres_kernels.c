/* SPDX-License-Identifier: Apache-2.0 */
/* Which loops of GMRES belong to which kernels. */
#include "linear/gmres_kernels.h"

#include <string.h>

extern const struct gmres_kernels gmres_kernels_plain, gmres_kernels_avx2, gmres_kernels_avx512;

const struct gmres_kernels *gmres_kernels_for(const struct kernels *kernels)
{
#ifdef TANSY_HAVE_AVX512
    if (strcmp(kernels->name, "avx512") == 0) return &gmres_kernels_avx512;
#endif
#ifdef TANSY_HAVE_AVX2
    if (strcmp(kernels->name, "avx2") == 0) return &gmres_kernels_avx2;
#endif
    (void)kernels;
    return &gmres_kernels_plain;
}
