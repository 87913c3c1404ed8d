// SPDX-License-Identifier: Apache-2.0
#include "algorithm/checks.hpp"

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {

void check_count(std::string_view algorithm, const std::string& network, std::uint64_t count,
                 std::string_view what, std::uint64_t most) {
  if (count > most)
    throw invalid("{} on {}: {} {}; allowed: up to {}", algorithm, network, grouped(count), what,
                  grouped(most));
}

NodeId checked_root(std::string_view algorithm, const std::string& network, NodeId root,
                    std::uint64_t nodes) {
  if (index(root) < nodes) return root;
  throw invalid("{} on {}: root {} is not valid; expected 0..{}", algorithm, network, index(root),
                nodes - 1);
}

}  // namespace lockstep
