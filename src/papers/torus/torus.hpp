// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Declarations that the formulas and the runs of the torus paper share.

#include <cstdint>
#include <string>

#include "papers/formula.hpp"
#include "papers/measured.hpp"

namespace lockstep::papers::torus {

/// A many-to-all on an n x n torus.
[[nodiscard]] Job many_to_all(std::uint64_t n, std::uint64_t messages, std::string algorithm,
                              Settings settings, std::string placement = "perm");

/// Functions of DDNs and blocks ("DDN", "DCN") on the torus of the row, of side n, cut by h;
/// compared with all nodes and all shortest dimension-ordered routes.
[[nodiscard]] Functions partition_functions();
/// Functions of the algorithm, h and packets that cost least: `crossover(s)` is the least t_s/t_m
/// from which on the algorithm of the row takes no more time than spanning trees in packets, for s
/// messages; `best_h(s)` its best h at five ratios.
[[nodiscard]] Functions choice_functions();

}  // namespace lockstep::papers::torus
