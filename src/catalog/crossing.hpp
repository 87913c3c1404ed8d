// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The messages that will cross from one process to another when processes share a run, each with a
/// contiguous range of the nodes (machine/processes.hpp): counted or estimated by one process.
///
///     const CrossingForecast crossing = crossing_of(*run, 64, {.seconds = 4});

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "catalog/extrapolation.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/catalog/detail/any_program.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/report/run_result.hpp"

namespace lockstep::catalog {

/// The arcs through each port that lead to another process. Of networks with many arcs, those of
/// nodes that are drawn at random.
class CrossingArcs {
 public:
  /// Throws InvalidParameter where a process would own no node.
  CrossingArcs(const AnyTopology& network, std::size_t processes);

  [[nodiscard]] std::size_t processes() const noexcept { return processes_; }
  /// The part of the arcs through a port that cross; 0 where no node has the port.
  [[nodiscard]] double part(Port port) const { return parts_.at(index(port)).part; }
  /// The part of all arcs.
  [[nodiscard]] double part() const noexcept { return all_.part; }
  /// The part of all arcs through a port that cross from the process with the most of them.
  [[nodiscard]] double most(Port port) const { return parts_.at(index(port)).most; }
  [[nodiscard]] double most() const noexcept { return all_.most; }

 private:
  struct Parts {
    double part = 0;
    double most = 0;
  };
  class Count;

  std::size_t processes_;
  std::vector<Parts> parts_;  // by port
  Parts all_;
};

/// Exchanges of a run none of whose steps is known to stay inside the processes.
/// `receives_once`: ProgramFacts.
[[nodiscard]] std::uint64_t exchanges_of(const RunForecast& run, bool receives_once);

/// Needs a program all of whose nodes make the same moves; empty for others.
[[nodiscard]] std::optional<CrossingForecast> crossing_by_plan(const AnyProgram& program,
                                                               const RunForecast& run,
                                                               const CrossingArcs& arcs);

/// Needs a broadcast in which every node receives once. The busiest process may send all messages.
[[nodiscard]] CrossingForecast crossing_by_paths(const ErasedProgram& program,
                                                 const AnyTopology& network, const RunForecast& run,
                                                 std::size_t processes, std::uint64_t exchanges);

/// As if all links carried equally much.
[[nodiscard]] CrossingForecast crossing_by_links(const RunForecast& run, const CrossingArcs& arcs,
                                                 std::uint64_t exchanges);

/// Counts the messages of a trial that cross.
class CrossingCount final : public StepObserver {
 public:
  /// The trial lasts some seconds, and is observed by this. Both others outlive it.
  CrossingCount(const RunForecast& run, std::size_t processes, StopAfter& end, double seconds);

  [[nodiscard]] SendTrace& trace() noexcept { return trace_; }
  void on_start() override { end_.start(seconds_); }
  void on_step(const StepRecord& step) override;
  [[nodiscard]] bool only_watches() const noexcept override { return true; }

  /// Extrapolated to the whole run; empty where the trial had no message. Precondition: the trial
  /// is over.
  [[nodiscard]] std::optional<CrossingForecast> result(std::uint64_t exchanges);

 private:
  struct Moved {
    double messages = 0;
    double bytes = 0;
  };
  void end_step();
  void count_events();

  const RunForecast& run_;
  StopAfter& end_;
  double seconds_;
  SendTrace trace_;
  std::uint64_t step_ = 0;       // whose messages are counted
  std::vector<Moved> sent_;      // in it, by process
  std::vector<Moved> received_;  // likewise
  CrossingForecast sums_;        // messages and bytes that cross
  Moved most_;
  double messages_ = 0;
  double bytes_ = 0;
  std::uint64_t steps_ = 0;
};

/// Counted from the plan; otherwise counted in a trial of some seconds, where the run fits this
/// host; otherwise estimated by the paths of a broadcast, or by the links. `seconds` 0: without a
/// trial. Throws InvalidParameter where a process would own no node.
[[nodiscard]] CrossingForecast crossing_of(PreparedRun& run, std::size_t processes, double seconds,
                                           const std::stop_token& stop);

}  // namespace lockstep::catalog
