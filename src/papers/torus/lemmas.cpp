// SPDX-License-Identifier: Apache-2.0

/// Lemmas 1 to 3, theorem 1, table 1 and the comparison of section 4 of the torus paper, held
/// against what the machine counts.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "lockstep/algorithm/many_to_all/aggregation_schedule.hpp"
#include "lockstep/algorithm/many_to_all/edst_trees.hpp"
#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {
namespace {

/// (5^ceil(log5 h) - 1) / 4
[[nodiscard]] std::uint64_t closed_sum(std::uint64_t h) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0, power = 1; i < log_up(5, h); ++i, power *= 5) sum += power;
  return sum;
}

[[nodiscard]] std::uint64_t startups_of_theorem1(std::uint64_t n, std::uint64_t h) {
  return 6 * log_up(5, n / h) + 3 * log_up(5, h) + log_up(3, h) + 4 * log_up(5, n) + h - 1;
}

[[nodiscard]] PaperRow differing(std::string where, std::size_t n, std::string quantity,
                                 std::uint64_t printed, std::uint64_t ours, unsigned erratum) {
  return claim(std::move(where), n, std::move(quantity), text(printed), text(ours),
               printed == ours ? 0 : erratum);
}

[[nodiscard]] double ratio(std::uint64_t counted, std::uint64_t printed) {
  return static_cast<double>(counted) / static_cast<double>(printed);
}

constexpr std::array<std::uint64_t, 3> growing_sizes{10, 25, 50};

template <class Ratio>
[[nodiscard]] std::vector<double> over_sizes(Ratio ratio_at) {
  std::vector<double> ratios;
  for (const std::uint64_t n : growing_sizes) ratios.push_back(ratio_at(n));
  return ratios;
}

/// Of an order of growth: it does not double from the first size to the last.
[[nodiscard]] PaperRow bounded(std::string where, std::string quantity,
                               const std::vector<double>& ratios, unsigned erratum = 0) {
  PaperRow row = claim(std::move(where), 0, std::move(quantity), "bounded",
                       fmt::format("{:.3g}", fmt::join(ratios, ", ")));
  row.same = ratios.back() < 2 * ratios.front();
  row.erratum = *row.same ? 0 : erratum;
  return row;
}

[[nodiscard]] Counted aggregation(std::uint64_t n, std::uint64_t h) {
  return count_of(record_of({n, n * n, h_of(h)}), {""});
}

[[nodiscard]] Counted spanning_trees(std::uint64_t n, std::uint64_t messages, Setting packet) {
  return count_of(record_of({n, messages, {{"packet", std::move(packet)}}, "perm", "edst"}), {""});
}

[[nodiscard]] PaperRows lemma1() {
  const auto times = [](const Broadcast& broadcast) {
    return count_of(record_of(broadcast), {"A1"}).message_times;
  };
  PaperRows rows{claim("Lemma 1", 5, "h = 5: the sum, i up to ceil(log5 h) - 1", "0",
                       text(times({5, 25, h_of(5)})), 6)};
  for (const std::uint64_t h : {5U, 6U, 10U, 15U, 20U, 25U, 30U, 50U})
    rows.push_back(differing("Lemma 1", h,
                             fmt::format("h = {}: message times, a block per node", h),
                             closed_sum(h), times({h, h * h, h_of(h)}), 6));
  rows.push_back(differing("Lemma 1", 25, "h = 25: message times, 625 blocks by quad",
                           closed_sum(25), times({25, 625, h_of(25), "quad"}), 6));
  for (const std::uint64_t h : {5U, 25U})
    rows.push_back(differing("Lemma 1", 25, fmt::format("h = {}: start-ups", h), log_up(5, h),
                             count_of(record_of({25, 625, h_of(h)}), {"A1"}).steps, 6));
  return rows;
}

/// n = 25, a block per node; h = 5, then 25.
[[nodiscard]] PaperRows lemmas2_and_3(std::uint64_t h) {
  const std::uint64_t n = 25;
  const std::uint64_t diagonal = log_up(5, n / h);
  const RunRecord& record = record_of({n, n * n, h_of(h)});
  const Counted gathered = count_of(record, {"A"});
  const Counted spread = count_of(record, {"D"});
  const std::uint64_t factor = 4 * diagonal + log_up(3, h) + h - 1;
  const auto named = [h](std::string_view what) { return fmt::format("h = {}: {}", h, what); };
  PaperRow at_most = claim("Lemma 3", n, named("message times, at most"), text(factor * n * n / h),
                           text(spread.message_times), 22);
  at_most.same = spread.message_times <= factor * n * n / h;
  return {
      differing("Lemma 2", n, named("start-ups"),
                4 * log_up(5, n) + 3 * log_up(5, h) + 2 * diagonal, gathered.steps, 8),
      differing("Lemma 2", n, named("message times"), 2 * log_up(5, h) + closed_sum(h),
                gathered.message_times, 12),
      differing("Lemma 2", n, named("control words"), 4 * log_up(5, n) + 2 * diagonal,
                gathered.control_words, 16),
      differing("Lemma 3", n, named("start-ups"), factor, spread.steps, 17),
      at_most,
      differing("Theorem 1", n, named("start-ups"), startups_of_theorem1(n, h), record.steps, 17),
      differing("Theorem 1", n, named("control words, 4 ceil(log5 h) + 2 ceil(log5 (n/h))"),
                4 * log_up(5, h) + 2 * diagonal, gathered.control_words, 17)};
}

