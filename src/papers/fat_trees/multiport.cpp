// SPDX-License-Identifier: Apache-2.0

/// Section 6.3: all ports.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "papers/fat_trees/fat_trees.hpp"

namespace lockstep::papers::fat_trees {
namespace {

constexpr Tree three_arities{.k = 12, .h = 1};  // as many leaves as 2x3x2

[[nodiscard]] Job waiting(Job job) {
  job.settings["pipelined"] = std::string("no");
  return job;
}

/// What `figure` says of the queues of the levels from 1 on.
[[nodiscard]] std::vector<std::uint64_t> queues_of(const Job& job,
                                                   std::uint64_t LevelQueues::*figure) {
  std::vector<std::uint64_t> all;
  for (const LevelQueues& level : result_of(job).record.queues) all.push_back(level.*figure);
  return all;
}

/// Leaves that send in the first and in the last step in which any does.
[[nodiscard]] std::string leaves_sending(const Tree& tree, const Job& job) {
  SendTrace of_leaves = trace_of(job);
  std::erase_if(of_leaves, [&](const SendEvent& event) { return index(event.sender) >= tree.n(); });
  const auto [first, last] =
      std::minmax_element(of_leaves.begin(), of_leaves.end(),
                          [](const SendEvent& a, const SendEvent& b) { return a.step < b.step; });
  const auto in = [&](std::uint64_t step) {
    return std::count_if(of_leaves.begin(), of_leaves.end(),
                         [step](const SendEvent& event) { return event.step == step; });
  };
  return fmt::format("{}, at last {}", in(first->step), in(last->step));
}

[[nodiscard]] PaperRows flooding_claims() {
  PaperRows rows;
  for (const Tree& tree : {Tree{2, 4}, Tree{3, 3}, Tree{4, 2}})
    append(rows, {counted("Section 6.3.1", "broadcasting, 2h", tree, 2 * tree.h,
                          {tree.name(), Operation::broadcast, "flooding"}),
                  counted("Theorem 6.9", "flooding: n, k = 2: n + 1", tree, printed_scatter(tree),
                          {tree.name(), all_gather, "flooding"})});
  rows.push_back(counted("Theorem 6.9", "Figure 6.9: its steps, in the text", {2, 2}, 5,
                         {"fat-tree:2^2", all_gather, "flooding"}));
  std::vector<std::uint64_t> steps;
  for (const char* const capacities : {"constant", "half", "linear", "exponential"})
    steps.push_back(steps_of({Tree{2, 4}.name(capacities), all_gather, "flooding"}));
  rows.push_back(claim("Section 6.3.2", 16, "flooding, whatever the capacities", "17 17 17 17",
                       listed(steps)));
  rows.push_back(counted("Section 6.3.4", "no queues, arities that differ: n + 2h - 2",
                         three_arities, 16, {"fat-tree:2x3x2", all_gather, "descending"}));
  return rows;
}

[[nodiscard]] PaperRows queue_claims() {
  constexpr Tree tree{3, 4};
  constexpr const char* where = "Section 6.3.2.1";
  const Job job{tree.name(), all_gather, "flooding"};
  const std::vector<std::uint64_t> up = queues_of(job, &LevelQueues::wait_up);
  const std::vector<std::uint64_t> down = queues_of(job, &LevelQueues::wait_down);
  PaperRows rows;
  for (std::uint64_t i = 1; i < tree.h; ++i)
    rows.push_back(on(tree, claim(where, 0, fmt::format("level {}: up, (k-1)k^(i-1)", i),
                                  text((tree.k - 1) * tree.below(i - 1)), text(up[i - 1]))));
  const auto add_down = [&](const char* quantity, std::uint64_t level, std::string printed,
                            std::uint64_t exact) {
    PaperRow row = on(tree, claim(where, 0, quantity, std::move(printed), text(down[level - 1])));
    row.exact = text(exact);
    row.erratum = row.printed.empty() ? 12 : 0;
    row.same = row.exact == row.ours;
    rows.push_back(row);
  };
  add_down("level 3: down, (k-1)k^(i-1) - 2", 3, "16", 16);
  add_down("level 2: the same, not claimed", 2, "", 4);
  add_down("level 1: k - 2, not claimed", 1, "", tree.k - 2);
  add_down("root: (k-2)k^(h-1), not claimed", 4, "", (tree.k - 2) * tree.below(tree.h - 1));
  const Job grown{tree.name("exponential"), all_gather, "flooding"};
  rows.push_back(on(grown.tree, tree.n(),
                    claim(where, 0, "queues down, level by level", "O(n/log n) at best",
                          listed(queues_of(grown, &LevelQueues::wait_down)), 13)));
  rows.push_back(on(grown.tree, tree.n(),
                    claim(where, 0, "queues up, level by level: capacity reduces them", "0 0 0 0",
                          listed(queues_of(grown, &LevelQueues::wait_up)))));
  return rows;
}

[[nodiscard]] PaperRows queue_free_claims() {
  constexpr const char* where = "Section 6.3.2.2";
  PaperRows rows;
  for (const Tree& tree : {Tree{2, 4}, Tree{3, 3}}) {
    const auto [k, h] = tree;
    const std::uint64_t n = tree.n();
    const Job job{tree.name(), all_gather, "descending"};
    const std::uint64_t saved = steps_of(waiting(job)) - steps_of(job);
    append(rows, {counted("Equation 6.3", "no pipelining: k^h + h^2 - 1", tree, n + h * h - 1,
                          waiting(job)),
                  counted(where, "n + 2h - 2 steps", tree, n + 2 * h - 2, job),
                  on(tree, claim(where, 0, "steps saved by pipelining, h^2 - 2h + 1",
                                 text(h * h - 2 * h + 1), text(saved))),
                  on(tree, claim(where, 0, "messages buffered of an incoming link, level by level",
                                 listed(std::vector<std::uint64_t>(h, 1)),
                                 listed(queues_of(job, &LevelQueues::per_branch)))),
                  on(tree, claim(where, 0, "leaves that send at a time", text(k),
                                 leaves_sending(tree, waiting(job)), 15))});
    const Job ascending{tree.name(), all_gather, "ascending"};
    const auto buffered = queues_of(ascending, &LevelQueues::per_branch);
    rows.push_back(on(
        tree, claim("Section 6.3.4", 0,
                    fmt::format("no contention in fewer than n + 2h - 2 = {} steps", n + 2 * h - 2),
                    "open question",
                    fmt::format("{}, {} buffered of a link", steps_of(ascending),
                                *std::max_element(buffered.begin(), buffered.end())),
                    6)));
  }
  PaperRow lanes = claim("Section 6.3.4", 0, "multinode broadcasting, c_1 = 2", "",
                         text(steps_of({"fat-tree:3^2,2.2", all_gather, "flooding"})));
  lanes.exact = "6";  // ceil((9 - 3) / 2) + 3
  lanes.same = lanes.exact == lanes.ours;
  rows.push_back(on("fat-tree:3^2,2.2", 9, lanes));
  return rows;
}

/// (6.5) where c_i <= k c_(i-1), and where lower levels cannot fill the branches.
[[nodiscard]] PaperRows phase_claims() {
  PaperRows rows;
  for (const Tree& tree : {Tree{2, 4}, Tree{3, 3}, Tree{4, 2}}) {
    const auto [k, h] = tree;
    const std::uint64_t n = tree.n();
    const Job job{tree.name(), exchange, "phases"};
    const Job grown{tree.name("exponential"), exchange, "phases"};
    const std::vector<std::uint64_t> ones(h, 1);
    append(
        rows,
        {on(tree, claim("Equation 6.4", 0, "n^2 (k-1)/(k^2 c_h) + 2h - 1 at least",
                        text(printed_cut(tree, 1)), text(bound_of(job)))),
         counted("Equation 6.5", "c_i = 1: (n^2-1)(k-1)/(k^2-1) + 2h - 1", tree,
                 (n * n - 1) / (k + 1) + 2 * h - 1, job),
         counted("Section 6.3.3", "without pipelining: the sum + h^2", tree,
                 printed_phases(tree, ones) - 2 * h + 1 + h * h, waiting(job)),
         counted("Equation 6.5", "exponential: n + 2h - 2", tree, n + 2 * h - 2, grown),
         on(grown.tree, n,
            claim("Section 6.3.3", 0, "(6.4), exponential: n - n/k + 2h - 2; by arithmetic",
                  text(n - n / k + 2 * h - 2), text(printed_cut(tree, tree.below(h - 1))), 11))});
  }
  using Capacities = std::vector<std::uint64_t>;
  struct Pattern {
    Tree tree;
    const char* name;
    Capacities capacities;
  };
  for (const auto& [tree, name, capacities] :
       {Pattern{{2, 4}, "half", {1, 1, 2, 2}}, Pattern{{2, 4}, "linear", {1, 2, 3, 4}},
        Pattern{{3, 3}, "linear", {1, 2, 3}}, Pattern{{4, 2}, "1.3", {1, 3}},
        Pattern{{2, 3}, "1.1.4", {1, 1, 4}}, Pattern{{5, 2}, "1.25", {1, 25}}})
    rows.push_back(counted("Equation 6.5", "any capacity pattern", tree,
                           printed_phases(tree, capacities), {tree.name(name), exchange, "phases"},
                           4));
  const Tree tree{2, 3};
  const Job grown{tree.name("exponential"), exchange, "phases"};
  rows.push_back(on(grown.tree, tree.n(),
                    claim("Section 6.3.3", 0, "leaves that send at a time, k c_(h_i)",
                          "8, at last 8", leaves_sending(tree, waiting(grown)), 14)));
  return rows;
}

/// Steps of the run in which a leaf receives nothing, on average over the leaves.
[[nodiscard]] double holes_of(const Tree& tree, const Job& job) {
  const SendTrace trace = trace_of(job);
  const auto received = std::count_if(trace.begin(), trace.end(), [&](const SendEvent& event) {
    return index(event.receiver) < tree.n();
  });
  return static_cast<double>(steps_of(job)) -
         static_cast<double>(received) / static_cast<double>(tree.n());
}

/// (6.6) for the i that asks for most, and (6.7); for which heights (6.9) has an i.
[[nodiscard]] PaperRows hole_claims() {
  PaperRows rows;
  for (const Tree& tree : {Tree{2, 4}, Tree{3, 3}}) {
    const Job job{tree.name("exponential"), exchange, "class-sequence"};
    const auto n = static_cast<double>(tree.n());
    const double holes = holes_of(tree, job);
    const auto steps = static_cast<double>(steps_of(job));
    double least = 0;
    for (std::uint64_t i = 1; i <= tree.h; ++i)
      least = std::max(least, 2 * (n - n / static_cast<double>(tree.below(i))) *
                                  static_cast<double>(tree.h - i + 1));
    PaperRow product =
        claim("Equation 6.6", 0, "w T, w steps without a message at a leaf: at least",
              fmt::format("{:g}", least), fmt::format("{:g}", holes * steps));
    product.same = holes * steps >= least;
    append(rows, {on(job.tree, tree.n(), product),
                  on(job.tree, tree.n(),
                     claim("Equation 6.7", 0, "T is n - 1 + w where all leaves have w",
                           fmt::format("{:g}", n - 1 + holes), fmt::format("{:g}", steps)))});
  }
  for (const auto& [tree, logarithm] : {std::pair{Tree{2, 4}, 2U}, {Tree{3, 3}, 1U}}) {
    const std::uint64_t n = tree.n();
    const std::uint64_t simpler = 2 * n * tree.h - 2 * n * logarithm - n;
    const std::uint64_t full = 2 * (n - n / tree.below(logarithm + 1)) * (tree.h - logarithm);
    PaperRow row =
        on(tree, claim("Equation 6.8", 0, "below (6.6) for i = log_k h + 1; by arithmetic",
                       text(simpler), text(full)));
    row.same = simpler <= full;
    rows.push_back(row);
  }
  std::vector<std::uint64_t> heights;
  for (std::uint64_t h = 1; h <= 16; h *= 2) heights.push_back(h);
  rows.push_back(claim("Equation 6.9", 0, "k = 2: heights with log_k h + 1 a level, by arithmetic",
                       "all", listed(heights) + " ..", 26));
  return rows;
}

[[nodiscard]] PaperRows tighter_bound_claims() {
  PaperRows rows;
  struct Height {
    Tree tree;
    std::uint64_t logarithm;  // of h
  };
  for (const auto& [tree, logarithm] : {Height{{2, 2}, 1}, Height{{2, 4}, 2}, Height{{3, 3}, 1}}) {
    const Job job{tree.name("exponential"), exchange, "class-sequence"};
    const std::uint64_t printed = tree.n() + 2 * tree.h - 2 * logarithm - 2;
    rows.push_back(on(job.tree, tree.n(),
                      claim("Theorem 6.10", 0, "n + 2h - 2 log_k h - 2 at least", text(printed),
                            text(bound_of(job)), 28)));
    const std::uint64_t simple = tree.n() + tree.h - 1;
    rows.push_back(on(
        job.tree, tree.n(),
        claim("Section 6.3.3.1", 0, "(6.9) is tighter than n + h - 1; by arithmetic", "tighter",
              printed > simple ? "tighter" : fmt::format("{} against {}", printed, simple), 27)));
  }
  append(rows, hole_claims());
  rows.push_back(lost("Section 6.3.3.1", "Figure 6.12: the graph G_i"));
  for (const Tree& tree : {Tree{2, 3}, Tree{2, 4}, Tree{2, 5}, Tree{2, 6}, Tree{3, 3}, Tree{4, 2}})
    rows.push_back(counted("Section 6.3.4", "exponential: n + 2h - 2 cannot be beaten", tree,
                           tree.n() + 2 * tree.h - 2,
                           {tree.name("exponential"), exchange, "class-sequence"}, 5));
  for (const Tree& tree : {Tree{2, 5}, Tree{3, 3}})
    rows.push_back(counted("Section 6.3.4", "c_i = 1: (n^2-1)(k-1)/(k^2-1) + 2h - 1 at most", tree,
                           (tree.n() * tree.n() - 1) / (tree.k + 1) + 2 * tree.h - 1,
                           {tree.name(), exchange, "first-fit"}, 5));
  return rows;
}

}  // namespace

PaperRows gather_claims() {
  PaperRows rows = flooding_claims();
  append(rows, {lost("Section 6.3.2", "Figure 6.9: multinode broadcasting in a 4-leaf tree")});
  append(rows, queue_claims());
  append(rows, queue_free_claims());
  return rows;
}

PaperRows exchange_claims() {
  PaperRows rows = phase_claims();
  append(rows, tighter_bound_claims());
  return rows;
}

}  // namespace lockstep::papers::fat_trees
