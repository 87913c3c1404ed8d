// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The options of `lockstep run`, as they were typed, and what its real and its dry runs share.

#include <optional>
#include <string>

#include "cli/commands.hpp"
#include "cli/launch.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
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
  const Session* session_of_run = nullptr;  ///< whose processes share the run; after resolved()

  [[nodiscard]] RunRequest request_without_costs() const {
    RunRequest request{.topology = topology, .operation = parse_operation(operation)};
    algorithm.apply_to(request);
    machine.apply_to(request);
    request.keep_series = series || report.wanted();
    share(request, *session_of_run);
    if (processes)
      request.processes = parse_count("processes", *processes, 2, request.topology.node_count());
    return request;
  }
  [[nodiscard]] RunRequest request() const {
    RunRequest request = request_without_costs();
    request.costs = costs.parameters();
    return request;
  }
  [[nodiscard]] RunOptions resolved(const Session& session) const {
    RunOptions known = *this;
    known.session_of_run = &session;
    if (session.processes != nullptr) known.share_output();
    if (costs.are_of_host()) known.costs.resolve(known.request_without_costs());
    return known;
  }

 private:
  /// All processes count the same, and the first one alone writes what was asked for.
  void share_output() {
    if (pace) throw InvalidParameter("--pace slows one process; start it without a launcher");
    if (session_of_run->writes()) return;
    series = series || report.wanted();
    report = {};
    output.file.reset();
    save_schedule.reset();
  }
};

[[nodiscard]] inline StatusLine::Text setting_up(const RunOptions& options) {
  return [name = options.topology](double seconds, std::size_t width) {
    return setup_line(name, seconds, width);
  };
}

inline int interrupted_early() {
  print_note("lockstep: INTERRUPTED during set-up; no step was executed");
  return code(Exit::interrupted);
}

}  // namespace lockstep::cli
