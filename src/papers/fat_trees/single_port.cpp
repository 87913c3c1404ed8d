// SPDX-License-Identifier: Apache-2.0

/// Sections 6.1 and 6.2: the network, one send per node and step. Steps are counted from 1, as the
/// thesis does.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "papers/fat_trees/fat_trees.hpp"

namespace lockstep::papers::fat_trees {
namespace {

constexpr Tree ternary{3, 3};

[[nodiscard]] FatTree built(const Tree& tree, const char* capacities = "constant") {
  return FatTree(std::vector<std::uint64_t>(tree.h, tree.k), {.name = capacities});
}

[[nodiscard]] PaperRow figure(const Tree& tree, std::string where, std::string quantity,
                              std::uint64_t printed, std::uint64_t ours, unsigned erratum = 0) {
  return on(tree, claim(std::move(where), 0, std::move(quantity), text(printed), text(ours),
                        printed == ours ? 0 : erratum));
}

[[nodiscard]] PaperRows network_claims() {
  const FatTree constant = built({2, 3});
  const FatTree exponential = built({2, 3}, "exponential");
  std::vector<std::uint64_t> links;
  std::vector<std::uint64_t> capacities;
  for (std::size_t i = 1; i <= exponential.height(); ++i) {
    capacities.push_back(exponential.capacity(i));
    links.push_back(exponential.levels()[i - 1].nodes * exponential.capacity(i));
  }
  const std::string name = exponential.name();
  return {
      figure({2, 3}, "Section 6.1", "nodes, (k^(h+1)-1)/(k-1)", 15, constant.node_count()),
      on(name, 8, claim("Section 6.1", 0, "capacities c_i = k^(i-1)", "1 2 4", listed(capacities))),
      on(name, 8, claim("Section 6.1", 0, "links of every level", "8 8 8", listed(links))),
      lost("Section 6.1", "Figure 6.2: portion of a fat tree"),
      lost("Section 6.2.1", "Figure 6.3: the way up from the source")};
}

/// (6.1), level by level: the i-th of k children, which all take as long, hears it in step i.
[[nodiscard]] std::uint64_t broadcast_from_root(std::uint64_t k, std::uint64_t height) {
  std::uint64_t steps = 0;
  for (std::uint64_t level = 1; level <= height; ++level) {
    const std::uint64_t of_child = steps;
    for (std::uint64_t i = 1; i <= k; ++i) steps = std::max(steps, of_child + i);
  }
  return steps;
}

/// "7" where it takes as long from any leaf, else "7..9".
[[nodiscard]] std::string broadcast_from_all(const Tree& tree) {
  std::set<std::uint64_t> steps;
  for (std::uint64_t root = 0; root < tree.n(); ++root)
    steps.insert(steps_of({tree.name(), Operation::broadcast, "parent-first", {{"root", root}}}));
  return steps.size() == 1 ? text(*steps.begin())
                           : fmt::format("{}..{}", *steps.begin(), *steps.rbegin());
}

/// Of the scatter from leaf 0: the step in which the last message that turns on each level came.
[[nodiscard]] std::string last_arrivals(const Tree& tree) {
  const FatTree network = built(tree);
  std::vector<std::uint64_t> last(tree.h);
  for (const SendEvent& event : trace_of({tree.name(), Operation::scatter, "furthest-first"})) {
    if (index(event.receiver) >= tree.n() || index(event.receiver) == 0) continue;
    std::uint64_t& step = last[network.turning_level(0, index(event.receiver)) - 1];
    step = std::max(step, event.step + 1);
  }
  return listed(last);
}

/// n - k^(i-1) + 2i - 1
[[nodiscard]] std::string scatter_times(const Tree& tree) {
  std::vector<std::uint64_t> times;
  for (std::uint64_t i = 1; i <= tree.h; ++i)
    times.push_back(tree.n() - tree.below(i - 1) + 2 * i - 1);
  return listed(times);
}

/// The messages that one switch sends.
struct Sends {
  std::uint64_t count = 0;
  std::uint64_t last_up = 0;      ///< step
  std::uint64_t first_pause = 0;  ///< the step before it first has nothing to send
  std::uint64_t last = 0;
};

/// Of switch 0 of every level, from 1 on.
[[nodiscard]] std::vector<Sends> sends_of(const Tree& tree, Operation operation,
                                          const char* algorithm) {
  const FatTree network = built(tree);
  std::vector<Sends> all(tree.h);
  std::vector<std::vector<std::uint64_t>> steps(tree.h);
  for (const SendEvent& event : trace_of({tree.name(), operation, algorithm})) {
    const FatTree::Place place = network.place(event.sender);
    if (place.level == 0 || place.number != 0) continue;
    Sends& own = all[place.level - 1];
    steps[place.level - 1].push_back(event.step + 1);
    ++own.count;
    own.last = std::max(own.last, event.step + 1);
    if (event.receiver > event.sender) own.last_up = std::max(own.last_up, event.step + 1);
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::sort(steps[i].begin(), steps[i].end());
    const auto gap = std::adjacent_find(steps[i].begin(), steps[i].end(),
                                        [](auto a, auto b) { return b > a + 1; });
    all[i].first_pause = gap == steps[i].end() ? all[i].last : *gap;
  }
  return all;
}

[[nodiscard]] PaperRows star_claims() {
  PaperRows rows;
  for (const std::uint64_t k : {2U, 3U}) {
    const Tree star{k, 1};
    append(rows, {figure(star, "Theorem 6.5", "h = 1: k^2 - k", k * k - k,
                         steps_of({star.name(), Operation::all_gather, "in-turn"}), 8),
                  figure(star, "Theorem 6.2", "h = 1: scattering", printed_scatter(star),
                         steps_of({star.name(), Operation::scatter, "furthest-first"}), 9)});
  }
  return rows;
}

[[nodiscard]] PaperRows one_source_claims() {
  PaperRows rows{figure({3, 4}, "Equation 6.2", "B_r(4) = 4k, by (6.1); by arithmetic", 12,
                        broadcast_from_root(3, 4))};
  for (const Tree& tree : {Tree{2, 3}, Tree{3, 2}, Tree{4, 2}})
    rows.push_back(on(tree, claim("Theorem 6.1", 0, "broadcasting, from any leaf",
                                  text(printed_broadcast(tree)), broadcast_from_all(tree))));
  for (const Tree& tree : {Tree{2, 4}, ternary})
    rows.push_back(on(tree, claim("Theorem 6.2", 0, "T_i, level by level: n - k^(i-1) + 2i - 1",
                                  scatter_times(tree), last_arrivals(tree))));
  const std::string binary = last_arrivals({2, 4});
  rows.push_back(on({2, 4}, claim("Theorem 6.2", 0, "T_i for i >= 2", "decreasing",
                                  binary.substr(binary.find(' ') + 1), 10)));
  append(rows, {lost("Section 6.2.1", "Figure 6.4: the broadcasting algorithm"),
                lost("Section 6.2.2", "Figure 6.5: the subtrees of the source")});
  return rows;
}

[[nodiscard]] PaperRows all_gather_claims() {
  PaperRows rows;
  const auto [k, h] = ternary;
  const std::uint64_t n = ternary.n();
  const std::vector<Sends> sends = sends_of(ternary, Operation::all_gather, "in-turn");
  rows.push_back(figure(ternary, "Theorem 6.3", "sends of a child of the root, kn", k * n,
                        sends[h - 2].count));
  rows.push_back(figure(ternary, "Theorem 6.3", "kn + (k+1)(h-2) + 1 steps at least",
                        printed_all_gather(ternary),
                        bound_of({ternary.name(), Operation::all_gather, "in-turn"})));
  for (std::uint64_t i = 1; i < h; ++i)
    rows.push_back(figure(ternary, "Lemma 6.4", fmt::format("level {}: phase A ends, i + k^i", i),
                          i + ternary.below(i), sends[i - 1].last_up));
  for (std::uint64_t i = 1; i < h; ++i)
    rows.push_back(figure(ternary, "Lemma 6.4",
                          fmt::format("level {}: queue empty, i + k^(i+1)", i),
                          i + ternary.below(i + 1), sends[i - 1].first_pause, 18));
  const std::uint64_t all = steps_of({ternary.name(), Operation::all_gather, "in-turn"});
  append(rows, {figure(ternary, "Theorem 6.5", "steps behind the last send of phase B, 2(h-2)",
                       2 * (h - 2), all - sends[h - 2].last, 7),
                figure(ternary, "Theorem 6.5", "k^(h+1) + (k+1)(h-2) + 1 steps",
                       printed_all_gather(ternary), all),
                lost("Section 6.2.3", "Figure 6.6: the multinode broadcasting algorithm"),
                lost("Section 6.2.3", "Figure 6.7: multinode broadcasting in 4 leaves")});
  return rows;
}

[[nodiscard]] PaperRows exchange_claims_of(const Tree& tree) {
  PaperRows rows;
  const auto [k, h] = tree;
  const std::uint64_t n = tree.n();
  const Job job{tree.name(), Operation::total_exchange, "up-first"};
  const std::vector<Sends> sends = sends_of(tree, job.operation, "up-first");
  const std::uint64_t child = tree.below(h - 1);
  append(rows,
         {figure(tree, "Theorem 6.6", "sends of a child of the root",
                 child * (n - tree.below(h - 2)) + (k - 1) * child * child, sends[h - 2].count),
          figure(tree, "Theorem 6.6", "n^2 (2k+1)(k-1)/k^3 + 2h - 3 steps at least",
                 printed_exchange(tree), bound_of(job), 1),
          figure(tree, "Theorem 6.8", "steps of the algorithm", printed_exchange(tree),
                 steps_of(job), 1)});
  PaperRow root = on(tree, claim("Theorem 6.6", 0, "sends of the root, n^2 (k-1)/k", "",
                                 text(sends[h - 1].count), k == 2 ? 0 : 1));
  root.exact = text(n * n * (k - 1) / k);
  rows.push_back(root);
  for (std::uint64_t i = 1; i < h; ++i)
    rows.push_back(figure(tree, "Lemma 6.7",
                          fmt::format("level {}: last send up, i + k^i (n - k^i)", i),
                          i + tree.below(i) * (n - tree.below(i)), sends[i - 1].last_up));
  return rows;
}

/// The arity whose trees of that many leaves take the fewest steps.
[[nodiscard]] std::uint64_t best_arity(std::uint64_t leaves, Operation operation,
                                       const char* algorithm) {
  std::map<std::uint64_t, std::uint64_t> by_steps;  // of equals the largest
  for (const std::uint64_t k : {2U, 4U, 8U, 16U}) {
    Tree tree{k, 1};
    while (tree.n() < leaves) ++tree.h;
    if (tree.n() == leaves && tree.h > 1)
      by_steps[steps_of({tree.name(), operation, algorithm})] = k;
  }
  return by_steps.begin()->second;
}

/// "4.33 3.64 3.61 3.73": of broadcasting in trees of many leaves.
[[nodiscard]] double per_leaf(double k) { return (k + 1) / std::log(k); }

/// Of n^2.
[[nodiscard]] double leading_factor(const Tree& tree) {
  const std::uint64_t steps =
      steps_of({tree.name(), Operation::total_exchange, "up-first"}) - (2 * tree.h - 1);
  const auto n = static_cast<double>(tree.n());
  return static_cast<double>(steps) / n / n;
}

}  // namespace

PaperRows single_port_claims() {
  PaperRows rows = network_claims();
  for (PaperRows more :
       {one_source_claims(), star_claims(), all_gather_claims(), exchange_claims_of({3, 2}),
        exchange_claims_of({2, 4}), exchange_claims_of({4, 3})})
    append(rows, std::move(more));
  rows.push_back(lost("Section 6.2.4", "Figure 6.8: the total exchange algorithm"));
  return rows;
}

PaperRows discussion_claims() {
  constexpr const char* where = "Section 6.2.5";
  PaperRows rows;
  const auto add = [&](std::uint64_t leaves, const char* quantity, std::uint64_t printed,
                       std::uint64_t ours, unsigned erratum) {
    rows.push_back(
        claim(where, leaves, quantity, text(printed), text(ours), printed == ours ? 0 : erratum));
  };
  for (const std::uint64_t leaves : {16U, 64U, 256U})
    add(leaves, "best arity for broadcasting", 4,
        best_arity(leaves, Operation::broadcast, "parent-first"), 30);
  for (const std::uint64_t leaves : {16U, 64U, 256U})
    add(leaves, "best arity for multinode broadcasting", 2,
        best_arity(leaves, Operation::all_gather, "in-turn"), 0);
  for (const auto& [leaves, square_root] : {std::pair{16U, 4U}, {64U, 8U}, {256U, 16U}})
    add(leaves, "best arity for total exchange: sqrt(n)", square_root,
        best_arity(leaves, Operation::total_exchange, "up-first"), 2);
  for (const Tree& tree : {Tree{2, 4}, Tree{3, 3}, Tree{4, 3}, Tree{5, 2}, Tree{8, 2}}) {
    const auto k = static_cast<double>(tree.k);
    const double printed = (2 * k + 1) * (k - 1) / (k * k * k);
    const std::string ours = fmt::format("{:.2f}", leading_factor(tree));
    PaperRow row = claim(where, 0, "total exchange: leading factor of n^2",
                         fmt::format("{:.2f}", printed), ours);
    row.erratum = row.printed == row.ours ? 0 : 2;
    rows.push_back(on(tree, std::move(row)));
  }
  rows.push_back(claim(where, 0, "(k+1)/ln k at k = 2, 3, 4, 5, by arithmetic", "at k = 4",
                       fmt::format("{:.2f} {:.2f} {:.2f} {:.2f}", per_leaf(2), per_leaf(3),
                                   per_leaf(4), per_leaf(5)),
                       30));
  rows.back().same = per_leaf(4) < std::min({per_leaf(2), per_leaf(3), per_leaf(5)});
  std::string orders;
  for (const Tree& tree : {Tree{4, 2}, Tree{8, 2}, Tree{16, 2}})
    orders += fmt::format("{}{:.2f} n^2", orders.empty() ? "" : ", ", leading_factor(tree));
  rows.push_back(
      claim(where, 0, "total exchange at k = sqrt(n) = 4, 8, 16", "Theta(n sqrt(n))", orders, 2));
  return rows;
}

}  // namespace lockstep::papers::fat_trees
