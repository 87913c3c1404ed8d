// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Any topology tabulated: flat arrays of neighbours and reverse ports, itself a topology. Made by
/// build_network.hpp; for algorithms that work on any graph, and for graphs that are only a list.
///
///     const Network network = build_network(StarGraph{5});
///     network.neighbor(NodeId{7}, Port{2}) == StarGraph{5}.neighbor(NodeId{7}, Port{2});
///
/// Tables lie as ArcLayout says. Copies share the arrays.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class NodeNames;

/// The tables of a Network. The ports of a node are 0..degree-1.
struct NetworkTables {
  static constexpr std::uint32_t no_node = 0xFFFF'FFFFU;

  std::string name;
  std::uint64_t node_count = 0;
  std::size_t max_degree = 0;
  /// [port * node_count + node], no_node where the node has no such port; where there are
  /// first_arcs, [first_arcs[node] + port].
  std::vector<std::uint32_t> neighbors;
  /// The same layout; or one entry per port, where all nodes agree.
  std::vector<std::uint32_t> reverse_ports;
  /// Empty: every node has max_degree ports.
  std::vector<std::uint32_t> degrees;
  /// node_count + 1 entries; empty: tables are rectangles.
  std::vector<std::uint64_t> first_arcs{};
  /// Nodes below are processors, the others switches; 0: every node is a processor.
  std::uint64_t processor_count = 0;
  /// A node as the papers write it; must be safe from any number of workers. Empty: its number.
  std::function<std::string(NodeId)> label;
  /// Names in the file of the network, which are the labels then; null: none, or the numbers.
  std::shared_ptr<const NodeNames> names{};
};

class Network {
 public:
  static constexpr Knows knows = Knows::processors | Knows::find;
  static constexpr std::uint64_t max_nodes = NetworkTables::no_node;

  /// Checks every law of topology.hpp; throws InvalidParameter that names the node and port where
  /// one is broken. O(arcs * log degree).
  explicit Network(NetworkTables tables);

  /// At most this many bytes for a network of that size, labels apart; `alike`: all nodes agree on
  /// reverse ports, as in every Cayley graph.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t node_count, std::size_t max_degree,
                                           bool alike) noexcept;

  [[nodiscard]] std::string name() const { return tables_->name; }
  [[nodiscard]] std::uint64_t node_count() const noexcept { return node_count_; }
  [[nodiscard]] std::uint64_t processor_count() const noexcept { return processor_count_; }
  [[nodiscard]] std::size_t max_degree() const noexcept { return max_degree_; }
  [[nodiscard]] ArcLayout arc_layout() const noexcept {
    return {node_count_, max_degree_, first_arcs_};
  }
  [[nodiscard]] std::size_t degree(NodeId u) const noexcept {
    return degrees_ == nullptr ? max_degree_ : degrees_[index(u)];
  }
  [[nodiscard]] NodeId neighbor(NodeId u, Port p) const noexcept {
    return NodeId{neighbors_[arc_layout().index(u, p)]};
  }
  [[nodiscard]] Port reverse_port(NodeId u, Port p) const noexcept {
    if (first_arcs_ != nullptr) [[unlikely]]
      return Port{reverse_ports_[first_arcs_[index(u)] + index(p)]};
    return Port{reverse_ports_[index(p) * reverse_row_ + (index(u) & reverse_mask_)]};
  }
  /// The arcs of all nodes through one port, as a small value: for loops over nodes. Precondition:
  /// arc_layout().is_rectangle().
  class Arcs {
   public:
    [[nodiscard]] NodeId neighbor(NodeId u) const noexcept { return NodeId{neighbors_[index(u)]}; }
    [[nodiscard]] Port reverse_port(NodeId u) const noexcept {
      return Port{reverse_ports_[index(u) & reverse_mask_]};
    }
    /// The reverse port of every node, if all agree.
    [[nodiscard]] std::optional<Port> common_reverse_port() const noexcept {
      if (reverse_mask_ != 0) return std::nullopt;
      return Port{reverse_ports_[0]};
    }

   private:
    friend class Network;
    Arcs(const std::uint32_t* neighbors, const std::uint32_t* reverse_ports,
         std::uint64_t reverse_mask)
        : neighbors_(neighbors), reverse_ports_(reverse_ports), reverse_mask_(reverse_mask) {}
    const std::uint32_t* neighbors_;
    const std::uint32_t* reverse_ports_;
    std::uint64_t reverse_mask_;
  };
  [[nodiscard]] Arcs arcs_through(Port p) const noexcept {
    return {neighbors_ + index(p) * node_count_, reverse_ports_ + index(p) * reverse_row_,
            reverse_mask_};
  }
  [[nodiscard]] std::string label(NodeId u) const;
  /// The node with that label; of labels that are computed, those of the first 2,000,000 nodes are
  /// looked at. Throws InvalidParameter if several nodes of a file have that label.
  [[nodiscard]] std::optional<NodeId> find(const std::string& label) const;
  /// Null: the network is not from a file, or the names in the file are the numbers of the nodes.
  [[nodiscard]] const NodeNames* names() const noexcept { return tables_->names.get(); }

 private:
  std::shared_ptr<const NetworkTables> tables_;
  // Repeated here so that the hot accessors are one load.
  const std::uint32_t* neighbors_;
  const std::uint32_t* reverse_ports_;
  const std::uint32_t* degrees_;
  const std::uint64_t* first_arcs_;  // null: rectangles
  std::uint64_t node_count_;
  std::uint64_t processor_count_;
  std::size_t max_degree_;
  std::uint64_t reverse_row_;   // 1 where all nodes agree, else node_count
  std::uint64_t reverse_mask_;  // 0 where all nodes agree, else all bits
};

static_assert(Topology<Network>);
template <>
inline constexpr bool laws_are_proven<Network> = true;
extern template std::shared_ptr<const TopologyInterface> topology_model(Network);

}  // namespace lockstep
