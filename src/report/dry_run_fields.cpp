// SPDX-License-Identifier: Apache-2.0

/// The figures of a dry run.

#include <limits>

#include "report/fields.hpp"
#include "report/run_fields.hpp"

namespace lockstep::report {

using enum Unit;

namespace {

[[nodiscard]] Fields shared_fields(const SharedRunForecast& shared) {
  const CrossingForecast& crossing = shared.crossing;
  return {{"link/latency_seconds", shared.link.latency_seconds, seconds,
           "time of a message between processes without its bytes"},
          {"link/bytes_per_second", shared.link.bytes_per_second, bytes_per_second,
           "bytes that a process sends, and receives, per second"},
          {"crossing/messages", crossing.messages, share, "share of messages between processes"},
          {"crossing/bytes", crossing.bytes, share, "share of bytes between processes"},
          {"crossing/source", name_of(crossing.source), text,
           "plan or trial if the crossing messages were counted there; paths if they are estimated "
           "from random paths of a broadcast; links if as if all links carried equally much"},
          {"crossing/tried_steps",
           only_if(crossing.source == CrossingForecast::Source::trial, crossing.tried_steps), count,
           "steps in which a trial counted the crossing messages"},
          {"crossing/exchanges", crossing.exchanges, count,
           "exchanges in which every process sends to every other process"},
          {"crossing/most_messages", crossing.most_messages, count,
           "messages of the process that sends or receives most, summed over steps"},
          {"crossing/most_bytes", crossing.most_bytes, bytes,
           "bytes, with headers, of the process that sends or receives most, summed over steps"},
          {"wall/compute_seconds", shared.compute_seconds, seconds,
           "estimated wall time of set-up and steps without exchanges"},
          {"wall/exchange_seconds", shared.exchange_seconds, seconds,
           "estimated wall time of the exchanges"}};
}

}  // namespace

Fields dry_run_fields(const DryRunReport& report) {
  const RunForecast& run = report.forecast;
  const std::optional<Probe>& probe = report.probe;
  const auto tried = [&probe](auto Probe::*figure) {
    return probe ? Value((*probe).*figure) : Value();
  };
  const bool gave_up = report.gave_up_seconds > 0;
  Fields row = run_fields(run, nullptr, report.costs);
  set(row, "steps", run.footprint.steps);
  set(row, "messages_expected", run.expected_messages());
  const bool known_memory = run.available_bytes != std::numeric_limits<std::uint64_t>::max();
  append(row, {{"memory/available_bytes", only_if(known_memory, run.available_bytes), bytes,
                "memory available on the host or allowed by --memory-limit; empty: not known"},
               {"memory/fits", only_if(known_memory, run.fits()), text,
                "whether the predicted memory is available; empty: not known"},
               {"wall/estimated_seconds", report.estimated_seconds(), seconds,
                "estimated wall time of set-up and steps"},
               {"wall/measured", probe.has_value() && !report.predicted_seconds, text,
                "whether the estimate comes from a trial"},
               {"wall/trial_setup_seconds", tried(&Probe::setup_seconds), seconds,
                "set-up time of the trial"},
               {"wall/trial_seconds", tried(&Probe::step_seconds), seconds,
                "wall time of the steps of the trial"},
               {"wall/trial_steps", tried(&Probe::steps), count, "steps of the trial"},
               {"wall/gave_up_seconds", only_if(gave_up, report.gave_up_seconds), seconds,
                "time limit of an unfinished trial"}});
  if (report.predicted_seconds)
    row.push_back({"wall/predicted_seconds", report.predicted_seconds, seconds,
                   "wall time of set-up and steps by the calibrated model of this host"});
  if (report.shared) append(row, shared_fields(*report.shared));
  return row;
}

}  // namespace lockstep::report
