// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The mesh of any number of dimensions: the product of linear arrays. Ports, where these exist:
/// -1 and +1 in dimension 1, then in dimension 2, ..
///
///     const Mesh mesh({3, 4});
///     mesh.label(NodeId{7}) == "1,3";
///     mesh.label(mesh.neighbor(NodeId{7}, Port{2})) == "1,2";      // no +1 in dimension 2
///
/// Source: textbook. Diameter: the sum of size - 1.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/cartesian_product.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// The linear array of N >= 1 nodes: node u is linked to u - 1 and u + 1 where these exist. Port 0
/// leads down, except at the first node, whose only port 0 leads up; port 1 leads up.
///
///     LinearArray{4}.neighbor(NodeId{3}, Port{0}) == NodeId{2};
///
/// Source: textbook. Diameter N - 1.
class LinearArray {
 public:
  static constexpr Knows knows =
      Knows::find | Knows::diameter | Knows::link_count | Knows::bisection | Knows::level_sizes;
  static constexpr std::uint64_t max_nodes = std::uint64_t{1} << 40;

  /// Throws InvalidParameter unless 1 <= node_count <= 2^40.
  explicit LinearArray(std::uint64_t node_count) : node_count_(node_count) {
    if (node_count < 1 || node_count > max_nodes)
      throw InvalidParameter(name() + ": " + grouped(node_count) + " nodes; allowed: 1.." +
                             grouped(max_nodes));
  }

  [[nodiscard]] std::string name() const { return "linear:" + std::to_string(node_count_); }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept {
    return node_count_ > 2 ? 2 : static_cast<std::size_t>(node_count_ - 1);
  }
  [[nodiscard]] std::size_t degree(NodeId u) const noexcept {
    return (is_first(u) ? 0U : 1U) + (is_last(u) ? 0U : 1U);
  }
  [[nodiscard]] std::string label(NodeId u) const { return std::to_string(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const {
    const std::optional<std::uint64_t> number = whole_number(label);
    return number && *number < node_count_ ? std::optional(NodeId{*number}) : std::nullopt;
  }

  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return NodeId{leads_up(u, p) ? index(u) + 1 : index(u) - 1};
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const noexcept {
    return leads_up(u, p) || is_first(neighbor(u, p)) ? Port{0} : Port{1};
  }

  [[nodiscard]] std::uint64_t diameter() const noexcept { return node_count_ - 1; }
  [[nodiscard]] std::uint64_t link_count() const noexcept { return node_count_ - 1; }
  [[nodiscard]] Cut bisection() const noexcept {
    return {node_count_ / 2, node_count_ == 1 ? std::uint64_t{0} : std::uint64_t{1}};
  }
  /// Two on either side as far as the nearer end. Empty where there are more than max_levels.
  [[nodiscard]] std::vector<std::uint64_t> level_sizes(NodeId from) const {
    const std::uint64_t down = index(from);
    const std::uint64_t up = node_count_ - 1 - down;
    if (std::max(down, up) >= max_levels) return {};
    std::vector<std::uint64_t> levels(std::max(down, up) + 1, 1);
    std::fill_n(levels.begin() + 1, std::min(down, up), std::uint64_t{2});
    return levels;
  }

 private:
  [[nodiscard]] static bool is_first(NodeId u) noexcept { return index(u) == 0; }
  [[nodiscard]] bool is_last(NodeId u) const noexcept { return index(u) + 1 == node_count_; }
  [[nodiscard]] static bool leads_up(NodeId u, Port p) noexcept {
    return p == Port{1} || is_first(u);
  }

  std::uint64_t node_count_;
};

static_assert(Topology<LinearArray>);
template <>
inline constexpr bool laws_are_proven<LinearArray> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(LinearArray);

class Mesh : public CartesianProduct<LinearArray> {
 public:
  /// Throws InvalidParameter unless there is a size, every size is at least 2 and their product at
  /// most 2^40.
  explicit Mesh(const std::vector<std::uint64_t>& sizes);

  [[nodiscard]] std::string label(NodeId u) const { return coordinates().text(index(u)); }
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// "dimension 2, +1".
  [[nodiscard]] std::string port_label(NodeId u, Port p) const;

 private:
  Mesh(std::string name, const std::vector<std::uint64_t>& sizes);  ///< sizes that are allowed
};

static_assert(Topology<Mesh>);
template <>
inline constexpr bool laws_are_proven<Mesh> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Mesh);

}  // namespace lockstep
