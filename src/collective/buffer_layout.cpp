// SPDX-License-Identifier: Apache-2.0
#include "lockstep/collective/buffer_layout.hpp"

namespace lockstep {

BufferLayout::BufferLayout(const Collective& collective, std::uint64_t processors)
    : collective_(collective),
      processors_(processors),
      origins_(collective.pattern.origins(processors)) {}

std::uint64_t BufferLayout::input_blocks() const noexcept {
  switch (collective_.operation) {
    case Operation::broadcast:
      return 1;
    case Operation::total_exchange:
    case Operation::odd_distance_exchange:
    case Operation::reduce_scatter:
      return processors_ * processors_;
    case Operation::partial_exchange:
      return collective_.deliveries(processors_);
    default:
      return origins_;
  }
}

std::uint64_t BufferLayout::output_blocks() const noexcept {
  if (collective_.is_by_pairs()) return collective_.deliveries(processors_);
  if (is_reduction(collective_.operation)) return collective_.deliveries(processors_);
  return has_root(collective_.operation) ? processors_ : processors_ * origins_;
}

std::optional<std::uint64_t> BufferLayout::listed(Origin origin,
                                                  NodeId destination) const noexcept {
  const PairList* const pairs = collective_.pairs();
  const auto number = pairs == nullptr ? std::nullopt : pairs->find(origin, destination);
  return number ? std::optional(pairs->listed(*number)) : std::nullopt;
}

std::optional<std::uint64_t> BufferLayout::input_block(Origin origin,
                                                       NodeId destination) const noexcept {
  const bool made_by_root = !collective_.every_source() && !is_reduction(collective_.operation);
  if (index(origin) >= origins_ || (made_by_root && origin != Origin{collective_.root}))
    return std::nullopt;
  if (!collective_.personalised()) return made_by_root ? 0 : index(origin);
  if (collective_.is_by_pairs()) return listed(origin, destination);
  if (index(destination) >= processors_) return std::nullopt;
  if (made_by_root) return index(destination);
  if (!collective_.every_destination()) return index(origin);
  return index(origin) * processors_ + index(destination);
}

std::optional<std::uint64_t> BufferLayout::output_block(Origin origin,
                                                        NodeId destination) const noexcept {
  if (index(origin) >= origins_ || index(destination) >= processors_) return std::nullopt;
  if (collective_.is_by_pairs()) return listed(origin, destination);
  if (collective_.operation == Operation::reduce)
    return destination == collective_.root ? std::optional<std::uint64_t>(0) : std::nullopt;
  if (!collective_.every_source()) return index(destination);
  if (collective_.every_destination()) return index(destination) * origins_ + index(origin);
  return destination == collective_.root ? std::optional(index(origin)) : std::nullopt;
}

}  // namespace lockstep
