// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The binary d-cube: 2^d nodes; port p complements bit p of the address.
///
///     Hypercube{4}.neighbor(NodeId{0b0101}, Port{1}) == NodeId{0b0111};
///
/// Source: textbook. Diameter d.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class Hypercube {
 public:
  static constexpr Knows knows =
      Knows::find | Knows::diameter | Knows::bisection | Knows::level_sizes | Knows::factors;
  static constexpr std::size_t max_dimensions = 40;

  /// Throws InvalidParameter unless dimensions <= 40. Dimension 0 is a single node.
  explicit Hypercube(std::size_t dimensions) : dimensions_(dimensions) {
    if (dimensions > max_dimensions)
      throw InvalidParameter(name() + ": " + std::to_string(dimensions) +
                             " dimensions; allowed: 0.." + std::to_string(max_dimensions));
  }

  [[nodiscard]] std::string name() const { return "hypercube:" + std::to_string(dimensions_); }
  [[nodiscard]] std::size_t dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] std::uint64_t node_count() const noexcept {
    return std::uint64_t{1} << dimensions_;
  }
  [[nodiscard]] std::size_t max_degree() const noexcept { return dimensions_; }
  [[nodiscard]] std::size_t degree(NodeId) const noexcept { return dimensions_; }

  /// The address in binary, d digits, highest first; "0" for the cube of one node.
  [[nodiscard]] std::string label(NodeId u) const {
    std::string digits(std::max<std::size_t>(dimensions_, 1), '0');
    for (std::size_t d = 0; d < dimensions_; ++d)
      if ((index(u) >> d & 1U) != 0) digits[dimensions_ - 1 - d] = '1';
    return digits;
  }

  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const {
    const std::optional<std::uint64_t> number = whole_number(label, 2);
    if (!number || *number >= node_count() || label.size() != std::max<std::size_t>(dimensions_, 1))
      return std::nullopt;
    return NodeId{*number};
  }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return NodeId{index(u) ^ (std::uint64_t{1} << index(p))};
  }
  [[nodiscard]] Port reverse_port(NodeId, Port p) const noexcept { return p; }

  /// The group: addition of bits without carry.
  [[nodiscard]] NodeId identity() const noexcept { return NodeId{0}; }
  [[nodiscard]] NodeId product(NodeId u, NodeId v) const noexcept {
    return NodeId{index(u) ^ index(v)};
  }
  [[nodiscard]] NodeId inverse(NodeId u) const noexcept { return u; }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return dimensions_; }
  /// Through one dimension.
  [[nodiscard]] Cut bisection() const noexcept {
    return {node_count() / 2, dimensions_ == 0 ? 0 : node_count() / 2};
  }
  /// Single links; none in a cube of fewer than 2 dimensions.
  [[nodiscard]] std::vector<Hypercube> factors() const;
  /// Binomial coefficients: d choose j nodes differ in j bits.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes() const {
    std::vector<std::uint64_t> levels{1};
    for (std::uint64_t j = 1; j <= dimensions_; ++j)
      levels.push_back(levels.back() * (dimensions_ - j + 1) / j);
    return levels;
  }

 private:
  std::size_t dimensions_;
};

static_assert(CayleyTopology<Hypercube>);
template <>
inline constexpr bool laws_are_proven<Hypercube> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Hypercube);

}  // namespace lockstep
