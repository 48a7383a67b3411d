# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` copies: headers, both libraries, tansy.pc and the package for find_package(tansy).
# Nothing installed holds an absolute path of ours: the prefix may be chosen, or moved, later.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tansy)

install(DIRECTORY include/tansy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# Two export sets: a user of the shared library need not have BLAS and LAPACK to build against.
install(TARGETS tansy EXPORT tansy_shared)
install(TARGETS tansy_static EXPORT tansy_static)
install(EXPORT tansy_shared NAMESPACE tansy:: FILE tansySharedTargets.cmake DESTINATION ${package_dir})
install(EXPORT tansy_static NAMESPACE tansy:: FILE tansyStaticTargets.cmake DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tansyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/klu.cmake cmake/tansyConfig.cmake ${PROJECT_BINARY_DIR}/tansyConfigVersion.cmake DESTINATION ${package_dir})

# tansy.pc: what the static library needs, as -lNAME, and the way from the .pc file up to the prefix.
if(TANSY_WITH_KLU)
    set(klu_libraries ${KLU_LIBRARY} ${SUITESPARSE_CONFIG_LIBRARY})
endif()
foreach(name ${CMAKE_DL_LIBS})
    list(APPEND dl_libraries -l${name})
endforeach()
foreach(library ${klu_libraries} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT} ${dl_libraries} -lm)
    if(IS_ABSOLUTE ${library})
        get_filename_component(library ${library} NAME_WE)
        string(REGEX REPLACE "^lib" "-l" library ${library})
    endif()
    list(APPEND private_libraries ${library})
endforeach()
list(REMOVE_DUPLICATES private_libraries)
list(JOIN private_libraries " " private_libraries)
file(RELATIVE_PATH up_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" up_to_prefix ${up_to_prefix})
configure_file(cmake/tansy.pc.in tansy.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tansy.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
