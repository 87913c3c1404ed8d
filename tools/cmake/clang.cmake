# SPDX-License-Identifier: Apache-2.0
# The second compiler; goes with another cache:
# cmake -G Ninja -C tools/cmake/debug.cmake -C tools/cmake/clang.cmake -B build/debug
set(CMAKE_CXX_COMPILER clang++-14 CACHE STRING "")
# Links instrumented programs in a third of the time.
set(CMAKE_EXE_LINKER_FLAGS "-fuse-ld=lld-14" CACHE STRING "")
