// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A job (support/jobs.hpp) on the receive-once machine.
///
///     const Traced got = run_boxed(network, program, broadcast_job(root, port_models::all_port));
///     EXPECT_EQ(got.trace, trace_of_the_reference_machine);

#include <cstdint>
#include <thread>
#include <vector>

#include "support/jobs.hpp"

namespace lockstep::test {

struct Traced {
  RunOutcome outcome;
  SendTrace trace;
};

template <Topology Net, Program Prog>
Traced run_boxed(const Net& network, const Prog& program, const Job& job,
                 const Conditions& conditions = {}) {
  Traced traced;
  Conditions watched = conditions;
  watched.trace = &traced.trace;
  traced.outcome = study::run_in_boxes(network, program, job, watched);
  return traced;
}

/// Every executor with 1, 2, 3, 8 workers and tasks of any and of 64 processors.
inline std::vector<Conditions> boxed_conditions() {
  std::vector<Conditions> all;
  for (const ExecutorKind executor : executor_kinds)
    for (const std::size_t workers : {1U, 2U, 3U, 8U})
      for (const std::uint64_t block : {0U, 64U})
        if (executor != ExecutorKind::serial || workers == 1)
          all.push_back({ChannelKind::mailbox, executor, workers, block, {}});
  return all;
}

/// Each value of each of these at least once; some tasks start late.
inline std::vector<Conditions> some_boxed_conditions() {
  const auto yields = [](std::uint64_t step, std::size_t task) {
    if ((step + task) % 3 == 0) std::this_thread::yield();
  };
  return {{ChannelKind::mailbox, ExecutorKind::serial, 1, 64, {}},
          {ChannelKind::mailbox, default_executor, 2, 64, yields},
          {ChannelKind::mailbox, ExecutorKind::thread, 3, 64, yields},
          {ChannelKind::mailbox, default_executor, 8, 0, {}}};
}

inline Job broadcast_job(NodeId root, const PortModel& model, std::size_t block_bytes = 8) {
  return {.model = model,
          .collective = {Operation::broadcast, root},
          .block_bytes = block_bytes,
          .watch_waits = false};
}

}  // namespace lockstep::test
