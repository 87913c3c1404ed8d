// SPDX-License-Identifier: Apache-2.0

/// Tables 6.1 and 6.2, and two of ours: all operations on small trees, and by arity.

#include <fmt/format.h>

#include <array>

#include "papers/fat_trees/fat_trees.hpp"

namespace lockstep::papers::fat_trees {
namespace {

constexpr std::array<Tree, 9> table_trees{
    {{2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {5, 2}, {8, 2}}};

[[nodiscard]] Job job(std::string tree, Operation operation, std::string algorithm) {
  return {std::move(tree), operation, std::move(algorithm)};
}

constexpr Operation broadcast = Operation::broadcast;
constexpr Operation scatter = Operation::scatter;
constexpr Operation gather = Operation::gather;

[[nodiscard]] PaperRow figures(const Tree& tree, std::string_view capacities, std::string quantity,
                               const std::vector<std::uint64_t>& closed_forms,
                               const std::vector<std::uint64_t>& ours) {
  PaperRow row = claim("Table of small trees, ours", 0, std::move(quantity), "", listed(ours));
  row.exact = listed(closed_forms);
  row.same = row.exact == row.ours;
  return on(tree.name(capacities), tree.n(), std::move(row));
}

/// Corrected: the sends of a switch on the busiest level.
[[nodiscard]] std::uint64_t exchange_by_one_send(const Tree& tree) {
  const auto [k, h] = tree;
  const std::uint64_t n = tree.n();
  return k == 2 && h >= 2 ? 5 * n * n / 8 + 2 * h - 3 : n * n * (k - 1) / k + 2 * h - 1;
}

/// Corrected for stars of two and more leaves.
[[nodiscard]] std::uint64_t steps_with_leaf(const Tree& tree) {
  return tree.h == 1 ? tree.n() : printed_scatter(tree);
}

/// What all algorithms take beside their closed forms.
[[nodiscard]] PaperRows rows_of(const Tree& tree) {
  const auto [k, h] = tree;
  const std::uint64_t n = tree.n();
  const std::string name = tree.name();
  const std::string exponential = tree.name("exponential");
  PaperRows rows;
  rows.push_back(figures(
      tree, "", "one send: broadcast, scatter, all-gather, total exchange",
      {printed_broadcast(tree), steps_with_leaf(tree),
       h == 1 ? k * k - k + 1 : printed_all_gather(tree), exchange_by_one_send(tree)},
      {steps_of(job(name, broadcast, "parent-first")),
       steps_of(job(name, scatter, "furthest-first")), steps_of(job(name, all_gather, "in-turn")),
       steps_of(job(name, exchange, "up-first"))}));
  rows.push_back(figures(
      tree, "", "all ports: broadcast, flooding, descending, ascending all-gather",
      {2 * h, steps_with_leaf(tree), n + 2 * h - 2, steps_with_leaf(tree)},
      {steps_of(job(name, broadcast, "flooding")), steps_of(job(name, all_gather, "flooding")),
       steps_of(job(name, all_gather, "descending")),
       steps_of(job(name, all_gather, "ascending"))}));
  const std::uint64_t cut = bound_of(job(name, exchange, "first-fit"));
  rows.push_back(figures(
      tree, "", "total exchange, constant: phases, first fit, bound",
      {(n * n - 1) / (k + 1) + 2 * h - 1, cut, printed_cut(tree, 1)},
      {steps_of(job(name, exchange, "phases")), steps_of(job(name, exchange, "first-fit")), cut}));
  const std::uint64_t least = n + 2 * h - 2 - (k == 2 && h >= 3 ? 1 : 0);
  rows.push_back(figures(tree, "exponential",
                         "total exchange, exponential: phases, class sequence, bound",
                         {n + 2 * h - 2, least, least},
                         {steps_of(job(exponential, exchange, "phases")),
                          steps_of(job(exponential, exchange, "class-sequence")),
                          bound_of(job(exponential, exchange, "class-sequence"))}));
  return rows;
}

}  // namespace

PaperRows table_6_1() {
  PaperRows rows;
  for (const Tree& tree : table_trees) {
    const std::string name = tree.name();
    append(rows,
           {counted("", "broadcasting", tree, printed_broadcast(tree),
                    job(name, broadcast, "parent-first")),
            counted("", "scattering", tree, printed_scatter(tree),
                    job(name, scatter, "furthest-first"), 9),
            counted("", "gathering", tree, printed_scatter(tree), job(name, gather, "reversed"), 9),
            counted("", "multinode broadcasting", tree, printed_all_gather(tree),
                    job(name, all_gather, "in-turn"), 8),
            counted("", "total exchange", tree, printed_exchange(tree),
                    job(name, exchange, "up-first"), 1)});
  }
  return rows;
}

PaperRows table_6_2() {
  PaperRows rows;
  for (const Tree& tree : table_trees) {
    const std::string name = tree.name();
    append(rows,
           {counted("", "broadcasting", tree, 2 * tree.h - 1, job(name, broadcast, "flooding"), 3),
            counted("", "scattering", tree, printed_scatter(tree),
                    job(name, scatter, "furthest-first"), 9),
            counted("", "gathering", tree, printed_scatter(tree), job(name, gather, "greedy"), 9),
            counted("", "multinode broadcasting", tree, printed_scatter(tree),
                    job(name, all_gather, "flooding"), 9)});
    for (const char* const capacities : {"", "exponential"}) {
      const bool grows = capacities[0] != '\0';
      const std::string of_them = tree.name(capacities);
      const std::uint64_t printed = printed_cut(tree, grows ? tree.below(tree.h - 1) : 1);
      const Job run = job(of_them, exchange, grows ? "class-sequence" : "first-fit");
      rows.push_back(counted("", "total exchange, at least", tree, printed, run, 29));
    }
  }
  return rows;
}

PaperRows small_trees() {
  PaperRows rows;
  for (const Tree& tree : std::array<Tree, 12>{{{2, 1},
                                                {2, 2},
                                                {2, 3},
                                                {2, 4},
                                                {2, 5},
                                                {3, 1},
                                                {3, 2},
                                                {3, 3},
                                                {4, 2},
                                                {4, 3},
                                                {5, 2},
                                                {8, 2}}})
    append(rows, rows_of(tree));
  return rows;
}

PaperRows arities() {
  struct Measured {
    const char* where;
    Operation operation;
    const char* algorithm;
    std::uint64_t most_leaves;
  };
  PaperRows rows;
  for (const auto& [where, operation, algorithm, most_leaves] :
       {Measured{"Ours: broadcast with one send, by arity", broadcast, "parent-first", 4096},
        {"Ours: all-gather with one send, by arity", all_gather, "in-turn", 256},
        {"Ours: total exchange with one send, by arity", exchange, "up-first", 256}})
    for (const std::uint64_t k : {2U, 4U, 8U, 16U, 64U, 256U})
      for (const std::uint64_t leaves : {16U, 64U, 256U, 4096U}) {
        Tree tree{k, 1};
        while (tree.n() < leaves) ++tree.h;
        if (tree.n() != leaves || leaves > most_leaves) continue;
        PaperRow row =
            claim(where, 0, "steps", "", text(steps_of(job(tree.name(), operation, algorithm))));
        row.curve = fmt::format("k = {}", k);
        rows.push_back(on(tree, std::move(row)));
      }
  return rows;
}

}  // namespace lockstep::papers::fat_trees
