// SPDX-License-Identifier: Apache-2.0

/// What section 3 of the torus paper states of its phases, held against what the machine counts.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "papers/torus/torus.hpp"

namespace lockstep::papers::torus {
namespace {

/// A claim that is right where it can be, and differs by an erratum elsewhere.
[[nodiscard]] PaperRow counted_claim(std::string where, std::size_t n, std::string quantity,
                                     std::uint64_t printed, std::uint64_t ours, unsigned erratum) {
  return claim(std::move(where), n, std::move(quantity), text(printed), text(ours),
               printed == ours ? 0 : erratum);
}

[[nodiscard]] PaperRow lost(std::string where, std::string quantity, std::string printed,
                            std::string ours) {
  PaperRow row =
      claim(std::move(where), 0, std::move(quantity), std::move(printed), std::move(ours));
  row.lost = true;
  return row;
}

/// Of 25 x 25 nodes that make a block each, h = 5, the messages of one step.
[[nodiscard]] SendTrace messages_of_step(std::uint64_t step) {
  SendTrace trace;
  (void)prepare(request_of({25, 625, h_of(5)}))->execute({.trace = &trace});
  std::erase_if(trace, [step](const SendEvent& event) { return event.step != step; });
  return trace;
}

/// "P(i-1,j), P(i+1,j), ..": relative to it, the senders to P(10,10).
[[nodiscard]] std::string senders_to_the_middle() {
  constexpr std::int64_t side = 25;
  constexpr std::int64_t middle = 10;
  std::set<std::pair<std::int64_t, std::int64_t>> senders;  // rows apart, columns apart
  for (const SendEvent& event : messages_of_step(0))
    if (event.receiver == NodeId{middle * side + middle}) {
      const auto u = static_cast<std::int64_t>(index(event.sender));
      senders.emplace(u / side - middle, u % side - middle);
    }
  const auto place = [](char letter, std::int64_t apart) {
    return apart == 0 ? std::string(1, letter) : fmt::format("{}{:+}", letter, apart);
  };
  std::vector<std::string> names;
  for (const auto& [i, j] : senders)
    names.push_back(fmt::format("P({},{})", place('i', i), place('j', j)));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Multiples of `apart` below n.
[[nodiscard]] std::string diagonals(std::uint64_t n, std::uint64_t h, std::uint64_t apart) {
  std::vector<std::uint64_t> classes;
  for (std::uint64_t j = 0; j < n / h; ++j) classes.push_back(j * apart);
  return fmt::format("{}", fmt::join(classes, ", "));
}

[[nodiscard]] PaperRows diagonal_claims() {
  constexpr std::uint64_t h = 5;
  const auto rounded_up = [](std::uint64_t n) { return (n + h - 1) / h; };
  PaperRows rows;
  for (const std::size_t n : {25U, 10U})
    rows.push_back(claim("Section 3.1.1", n, "h = 5: the target diagonals",
                         diagonals(n, h, rounded_up(n)), diagonals(n, h, h), n == h * h ? 0 : 3));
  append(rows, {claim("Section 3.1.1", 25, "P(i,j), j - i = 0 modulo 5, takes from",
                      "P(i-1,j), P(i,j-2), P(i,j+2), P(i+1,j)", senders_to_the_middle()),
                claim("Section 3.1.1", 0,
                      "h = 5: nodes that send inside a block, links into its diagonal", "20, 20",
                      fmt::format("{}, {}", h * h - h, 2 + 4 * (h - 2) + 2), 4),
                claim("Section 3.1.1", 0, "blocks of a side ceil(n/h), for h", "any",
                      "that divides n: ceil is idle", 23)});
  const auto aggregate = [](std::uint64_t n, std::uint64_t h_given) {
    return count_of(record_of({n, 1, h_of(h_given)}), {"A1"}).steps;
  };
  rows.push_back(claim(
      "Section 3.1.1", 0, "ceil(log5 h) steps, for", "h > 4",
      aggregate(4, 4) == 1 && aggregate(3, 3) == 1 && aggregate(4, 2) == 1 ? "h >= 1" : "h > 4",
      5));
  const auto cost = [](std::uint64_t h_given) {
    const Counted all = count_of(record_of({25, 625, h_of(h_given)}), {""});
    return fmt::format("{} t_s + {} t_m", all.steps, all.message_times);
  };
  append(rows, {claim("Section 3.1.1", 25, "latency of a higher h: 5, 25", "lower",
                      fmt::format("{}, {}", cost(5), cost(25)), 21),
                lost("Section 3.1.1", "Fig. 3: loads of the DDNs, 20 sources", "1, 6, 9, 2, 2",
                     fmt::format("their sum: {}", 1 + 6 + 9 + 2 + 2))});
  return rows;
}

[[nodiscard]] PaperRows prefix_claims() {
  const std::uint64_t level = log_up(5, 25);
  const RunRecord& record = record_of({25, 625, h_of(5)});
  const std::uint64_t forward = count_of(record, {"A2b scan forward"}).steps;
  const std::uint64_t backward = count_of(record, {"A2b scan backward"}).steps;
  return {claim("Section 3.1.2.1", 0, "values sent back to four receivers",
                "c', .., c'+a+b+c+d (5)", "4: the centre keeps c'+a+b", 7),
          claim("Section 3.1.2.1", 0, "on the diagonal of P(k,k): the fourth of them", "P(k-2,k+2)",
                "P(k+2,k+2)", 7),
          counted_claim("Section 3.1.2.1", 25, "steps of the forward stage, ceil(log5 n)", level,
                        forward, 8),
          counted_claim("Section 3.1.2.1", 25, "steps of the backward stage, ceil(log5 n)", level,
                        backward, 8),
          counted_claim("Section 3.1.2.1", 25, "h = 5: steps of all prefix sums, 4 ceil(log5 n)",
                        4 * level, count_of(record, {"A2"}).steps, 8),
          counted_claim("Section 3.1.2.1", 25, "h = 25: steps of all prefix sums, 4 ceil(log5 n)",
                        4 * level, count_of(record_of({25, 625, h_of(25)}), {"A2"}).steps, 8),
          lost("Section 3.1.2.1", "Figs. 7 to 9: example of the prefix sums", "a picture", "")};
}

/// Of DDNs 0, 1, ..: block number `rank` goes to DDN rank mod h.
[[nodiscard]] std::string loads_of(std::uint64_t blocks, std::uint64_t h) {
  std::vector<std::uint64_t> loads(h);
  for (std::uint64_t rank = 0; rank < blocks; ++rank) ++loads[rank % h];
  return fmt::format("{}", fmt::join(loads, ", "));
}

/// DDNs from DDN `own` to that of block number `rank`, the shorter way round.
[[nodiscard]] std::int64_t offset_of(std::int64_t rank, std::int64_t own, std::int64_t h) {
  const std::int64_t up = (rank % h + h - own) % h;
  return 2 * up > h ? up - h : up;
}

/// Of ranks 9, 10, 11 at a node of DDN 1, h = 5.
[[nodiscard]] PaperRows destination_claims() {
  constexpr std::array<std::int64_t, 3> ranks{9, 10, 11};
  std::vector<std::int64_t> targets;
  std::vector<std::int64_t> offsets;
  for (const std::int64_t rank : ranks) {
    targets.push_back(rank % 5);
    offsets.push_back(offset_of(rank, 1, 5));
  }
  const std::int64_t below = 4 + offset_of(0, 4, 5);  // row of P(4,4)'s target
  return {claim("Section 3.1.2.2", 0, "destinations, alpha to alpha+beta+1, beta = 3", "5",
                text(ranks.size()), 9),
          claim("Section 3.1.2.2", 5, "F of ranks 9, 10, 11", "4, 0, 1",
                fmt::format("{}", fmt::join(targets, ", "))),
          claim("Section 3.1.2.2", 5, "F' of ranks 9, 10, 11 in DDN 1", "-2, -1, 0",
                fmt::format("{}", fmt::join(offsets, ", "))),
          claim("Section 3.1.2.2", 5, "F' of rank 0 in DDN 4", "-4",
                fmt::format("{}", offset_of(0, 4, 5)), 10),
          claim("Section 3.1.2.2", 10, "h = 5: that of P(4,4) stays in its block", "yes",
                below / 5 == 0 ? "yes" : fmt::format("no: P({0},{0})", below), 13)};
}

[[nodiscard]] PaperRows tuning_claims() {
  PaperRows rows = destination_claims();
  for (const std::uint64_t h : {5U, 25U})
    rows.push_back(
        counted_claim("Section 3.1.2.2", 25, fmt::format("h = {}: tuning steps, 2 ceil(log5 h)", h),
                      2 * log_up(5, h), count_of(record_of({25, 625, h_of(h)}), {"A3"}).steps, 12));
  for (const std::uint64_t h : {5U, 6U, 10U, 25U, 50U})
    rows.push_back(counted_claim(
        "Section 3.1.2.2", h,
        fmt::format("h = {}, a block per node: tuning message times, 2 ceil(log5 h)", h),
        2 * log_up(5, h), count_of(record_of({h, h * h, h_of(h)}), {"A3"}).message_times, 12));
  rows.push_back(lost("Section 3.1.2.2", "Figs. 13 to 15: example of the tuning", "a picture", ""));
  return rows;
}

}  // namespace

PaperRows aggregation_claims() {
  PaperRows rows = diagonal_claims();
  for (PaperRows more : {prefix_claims(), tuning_claims()}) append(rows, std::move(more));
  return rows;
}

/// n = 25, h = 5, a block from every node: 125 of a DDN.
PaperRows distribution_claims() {
  constexpr std::uint64_t pack = 125;
  const RunRecord& record = record_of({25, 625, h_of(5)});
  const auto steps = [&](std::string_view phase) { return count_of(record, {phase}).steps; };
  const auto times = [&](std::string_view phase) {
    return count_of(record, {phase}).message_times;
  };
  PaperRows rows{
      claim("Section 3.1.2", 5, "4 blocks, h = 5: blocks of DDNs 0 to 4", "the same",
            loads_of(4, 5), 11),
      counted_claim("Section 3.2.1", 25, "h = 5: alignment steps, ceil(log5 (n/h))", 1,
                    steps("D1a"), 0),
      counted_claim("Section 3.2.1", 25, "h = 5: all-to-all steps, 2 ceil(log5 (n/h))", 2,
                    steps("D1b"), 0),
      counted_claim("Section 3.2.1", 25, "h = 5: all-to-all message times, 2 ceil(log5 (n/h)) sm/h",
                    2 * pack, times("D1b"), 22),
      claim("Section 3.2.1", 5, "h = 1: all-to-all steps of five nodes, no link twice", "2",
            text(count_of(record_of({5, 25, h_of(1)}), {"D1b"}).steps), 25),
      counted_claim("Section 3.2.2", 25, "h = 5: broadcast steps, ceil(log5 (n/h))", 1, steps("D2"),
                    0),
      counted_claim("Section 3.2.2", 25, "h = 5: broadcast message times, sm/h", pack, times("D2"),
                    0),
      claim("Section 3.2.3", 0, "each packet M_k has the messages of a", "DCN", "DDN", 15)};
  for (const std::uint64_t h : {3U, 5U, 6U, 9U, 10U, 15U, 25U})
    rows.push_back(counted_claim(
        "Section 3.2.3", h,
        fmt::format("h = {}: row broadcast inside a block, ceil(log3 h) steps", h), log_up(3, h),
        count_of(record_of({h, 1, {{"h", h}, {"confined", std::string("yes")}}}), {"D3a"}).steps,
        14));
  append(rows,
         {counted_claim("Section 3.2.3", 25, "h = 5: row broadcast, ceil(log3 h) steps",
                        log_up(3, 5), steps("D3a"), 0),
          counted_claim("Section 3.2.3", 25, "h = 5: column ring, h - 1 steps", 4, steps("D3b"), 0),
          counted_claim("Section 3.2.3", 25, "h = 5: column ring, (h-1) sm/h message times",
                        4 * pack, times("D3b"), 0)});
  return rows;
}

}  // namespace lockstep::papers::torus
