# SPDX-License-Identifier: Apache-2.0
# find_package(tansy) gives tansy::tansy (shared) and, where BLAS and LAPACK (and KLU, if it was built with
# it) can be linked, tansy::tansy_static.
include(${CMAKE_CURRENT_LIST_DIR}/tansySharedTargets.cmake)
find_package(Threads QUIET)
find_package(BLAS QUIET)
find_package(LAPACK QUIET)
include(${CMAKE_CURRENT_LIST_DIR}/klu.cmake)
if(NOT TARGET KLU::KLU)
    file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/tansyStaticTargets.cmake needs_klu REGEX "KLU::KLU")
endif()
if(NOT needs_klu AND TARGET Threads::Threads AND TARGET BLAS::BLAS AND TARGET LAPACK::LAPACK)
    include(${CMAKE_CURRENT_LIST_DIR}/tansyStaticTargets.cmake)
endif()
