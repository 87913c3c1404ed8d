// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, equations (7) to (10): senders and receivers of the improved broadcast by rewriting
/// terms, as printed and mended, beside what the machine counts.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

/// EJ_(a + (a+1) rho)^(n), whose diameter in one dimension is a.
struct Size {
  std::uint64_t a;
  std::size_t n;
};

[[nodiscard]] EisensteinJacobiNetwork network_of(const Size& size) {
  return {size.a, size.a + 1, size.n};
}

constexpr Size sizes[] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 1}, {2, 2}, {2, 3},
                          {3, 1}, {3, 2}, {4, 1}, {4, 2}, {6, 1}, {6, 2}};

/// Equations (7) and (8): what the sends of a step are rewritten to, S(n, x, y) by number.
class Expansion {
 public:
  using Term = std::tuple<std::size_t, std::int64_t, std::int64_t>;  // S(n, x, y)
  using Terms = std::map<Term, std::uint64_t>;
  enum class LastCase { as_printed, mended };

  Expansion(std::int64_t diameter, LastCase last_case)
      : diameter_(diameter), last_case_(last_case) {}

  /// (7)
  void add_o2a(std::size_t n, std::uint64_t count, Terms& terms) const {
    terms[{n, diameter_ - 1, diameter_ - 1}] += 6 * count;
    if (n > 1) add_o2a(n - 1, count, terms);
  }

  /// (8), every S once
  [[nodiscard]] Terms next(const Terms& terms) const {
    Terms expanded;
    for (const auto& [term, count] : terms) {
      const auto& [n, x, y] = term;
      if (n > 1) add_o2a(n - 1, count, expanded);
      if (x > 0) expanded[{n, x - 1, 0}] += count;
      if (x > 0 && y > 0) expanded[{n, x - 1, y - 1}] += count;
      if (n > 1 && x == 0 && y == 0 && last_case_ == LastCase::as_printed)
        expanded[{n, x - 1, 0}] += count;
    }
    return expanded;
  }

  /// (9): S(1, 0, 0) sends nothing.
  [[nodiscard]] static std::uint64_t senders(const Terms& terms) {
    std::uint64_t count = 0;
    for (const auto& [term, number] : terms)
      if (term != Term{1, 0, 0}) count += number;
    return count;
  }
  [[nodiscard]] static std::uint64_t receivers(const Terms& terms) {
    std::uint64_t count = 0;
    for (const auto& [term, number] : terms) count += number;
    return count;
  }

 private:
  std::int64_t diameter_;
  LastCase last_case_;
};

struct Counts {
  std::vector<std::uint64_t> senders{1};  // of step 1: the source
  std::vector<std::uint64_t> receivers{};
};

[[nodiscard]] Counts counts_by_expansion(const Size& size, Expansion::LastCase last_case) {
  const Expansion expansion(static_cast<std::int64_t>(size.a), last_case);
  Counts counts;
  Expansion::Terms terms;
  expansion.add_o2a(size.n, 1, terms);
  for (std::uint64_t step = 1; step <= size.a * size.n; ++step) {
    if (step > 1) terms = expansion.next(terms);
    counts.receivers.push_back(Expansion::receivers(terms));
    if (step < size.a * size.n) counts.senders.push_back(Expansion::senders(terms));
  }
  return counts;
}

[[nodiscard]] Counts counts_by_machine(const EisensteinJacobiNetwork& network) {
  Counts counts{.senders = {}};
  const RunOutcome outcome =
      run(build_network(network), EjImproved(network, {}).program(),
          {.model = EjImproved::info.model, .collective = {Operation::broadcast}});
  for (const StepRecord& step : outcome.record.series) {
    counts.senders.push_back(step.senders);
    counts.receivers.push_back(step.receivers);
  }
  return counts;
}

/// The worked example below (10); erratum 22: it is right, the first step's sender added.
TEST(EjExpansion, WorkedExampleIsWhatTheMachineCounts) {
  const Counts counts = counts_by_machine(EisensteinJacobiNetwork(2, 3, 2));
  EXPECT_EQ(counts.receivers, (std::vector<std::uint64_t>{12, 60, 144, 144}));
  EXPECT_EQ(counts.senders, (std::vector<std::uint64_t>{1, 12, 48, 72}));
}

TEST(EjExpansion, MendedItIsWhatTheMachineCounts) {
  for (const Size& size : sizes) {
    const EisensteinJacobiNetwork network = network_of(size);
    SCOPED_TRACE(network.name());
    const Counts expanded = counts_by_expansion(size, Expansion::LastCase::mended);
    const Counts counted = counts_by_machine(network);
    EXPECT_EQ(expanded.senders, counted.senders);
    EXPECT_EQ(expanded.receivers, counted.receivers);
  }
}

/// Erratum 21: the last case of (8) prints S(n, -1, 0), which nobody receives; harmless only where
/// there is no dimension above the first.
TEST(EjExpansion, TheLastCaseAsPrintedCountsTooManyReceivers) {
  for (const Size& size : sizes) {
    SCOPED_TRACE(network_of(size).name());
    const Counts printed = counts_by_expansion(size, Expansion::LastCase::as_printed);
    const Counts mended = counts_by_expansion(size, Expansion::LastCase::mended);
    EXPECT_EQ(printed.receivers == mended.receivers, size.n == 1);
  }
  const Counts printed = counts_by_expansion({2, 2}, Expansion::LastCase::as_printed);
  EXPECT_EQ(printed.receivers, (std::vector<std::uint64_t>{12, 60, 156, 216}));
}

}  // namespace
}  // namespace lockstep::test
