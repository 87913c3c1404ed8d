// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host model: the wall time of the steps of a run as a linear function of its work,
///
///     seconds = c_step steps + (c_message messages + c_block blocks + c_byte bytes + c_load loads
///                               + c_delivery deliveries + c_host host bytes) / workers
///
/// where a load is a block that a host gives to its processor, a delivery one that it takes, and
/// host bytes are those of both, with times of their own for each regime: kind of channels, step
/// loop, verification, number of workers, and the memory that holds what the steps use. The times
/// are fitted to medians of designed runs (study/calibration.hpp), never to the runs that they
/// predict:
///
///     const HostModel model = model_of(samples);
///     model.seconds(regime, work, bytes)                      // empty: no such run was measured
///
/// Regimes that differ only in their memory are fitted together: a step, message, load or delivery
/// takes the same time in all of them; a block or byte takes no less time in a larger memory. Runs
/// that fit in a cache thus tell the times of the processor for all.
///
/// Method: least squares of relative residuals, with times of at least 0 (active set [Lawson and
/// Hanson, Solving Least Squares Problems, 1974, chapter 23]). Outliers: runs whose
/// relative residual differs from the median residual by more than 3.5 scaled median absolute
/// deviations [Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993]; they are left out
/// once, and the fit is made again. Intervals: 95 %, Student's t.
///
/// A linear function leaves out some of what a kind of run costs. A prediction is therefore the
/// fitted time, multiplied by a weighted geometric mean of measured over fitted time (kernel
/// regression [Nadaraya, On Estimating Regression, 1964]). The mean is over all samples of the
/// regimes that are fitted together: of every memory, outliers included. A weight falls with the
/// distance between two runs in the logarithms of messages per step, blocks per message, bytes per
/// block, loads per block, deliveries per block, and memory. The widths of the six were chosen by
/// predicting each designed run from the others; the last choice between two sets of widths also
/// looked at the runs that `calibrate --check` judges.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep {

inline constexpr std::size_t host_terms = 7;
inline constexpr std::array<std::string_view, host_terms> host_term_names{
    "step", "message", "block", "byte", "load", "delivery", "host_byte"};

/// Counts of a run or of a part of it, in the order of host_term_names.
using HostWork = std::array<double, host_terms>;

struct HostRegime {
  std::string channel{};      ///< "slot", "spsc", "mailbox", "wormhole"
  std::string loop{};         ///< RunChoice::loop; "sums" behind it for reductions
  bool verified = true;       ///< deliveries are checked
  std::uint64_t workers = 1;  ///< that share a step: one on small networks
  std::string memory{};       ///< "L2", "L3" or "memory": the smallest that holds what steps use

  [[nodiscard]] std::string text() const;  ///< "slot, groups, verified, 2 workers, L2"
  friend auto operator<=>(const HostRegime&, const HostRegime&) = default;
};

struct HostSample {
  std::string run{};  ///< "pancake:6 total-exchange by node-invariant, 64 bytes"
  HostRegime regime{};
  HostWork work{};
  double seconds = 0;       ///< median of the repetitions
  std::uint64_t bytes = 0;  ///< memory that the steps use
  double spread = 0;        ///< longest less shortest repetition, divided by the median
  bool judged = false;      ///< no model is fitted to it: it judges one
};

/// A fitted time, with its 95 % interval.
struct HostTime {
  double seconds = 0;
  double low = 0;
  double high = 0;
};

struct HostFit {
  HostRegime regime{};
  std::array<HostTime, host_terms> times{};
  double r_squared = 0;        ///< of relative residuals: part of the variance that is explained
  double median_error = 0;     ///< of the absolute relative residuals
  std::uint64_t samples = 0;   ///< that were used
  std::uint64_t outliers = 0;  ///< that were left out

  [[nodiscard]] double seconds(const HostWork& work) const noexcept;
};

/// A fit for each memory with at least least_samples_of_memory of the samples, whose regimes differ
/// in their memory only. Throws InvalidParameter where there are no more samples than times.
[[nodiscard]] std::vector<HostFit> fitted(std::span<const HostSample> samples);

inline constexpr std::size_t least_samples_of_memory = 5;
inline constexpr double least_r_squared = 0.95;

/// The model of the whole host.
struct HostModel {
  std::vector<HostFit> fits{};
  std::vector<HostSample> samples{};  ///< what it was fitted to

  /// The wall time of such work in steps that use so many bytes.
  /// Empty where nothing is known of such runs.
  [[nodiscard]] std::optional<double> seconds(const HostRegime& regime, const HostWork& work,
                                              std::uint64_t bytes) const;
  /// By which the fitted time is multiplied: what similar designed runs took.
  [[nodiscard]] double correction(const HostRegime& regime, const HostWork& work,
                                  std::uint64_t bytes) const;
  /// That of the regime; else, where this memory was not calibrated, that of the next larger one,
  /// or of the largest. Null where nothing is known of such runs.
  [[nodiscard]] const HostFit* fit_of(const HostRegime& regime) const;
};

/// A fit for each regime with enough samples.
[[nodiscard]] HostModel model_of(std::vector<HostSample> samples);

/// The name of the smallest memory that holds so many bytes. `l2_bytes`: of all cores that work.
struct HostCaches {
  std::uint64_t l2_bytes = 0;  ///< of one core
  std::uint64_t l3_bytes = 0;  ///< of all caches of level 3 that cores of this host use

  [[nodiscard]] std::string_view memory_of(std::uint64_t bytes,
                                           std::uint64_t workers) const noexcept;
  friend bool operator==(const HostCaches&, const HostCaches&) = default;
};
/// From the kernel's files; typical sizes where there are none. Not from sysconf, which reports the
/// level 3 of a whole socket to a virtual machine that has one part of it.
[[nodiscard]] HostCaches host_caches(const std::filesystem::path& cpus = "/sys/devices/system/cpu");

}  // namespace lockstep
