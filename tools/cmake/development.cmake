# SPDX-License-Identifier: Apache-2.0
# How this project compiles its own targets. An installed package passes none of it on.

include(${CMAKE_CURRENT_LIST_DIR}/warnings.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/sanitizers.cmake)

add_library(lockstep_development INTERFACE)
target_compile_options(lockstep_development INTERFACE ${LOCKSTEP_WARNINGS} ${LOCKSTEP_SANITIZER_FLAGS})
target_link_options(lockstep_development INTERFACE ${LOCKSTEP_SANITIZER_FLAGS})

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC looks for unused memory each time its heap has doubled, from 128 MiB on: a seventh of the time of
  # a file of many templates. It now begins at 512 MiB; the code that it generates stays the same.
  target_compile_options(lockstep_development INTERFACE --param=ggc-min-heapsize=524288)
endif()

if(LOCKSTEP_NATIVE)
  target_compile_options(lockstep_development INTERFACE -march=native)
endif()
if(LOCKSTEP_HEAVY_CHECKS)
  # Bounds checks in the standard library; they change no layout, so uninstrumented libraries mix.
  target_compile_definitions(lockstep_development INTERFACE _GLIBCXX_ASSERTIONS)
endif()

# The description of the build in reports (core/version.hpp). Warnings change no code and are left
# out.
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} ${LOCKSTEP_SANITIZER_FLAGS})
if(LOCKSTEP_NATIVE)
  list(APPEND flags -march=native)
endif()
if(LOCKSTEP_HEAVY_CHECKS)
  list(APPEND flags -DLOCKSTEP_HEAVY_CHECKS)
endif()
list(JOIN flags " " LOCKSTEP_BUILD_FLAGS)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.hpp.in
               ${PROJECT_BINARY_DIR}/include/lockstep/core/version.hpp @ONLY)
