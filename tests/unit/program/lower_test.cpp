// SPDX-License-Identifier: Apache-2.0

/// Random plans of transfers, lowered and run: everything is delivered, no rule is broken, and the
/// machine counts what the plan says.

#include "lockstep/program/plan/lower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/raise.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/metrics.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/plan_moves.hpp"

namespace lockstep {
namespace {

using test::cases_here;
using test::for_all;
using test::Random;
using test::uniform;

struct PlannedCase {
  std::string network;
  test::Job job;
  Transfers plan;
};

[[nodiscard]] std::uint64_t coin(Random& random) { return uniform(random, 0, 1); }

/// All blocks walk along random shortest paths, and rest now and then.
[[nodiscard]] Transfers random_walks(Random& random, const AnyTopology& network,
                                     const Collective& collective) {
  struct Walk {
    std::uint64_t source, destination, at;
  };
  std::vector<Walk> walks;
  for (std::uint64_t u = 0; u < network.processor_count(); ++u)
    for (std::uint64_t v = 0; v < network.processor_count(); ++v)
      if (u != v && collective.expects(Origin{u}, NodeId{v})) walks.push_back({u, v, u});
  std::vector<std::vector<std::uint32_t>> distances;
  for (std::uint64_t v = 0; v < network.node_count(); ++v)
    distances.push_back(distances_from(network, NodeId{v}));
  Transfers plan = every_node_a_class(network.node_count());
  for (; !walks.empty(); ++plan.steps) {
    for (Walk& walk : walks) {
      if (coin(random) == 0) continue;
      std::vector<Port> nearer;
      for (std::size_t p = 0; p < network.degree(NodeId{walk.at}); ++p)
        if (distances[walk.destination][index(network.neighbor(NodeId{walk.at}, port(p)))] <
            distances[walk.destination][walk.at])
          nearer.push_back(port(p));
      const Port through = nearer[uniform(random, 0, nearer.size() - 1)];
      const std::uint64_t to = index(network.neighbor(NodeId{walk.at}, through));
      plan.move(plan.steps, walk.source, walk.destination, walk.at, to, through);
      walk.at = to;
    }
    std::erase_if(walks, [](const Walk& walk) { return walk.at == walk.destination; });
  }
  return plan;
}

/// The parts of blocks for everyone spread from wherever they are.
[[nodiscard]] Transfers random_gossip(Random& random, const AnyTopology& network, Transfers plan) {
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::set<std::uint64_t>> holders;
  for (const std::uint32_t source : plan.representatives)
    for (std::uint16_t part = 0; source < network.processor_count() && part < plan.parts; ++part)
      holders[{source, part}] = {source};
  const auto complete = [&](const auto& one) { return one.second.size() == network.node_count(); };
  for (; !std::ranges::all_of(holders, complete); ++plan.steps)
    for (auto& [block, nodes] : holders) {
      const std::set<std::uint64_t> before = nodes;
      for (const std::uint64_t u : before)
        for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
          const std::uint64_t to = index(network.neighbor(NodeId{u}, port(p)));
          if (coin(random) == 0 || !nodes.insert(to).second) continue;
          plan.move(plan.steps, block.first, everyone, u, to, port(p));
          plan.list.back().part = block.second;
        }
    }
  return plan;
}

/// Start-ups and message times by the definition: the blocks of each arc and step; in a plan of one
/// class, of each port and step.
[[nodiscard]] Cost counted_by_hand(const Transfers& plan, const AnyTopology& network) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, Port>, std::uint64_t> messages;
  for (const Transfer& transfer : plan.list) {
    Port through = transfer.port;
    for (std::size_t p = 0; through == first_port_there; ++p)
      if (network.neighbor(NodeId{transfer.from}, port(p)) == NodeId{transfer.to})
        through = port(p);
    ++messages[{transfer.step, plan.by_node() ? transfer.from : 0, through}];
  }
  std::map<std::uint32_t, std::uint64_t> largest;
  for (const auto& [message, blocks] : messages)
    largest[std::get<0>(message)] = std::max(largest[std::get<0>(message)], blocks);
  Cost cost;
  for (const auto& [step, blocks] : largest) cost = cost + Cost{1, Fraction(blocks, plan.parts)};
  return cost;
}

