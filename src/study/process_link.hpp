// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The connection of the processes that will share a run, and the time that the run takes over it.
///
///     const ProcessLink link = parse_link("2us,10GB/s");
///     shared_forecast(run, 0, seconds, crossing, link).seconds();

#include <string>

#include "lockstep/report/run_result.hpp"

namespace lockstep::study {

/// "LATENCY,BANDWIDTH". Throws InvalidParameter.
[[nodiscard]] ProcessLink parse_link(const std::string& text);

/// In an exchange every process sends a message to every other process, one after the other, and
/// receives at the same time: P - 1 latencies, the bytes of the process that sends or receives the
/// most, and the time of the host for its messages, at a typical rate. A process computes as long
/// as one process takes for as many nodes. `run`: by the processes. `setup_seconds`, `seconds`: of
/// the run by one, set-up and all.
[[nodiscard]] SharedRunForecast shared_forecast(const RunForecast& run, double setup_seconds,
                                                double seconds, const CrossingForecast& crossing,
                                                const ProcessLink& link);

}  // namespace lockstep::study
