// SPDX-License-Identifier: Apache-2.0
#include "program/plan/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {

Transfers every_node_a_class(std::uint64_t nodes) {
  Transfers plan;
  plan.class_of.resize(nodes);
  std::iota(plan.class_of.begin(), plan.class_of.end(), 0U);
  plan.representatives = plan.class_of;
  return plan;
}

Transfers all_one_class(std::uint64_t nodes) {
  return {.class_of = std::vector<std::uint32_t>(nodes), .representatives = {0}};
}

namespace {

/// Drops what reaches only switches, which have nothing to contribute. The list is reversed.
void drop_ends_at_switches(const ErasedTopology& network, std::vector<Transfer>& list) {
  if (network.processor_count() == network.node_count()) return;
  std::set<std::tuple<std::uint32_t, std::uint16_t, std::uint32_t>> senders;
  std::erase_if(list, [&](const Transfer& transfer) {
    const auto at = [&](std::uint32_t node) {
      return std::tuple(transfer.source, transfer.part, node);
    };
    if (transfer.to >= network.processor_count() && !senders.contains(at(transfer.to))) return true;
    senders.insert(at(transfer.from));
    return false;
  });
}

}  // namespace

Transfers reversed(const ErasedTopology& network, Transfers plan) {
  std::ranges::reverse(plan.list);
  drop_ends_at_switches(network, plan.list);
  for (Transfer& transfer : plan.list) {
    expects(transfer.source != everyone, "a plan of sums is not reversed");
    if (transfer.destination == everyone) transfer.combine = Combine::behind;
    if (transfer.port != first_port_there)
      transfer.port = network.reverse_port(NodeId{transfer.from}, transfer.port);
    transfer.step = static_cast<std::uint32_t>(plan.steps - 1 - transfer.step);
    std::swap(transfer.source, transfer.destination);
    std::swap(transfer.from, transfer.to);
  }
  return plan;
}

void check_planned_transfers(std::string_view what, std::uint64_t transfers, std::uint64_t most) {
  if (transfers > most)
    throw InvalidParameter(fmt::format(
        "{}: the plan of {} is too large (limit {}); use a smaller network or another algorithm",
        what, counted(transfers, "hop"), grouped(most)));
}

}  // namespace lockstep
