// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The place of a processor of EJ_alpha^(n), seen from the root of a broadcast: the lowest
/// dimension in which its coordinate is not the root's. All broadcasts over the product's tree go
/// by that: in this dimension it continues the tree of one dimension, in every lower one it is a
/// root itself.
///
///     const EjPlaces places(network, root);
///     const std::vector<std::uint8_t> masks = places.table(
///         [&](std::size_t, NodeId displacement) { return tree.child_mask(displacement); });
///     const EjPlaces::Place place = places.of(here.node());
///     masks[place.entry];                       // children of this processor in place.dimension
///
/// One multiplication and one comparison per dimension looked at: of N processors, N - 1 are known
/// after the first.
///
/// What every broadcast of one block that computes its sends from the address does on arrival: the
/// root loads its block, every other processor stores and delivers what comes.
///
///     void operator()(StepView& here) const {
///       if (takes_root_block(here, root_)) here.send(next_, root_block);
///     }

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithm/checks.hpp"
#include "lockstep/core/detail/divisor.hpp"
#include "lockstep/core/eisenstein.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/settings.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"

namespace lockstep {

/// The place of the block in a processor: Program::regions() is {1}.
inline constexpr Blocks root_block{Region{0}, 0, 1};

/// Whether this node has the block since this step.
[[nodiscard, gnu::always_inline]] inline bool takes_root_block(auto& here, NodeId root) {
  if (here.step() == 0) {  // only the root starts
    here.load(root_block.region, 0, root);
    return true;
  }
  const auto arrival = here.take_first();
  if (!arrival) return false;
  here.store(arrival, root_block);
  here.deliver(root_block.region, 0, root);
  return true;
}

/// Its cost: each step sends one block, and each processor receives it once.
class RootBroadcast : public Algorithm {
 public:
  using TopologyType = EisensteinJacobiNetwork;

  [[nodiscard]] std::optional<Cost> promise() const override { return Cost{steps_, steps_}; }
  [[nodiscard]] Footprint footprint() const override {
    return {.steps = steps_,
            .hops = network_.node_count() - 1,
            .blocks_per_processor = 1,
            .plan_bytes = plan_bytes_};
  }

 protected:
  /// Throws InvalidParameter where the network has no such root.
  RootBroadcast(std::string_view algorithm, const EisensteinJacobiNetwork& network,
                const Settings& settings)
      : network_(network),
        root_(checked_root(algorithm, network.name(), NodeId{settings.number(root_parameter.name)},
                           network.node_count())) {}

  void set_plan(std::uint64_t steps, std::uint64_t bytes) noexcept {
    steps_ = steps;
    plan_bytes_ = bytes;
  }
  [[nodiscard]] const EisensteinJacobiNetwork& network() const noexcept { return network_; }
  [[nodiscard]] NodeId root() const noexcept { return root_; }

 private:
  EisensteinJacobiNetwork network_;
  NodeId root_;
  std::uint64_t steps_ = 0;
  std::uint64_t plan_bytes_ = 0;
};

class EjPlaces {
 public:
  struct Place {
    std::size_t dimension;  ///< counted from 0; dimensions() for the root
    std::size_t entry;      ///< in a table
  };

  /// Precondition: the network has that root.
  EjPlaces(const EisensteinJacobiNetwork& network, NodeId root)
      : alpha_(network.alpha()), by_nodes_(alpha_.node_count()) {
    for (std::size_t d = 0; d < network.dimensions(); ++d)
      root_.push_back(index(network.coordinate(root, d)));
  }

  [[nodiscard]] std::size_t dimensions() const noexcept { return root_.size(); }

  [[nodiscard, gnu::always_inline]] Place of(NodeId u) const noexcept {
    std::uint64_t rest = index(u);
    std::size_t entry = 0;
    for (std::size_t d = 0; d < root_.size(); ++d, entry += by_nodes_.value()) {
      const std::uint64_t quotient = by_nodes_.quotient(rest);
      const std::uint64_t coordinate = rest - quotient * by_nodes_.value();
      if (coordinate != root_[d]) return {d, entry + coordinate};
      rest = quotient;
    }
    return {root_.size(), entry};
  }

  /// make(d, displacement from the root in dimension d) for every place but the root's; then
  /// make(dimensions(), 0) for the root.
  template <class Make>
  [[nodiscard]] auto table(Make make) const {
    std::vector<std::invoke_result_t<Make&, std::size_t, NodeId>> entries;
    entries.reserve(dimensions() * alpha_.node_count() + 1);
    for (std::size_t d = 0; d < dimensions(); ++d)
      for (std::uint64_t c = 0; c < alpha_.node_count(); ++c)
        entries.push_back(make(d, alpha_.difference(NodeId{root_[d]}, NodeId{c})));
    entries.push_back(make(dimensions(), alpha_.identity()));
    return entries;
  }

  /// Memory, with a table whose entries take so many bytes.
  [[nodiscard]] static std::uint64_t bytes(const EisensteinJacobiNetwork& network,
                                           std::size_t entry) noexcept {
    const std::uint64_t entries = network.dimensions() * network.alpha().node_count() + 1;
    return entries * entry + network.dimensions() * sizeof(std::uint64_t);
  }

 private:
  EisensteinJacobi alpha_;
  Divisor by_nodes_;
  std::vector<std::uint64_t> root_;  // coordinates
};

inline constexpr std::size_t ports_per_ej_dimension = eisenstein_units.size();

/// By place, bit k: a child through port k of the place's dimension, in the tree of one dimension.
[[nodiscard]] inline std::vector<std::uint8_t> child_masks(const EjPlaces& places,
                                                           const EisensteinJacobi& alpha) {
  const EisensteinJacobiTree tree(alpha);
  return places.table([&](std::size_t d, NodeId displacement) -> std::uint8_t {
    return d == places.dimensions() ? 0 : tree.child_mask(displacement);
  });
}

/// Through the ports of the dimensions first, first + 1, ..., last - 1, counted from 0.
[[gnu::always_inline]] inline void send_in_dimensions(auto& here, std::size_t first,
                                                      std::size_t last) {
  for (std::size_t p = first * ports_per_ej_dimension; p < last * ports_per_ej_dimension; ++p)
    here.send(port(p), root_block);
}

/// Bit k: through port k of that dimension.
[[gnu::always_inline]] inline void send_to_children(auto& here, std::size_t dimension,
                                                    std::uint8_t child_mask) {
  for (std::uint32_t mask = child_mask; mask != 0; mask &= mask - 1)
    here.send(
        port(dimension * ports_per_ej_dimension + static_cast<std::size_t>(std::countr_zero(mask))),
        root_block);
}

}  // namespace lockstep
