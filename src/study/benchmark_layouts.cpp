// SPDX-License-Identifier: Apache-2.0
#include "study/benchmark_layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lockstep::study {
namespace {

using report::Fields;

constexpr std::array<std::string_view, 3> layout_names{"osu", "imb", "nccl"};

/// How the benchmarks of MPI and NCCL see an operation. With n processors, nccl-tests calls the
/// bytes of the largest buffer of a processor the size: one block, or n. Bus bandwidth is size over
/// time, multiplied by `transfers` * (n - 1) / n; by 1 where there are none (nccl-tests,
/// doc/PERFORMANCE.md and the sources of scatter and gather).
struct BenchmarkedOperation {
  std::string_view name;
  std::string_view mpi_name;
  bool has_block_per_processor;
  double transfers;
};
constexpr std::array<BenchmarkedOperation, 9> benchmarked_operations{
    {{"broadcast", "Bcast", false, 0},
     {"scatter", "Scatter", true, 1},
     {"gather", "Gather", true, 1},
     {"all-gather", "Allgather", true, 1},
     {"total-exchange", "Alltoall", true, 1},
     {"reduce", "Reduce", false, 0},
     {"all-reduce", "Allreduce", false, 2},
     {"reduce-scatter", "Reduce_scatter", true, 1},
     {"scan", "Scan", false, 0}}};  // not in nccl-tests; a processor receives one block

/// Null for an operation that those benchmarks do not have.
[[nodiscard]] const BenchmarkedOperation* benchmarked(const Fields& row) {
  const std::string operation = cell_in(row, "operation");
  const auto* const found =
      std::ranges::find(benchmarked_operations, operation, &BenchmarkedOperation::name);
  return found == benchmarked_operations.end() ? nullptr : found;
}

/// Everything but the block length.
[[nodiscard]] std::string subject_of(const Fields& row) {
  return fmt::format("{} {} by {}{}; {}; {} channels; {} workers", cell_in(row, "topology"),
                     cell_in(row, "operation"), cell_in(row, "algorithm"), cell_in(row, "settings"),
                     cell_in(row, "port_model"), cell_in(row, "channel"), cell_in(row, "threads"));
}

/// The figures that every layout takes from a row: the times of the steps, in microseconds. Set-up
/// of the machine is no part of the operation.
struct Timed {
  std::uint64_t bytes;
  std::uint64_t repetitions;
  double mean;
  double least;
  double most;
};
[[nodiscard]] Timed timed_row(const Fields& row) {
  constexpr double us = 1e6;
  return {static_cast<std::uint64_t>(number_in(row, "bytes")),
          static_cast<std::uint64_t>(number_in(row, "repeat")),
          us * number_in(row, "step_mean_seconds"), us * number_in(row, "step_least_seconds"),
          us * number_in(row, "step_most_seconds")};
}

/// OSU Micro-Benchmarks with --full: columns of 10, 18, 18, 18 and 12 characters.
[[nodiscard]] std::string osu_head(const Fields&) {
  return "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n";
}
[[nodiscard]] std::string osu_line(const Fields& row) {
  const Timed timed = timed_row(row);
  return fmt::format("{:<10}{:18.2f}{:18.2f}{:18.2f}{:12}\n", timed.bytes, timed.mean, timed.least,
                     timed.most, timed.repetitions);
}

/// Intel MPI Benchmarks, IMB-MPI1, collective operations: five columns of 13 characters.
[[nodiscard]] std::string imb_head(const Fields& row) {
  const BenchmarkedOperation* const operation = benchmarked(row);
  const std::string rule = "#" + std::string(64, '-') + "\n";
  return fmt::format("{}# Benchmarking {} \n# #processes = {} \n{}{}", rule,
                     operation == nullptr ? cell_in(row, "operation") : operation->mpi_name,
                     cell_in(row, "processors"), rule,
                     "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n");
}
[[nodiscard]] std::string imb_line(const Fields& row) {
  const Timed timed = timed_row(row);
  return fmt::format("{:13}{:13}{:13.2f}{:13.2f}{:13.2f}\n", timed.bytes, timed.repetitions,
                     timed.least, timed.most, timed.mean);
}

/// A number of at most so many characters, with as many decimals as fit.
[[nodiscard]] std::string fitted(double value, std::size_t width) {
  for (const int decimals : {2, 1, 0})
    if (std::string text = fmt::format("{:.{}f}", value, decimals); text.size() <= width)
      return text;
  return fmt::format("{:.1e}", value);
}

/// nccl-tests: 13 columns; both halves hold the same times, as nothing here works in place.
[[nodiscard]] std::string nccl_head(const Fields&) {
  return "#\n"
         "#                                                              out-of-place            "
         "           in-place          \n"
         "#       size         count      type   redop    root     time   algbw   busbw  #wrong  "
         "   time   algbw   busbw  #wrong \n"
         "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)          "
         "   (us)  (GB/s)  (GB/s)         \n";
}
/// Bytes; of an operation that nccl-tests does not have, what a processor receives on average.
[[nodiscard]] double nccl_size(const Fields& row) {
  const double processors = std::max(1.0, number_in(row, "processors"));
  const double bytes = number_in(row, "bytes");
  const BenchmarkedOperation* const operation = benchmarked(row);
  if (operation == nullptr) return number_in(row, "messages_expected") * bytes / processors;
  return operation->has_block_per_processor ? processors * bytes : bytes;
}
/// GB/s.
struct Bandwidths {
  double algorithm;
  double bus;
};
[[nodiscard]] Bandwidths bandwidths(const Fields& row) {
  const double ns = 1e3 * timed_row(row).mean;
  const double algorithm = ns > 0 ? nccl_size(row) / ns : 0;
  const BenchmarkedOperation* const operation = benchmarked(row);
  if (operation == nullptr || operation->transfers == 0) return {algorithm, algorithm};
  const double processors = std::max(1.0, number_in(row, "processors"));
  return {algorithm, algorithm * operation->transfers * (processors - 1) / processors};
}
[[nodiscard]] std::string nccl_line(const Fields& row) {
  const Timed timed = timed_row(row);
  const bool checked = cell_in(row, "verify") != "off";
  const Bandwidths rate = bandwidths(row);
  const std::string half =
      fmt::format("  {:>7}  {:>6}  {:>6}  {:>6}", fitted(timed.mean, 7), fitted(rate.algorithm, 6),
                  fitted(rate.bus, 6),
                  checked ? fmt::format("{:g}", number_in(row, "messages_corrupted")) : "N/A");
  const bool sums = cell_in(row, "operation").find("reduce") != std::string::npos ||
                    cell_in(row, "operation") == "scan";
  const std::string root = cell_in(row, "root");
  return fmt::format("{:12.0f}  {:12}  {:>8}  {:>6}  {:>6}{}{}\n", nccl_size(row), timed.bytes,
                     "uint8", sums ? "sum" : "none", root.empty() ? "-1" : root, half, half);
}
[[nodiscard]] std::string nccl_foot(const std::vector<const Fields*>& rows) {
  double wrong = 0;
  double bus = 0;
  for (const Fields* const row : rows) {
    wrong += number_in(*row, "messages_corrupted");
    bus += bandwidths(*row).bus / static_cast<double>(rows.size());
  }
  return fmt::format("# Out of bounds values : {:g} {}\n# Avg bus bandwidth    : {:g}\n#\n", wrong,
                     wrong == 0 ? "OK" : "FAILED", bus);
}

struct LayoutRules {
  std::string (*head)(const Fields& row);
  std::string (*line)(const Fields& row);
  std::string (*foot)(const std::vector<const Fields*>& rows);
};
constexpr std::array<LayoutRules, layout_names.size()> layout_rules{{
    {osu_head, osu_line, nullptr},
    {imb_head, imb_line, nullptr},
    {nccl_head, nccl_line, nccl_foot},
}};

}  // namespace

