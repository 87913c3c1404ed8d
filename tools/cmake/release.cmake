# SPDX-License-Identifier: Apache-2.0
# cmake -G Ninja -C tools/cmake/release.cmake -B build/release
set(CMAKE_BUILD_TYPE Release CACHE STRING "")
