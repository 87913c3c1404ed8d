// SPDX-License-Identifier: Apache-2.0

/// Predicted memory against the peak of the process. Every run has a process of its
/// own, so that none uses memory that another one has given back.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "catalog/memory.hpp"
#include "core/instrumented.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {
namespace {

struct Memory {
  std::uint64_t predicted = 0;
  std::uint64_t taken = 0;  ///< 0: not known
};

enum class Part { planning, all };

[[nodiscard]] Memory measured(const RunRequest& request, Part part) {
  const PeakMemory peak;
  const auto run = prepare(request);
  (void)run->program();
  Memory memory{.predicted = run->forecast().memory_bytes, .taken = peak.bytes().value_or(0)};
  if (part == Part::planning || memory.taken == 0) return memory;
  const RunResult result = run->execute();
  if (!result.ok() || !result.peak_bytes) return {};
  memory.taken = std::max(memory.taken, *result.peak_bytes);
  return memory;
}

/// In a process of its own.
[[nodiscard]] Memory measured_apart(const RunRequest& request, Part part) {
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    const Memory memory = measured(request, part);
    const bool sent = ::write(ends[1], &memory, sizeof memory) == sizeof memory;
    ::_exit(sent ? 0 : 1);
  }
  (void)::close(ends[1]);
  Memory memory;
  if (::read(ends[0], &memory, sizeof memory) != sizeof memory) memory = {};
  (void)::close(ends[0]);
  (void)::waitpid(child, nullptr, 0);
  return memory;
}

struct Case {
  std::string topology;
  Operation operation;
  std::size_t bytes = 64;
  std::string algorithm{};
  Settings settings{};

  [[nodiscard]] RunRequest request() const {
    return {.topology = topology,
            .operation = operation,
            .algorithm = algorithm,
            .settings = settings,
            .block_bytes = bytes,
            .workers = 1,
            .executor = ExecutorKind::serial};
  }
};

/// Within a tenth, or 20 MiB.
void expect_near(const Memory& memory, const std::string& what) {
  constexpr double unit = 1 << 20;
  ASSERT_NE(memory.taken, 0U) << what;
  const double predicted = static_cast<double>(memory.predicted) / unit;
  const double taken = static_cast<double>(memory.taken) / unit;
  const double slack = std::max(0.1 * taken, 20.0);
  EXPECT_LE(predicted, taken + slack) << what;
  EXPECT_GE(predicted, taken - slack) << what;
}

#ifdef NDEBUG
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

constexpr const char* no_measurement =
    "a sanitizer takes memory, a debug build takes minutes, or the kernel keeps old peaks";

[[nodiscard]] bool can_measure() {
  return optimised && slowness == 1 && PeakMemory().bytes().has_value();
}

TEST(MemoryForecastTest, IsWithinATenthOfWhatARunTakes) {
  if (!can_measure()) GTEST_SKIP() << no_measurement;
  const std::vector<Case> runs{
      // Queues of switches are measured.
      {"kary-tree:2^9", Operation::all_gather, 256},
      {"kary-tree:2^7", Operation::total_exchange, 8},
      {"xgft:3;4,8,8;1,2,2", Operation::total_exchange, 128, "first-fit"},
      {"fat-tree:2^10", Operation::all_gather},
      {"fat-tree:2^10", Operation::scatter, 65'536},
      {"fat-tree:2^10", Operation::gather, 4'096},
      {"fat-tree:2^10", Operation::broadcast, 4'096},
      {"fat-tree:2^8", Operation::total_exchange},
      // A plan takes more while it is made.
      {"hypercube:19", Operation::broadcast, 64, "tree"},
      {"hypercube:16", Operation::broadcast, 1, "matching"},
      {"hypercube:17", Operation::all_reduce, 64, "tree"},
      // Blocks, arcs, ledgers.
      {"hypercube:16", Operation::all_reduce},
      {"hypercube:12", Operation::reduce_scatter, 16},
      {"hypercube:10", Operation::total_exchange, 8},
      {"hypercube:16", Operation::scan},
      {"torus:64x64", Operation::all_gather, 64, "ring-by-ring"},
      {"torus:64x64", Operation::all_reduce, 16'384, "ring-by-ring"},
      {"torus:64x64", Operation::scan},
      {"torus:32x32", Operation::many_to_all, 64, "", {{"messages", std::uint64_t{2'000}}}},
      {"star:6", Operation::total_exchange, 64, "levelwise"},
      {"star:7", Operation::all_gather, 8, "levelwise"},
      {"star:6", Operation::all_gather, 64, "mesh"},
      {"ej:3+4^2", Operation::all_gather, 64},
      {"ej:5+6^2", Operation::broadcast, 16'384}};
  for (const Case& run : runs)
    expect_near(measured_apart(run.request(), Part::all),
                run.topology + " " + std::string(name_of(run.operation)) + " " + run.algorithm);
}

/// Runs whose plan takes more memory while it is made than the run takes later.
TEST(MemoryForecastTest, IsWithinATenthOfWhatPlanningTakes) {
  if (!can_measure()) GTEST_SKIP() << no_measurement;
  const std::vector<Case> runs{
      {"ring:1500", Operation::total_exchange, 1, "node-invariant"},
      {"ring:1500", Operation::total_exchange, 1, "edge-colouring"},
      {"fat-tree:2^11", Operation::total_exchange, 1, "phases"},
      {"erdos-renyi:900,2700,1", Operation::total_exchange, 1, "shortest-paths"},
      {"mesh:24x24", Operation::total_exchange, 1, "shortest-paths-in-turn"},
      {"mesh:40x40", Operation::all_gather, 1, "tree"}};
  for (const Case& run : runs)
    expect_near(measured_apart(run.request(), Part::planning), run.topology + " " + run.algorithm);
}

}  // namespace
}  // namespace lockstep::catalog
