// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The options of `lockstep run`, as they were typed, and what its real and its dry runs share.

#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/launch.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/report_files.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {

struct RunOptions {
  std::string topology;
  std::string operation;
  AlgorithmArguments algorithm{};
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};
  ReportArguments report{};
  bool series = false;
  bool dry_run = false;
  std::optional<std::string> trace{};
  std::optional<std::string> save_schedule{};
  std::optional<std::string> pace{};
  std::string repeat = "1";
  std::optional<std::string> processes{};  ///< of a dry run
  std::optional<std::string> link{};

  /// Without costs if they are those of the host: resolved() asks with it what they are.
  [[nodiscard]] RunRequest request(const Session& session) const {
    RunRequest request{.topology = topology, .operation = parse_operation(operation)};
    algorithm.apply_to(request);
    machine.apply_to(request);
    request.keep_series = series || report.wanted();
    share(request, session);
    if (processes)
      request.processes = parse_count("processes", *processes, 2, request.topology.node_count());
    if (!costs.are_of_host()) request.costs = costs.parameters();
    return request;
  }
  [[nodiscard]] RunOptions resolved(const Session& session) const {
    RunOptions known = *this;
    if (session.processes != nullptr) known.share_output(session);
    if (costs.are_of_host()) known.costs.resolve(known.request(session));
    return known;
  }

 private:
  /// All processes count the same, and the first one alone writes what was asked for.
  void share_output(const Session& session) {
    if (pace) throw InvalidParameter("--pace slows one process; start it without a launcher");
    if (session.writes()) return;
    series = series || report.wanted();
    report = {};
    output.file.reset();
    save_schedule.reset();
  }
};

inline int interrupted_early() {
  print_note("lockstep: INTERRUPTED during set-up; no step was executed");
  return code(Exit::interrupted);
}

}  // namespace lockstep::cli
