// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/law_check.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/node_names.hpp"

namespace lockstep {

namespace {

void check_laws(const Network& network) {
  for (std::uint64_t i = 0; i < network.node_count(); ++i) check_arcs(network, NodeId{i});
  const std::vector<std::uint32_t> distances = distances_from(network, NodeId{0});
  const auto apart = std::ranges::find(distances, unreachable);
  if (apart != distances.end())
    throw invalid("{} is not connected: no path from node 0 to node {}", network.name(),
                  apart - distances.begin());
}

template <class T>
const T* data_or_null(const std::vector<T>& table) noexcept {
  return table.empty() ? nullptr : table.data();
}

}  // namespace

Network::Network(NetworkTables tables)
    : tables_(std::make_shared<const NetworkTables>(std::move(tables))),
      neighbors_(tables_->neighbors.data()),
      reverse_ports_(tables_->reverse_ports.data()),
      degrees_(data_or_null(tables_->degrees)),
      first_arcs_(data_or_null(tables_->first_arcs)),
      node_count_(tables_->node_count),
      processor_count_(tables_->processor_count == 0 ? node_count_ : tables_->processor_count),
      max_degree_(tables_->max_degree),
      reverse_row_(
          first_arcs_ == nullptr && tables_->reverse_ports.size() == max_degree_ ? 1 : node_count_),
      reverse_mask_(reverse_row_ == 1 ? 0 : ~std::uint64_t{0}) {
  build_network_detail::check_size(tables_->name, node_count_, 0);
  expects(first_arcs_ == nullptr || tables_->first_arcs.size() == node_count_ + 1,
          "where a node's arcs begin, and where all end");
  for (std::uint64_t u = 0; first_arcs_ != nullptr && u < node_count_; ++u)
    expects(first_arcs_[u] + degree(NodeId{u}) <= first_arcs_[u + 1],
            "the arcs of a node end before those of the next begin");
  const std::uint64_t arcs = arc_layout().size();
  expects(tables_->neighbors.size() == arcs, "one neighbour entry per arc");
  expects(tables_->reverse_ports.size() == (reverse_row_ == 1 ? max_degree_ : arcs),
          "one reverse port per port, or per arc");
  expects(degrees_ == nullptr || tables_->degrees.size() == node_count_, "one degree per node");
  if (processor_count_ > node_count_)
    throw invalid("{}: {}; allowed: 1..{}", tables_->name, counted(processor_count_, "processor"),
                  grouped(node_count_));
  check_laws(*this);
}

std::uint64_t Network::bytes(std::uint64_t node_count, std::size_t max_degree,
                             bool alike) noexcept {
  if (alike) return (node_count + 1) * max_degree * sizeof(std::uint32_t);
  const std::uint64_t per_arc = 2 * sizeof(std::uint32_t);
  return node_count * (max_degree * per_arc + sizeof(std::uint32_t));
}

std::string Network::label(NodeId u) const {
  if (names() != nullptr) return names()->of(u);
  return tables_->label ? tables_->label(u) : fmt::format("{}", index(u));
}

std::optional<NodeId> Network::find(const std::string& label) const {
  if (names() != nullptr) return names()->find(label);
  constexpr std::uint64_t most_nodes = 2'000'000;
  for (std::uint64_t u = 0; tables_->label && u < std::min(node_count_, most_nodes); ++u)
    if (tables_->label(NodeId{u}) == label) return NodeId{u};
  const std::optional<std::uint64_t> number = whole_number(label);
  if (tables_->label || !number || *number >= node_count_) return std::nullopt;
  return fmt::format("{}", *number) == label ? std::optional(NodeId{*number}) : std::nullopt;
}

}  // namespace lockstep
