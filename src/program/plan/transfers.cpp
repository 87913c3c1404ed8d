// SPDX-License-Identifier: Apache-2.0
#include "program/plan/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
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

Transfers reversed(const ErasedTopology& network, Transfers plan) {
  std::ranges::reverse(plan.list);
  for (Transfer& transfer : plan.list) {
    expects(transfer.destination != everyone, "a reversed plan has one destination per block");
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
