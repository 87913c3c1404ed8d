// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective.hpp"

#include <fmt/format.h>

#include "lockstep/core/errors.hpp"

namespace lockstep {

void check_collective(const Collective& collective, std::uint64_t processors) {
  const auto require = [&](std::string_view what, NodeId node) {
    if (index(node) >= processors)
      throw InvalidParameter(fmt::format("{}: {} node {}, allowed the {} processors from node 0 on",
                                         name_of(collective.operation), what, index(node),
                                         processors));
  };
  if (has_root(collective.operation)) require("root", collective.root);
  const Pattern& pattern = collective.pattern;
  for (std::uint64_t o = 0; pattern.homes() != nullptr && o < pattern.homes()->size(); ++o)
    require(fmt::format("block {}, made by", o), pattern.home(Origin{o}));
}

}  // namespace lockstep