[[nodiscard]] PaperRows theorem1() {
  std::uint64_t cases = 0;
  std::uint64_t same = 0;
  for (std::uint32_t n = 3; n <= 60; ++n)
    for (std::uint32_t h = 1; h <= n; ++h) {
      if (n % h != 0) continue;
      const AggregationSchedule schedule({.rows = n, .columns = n, .h = h});
      ++cases;
      same += schedule.steps().size() == startups_of_theorem1(n, h) ? 1U : 0U;
    }
  const RunResult& result = result_of({25, 625, h_of(5)});
  return {claim("Theorem 1", 0, "start-ups, n = 3..60, all h: cases in which they hold",
                text(cases), text(same)),
          claim("Lemma 2", 0, "its bracket of message times", "[..]m, (..)T_c",
                "[..]m T_c, (..)T_c", 16),
          bounded("Theorem 1", "h = n: start-ups over ceil(log5 n), n = 5, 25, 125",
                  {ratio(startups_of_theorem1(5, 5), 1), ratio(startups_of_theorem1(25, 25), 2),
                   ratio(startups_of_theorem1(125, 125), 3)},
                  17),
          bounded("Section 4", "h = n/5: message times over ceil(log5 (n/h)) sm/h, n = 10, 25, 50",
                  over_sizes([](std::uint64_t n) {
                    return ratio(aggregation(n, n / 5).message_times, 5 * n);
                  }),
                  18),
          claim("Section 4", 25, "h = 5: how often a node gets each of 625 messages", "once",
                result.ok() ? "once" : "not once", 28)};
}

/// "D + 2" where no table is higher.
[[nodiscard]] std::string tree_height() {
  bool holds = true;
  for (std::uint64_t n = 3; n <= 50; n += n == 30 ? 20 : 1)
    holds = holds && EdstTrees(Torus({n, n}), EdstTrees::Form::table).height() <= 2 * (n / 2) + 2;
  return holds ? "D + 2" : "more";
}

[[nodiscard]] PaperRows comparison() {
  const Setting bulk{std::string("bulk")};
  const Counted trees = spanning_trees(25, 625, bulk);
  const Counted packets = spanning_trees(25, 625, std::uint64_t{1});
  const Counted ours = count_of(record_of({25, 625, h_of(25)}), {""});
  const bool fewer =
      ours.message_times < trees.message_times && ours.message_times < packets.message_times;
  return {
      claim("Section 4", 0, "height of four trees, n = 3..30 and 50", "D + 2", tree_height(), 27),
      claim("Section 4", 25, "message times: fewer than spanning trees", "yes",
            fewer ? "yes"
                  : fmt::format("{} against {} in bulk, {} in packets", ours.message_times,
                                trees.message_times, packets.message_times),
            19),
      claim("Section 4", 5, "h = 5, 25 messages: fewer start-ups than spanning trees", "yes",
            fmt::format("{} against {}", record_of({5, 25, h_of(5)}).steps,
                        spanning_trees(5, 25, bulk).steps),
            19)};
}

}  // namespace

PaperRows lemma_claims() {
  PaperRows rows = lemma1();
  for (PaperRows more : {lemmas2_and_3(5), lemmas2_and_3(25), theorem1(), comparison()})
    append(rows, std::move(more));
  return rows;
}

/// Orders of growth, of a message per node: what the machine counts over what is printed.
PaperRows table1() {
  const auto in_bulk = [](std::uint64_t n) {
    return spanning_trees(n, n * n, std::string("bulk"));
  };
  const auto printed_times = [](std::uint64_t n) { return n / 2 * 2 * n * n / 4; };
  PaperRows rows{
      bounded("Table 1", "EDSTs: start-ups over 2 floor(n/2)",
              over_sizes([&](std::uint64_t n) { return ratio(in_bulk(n).steps, n / 2 * 2); })),
      bounded("Table 1", "EDSTs: message times over 2 floor(n/2) sm/4",
              over_sizes([&](std::uint64_t n) {
                return ratio(in_bulk(n).message_times, printed_times(n));
              })),
      bounded("Table 1", "ours, h = 5: start-ups over max{ceil(log5 n), h}",
              over_sizes([](std::uint64_t n) {
                return ratio(aggregation(n, 5).steps, std::max<std::uint64_t>(log_up(5, n), 5));
              })),
      bounded("Table 1", "ours, h = 5: message times over max{ceil(log5 (n/h)), h} sm/h",
              over_sizes(
                  [](std::uint64_t n) { return ratio(aggregation(n, 5).message_times, n * n); }))};
  PaperRow packets = bounded(
      "Table 1", "EDSTs in packets of one: message times over 2 floor(n/2) sm/4",
      over_sizes([&](std::uint64_t n) {
        return ratio(spanning_trees(n, n * n, std::uint64_t{1}).message_times, printed_times(n));
      }),
      19);
  packets.printed = "as in bulk";
  packets.same = false;
  packets.erratum = 19;
  rows.push_back(std::move(packets));
  return rows;
}

}  // namespace lockstep::papers::torus
