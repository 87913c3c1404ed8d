// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The slowdown of a host: processors and virtual machines that share it make everything slower for
/// a while. Where runs are measured one after the other, and then all of them again in another
/// order, a measurement that took longer than the others of its run did so for that reason if those
/// just before and behind it did so too.
///
///     const std::vector<double> factors = slowdown_of(times);    // in the order of measuring
///     times[i].seconds / factors[i]                                // on the host as it is mostly
///
/// Method: logarithms of times are those of their runs plus the slowdown, by turns: a median over
/// the measurements of a run, and a median over neighbouring measurements.

#include <cstddef>
#include <span>
#include <vector>

namespace lockstep::study {

struct MeasuredTime {
  std::size_t run = 0;  ///< its number
  double seconds = 0;   ///< more than 0
};

/// A factor for each measurement; their median is 1. Runs that are measured once tell nothing.
[[nodiscard]] std::vector<double> slowdown_of(std::span<const MeasuredTime> times);

}  // namespace lockstep::study
