// SPDX-License-Identifier: Apache-2.0

/// Schedules whose switches copy and combine as much as they can: they are below every bound that
/// takes it that only processors do.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/detail/topology_model.hpp"

namespace lockstep {
namespace {

/// Every processor is linked to as many switches as there are processors: port i leads to number i.
AnyTopology processors_below_switches(std::uint64_t processors) {
  std::vector<Link> links;
  for (std::uint64_t u = 0; u < processors; ++u)
    for (std::uint64_t s = 0; s < processors; ++s)
      links.push_back({NodeId{u}, NodeId{processors + s}});
  return AnyTopology(std::make_shared<TopologyModel<Network>>(
      build_network("below-switches", 2 * processors, links, processors)));
}

/// The text of a file of version 2, step by step.
class ScheduleText {
 public:
  void add(std::uint64_t step, std::uint64_t node, const std::string& action) {
    std::string& line = steps_[step][node];
    line += (line.empty() ? "" : "; ") + action;
  }
  [[nodiscard]] std::string text(const std::string& head) const {
    std::string all =
        fmt::format("lockstep-schedule 2\n{}steps {}\n", head, steps_.rbegin()->first);
    for (const auto& [step, nodes] : steps_) {
      all += fmt::format("step {}\n", step);
      for (const auto& [node, line] : nodes) all += fmt::format("{}: {}\n", node, line);
    }
    return all;
  }

 private:
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> steps_;
};

RunResult run(const AnyTopology& network, Operation operation, std::uint64_t parts,
              const std::string& text) {
  const auto file = std::filesystem::path(testing::TempDir()) /
                    fmt::format("bounds_over_switches_{}.txt", getpid());
  std::ofstream(file, std::ios::binary) << text;
  RunResult result = prepare({.topology = network,
                              .operation = operation,
                              .settings = {{"schedule", file.string()}},
                              .block_bytes = 8 * parts,
                              .executor = ExecutorKind::serial})
                         ->execute();
  std::filesystem::remove(file);
  return result;
}

/// All-reduce of P processors below P switches. Each switch combines one of every P parts, a
/// contribution in a step, and returns it while it combines its part of the next P.
std::string all_reduce_in_switches(const AnyTopology& network, const std::string& model,
                                   std::uint64_t rounds) {
  const std::uint64_t p = network.processor_count();
  const std::uint64_t parts = p * rounds;
  const std::uint64_t last = parts + p;
  ScheduleText schedule;
  for (std::uint64_t u = 0; u < p; ++u)
    schedule.add(0, u, fmt::format("load 0/0 of {0} for {0}", u));
  for (std::uint64_t step = 1; step <= last; ++step)
    for (std::uint64_t u = 0; u < p; ++u) {
      if (step > p) {  // sent by the switch one step ago
        const std::uint64_t round = (step - 1) / p - 1;
        const std::uint64_t s = (u + p - (step - 1) % p) % p;
        schedule.add(step, u, fmt::format("take {} store 1/{}", s, round * p + s));
      }
      if (step <= parts) {
        const std::uint64_t round = (step - 1) / p;
        const std::uint64_t turn = (step - 1) % p;
        schedule.add(step, p + u,
                     fmt::format("take {} {} 0/{}", (u + p - turn) % p,
                                 turn == 0 ? "store" : "combine", round % 2));
      }
    }
  for (std::uint64_t step = 0; step < last; ++step)
    for (std::uint64_t u = 0; u < p; ++u) {
      if (step < parts) {
        const std::uint64_t s = (u + step % p) % p;
        schedule.add(step, u, fmt::format("send {} 0/{}", s, step / p * p + s));
      }
      if (step >= p)
        schedule.add(step, p + u,
                     fmt::format("send {} 0/{}", (u + step % p) % p, (step / p - 1) % 2));
    }
  for (std::uint64_t u = 0; u < p; ++u) schedule.add(last, u, fmt::format("deliver 1/0 of {}", u));
  return schedule.text(
      fmt::format("topology {}\noperation all-reduce\nport-model {}\nparts {}\nmemory {} {}\n",
                  network.name(), model, parts, parts, parts));
}

/// Of 2 (P - 1) messages for each part, processors receive P.
TEST(BoundsOverSwitches, OfAllReduceAreNotThoseOfProcessorsAlone) {
  constexpr std::uint64_t rounds = 6;
  for (const AnyTopology& network : {AnyTopology("xgft:1;4;4"), processors_below_switches(4)})
    for (const std::string model : {"single-port", "single-port-wormhole"}) {
      SCOPED_TRACE(network.name() + " " + model);
      const RunResult result = run(network, Operation::all_reduce, 4 * rounds,
                                   all_reduce_in_switches(network, model, rounds));
      EXPECT_TRUE(result.ok()) << result.judgement.sentence;
      EXPECT_EQ(result.cost.message_times, Fraction(rounds + 1, rounds));
      EXPECT_LT(result.cost.message_times, Fraction(2 * 3, 4));
    }
}

/// Every link of a processor carries blocks towards it, although links are half-duplex.
TEST(BoundsOverSwitches, OfHalfDuplexLinksAreNotThoseBetweenProcessors) {
  constexpr std::uint64_t p = 3;
  constexpr std::uint64_t rounds = 10;
  const AnyTopology network = processors_below_switches(p);
  ScheduleText schedule;
  schedule.add(0, 0, "load 0/0 of 0 for 0");
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t s = 0; s < p; ++s) {
      schedule.add(round, 0, fmt::format("send {} 0/{}", s, round * p + s));
      schedule.add(round + 1, p + s,
                   fmt::format("take 0 store 0/{0}; send 1 0/{0}; send 2 0/{0}", round % 2));
      for (const std::uint64_t u : {1U, 2U})
        schedule.add(round + 2, u, fmt::format("take {} store 0/{}", s, round * p + s));
    }
  for (const std::uint64_t u : {1U, 2U}) schedule.add(rounds + 1, u, "deliver 0/0 of 0");
  const RunResult result =
      run(network, Operation::broadcast, p * rounds,
          schedule.text(fmt::format("topology {}\noperation broadcast\nport-model "
                                    "all-port-half-duplex\nparts {}\nmemory {}\n",
                                    network.name(), p * rounds, p * rounds)));
  EXPECT_TRUE(result.ok()) << result.judgement.sentence;
  EXPECT_EQ(result.cost.message_times, Fraction(rounds + 1, p * rounds));
  EXPECT_LT(result.cost.message_times, Fraction(2 * (p - 1), p * p));
}

}  // namespace
}  // namespace lockstep
