// SPDX-License-Identifier: Apache-2.0
#pragma once

/// std::min, std::max, std::fill_n and std::function. The rest of <algorithm> and <functional>
/// (ranges, sorting, hash tables) would be compiled with every file that runs a program. These
/// internal headers of libstdc++ may change with any GCC; the other branch is always right.

#if __has_include(<bits/std_function.h>)  // libstdc++: what the standard headers consist of
#include <bits/std_function.h>
#include <bits/stl_algobase.h>
#else
#include <algorithm>
#include <functional>
#endif