std::optional<BenchmarkLayout> benchmark_layout(std::string_view name) noexcept {
  const auto* const found = std::ranges::find(layout_names, name);
  if (found == layout_names.end()) return std::nullopt;
  return static_cast<BenchmarkLayout>(found - layout_names.begin());
}

std::string benchmark_text(BenchmarkLayout layout, const std::vector<Fields>& rows) {
  const LayoutRules& rules = layout_rules.at(static_cast<std::size_t>(layout));
  std::vector<std::pair<std::string, std::vector<const Fields*>>> tables;
  std::string refused;
  for (const Fields& row : rows) {
    const std::string subject = subject_of(row);
    if (cell_in(row, "status") != "ok") {
      refused +=
          fmt::format("# {}: {}: {}\n", subject, cell_in(row, "status"), cell_in(row, "note"));
      continue;
    }
    auto table = std::ranges::find(tables, subject, [](const auto& one) { return one.first; });
    if (table == tables.end()) table = tables.insert(tables.end(), {subject, {}});
    table->second.push_back(&row);
  }
  std::string text;
  for (auto& [subject, its_rows] : tables) {
    std::ranges::stable_sort(its_rows, {},
                             [](const Fields* row) { return number_in(*row, "bytes"); });
    text +=
        fmt::format("{}# Lockstep {}: {}\n{}", text.empty() ? "" : "\n",
                    cell_in(*its_rows.front(), "version"), subject, rules.head(*its_rows.front()));
    for (const Fields* const row : its_rows) text += rules.line(*row);
    if (rules.foot != nullptr) text += rules.foot(its_rows);
  }
  return text + refused;
}

}  // namespace lockstep::study
