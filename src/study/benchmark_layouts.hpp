// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Rows of a sweep as the benchmarks of MPI and NCCL print them, for scripts that read these: a
/// table of block lengths for every network, algorithm and machine.
///
///     print(benchmark_text(BenchmarkLayout::osu, rows));

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/fields.hpp"

namespace lockstep::study {

enum class BenchmarkLayout : std::uint8_t { osu, imb, nccl };

/// Empty for another name.
[[nodiscard]] std::optional<BenchmarkLayout> benchmark_layout(std::string_view name) noexcept;

/// Times are those of the steps in microseconds: mean, minimum and maximum of the repetitions.
/// A row that did not go well is a comment.
[[nodiscard]] std::string benchmark_text(BenchmarkLayout layout,
                                         const std::vector<report::Fields>& rows);

}  // namespace lockstep::study
