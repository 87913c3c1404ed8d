// SPDX-License-Identifier: Apache-2.0
#include "program/plan/least_model.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "program/plan/plan_memory.hpp"

namespace lockstep {
namespace {

/// The messages that nodes send, or those that they receive, step by step.
class MessageEnds {
 public:
  explicit MessageEnds(const std::vector<std::size_t>& first_arc)
      : first_arc_(first_arc),
        step_of_arc_(first_arc.back(), none),
        step_of_node_(first_arc.size(), none),
        count_(first_arc.size()) {}

  /// Steps do not fall.
  void add(std::uint32_t step, std::uint32_t node, Port port) {
    std::uint32_t& last = step_of_arc_[first_arc_[node] + index(port)];
    if (std::exchange(last, step) == step) return;
    if (std::exchange(step_of_node_[node], step) != step) count_[node] = 0;
    most_ = std::max(most_, ++count_[node]);
  }
  [[nodiscard]] bool has(std::uint32_t step, std::uint32_t node, Port port) const {
    return step_of_arc_[first_arc_[node] + index(port)] == step;
  }
  /// The largest number of a node in a step.
  [[nodiscard]] std::uint32_t most() const noexcept { return most_; }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  const std::vector<std::size_t>& first_arc_;
  std::vector<std::uint32_t> step_of_arc_;  // the last one in which it was used
  std::vector<std::uint32_t> step_of_node_;
  std::vector<std::uint32_t> count_;  // in that step
  std::uint32_t most_ = 0;
};

/// The port of a transfer, as lowering chooses it.
[[nodiscard]] Port port_of(const Transfer& transfer, const ErasedTopology& network) {
  if (transfer.port != first_port_there) return transfer.port;
  const auto there = port_to(network, NodeId{transfer.from}, NodeId{transfer.to});
  expects(there.has_value(), "a transfer goes over a link");
  return *there;
}

}  // namespace

std::optional<PortModel> least_model(const Transfers& plan, const ErasedTopology& network) {
  const bool one_class = plan.representatives.size() == 1 && plan.nodes() > 1;
  if (!plan.by_node() && !one_class) return std::nullopt;
  std::vector<std::size_t> first_arc{0};
  for (std::uint64_t u = 0; u < plan.nodes(); ++u)
    first_arc.push_back(first_arc.back() + network.degree(NodeId{u}));
  MessageEnds sent(first_arc);
  MessageEnds received(first_arc);
  bool both_ways = false;
  for (const std::uint32_t i : in_order(plan.list)) {
    const Transfer& transfer = plan.list[i];
    const Port through = port_of(transfer, network);
    const Port into = network.reverse_port(NodeId{transfer.from}, through);
    // Nodes of one class send, and receive, through the same ports.
    const std::uint32_t from = one_class ? 0 : transfer.from;
    const std::uint32_t to = one_class ? 0 : transfer.to;
    sent.add(transfer.step, from, through);
    received.add(transfer.step, to, into);
    both_ways = both_ways || received.has(transfer.step, from, through) ||
                sent.has(transfer.step, to, into);
  }
  return PortModel{.name = {},
                   .sends = sent.most(),
                   .receptions = received.most(),
                   .duplex = both_ways ? Duplex::full : Duplex::half};
}

}  // namespace lockstep
