# SPDX-License-Identifier: Apache-2.0
# find_package(tansy) gives tansy::tansy (shared) and, where BLAS and LAPACK can be linked, tansy::tansy_static.
include(${CMAKE_CURRENT_LIST_DIR}/tansySharedTargets.cmake)
find_package(Threads QUIET)
find_package(BLAS QUIET)
find_package(LAPACK QUIET)
if(TARGET Threads::Threads AND TARGET BLAS::BLAS AND TARGET LAPACK::LAPACK)
    include(${CMAKE_CURRENT_LIST_DIR}/tansyStaticTargets.cmake)
endif()
