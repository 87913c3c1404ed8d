// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Declarations that the formulas, the runs and the drawing of the torus paper share.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "papers/formula.hpp"
#include "papers/measured.hpp"
#include "papers/paper.hpp"

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

/// The partition "h=5" of a torus of two sides. Text: the DDN of each node, and the diagonals j -
/// i, with lines between the blocks. Drawing: the blocks, every row and column in the colour of the
/// DDN whose links they are, the nodes of the DDNs in theirs, all with the number of their
/// diagonal. Throws InvalidParameter for other forms, and more than 2,500 nodes.
[[nodiscard]] std::optional<Partition> partition_of(const AnyTopology& topology,
                                                    std::string_view how);

}  // namespace lockstep::papers::torus