/// The schedule is raised to the plan that it was made of; sums to another plan of the same
/// messages, which delivers them.
void expect_raised(const Schedule& schedule, const PlannedCase& made, const LoweredPlan& lowered) {
  const AnyTopology network(made.network);
  const Operation operation = made.job.collective.operation;
  const Transfers again = raised(schedule, network, operation, made.plan.parts);
  if (!is_reduction(operation)) {
    EXPECT_EQ(test::moves_of(again, network),
              test::moves_of(of_every_node(made.plan, network), network));
  }
  LoweredPlan twice = lower(again, network, operation);
  EXPECT_EQ(twice.cost, lowered.cost);
  EXPECT_EQ(twice.messages, lowered.messages);
  EXPECT_EQ(twice.deliveries, lowered.deliveries);
  const ScheduleProgram program(std::make_shared<const Schedule>(std::move(twice.schedule)));
  const test::RunOutcome outcome = test::run(network.network(), program, made.job);
  EXPECT_TRUE(outcome.verdict.complete());
  EXPECT_TRUE(outcome.record.legal());
}

void expect_runs_as_planned(const PlannedCase& made) {
  SCOPED_TRACE(made.network + " " + std::string(name_of(made.job.collective.operation)));
  const AnyTopology network(made.network);
  LoweredPlan lowered = lower(made.plan, network, made.job.collective.operation);
  const auto expect_delivered = [&](const auto& program) {
    const test::RunOutcome outcome = test::run(network.network(), program, made.job);
    EXPECT_TRUE(outcome.verdict.complete());
    EXPECT_TRUE(outcome.record.legal());
    EXPECT_EQ(outcome.record.hops, lowered.messages);
    const Fraction times(outcome.record.message_times, made.plan.parts);
    EXPECT_EQ((Cost{outcome.record.startups, times}), lowered.cost);
    EXPECT_EQ(counted_by_hand(made.plan, network), lowered.cost);
    EXPECT_EQ(lowered.deliveries, made.job.collective.deliveries(network.processor_count()));
    test::expect_reference_outcome(network.network(), program, made.job,
                                   {ChannelKind::slot, ChannelKind::spsc});
  };
  if (!lowered.schedule.is_relative()) expect_raised(lowered.schedule, made, lowered);
  const auto schedule = std::make_shared<const Schedule>(std::move(lowered.schedule));
  if (!schedule->is_relative())
    expect_delivered(ScheduleProgram(schedule));
  else if (schedule->is_of_one_class())
    expect_delivered(GroupedScheduleProgram(*network.cayley(), schedule));
  else
    expect_delivered(ScheduleProgram(*network.cayley(), schedule));
}

[[nodiscard]] const std::string& any_of(Random& random, const std::vector<std::string>& names) {
  return names[uniform(random, 0, names.size() - 1)];
}
const std::vector<std::string> networks_of_plans{
    "linear:2",      "linear:5",           "ring:4",    "mesh:2x3", "petersen", "fat-tree:2^2",
    "kary-tree:2^2", "erdos-renyi:9,14,3", "complete:6"};
const std::vector<std::string> groups_of_plans{
    "ring:5", "ring:3", "hypercube:3", "complete:7", "star:4", "torus:3x4", "circulant:9,1,2"};

TEST(Lower, WalksOfAnyExchangeScatterAndGather) {
  for_all(
      cases_here(60),
      [](Random& random) {
        PlannedCase made{any_of(random, networks_of_plans), {}, {}};
        const AnyTopology network(made.network);
        constexpr std::array operations{Operation::total_exchange, Operation::scatter,
                                        Operation::gather};
        made.job = {.model = port_models::all_port,
                    .collective = {operations[uniform(random, 0, 2)],
                                   NodeId{uniform(random, 0, network.processor_count() - 1)}}};
        made.plan = random_walks(random, network, made.job.collective);
        return made;
      },
      expect_runs_as_planned);
}

