// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/plan/transfers.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep {

void Transfers::sort_by_step() {
  if (std::ranges::is_sorted(list, {}, &Transfer::step)) return;
  std::vector<std::size_t> next(std::ranges::max(list, {}, &Transfer::step).step + std::size_t{2});
  for (const Transfer& transfer : list) ++next[transfer.step + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Transfer> sorted(list.size());
  for (const Transfer& transfer : list) sorted[next[transfer.step]++] = transfer;
  list = std::move(sorted);
}

Transfers every_node_a_class(std::uint64_t nodes) {
  Transfers plan{.class_of = std::vector<std::uint32_t>(nodes)};
  std::iota(plan.class_of.begin(), plan.class_of.end(), 0U);
  plan.representatives = plan.class_of;
  return plan;
}

Transfers all_one_class(std::uint64_t nodes, NodeId identity) {
  return {.class_of = std::vector<std::uint32_t>(nodes),
          .representatives = {static_cast<std::uint32_t>(index(identity))}};
}

Transfers of_every_node(
    Transfers plan, const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& translated) {
  Transfers all = every_node_a_class(plan.nodes());
  all.steps = plan.steps;
  all.parts = plan.parts;
  check_planned_transfers("the plan of every node", plan.list.size() * plan.nodes());
  all.list.reserve(plan.list.size() * plan.nodes());
  for (std::uint64_t by = 0; by < plan.nodes(); ++by)
    for (Transfer transfer : plan.list) {
      move_by(transfer, [&](std::uint32_t node) { return translated(by, node); });
      all.list.push_back(transfer);
    }
  return all;
}

Transfers of_every_node(Transfers plan, const ErasedTopology& network) {
  if (plan.representatives.size() == plan.nodes()) return plan;
  const std::optional<AnyCayley> group = network.cayley();
  expects(plan.representatives.size() == 1 && group.has_value(), "a plan of one class has a group");
  return of_every_node(std::move(plan), [&group](std::uint64_t by, std::uint64_t u) {
    return index(group->product(NodeId{by}, NodeId{u}));
  });
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
  expects(plan.additions.empty(), "a plan of sums is not reversed");
  plan.phases.clear();
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

Cost planned_cost(const Transfers& plan, const ErasedTopology& network) {
  // The arc of a transfer: where it begins, and its port or where it ends. Nodes of one class send
  // alike through the port that leads to the same element.
  constexpr unsigned half = 32;
  constexpr std::uint64_t by_end = std::uint64_t{1} << 31U;
  const std::optional<AnyCayley> group =
      plan.by_node() || plan.representatives.size() > 1 ? std::nullopt : network.cayley();
  const auto arc = [&](const Transfer& transfer) {
    std::uint64_t to = transfer.to;
    if (group) to = index(group->product(group->inverse(NodeId{transfer.from}), NodeId{to}));
    const std::uint64_t from = group ? 0 : transfer.from;
    const std::uint64_t through =
        transfer.port == first_port_there ? by_end | to : index(transfer.port);
    return (from << half) | through;
  };
  std::vector<std::uint64_t> begin(plan.steps + 1);
  for (const Transfer& transfer : plan.list) ++begin[transfer.step + std::size_t{1}];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint64_t> arcs(plan.list.size());
  std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
  for (const Transfer& transfer : plan.list) arcs[next[transfer.step]++] = arc(transfer);
  Cost cost;
  std::uint64_t times = 0;
  for (std::uint64_t step = 0; step < plan.steps; ++step) {
    const auto first = arcs.begin() + static_cast<std::ptrdiff_t>(begin[step]);
    const auto last = arcs.begin() + static_cast<std::ptrdiff_t>(begin[step + 1]);
    if (first == last) continue;
    std::sort(first, last);
    std::ptrdiff_t most = 0;
    for (auto at = first; at != last;) {
      const auto end = std::find_if(at, last, [at](std::uint64_t one) { return one != *at; });
      most = std::max(most, end - at);
      at = end;
    }
    ++cost.startups;
    times += static_cast<std::uint64_t>(most);
  }
  cost.message_times = Fraction(times, plan.parts);
  return cost;
}

void check_planned_transfers(std::string_view what, std::uint64_t transfers, std::uint64_t most) {
  if (transfers > most)
    throw invalid(
        "{}: the plan of {} is too large (limit {}); use a smaller network or another algorithm",
        what, counted(transfers, "hop"), grouped(most));
}

}  // namespace lockstep
