// SPDX-License-Identifier: Apache-2.0
#include "study/benchmark_layouts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "study/sweep.hpp"

namespace lockstep {
namespace {

using study::BenchmarkLayout;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two block lengths, the larger first, with times that the test sets, and a run that is refused.
[[nodiscard]] std::vector<report::Fields> layout_rows() {
  std::vector<RunRequest> requests;
  for (const std::size_t bytes : {64U, 8U})
    requests.push_back({.topology = "star:4",
                        .operation = Operation::total_exchange,
                        .algorithm = "packing",
                        .settings = {{"k", Numbers{2}}},
                        .block_bytes = bytes});
  requests.push_back(requests.back());
  requests.back().settings["k"] = Numbers{9};
  study::RunSeries series(requests, {.repeats = 3});
  study::Sweep sweep(series, {.repeats = 3, .version = "1.2.3"});
  (void)sweep.json([](const std::string&) {}, {});
  std::vector<report::Fields> rows = sweep.rows();
  for (std::size_t i = 0; i < 2; ++i) {
    set(rows[i], "step_mean_seconds", i == 0 ? 0.0025 : 12.3456e-6);
    set(rows[i], "step_least_seconds", i == 0 ? 0.002 : 10e-6);
    set(rows[i], "step_most_seconds", i == 0 ? 0.003 : 15e-6);
  }
  return rows;
}

[[nodiscard]] std::vector<std::string> data_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);)
    if (!line.empty() && line.front() != '#' && line.find('#') == std::string::npos)
      lines.push_back(line);
  return lines;
}

