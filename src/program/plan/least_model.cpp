// SPDX-License-Identifier: Apache-2.0
#include "program/plan/least_model.hpp"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {
namespace {

/// A message as the node sees it that sends or receives it.
struct End {
  std::uint32_t step;
  std::uint32_t node;
  Port port;

  friend auto operator<=>(const End&, const End&) = default;
};

/// The largest number of ends of a node in a step. Precondition: sorted, each once.
[[nodiscard]] std::uint32_t most_of_a_node(const std::vector<End>& ends) {
  std::uint32_t most = 0;
  std::uint32_t now = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const bool same = i > 0 && std::pair(ends[i].step, ends[i].node) ==
                                   std::pair(ends[i - 1].step, ends[i - 1].node);
    now = same ? now + 1 : 1;
    most = std::max(most, now);
  }
  return most;
}

void keep_each_once(std::vector<End>& ends) {
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
}

/// The port of a transfer, as lowering chooses it.
[[nodiscard]] Port port_of(const Transfer& transfer, const ErasedTopology& network) {
  if (transfer.port != first_port_there) return transfer.port;
  const NodeId from{transfer.from};
  for (std::size_t p = 0; p < network.degree(from); ++p)
    if (network.neighbor(from, port(p)) == NodeId{transfer.to}) return port(p);
  expects(false, "a transfer goes over a link");
  return {};
}

}  // namespace

std::optional<PortModel> least_model(const Transfers& plan, const ErasedTopology& network) {
  const bool one_class = plan.representatives.size() == 1 && plan.nodes() > 1;
  if (!plan.by_node() && !one_class) return std::nullopt;
  std::vector<End> sent;
  std::vector<End> received;
  for (const Transfer& transfer : plan.list) {
    const Port through = port_of(transfer, network);
    // Nodes of one class send, and receive, through the same ports.
    sent.push_back({transfer.step, one_class ? 0 : transfer.from, through});
    received.push_back({transfer.step, one_class ? 0 : transfer.to,
                        network.reverse_port(NodeId{transfer.from}, through)});
  }
  keep_each_once(sent);
  keep_each_once(received);
  std::vector<End> both;
  std::ranges::set_intersection(sent, received, std::back_inserter(both));
  return PortModel{.name = {},
                   .sends = most_of_a_node(sent),
                   .receptions = most_of_a_node(received),
                   .duplex = both.empty() ? Duplex::half : Duplex::full};
}

}  // namespace lockstep
