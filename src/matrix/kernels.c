/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels run on this machine. */
#include "matrix/kernels.h"

extern const struct kernels kernels_plain, kernels_avx2, kernels_avx512;

size_t kernels_list(const struct kernels *list[3])
{
    size_t number = 0;
    list[number++] = &kernels_plain;
#ifdef TANSY_HAVE_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        list[number++] = &kernels_avx2;
#endif
#ifdef TANSY_HAVE_AVX512
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        list[number++] = &kernels_avx512;
#endif
    return number;
}

const struct kernels *kernels_choose(void)
{
    const struct kernels *list[3];
    return list[kernels_list(list) - 1];
}
