// SPDX-License-Identifier: Apache-2.0
#include "core/max_flow.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

namespace lockstep {

std::int64_t FlowNetwork::maximum(std::size_t from, std::size_t to) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Graph = boost::adjacency_list<
      boost::vecS, boost::vecS, boost::directedS, boost::no_property,
      boost::property<
          boost::edge_capacity_t, std::int64_t,
          boost::property<boost::edge_residual_capacity_t, std::int64_t,
                          boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;
  Graph graph(nodes_);
  const auto capacity = boost::get(boost::edge_capacity, graph);
  const auto reverse = boost::get(boost::edge_reverse, graph);
  std::vector<Traits::edge_descriptor> edges;
  for (const Arc& arc : arcs_) {
    const auto there = boost::add_edge(arc.from, arc.to, graph).first;
    const auto back = boost::add_edge(arc.to, arc.from, graph).first;
    capacity[there] = arc.capacity;
    capacity[back] = 0;
    reverse[there] = back;
    reverse[back] = there;
    edges.push_back(there);
  }
  const std::int64_t all = boost::push_relabel_max_flow(graph, from, to);
  const auto residual = boost::get(boost::edge_residual_capacity, graph);
  for (std::size_t i = 0; i < arcs_.size(); ++i)
    arcs_[i].flow = arcs_[i].capacity - residual[edges[i]];
  return all;
}

}  // namespace lockstep
