# SPDX-License-Identifier: Apache-2.0
# Flags of every C file in the tree, and `tansy_internal` for those that see the inside of the library: its own sources, the
# tests and the benchmarks.
add_compile_options(
    -fno-math-errno # sqrt is one instruction then
    -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
    -Wdouble-promotion $<$<BOOL:${TANSY_WERROR}>:-Werror>)

add_library(tansy_internal INTERFACE)
target_include_directories(tansy_internal INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
# POSIX threads and clocks under -std=c17; X/Open would bring the Bessel functions y0, y1 too
target_compile_definitions(tansy_internal INTERFACE _POSIX_C_SOURCE=200809L)

if(TANSY_SANITIZE)
    add_compile_options(-fsanitize=${TANSY_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${TANSY_SANITIZE})
    # at a fixed address: else each of the tests carries, and at each start applies, some 400,000 relocations
    string(APPEND CMAKE_EXE_LINKER_FLAGS " -no-pie")
endif()
if(TANSY_GOLD)
    include(CheckLinkerFlag)
    check_linker_flag(C -fuse-ld=gold TANSY_LINKER_IS_GOLD)
    if(TANSY_LINKER_IS_GOLD)
        add_link_options(-fuse-ld=gold)
    endif()
endif()
if(TANSY_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
