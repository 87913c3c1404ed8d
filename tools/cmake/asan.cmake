# SPDX-License-Identifier: Apache-2.0
# AddressSanitizer and UndefinedBehaviorSanitizer, and every check there is:
# cmake -G Ninja -C tools/cmake/asan.cmake -C tools/cmake/clang.cmake -B build/asan
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1" CACHE STRING "") # g1: a report needs lines, no variables
set(LOCKSTEP_SANITIZE address CACHE STRING "")
set(LOCKSTEP_HEAVY_CHECKS ON CACHE BOOL "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
