// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host model: the wall time of the steps of a run, as counts of work times one rate for each
/// kind of work. Work that one worker does while the others wait is counted apart from work that
/// workers share:
///
///     seconds = sum of rate x alone + min(S, S / parallelism + rate of handovers x barriers)
///     S = sum of rate x shared
///
/// Steps that are too short to be shared thus take as long as with one worker. Kinds whose name
/// begins with "far" count accesses to memory: all of them, times the part of the memory of the
/// steps that exceeds what the caches hold for a run. That size is one more unknown: processes and
/// virtual machines share caches with others. The kind "farther byte" counts in the same way what
/// exceeds eight times that size; its rate is added to that of "far byte".
///
///     const HostModel model = model_of(samples, host_caches());
///     model.seconds(work)
///     model.unknown_kind(work)                // empty, or work that no run of the samples had
///
/// Method: rates of at least 0 for which the logarithms of predicted over measured time are small:
/// squares up to 0.15, beyond that absolute values, so that a run that was disturbed counts little
/// [Huber, Robust Estimation of a Location Parameter, 1964]. Solved by least squares with weights
/// [Holland, Welsch, Robust Regression using Iteratively Reweighted Least-Squares, 1977] and an
/// active set for the rates that are 0 [Lawson, Hanson, Solving Least Squares Problems, 1974,
/// chapter 23]. The size of the caches is the power of two from one level 2 to all level 3 with the
/// least mean error. Intervals: 95 %, Student's t.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cost/host_caches.hpp"

namespace lockstep {

/// Kinds of work. Those of rows are of groups of nodes that make the same moves.
enum class HostKind : std::uint8_t {
  whole_run,
  step,
  barrier,
  handover,
  turn,
  dense_turn,
  once_turn,
  message,
  queued_message,
  routed_message,
  copy,
  copied_block,
  copied_byte,
  combine,
  combined_block,
  combined_byte,
  listed_slot,
  search,
  load,
  loaded_byte,
  delivery,
  checked_delivery,
  checked_byte,
  contribution,
  contributed_byte,
  row,
  row_block,
  row_message,
  row_slot,
  row_load,
  row_delivery,
  run_delivery,
  queue_step,
  queue_switch,
  queue_run,
  far_byte,
  far_access,
  farther_byte,
};
inline constexpr std::size_t host_kinds = static_cast<std::size_t>(HostKind::farther_byte) + 1;

struct HostKindInfo {
  std::string_view name;
  std::string_view meaning;
};
[[nodiscard]] const HostKindInfo& info_of(HostKind kind);
/// "far_byte": as in files.
[[nodiscard]] std::string key_of(HostKind kind);

/// A count, or a rate, of each kind.
template <class T>
struct OfHostKinds {
  std::array<T, host_kinds> all{};
  [[nodiscard]] T& operator[](HostKind kind) { return all.at(static_cast<std::size_t>(kind)); }
  [[nodiscard]] const T& operator[](HostKind kind) const {
    return all.at(static_cast<std::size_t>(kind));
  }
  friend bool operator==(const OfHostKinds&, const OfHostKinds&) = default;
};

/// Counts of a run, or of some steps of it.
struct HostWork {
  OfHostKinds<double> alone{};   ///< handovers: as many as barriers
  OfHostKinds<double> shared{};  ///< by all workers together
  double parallelism = 1;        ///< the shared work, divided by that of the busiest worker
  double memory_bytes = 0;       ///< that the steps use
  friend bool operator==(const HostWork&, const HostWork&) = default;
};

struct HostSample {
  std::string run{};  ///< "pancake:6 total-exchange by node-invariant, 64 bytes, 2 workers, row"
  HostWork work{};
  double seconds = 0;   ///< median of the repetitions, each divided by the slowdown of the host
  double spread = 0;    ///< longest less shortest repetition, divided by the median
  bool judged = false;  ///< no model is fitted to it: it judges one
};

/// A fitted time, with its 95 % interval.
struct HostTime {
  double seconds = 0;
  double low = 0;
  double high = 0;
};

struct HostModel {
  OfHostKinds<HostTime> rates{};
  std::uint64_t cached_bytes = 0;     ///< that the caches hold for a run
  double median_error = 0;            ///< of the absolute errors of the samples, relative
  double worst_decile_error = 0;      ///< nine of ten are smaller
  std::vector<HostSample> samples{};  ///< what it was fitted to
  OfHostKinds<std::uint64_t> runs{};  ///< samples that had work of the kind

  [[nodiscard]] double seconds(const HostWork& work) const noexcept;
  /// The meaning of the first kind of this work that no sample had; empty where all are known.
  [[nodiscard]] std::string_view unknown_kind(const HostWork& work) const noexcept;
};

/// Throws InvalidParameter unless there are more samples than kinds.
[[nodiscard]] HostModel model_of(std::vector<HostSample> samples, const HostCaches& caches);

}  // namespace lockstep