[[nodiscard]] std::vector<std::string> words_in(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

TEST(BenchmarkLayoutsTest, NamesAreKnown) {
  EXPECT_EQ(study::benchmark_layout("osu"), BenchmarkLayout::osu);
  EXPECT_EQ(study::benchmark_layout("nccl"), BenchmarkLayout::nccl);
  EXPECT_FALSE(study::benchmark_layout("mpi"));
}

/// OSU Micro-Benchmarks 7.4, osu_alltoall --full.
TEST(BenchmarkLayoutsTest, Osu) {
  const std::string text = benchmark_text(BenchmarkLayout::osu, layout_rows());
  EXPECT_THAT(text, HasSubstr("# Lockstep 1.2.3: star:4 total-exchange by packing, k = 2"));
  EXPECT_THAT(text, HasSubstr("\n# Size       Avg Latency(us)   Min Latency(us)   "
                              "Max Latency(us)  Iterations\n"));
  EXPECT_THAT(data_lines(text),
              ElementsAre("8                      12.35             10.00             15.00"
                          "           3",
                          "64                   2500.00           2000.00           3000.00"
                          "           3"));
  EXPECT_THAT(text, HasSubstr(": refused: "));
}

/// Intel MPI Benchmarks 2021, IMB-MPI1 Alltoall.
TEST(BenchmarkLayoutsTest, Imb) {
  const std::string text = benchmark_text(BenchmarkLayout::imb, layout_rows());
  EXPECT_THAT(text, HasSubstr("# Benchmarking Alltoall \n# #processes = 24 \n#-----"));
  EXPECT_THAT(text,
              HasSubstr("\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
                        "            8            3        10.00        15.00        12.35\n"
                        "           64            3      2000.00      3000.00      2500.00\n"));
}

/// nccl-tests 2.13, alltoall_perf: 13 columns.
TEST(BenchmarkLayoutsTest, Nccl) {
  const std::string text = benchmark_text(BenchmarkLayout::nccl, layout_rows());
  const std::vector<std::string> lines = data_lines(text);
  ASSERT_EQ(lines.size(), 2U);
  const std::vector<std::string> words = words_in(lines.front());
  ASSERT_EQ(words.size(), 13U) << lines.front();
  EXPECT_EQ(lines.front().size(), lines.back().size());
  EXPECT_EQ(lines.front().substr(0, 62),
            "         192             8     uint8    none      -1    12.35 ");
  EXPECT_EQ(words[8], "0");
  EXPECT_EQ(words[6], "0.02");  // 24 blocks of 8 bytes in 12.35 us: 0.01555 GB/s
  EXPECT_THAT(text, HasSubstr("# Out of bounds values : 0 OK\n# Avg bus bandwidth    : "));
}

/// Sizes and factors of nccl-tests, doc/PERFORMANCE.md; of scatter and gather its sources. The
/// third of operations that it does not have: bytes that a processor receives.
TEST(BenchmarkLayoutsTest, BusBandwidthsOfNccl) {
  struct Case {
    Operation operation;
    const char* size;
    const char* algorithm;
    const char* bus;
  };
  for (const Case& c : {Case{Operation::broadcast, "8000", "8.00", "8.00"},
                        Case{Operation::reduce, "8000", "8.00", "8.00"},
                        Case{Operation::all_reduce, "8000", "8.00", "14.00"},
                        Case{Operation::scatter, "64000", "64.00", "56.00"},
                        Case{Operation::gather, "64000", "64.00", "56.00"},
                        Case{Operation::all_gather, "64000", "64.00", "56.00"},
                        Case{Operation::reduce_scatter, "64000", "64.00", "56.00"},
                        Case{Operation::total_exchange, "64000", "64.00", "56.00"},
                        Case{Operation::scan, "8000", "8.00", "8.00"},
                        Case{Operation::odd_distance_exchange, "32000", "32.00", "32.00"}}) {
    SCOPED_TRACE(name_of(c.operation));
    study::RunSeries series(
        {{.topology = "hypercube:3", .operation = c.operation, .block_bytes = 8000}}, {});
    study::Sweep sweep(series, {});
    (void)sweep.json([](const std::string&) {}, {});
    std::vector<report::Fields> rows = sweep.rows();
    set(rows.front(), "step_mean_seconds", 1e-6);
    const std::vector<std::string> lines = data_lines(benchmark_text(BenchmarkLayout::nccl, rows));
    ASSERT_EQ(lines.size(), 1U);
    const std::vector<std::string> words = words_in(lines.front());
    ASSERT_EQ(words.size(), 13U);
    EXPECT_EQ(words[0], c.size);
    EXPECT_EQ(words[1], "8000");
    for (const std::size_t half : {0U, 4U}) {  // out of place, in place
      EXPECT_EQ(words[half + 6], c.algorithm);
      EXPECT_EQ(words[half + 7], c.bus);
    }
  }
}

/// The time of the operation: set-up is no part of it.
TEST(BenchmarkLayoutsTest, TimesAreThoseOfTheSteps) {
  study::RunSeries series({{.topology = "ring:4", .operation = Operation::all_gather}},
                          {.repeats = 3});
  study::Sweep sweep(series, {.repeats = 3});
  (void)sweep.json([](const std::string&) {}, {});
  const report::Fields& row = sweep.rows().front();
  const auto number = [&](const char* name) { return *number_of(value_of(row, name)); };
  EXPECT_LE(number("step_least_seconds"), number("step_seconds"));
  EXPECT_LE(number("step_seconds"), number("step_most_seconds"));
  EXPECT_LT(number("step_most_seconds"), number("wall_least_seconds"));
  const std::vector<std::string> lines =
      data_lines(benchmark_text(BenchmarkLayout::osu, sweep.rows()));
  ASSERT_EQ(lines.size(), 1U);
  const auto microseconds = [&](const char* name) {
    return fmt::format("{:.2f}", 1e6 * number(name));
  };
  EXPECT_THAT(words_in(lines.front()), ElementsAre("64", microseconds("step_mean_seconds"),
                                                   microseconds("step_least_seconds"),
                                                   microseconds("step_most_seconds"), "3"));
}

}  // namespace
}  // namespace lockstep
