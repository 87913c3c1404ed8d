# SPDX-License-Identifier: Apache-2.0
# `cmake --install`: library, headers, program, manual page, shell completion,
# find_package(lockstep).

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/lockstep)

install(TARGETS lockstep EXPORT lockstepTargets FILE_SET HEADERS)
install(TARGETS lockstep_runs lockstep_experiments lockstep_commands EXPORT lockstepTargets)
install(TARGETS lockstep_cli)
install(EXPORT lockstepTargets NAMESPACE lockstep:: DESTINATION ${package_folder})

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/lockstepConfig.cmake.in ${PROJECT_BINARY_DIR}/lockstepConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lockstepConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lockstepConfig.cmake
              ${PROJECT_BINARY_DIR}/lockstepConfigVersion.cmake DESTINATION ${package_folder})

install(
  FILES ${CMAKE_CURRENT_LIST_DIR}/../completion/lockstep.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
  RENAME lockstep)

file(GLOB guide CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/../docs/*.md)
install(FILES ${guide} DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Debian's name for the licence.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)

# Written by the program itself, when it is installed.
install(
  CODE
    "execute_process(COMMAND $<TARGET_FILE:lockstep_cli> man-page
                     OUTPUT_FILE ${PROJECT_BINARY_DIR}/lockstep.1 COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/lockstep.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Programs to learn from, with the project that builds them against what is installed.
file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/consumer/*.[ch]pp)
install(FILES ${examples} ${PROJECT_SOURCE_DIR}/tests/consumer/CMakeLists.txt
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

# `cmake --build BUILD_FOLDER --target uninstall`: removes what the last installation wrote.
if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(
    uninstall COMMAND ${CMAKE_COMMAND} -D manifest=${PROJECT_BINARY_DIR}/install_manifest.txt -P
                      ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake)
endif()
