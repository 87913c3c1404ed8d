# SPDX-License-Identifier: Apache-2.0
# Fuzz targets (tests/fuzz), address and undefined-behaviour sanitizers under them.
set(CMAKE_CXX_COMPILER clang++-14 CACHE STRING "")
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1" CACHE STRING "")
set(LOCKSTEP_BUILD_BENCH OFF CACHE BOOL "")
set(LOCKSTEP_SANITIZE address CACHE STRING "")
set(LOCKSTEP_FUZZ ON CACHE BOOL "")
