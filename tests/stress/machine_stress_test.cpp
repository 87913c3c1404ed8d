// SPDX-License-Identifier: Apache-2.0
/// The machine under hostile schedules: more workers than cores, every processor a task of its own,
/// seeded delays inside steps. Records, violations and bytes are those of the reference machine.

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "algorithm/total_exchange/star_packing.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"
#include "lockstep/topology/ring.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/rule_program.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {
namespace {

/// Some tasks of some steps start late; which ones is decided by the seed.
std::function<void(std::uint64_t, std::size_t)> delays(std::uint64_t seed) {
  return [seed](std::uint64_t step, std::size_t task) {
    Random random(seed * 1'000'003 + step * 1'009 + task);
    const std::uint64_t chance = uniform(random, 0, 99);
    if (chance < 20) std::this_thread::yield();
    if (chance < 2) std::this_thread::sleep_for(std::chrono::microseconds(uniform(random, 1, 100)));
  };
}

Conditions hostile(Random& random) {
  constexpr std::uint64_t blocks[] = {1, 1, 2, 7};
  return {.channel = every_channel[uniform(random, 0, 2)],
          .executor = executor_kinds[uniform(random, 0, executor_kinds.size() - 1)],
          .workers = uniform(random, 2, 16),
          .processors_per_task = blocks[uniform(random, 0, 3)],
          .disturb = delays(uniform(random, 0, 1'000'000))};
}

TEST(MachineStress, PackingUnderHostileSchedules) {
  const StarGraph star(4);
  const Network network = build_network(star);
  const auto program = StarPacking(star, {{"k", Numbers{2}}}).program();
  const Job job{.keep_series = false};
  const RunOutcome expected = run_reference(network, program, job);
  for_all(12, hostile, [&](const Conditions& conditions) {
    SCOPED_TRACE(described(conditions));
    expect_same(run(network, program, job, conditions), expected);
  });
}

struct Case {
  Network network;
  Script script;
  Job job;
  Conditions conditions;
};

TEST(MachineStress, RandomScriptsUnderHostileSchedules) {
  const auto make = [](Random& random) {
    const Network network =
        uniform(random, 0, 1) == 0 ? build_network(Ring(40)) : build_network(CompleteGraph(24));
    return Case{network,
                random_script(random, network, 6,
                              {.send = 30, .skipped_take = 5, .no_such_port = 2, .after_end = 5}),
                {.model = port_models::all[uniform(random, 0, 3)],
                 .block_bytes = 16,
                 .stop_at_violation = uniform(random, 0, 1) == 0},
                hostile(random)};
  };
  for_all(40, make, [](const Case& c) {
    SCOPED_TRACE(described(c.conditions));
    const ScriptedProgram<Activity::dense> dense(c.script);
    expect_same(run(c.network, dense, c.job, c.conditions),
                run_reference(c.network, dense, c.job, c.conditions.channel));
    const ScriptedProgram<Activity::sparse> sparse(c.script);
    expect_same(run(c.network, sparse, c.job, c.conditions),
                run_reference(c.network, sparse, c.job, c.conditions.channel));
  });
}

/// Everybody sends to node 0 at once, and it looks at some ports only.
TEST(MachineStress, ACrowdAtOneNode) {
  const Network network = build_network(CompleteGraph(40));
  const auto program = rules(3, [](auto& here) {
    if (index(here.node()) == 0) {
      for (std::size_t p = 0; p < here.degree(); p += 3) (void)here.take(port(p));
    } else {
      here.send(Port{0}, first_block);  // to node 0: ports are in the order of the neighbours
    }
  });
  for (const bool stop : {true, false})
    for (const PortModel& model : {port_models::single_port, port_models::all_port}) {
      const Job job{.model = model, .stop_at_violation = stop};
      for_all(6, hostile, [&](const Conditions& conditions) {
        SCOPED_TRACE(described(conditions));
        const RunOutcome expected = run_reference(network, program, job, conditions.channel);
        EXPECT_FALSE(expected.record.legal());
        expect_same(run(network, program, job, conditions), expected);
      });
    }
}

/// Which processor throws first is chance; which exception arrives is not.
TEST(MachineStress, ExceptionsUnderHostileSchedules) {
  const Network network = build_network(Ring(100));
  const auto program = rules(4, [](auto& here) {
    if (here.step() == 2 && index(here.node()) % 10 == 7)
      throw std::runtime_error(std::to_string(index(here.node())));
  });
  for_all(25, hostile, [&](const Conditions& conditions) {
    SCOPED_TRACE(described(conditions));
    try {
      (void)run(network, program, Job{}, conditions);
      ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "7");
    }
  });
}

}  // namespace
}  // namespace lockstep::test