TEST(Lower, GossipByNodesAndOfGroups) {
  for_all(
      cases_here(60),
      [](Random& random) {
        const bool group = coin(random) == 0;
        PlannedCase made{any_of(random, group ? groups_of_plans : networks_of_plans), {}, {}};
        const AnyTopology network(made.network);
        made.job = {.model = port_models::all_port, .collective = {Operation::all_gather}};
        const std::uint64_t nodes = network.node_count();
        Transfers none = group ? all_one_class(nodes) : every_node_a_class(nodes);
        none.parts = static_cast<std::uint32_t>(uniform(random, 1, 3));
        made.job.parts_per_block = none.parts;
        made.plan = random_gossip(random, network, std::move(none));
        return made;
      },
      [](const PlannedCase& made) {
        // A port carries one message a step for a group, whichever nodes the blocks come from.
        expect_runs_as_planned(made);
      });
}

TEST(Lower, AGatherIsAScatterBackwards) {
  for_all(
      cases_here(30),
      [](Random& random) {
        PlannedCase made{any_of(random, networks_of_plans), {}, {}};
        const AnyTopology network(made.network);
        const NodeId root{uniform(random, 0, network.processor_count() - 1)};
        const Collective scatter{Operation::scatter, root};
        made.job = {.model = port_models::all_port, .collective = {Operation::gather, root}};
        const Transfers forwards = random_walks(random, network, scatter);
        made.plan = reversed(network, forwards);
        EXPECT_EQ(lower(made.plan, network).cost, lower(forwards, network).cost);
        EXPECT_EQ(reversed(network, made.plan).list.size(), forwards.list.size());
        return made;
      },
      expect_runs_as_planned);
}

/// The parts of a block spread from the root, each over a tree of its own.
[[nodiscard]] Transfers random_broadcast(Random& random, const AnyTopology& network, NodeId root) {
  Transfers plan = every_node_a_class(network.node_count());
  plan.parts = static_cast<std::uint32_t>(uniform(random, 1, 5));
  for (std::uint16_t part = 0; part < plan.parts; ++part) {
    std::vector<std::uint64_t> there{index(root)};
    for (std::uint64_t step = uniform(random, 0, 3); there.size() < network.node_count(); ++step) {
      const std::vector<std::uint64_t> before = there;
      for (const std::uint64_t u : before)
        for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
          const std::uint64_t to = index(network.neighbor(NodeId{u}, port(p)));
          if (coin(random) == 0 || std::ranges::find(there, to) != there.end()) continue;
          there.push_back(to);
          plan.move_part(step, {.source = static_cast<std::uint32_t>(index(root)),
                                .destination = everyone,
                                .from = static_cast<std::uint32_t>(u),
                                .to = static_cast<std::uint32_t>(to),
                                .part = part});
        }
    }
  }
  return plan;
}

[[nodiscard]] PlannedCase random_case_at_a_root(Random& random, Operation operation) {
  PlannedCase made{any_of(random, networks_of_plans), {}, {}};
  const AnyTopology network(made.network);
  const NodeId root{uniform(random, 0, network.processor_count() - 1)};
  made.job = {.model = port_models::all_port, .collective = {operation, root}};
  made.plan = random_broadcast(random, network, root);
  made.job.parts_per_block = made.plan.parts;
  return made;
}

TEST(Lower, PartsOfABroadcastTakeWaysOfTheirOwn) {
  for_all(
      cases_here(40),
      [](Random& random) { return random_case_at_a_root(random, Operation::broadcast); },
      expect_runs_as_planned);
}

TEST(Lower, AReductionIsABroadcastBackwards) {
  for_all(
      cases_here(40),
      [](Random& random) {
        PlannedCase made = random_case_at_a_root(random, Operation::reduce);
        made.plan = reversed(AnyTopology(made.network), made.plan);
        return made;
      },
      expect_runs_as_planned);
}

