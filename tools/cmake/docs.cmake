# SPDX-License-Identifier: Apache-2.0
# Target `docs`: the reference manual from the headers. Needs doxygen when it is built, not before.

if(PROJECT_IS_TOP_LEVEL)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/../docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(
    docs
    COMMAND doxygen -q ${PROJECT_BINARY_DIR}/Doxyfile
    COMMENT "Reference manual: ${PROJECT_BINARY_DIR}/docs/html/index.html"
    VERBATIM)
endif()
