// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One shortest route to every relative address of a Cayley graph: from u to u g, the same ports
/// for every u. The route uses the first port, in generator order, that lies on a shortest path.
///
///     const RelativeRoutes routes(any_cayley(Ring{5}));
///     routes.first(NodeId{3}) == Port{1};             // 3 = -2: two hops backwards
///     routes.rest(NodeId{3}) == NodeId{4};            // one of them is left, seen from there
///     routes.status() == 6;                           // 1 + 2 + 2 + 1

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

class RelativeRoutes {
 public:
  /// More nodes are not tabulated.
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 22U;

  /// Breadth-first search from the identity: O(nodes * degree). Throws InvalidParameter where there
  /// are more than max_nodes nodes.
  explicit RelativeRoutes(const AnyCayley& group);

  [[nodiscard]] std::uint64_t node_count() const noexcept { return distances_.size(); }
  [[nodiscard]] NodeId identity() const noexcept { return identity_; }
  [[nodiscard]] std::uint32_t distance(NodeId g) const noexcept { return distances_[index(g)]; }
  /// The port of the first hop towards g; of no meaning for the identity.
  [[nodiscard]] Port first(NodeId g) const noexcept { return first_ports_[index(g)]; }
  /// The relative address of u g from the node after the first hop.
  [[nodiscard]] NodeId rest(NodeId g) const noexcept { return NodeId{rests_[index(g)]}; }
  /// The sum of all distances.
  [[nodiscard]] std::uint64_t status() const noexcept { return status_; }

 private:
  void search(const AnyCayley& group);
  void find_rests(const AnyCayley& group);

  NodeId identity_;
  std::vector<std::uint32_t> distances_;
  std::vector<Port> first_ports_;
  std::vector<std::uint32_t> rests_;
  std::uint64_t status_ = 0;
};

}  // namespace lockstep
