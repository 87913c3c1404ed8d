# SPDX-License-Identifier: Apache-2.0
# AddressSanitizer and UndefinedBehaviorSanitizer:
# cmake -G Ninja -C tools/cmake/asan.cmake -C tools/cmake/clang.cmake -B build/asan
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1" CACHE STRING "") # g1: a report needs lines, no variables
set(LOCKSTEP_SANITIZE address CACHE STRING "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
