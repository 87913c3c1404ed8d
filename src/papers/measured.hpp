// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Runs of the machine that claims are compared with: blocks of one byte, one worker.

#include <cstdint>
#include <optional>
#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/send_event.hpp"
#include "papers/formula.hpp"

namespace lockstep::papers {

/// One run of the machine.
struct Job {
  std::string topology;
  Operation operation;
  std::string algorithm;
  Settings settings{};
  std::optional<PortModel> port_model{};  ///< empty: the one that the algorithm needs
};

[[nodiscard]] RunRequest request_of(const Job& job);
/// Each job is run once: the result is kept.
[[nodiscard]] const RunResult& result_of(const Job& job);
[[nodiscard]] SendTrace trace_of(const Job& job);
/// Steps of a run that delivers everything. Throws std::runtime_error for another one.
[[nodiscard]] std::uint64_t steps_of(const Job& job);

/// The network of the row.
[[nodiscard]] AnyTopology network_of(const Call& call);

}  // namespace lockstep::papers
