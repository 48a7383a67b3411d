# SPDX-License-Identifier: Apache-2.0
# The library. Every source is compiled once, position independent; `tansy` (shared) and `tansy_static` share the objects.
# A file src/LAYER/NAME_body.c holds kernels: it is compiled once per instruction set, with KERNELS_NAME telling which.
include(CheckCCompilerFlag)
include(CheckCSourceRuns)

file(GLOB sources CONFIGURE_DEPENDS src/*/*.c)
file(GLOB kernels CONFIGURE_DEPENDS src/*/*_body.c)
list(REMOVE_ITEM sources ${kernels})

# Without KLU there is no sparse direct solver.
if(TANSY_WITH_KLU)
    target_compile_definitions(tansy_internal INTERFACE TANSY_HAVE_KLU)
    target_include_directories(tansy_internal SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
    set(klu KLU::KLU)
else()
    list(FILTER sources EXCLUDE REGEX "/src/linear/sparse_[a-z]*\\.c$")
endif()

add_library(tansy_objects OBJECT ${sources})
target_link_libraries(tansy_objects PRIVATE tansy_internal)
# Vectors belong in the kernels. Elsewhere they would load two numbers at once that have just been stored one by one, and wait
# for them to reach the cache.
target_compile_options(tansy_objects PRIVATE -fno-tree-slp-vectorize)
set(objects $<TARGET_OBJECTS:tansy_objects>)

set(TANSY_KERNEL_OPTIMISATION "-O3" CACHE STRING "Optimisation of the kernels, behind that of the build type")

# Compiles the kernels as NAME with the flags that follow.
function(add_kernels name)
    if(NOT kernels)
        return()
    endif()
    add_library(tansy_kernels_${name} OBJECT ${kernels})
    target_link_libraries(tansy_kernels_${name} PRIVATE tansy_internal)
    target_compile_definitions(tansy_kernels_${name} PRIVATE KERNELS_NAME=${name})
    target_compile_options(tansy_kernels_${name} PRIVATE
        ${TANSY_KERNEL_OPTIMISATION} -ffp-contract=fast -Wno-psabi ${ARGN})
    set(objects ${objects} $<TARGET_OBJECTS:tansy_kernels_${name}> PARENT_SCOPE)
endfunction()

# Sets *name where this machine has the instruction sets that follow.
function(check_host name)
    list(TRANSFORM ARGN REPLACE "(.+)" "__builtin_cpu_supports(\"\\1\")")
    list(JOIN ARGN " && " all)
    check_c_source_runs("int main(void) { return !(${all}); }" ${name})
endfunction()

add_kernels(plain)
# Undefined behaviour is that of the source: looking for it in one of the sets, which tests run beside the others, is enough.
if(TANSY_SANITIZE MATCHES undefined)
    set(checked_once -fno-sanitize=undefined)
endif()
if(NOT TANSY_KERNELS MATCHES "^(all|host|plain)$")
    message(FATAL_ERROR "TANSY_KERNELS is ${TANSY_KERNELS}: it must be all, host or plain")
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8 AND NOT TANSY_KERNELS STREQUAL plain)
    set(avx2 -mavx2 -mfma)
    set(avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw ${avx2} -mprefer-vector-width=512)
    check_c_compiler_flag("${avx2}" TANSY_COMPILER_HAS_AVX2)
    check_c_compiler_flag("${avx512}" TANSY_COMPILER_HAS_AVX512)
    if(TANSY_KERNELS STREQUAL host)
        check_host(TANSY_HOST_HAS_AVX2 avx2 fma)
        check_host(TANSY_HOST_HAS_AVX512 avx512f avx512dq avx512vl avx512bw)
    else()
        set(TANSY_HOST_HAS_AVX2 ON)
        set(TANSY_HOST_HAS_AVX512 ON)
    endif()
endif()
if(TANSY_COMPILER_HAS_AVX2 AND TANSY_HOST_HAS_AVX2)
    add_kernels(avx2 ${avx2} ${checked_once})
    target_compile_definitions(tansy_internal INTERFACE TANSY_HAVE_AVX2)
endif()
if(TANSY_COMPILER_HAS_AVX512 AND TANSY_HOST_HAS_AVX512)
    add_kernels(avx512 ${avx512} ${checked_once})
    target_compile_definitions(tansy_internal INTERFACE TANSY_HAVE_AVX512)
endif()

add_library(tansy SHARED ${objects})
add_library(tansy_static STATIC ${objects})
add_library(tansy::tansy ALIAS tansy)
add_library(tansy::tansy_static ALIAS tansy_static)
set_target_properties(tansy PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
set_target_properties(tansy_static PROPERTIES OUTPUT_NAME tansy)
foreach(target tansy tansy_static)
    target_include_directories(${target} INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    target_link_libraries(${target} PRIVATE LAPACK::LAPACK BLAS::BLAS ${klu} Threads::Threads ${CMAKE_DL_LIBS} m)
endforeach()
if(TANSY_OPEN)
    target_link_options(tansy PRIVATE LINKER:-Bsymbolic-functions) # the program has functions of the same names
endif()
if(NOT TANSY_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL Linux)
    target_link_options(tansy PRIVATE LINKER:--no-undefined)
endif()
