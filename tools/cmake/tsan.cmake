# SPDX-License-Identifier: Apache-2.0
# ThreadSanitizer:
# cmake -G Ninja -C tools/cmake/tsan.cmake -C tools/cmake/clang.cmake -B build/tsan
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
# A report names functions; -g1 adds lines, and a sixth to the time of compiling.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1" CACHE STRING "")
set(LOCKSTEP_SANITIZE thread CACHE STRING "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
