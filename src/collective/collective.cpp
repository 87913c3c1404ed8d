// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/collective.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep {

Pattern Pattern::pairs(const std::vector<BlockPair>& pairs, std::vector<NodeId> homes) {
  Pattern pattern;
  if (!homes.empty())
    pattern.homes_ = std::make_shared<const std::vector<NodeId>>(std::move(homes));
  std::vector<BlockPair> kept;
  for (const BlockPair& pair : pairs) {
    if (pattern.homes_ && index(pair.origin) >= pattern.homes_->size())
      throw InvalidParameter(fmt::format("pattern: block {} is not valid; expected 0..{}",
                                         index(pair.origin), pattern.homes_->size() - 1));
    if (pattern.home(pair.origin) != pair.destination) kept.push_back(pair);
  }
  pattern.left_out_ = pairs.size() - kept.size();
  pattern.pairs_ = std::make_shared<const PairList>(std::move(kept));
  return pattern;
}

Pattern Pattern::of_whole_blocks() const {
  if (homes_ == nullptr || parts_per_block_ == 1) return *this;
  std::vector<NodeId> homes;
  homes.reserve(homes_->size() / parts_per_block_);
  for (std::size_t i = 0; i < homes_->size(); i += parts_per_block_) homes.push_back((*homes_)[i]);
  return many(std::move(homes));
}

void check_collective(const Collective& collective, std::uint64_t processors) {
  if (collective.operation > Operation::scan)
    throw InvalidParameter(fmt::format("operation: number {} is not valid; expected 0..{}",
                                       index(collective.operation), index(Operation::scan)));
  const auto require = [&](std::string_view what, NodeId node) {
    if (index(node) >= processors)
      throw InvalidParameter(fmt::format("{}: {} node {} is not valid; expected a processor, 0..{}",
                                         name_of(collective.operation), what, index(node),
                                         processors - 1));
  };
  if (has_root(collective.operation)) require("root", collective.root);
  const Pattern& pattern = collective.pattern;
  const auto need = [&](bool has, std::string_view what) {
    if (!has)
      throw InvalidParameter(
          fmt::format("{}: no pattern given; expected {}", name_of(collective.operation), what));
  };
  if (collective.is_by_pairs())
    need(pattern.pairs() != nullptr, "Pattern::pairs, Pattern::where");
  else if (collective.operation == Operation::many_to_all)
    need(pattern.homes() != nullptr, "Pattern::many");
  else if (collective.operation == Operation::odd_distance_exchange)
    need(pattern.classes() != nullptr && pattern.classes()->nodes() >= processors,
         "Pattern::odd_distance of the network");
  for (std::uint64_t o = 0; pattern.homes() != nullptr && o < pattern.homes()->size(); ++o)
    require(fmt::format("source of block {}:", o), pattern.home(Origin{o}));
  if (collective.pairs() == nullptr) return;
  for (const auto& [origin, destination] : collective.pairs()->all()) {
    require(fmt::format("source of block {}:", index(origin)), pattern.home(origin));
    require(fmt::format("destination of block {}:", index(origin)), destination);
  }
}

}  // namespace lockstep
