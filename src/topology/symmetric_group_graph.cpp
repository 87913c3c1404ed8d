// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/symmetric_group_graph.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {

SymmetricGroupGraph::SymmetricGroupGraph(std::string_view family, std::size_t n,
                                         Permutation (*generator)(std::size_t n, std::size_t p))
    : family_(family), symbols_(n) {
  if (n < min_symbols || n > max_symbols)
    throw InvalidParameter(
        fmt::format("{}:{}: {} symbols, allowed {}..{}", family, n, n, min_symbols, max_symbols));
  for (std::size_t p = 0; p + 1 < n; ++p) generators_[p] = generator(n, p);
}

std::string SymmetricGroupGraph::name() const { return fmt::format("{}:{}", family_, symbols_); }

std::optional<NodeId> SymmetricGroupGraph::find(const std::string& label) const {
  try {
    const Permutation x = permutation_from_label(label);
    if (x.size() != symbols_) return std::nullopt;
    return node(x);
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
}

}  // namespace lockstep
