// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A run of a sweep as a row. The columns, which never change their meaning (new ones may be added
/// behind):
///
///     topology, operation, algorithm, k, batch, bytes, port_model, channel, executor, threads,
///     block_size, verify, seed, repeat, ts, tm     the run; --resume compares these
///     status                       ok, not-delivered, rule-broken, refused, no-resources
///     startups, message_times      counted by the machine
///     predicted_startups, predicted_message_times, lower_bound_steps, lower_bound_message_times
///     time, eti                    modelled for ts and tm; the part saved against packing, k = 1
///     hops                         messages that crossed a link
///     messages_expected, messages_verified        without the processors' own
///     wall_seconds, step_seconds                  medians of the repeats
///     messages_per_second                         delivered in the steps' seconds
///     memory_predicted_bytes, memory_peak_bytes, version, note
///     root                         of operations that have one; it belongs to what names the run
///     discipline                   of algorithms with queues; so does this
///     largest_queue_blocks, largest_queue_foreign
///
/// What is not known is empty, null in JSON.

#include <cstdint>
#include <string>

#include "lockstep/cost/model.hpp"
#include "report/fields.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

struct SweepSetup {
  std::uint64_t repeats = 1;
  CostParameters costs{};
  std::string version{};
};

/// The columns that name the run; defaults are filled in where the run is possible.
[[nodiscard]] report::Fields sweep_key(const RunRequest& request, const SweepSetup& setup);

[[nodiscard]] report::Fields sweep_row(const RunRequest& request, const Measured& measured,
                                       const SweepSetup& setup);

}  // namespace lockstep::study
