# SPDX-License-Identifier: Apache-2.0
# KLU::KLU, where SuiteSparse's KLU is installed.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
find_library(KLU_LIBRARY klu)
find_library(SUITESPARSE_CONFIG_LIBRARY suitesparseconfig)
mark_as_advanced(KLU_INCLUDE_DIR KLU_LIBRARY SUITESPARSE_CONFIG_LIBRARY)
if(KLU_INCLUDE_DIR AND KLU_LIBRARY AND SUITESPARSE_CONFIG_LIBRARY AND NOT TARGET KLU::KLU)
    add_library(KLU::KLU INTERFACE IMPORTED)
    target_link_libraries(KLU::KLU INTERFACE ${KLU_LIBRARY} ${SUITESPARSE_CONFIG_LIBRARY})
    target_include_directories(KLU::KLU SYSTEM INTERFACE ${KLU_INCLUDE_DIR})
endif()
