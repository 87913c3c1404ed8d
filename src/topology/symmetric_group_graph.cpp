// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/symmetric_group_graph.hpp"

#include <fmt/format.h>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {

SymmetricGroupGraph::SymmetricGroupGraph(std::string_view family, std::size_t n)
    : family_(family), symbols_(n), node_count_(n <= max_symbols ? factorial(n) : 0) {
  if (n < min_symbols || n > max_symbols)
    throw invalid("{}:{}: {}; allowed: {}..{}", family, n, counted(n, "symbol"), min_symbols,
                  max_symbols);
}

std::string SymmetricGroupGraph::name() const { return fmt::format("{}:{}", family_, symbols_); }

std::optional<NodeId> SymmetricGroupGraph::find(const std::string& label) const {
  try {
    const Permutation x = permutation_from_label(label);
    return x.size() == symbols_ ? std::optional(node(x)) : std::nullopt;
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

std::vector<std::uint64_t> BubbleSortGraph::level_sizes() const {
  std::vector<std::uint64_t> levels{1};
  for (std::size_t i = 1; i < symbols(); ++i)
    levels = product_level_sizes(levels, std::vector<std::uint64_t>(i + 1, 1));
  return levels;
}

}  // namespace lockstep