TEST(Lower, AReduceScatterIsAnAllGatherBackwards) {
  for_all(
      cases_here(40),
      [](Random& random) {
        const bool group = coin(random) == 0;
        PlannedCase made{any_of(random, group ? groups_of_plans : networks_of_plans), {}, {}};
        const AnyTopology network(made.network);
        made.job = {.model = port_models::all_port, .collective = {Operation::reduce_scatter}};
        const std::uint64_t nodes = network.node_count();
        made.plan = reversed(
            network, random_gossip(random, network,
                                   group ? all_one_class(nodes) : every_node_a_class(nodes)));
        return made;
      },
      expect_runs_as_planned);
}

TEST(Lower, SumsAreSentAsTheyAreAndReplaced) {
  for_all(
      cases_here(40),
      [](Random& random) {  // a reduction, then a broadcast over another tree
        PlannedCase made = random_case_at_a_root(random, Operation::all_reduce);
        const AnyTopology network(made.network);
        Transfers back = random_broadcast(random, network, made.job.collective.root);
        while (back.parts != made.plan.parts)
          back = random_broadcast(random, network, made.job.collective.root);
        made.plan = reversed(network, made.plan);
        const std::uint64_t steps = made.plan.steps;
        for (Transfer& transfer : made.plan.list) transfer.destination = everyone;
        for (Transfer transfer : back.list) {
          transfer.source = everyone;
          made.plan.move_part(steps + transfer.step, transfer);
        }
        return made;
      },
      expect_runs_as_planned);
}

/// Every node sends its sum while it receives another: what is sent must not be altered.
TEST(Lower, SumsThatAreSentAndAddedToInTheSameStep) {
  for (const std::uint32_t parts : {1U, 3U})
    for (const Operation operation : {Operation::all_reduce, Operation::scan}) {
      PlannedCase made{"complete:8", {}, every_node_a_class(8)};
      made.job = {.model = port_models::single_port, .collective = {operation}};
      made.job.parts_per_block = made.plan.parts = parts;
      for (std::uint16_t part = 0; part < parts; ++part)
        for (std::uint32_t distance = 1, step = 0; distance < 8; distance *= 2, ++step)
          for (std::uint32_t u = 0; u < 8; ++u) {
            const bool scans = operation == Operation::scan;
            const std::uint32_t to = scans ? u + distance : u ^ distance;
            if (to < 8)
              made.plan.move_part(step, {.source = everyone,
                                         .destination = everyone,
                                         .from = u,
                                         .to = to,
                                         .part = part,
                                         .combine = to > u ? Combine::before : Combine::behind});
          }
      expect_runs_as_planned(made);
    }
}

TEST(LowerDeathTest, WrongPlansAreErrorsOfThePlanner) {
  const AnyTopology ring("ring:4");
  const auto lowered = [&](const std::vector<Transfer>& list) {
    Transfers plan = every_node_a_class(4);
    plan.steps = 3;
    plan.list = list;
    return lower(plan, ring).messages;
  };
  EXPECT_EQ(lowered({{0, 0, 2, 0, 1}, {1, 0, 2, 1, 2}}), 2U);
  EXPECT_DEATH((void)lowered({{0, 0, 2, 1, 2}}), "a block begins at its source");
  EXPECT_DEATH((void)lowered({{0, 0, 2, 0, 1}, {1, 0, 2, 3, 2}}), "a block moves along a path");
  EXPECT_DEATH((void)lowered({{1, 0, 2, 0, 1}, {1, 0, 2, 1, 2}}), "what it has received before");
  EXPECT_DEATH((void)lowered({{0, 0, 2, 0, 2}}), "a transfer goes over a link");
  EXPECT_DEATH((void)lowered({{0, 0, everyone, 0, 1}, {1, 0, everyone, 0, 1}}),
               "a node receives a block once");
}

}  // namespace
}  // namespace lockstep
