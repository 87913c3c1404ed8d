// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One program, run by the machine in every way it can be run, and by the reference machine: the
/// jobs of src/study/stress_jobs.hpp, and lists of conditions.
///
///     const Outcome expected = run_reference(network, program, job);
///     for (const Conditions& conditions : all_conditions(every_channel))
///       expect_same(run(network, program, job, conditions), expected);

#include <cstdint>
#include <vector>

#include "study/stress_jobs.hpp"
#include "support/schedule_test_machines.hpp"

namespace lockstep::test {

using study::Conditions;
using study::described;
using study::host_for;
using study::Job;
using study::outcome_of;
using study::RecordingHost;
using study::run;
using study::run_reference;
using study::run_through;
using study::RunOutcome;

inline const std::vector<ChannelKind> every_channel{ChannelKind::slot, ChannelKind::spsc,
                                                    ChannelKind::mailbox};

/// Every combination of the given channels with all executors, workers 1, 2, 3, 8 and blocks of 1,
/// 7, 1024 processors.
inline std::vector<Conditions> all_conditions(const std::vector<ChannelKind>& channels) {
  std::vector<Conditions> all;
  for (const ChannelKind channel : channels)
    for (const ExecutorKind executor : executor_kinds)
      for (const std::size_t workers : {1U, 2U, 3U, 8U})
        for (const std::uint64_t block : {1U, 7U, 1024U})
          if (executor != ExecutorKind::serial || workers == 1)
            all.push_back({channel, executor, workers, block, {}});
  return all;
}

/// Each value of each setting at least once.
inline std::vector<Conditions> some_conditions(const std::vector<ChannelKind>& channels) {
  std::vector<Conditions> all;
  for (const ChannelKind channel : channels) {
    all.push_back({channel, ExecutorKind::serial, 1, 1, {}});
    all.push_back({channel, default_executor, 2, 7, {}});
    all.push_back({channel, ExecutorKind::thread, 3, 1, {}});
    all.push_back({channel, default_executor, 8, 1024, {}});
  }
  return all;
}

}  // namespace lockstep::test
