# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer:
# cmake -G Ninja -C tools/cmake/tsan.cmake -C tools/cmake/clang.cmake -B build/tsan
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1" CACHE STRING "") # g1: a report needs lines, no variables
set(LOCKSTEP_SANITIZE thread CACHE STRING "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
