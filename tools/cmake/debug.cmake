# SPDX-License-Identifier: Apache-2.0
# Every check there is: cmake -G Ninja -C tools/cmake/debug.cmake -B build/debug
set(CMAKE_BUILD_TYPE Debug CACHE STRING "")
# The tests move real messages; without any optimisation they take many times as long.
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g" CACHE STRING "")
set(LOCKSTEP_HEAVY_CHECKS ON CACHE BOOL "")
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON CACHE BOOL "") # target all_verify_interface_header_sets
# So that a file that does not include what it uses is noticed.
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON CACHE BOOL "")
set(LOCKSTEP_UNITY OFF CACHE BOOL "")
