# SPDX-License-Identifier: Apache-2.0
# Warnings of our own targets: all of them errors.

set(LOCKSTEP_WARNINGS
    -Wall
    -Wextra
    -Wpedantic
    -Wconversion
    -Wsign-conversion
    -Wshadow
    -Wnon-virtual-dtor
    -Wold-style-cast
    -Woverloaded-virtual
    -Wnull-dereference
    -Werror)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns of what its optimiser makes up: overlapping or endless copies inside std::string's operator+
  # (its bug 105651), and the wide stores of a vectorised loop that a short vector never enters.
  list(APPEND LOCKSTEP_WARNINGS -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
