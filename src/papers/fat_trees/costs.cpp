// SPDX-License-Identifier: Apache-2.0

/// What the machine counts, once for each run; and what the thesis prints, as it prints it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <stdexcept>
#include <utility>

#include "papers/fat_trees/fat_trees.hpp"

namespace lockstep::papers::fat_trees {
namespace {

[[nodiscard]] RunRequest request_of(const Job& job) {
  return {.topology = job.tree,
          .operation = job.operation,
          .algorithm = job.algorithm,
          .settings = job.settings,
          .block_bytes = 1,
          .workers = 1,
          .executor = ExecutorKind::serial};
}

}  // namespace

std::string Tree::name(std::string_view capacities) const {
  return fmt::format("fat-tree:{}^{}{}{}", k, h, capacities.empty() ? "" : ",", capacities);
}

const RunResult& result_of(const Job& job) {
  static std::map<std::string, RunResult> known;
  std::string name = fmt::format("{} {} {}", job.tree, name_of(job.operation), job.algorithm);
  for (const auto& [parameter, value] : job.settings)
    name += fmt::format(" {} {}", parameter, text_of(value));
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(std::move(name), prepare(request_of(job))->execute()).first->second;
}

std::uint64_t steps_of(const Job& job) {
  const RunResult& result = result_of(job);
  if (!result.ok()) throw std::runtime_error(job.tree + " " + job.algorithm + " failed");
  return result.record.steps;
}

std::uint64_t bound_of(const Job& job) {
  return result_of(job).estimate.lower_bound->undivided.message_times.rounded_up();
}

SendTrace trace_of(const Job& job) {
  SendTrace trace;
  (void)prepare(request_of(job))->execute({.trace = &trace});
  return trace;
}

std::string listed(const std::vector<std::uint64_t>& numbers) {
  return fmt::format("{}", fmt::join(numbers, " "));
}

std::string text(std::uint64_t number) { return fmt::format("{}", number); }

PaperRow on(std::string network, std::uint64_t size, PaperRow row) {
  row.topology = std::move(network);
  row.n = size;
  return row;
}

PaperRow on(const Tree& tree, PaperRow row) { return on(tree.name(), tree.n(), std::move(row)); }

PaperRow counted(std::string where, std::string quantity, const Tree& tree, std::uint64_t printed,
                 const Job& job, unsigned erratum) {
  const std::uint64_t steps = steps_of(job);
  return on(job.tree, tree.n(),
            claim(std::move(where), 0, std::move(quantity), text(printed), text(steps),
                  steps == printed ? 0 : erratum));
}

PaperRow lost(std::string where, std::string quantity) {
  PaperRow row = claim(std::move(where), 0, std::move(quantity), "a picture", "");
  row.lost = true;
  return row;
}

std::uint64_t printed_broadcast(const Tree& tree) { return (tree.k + 1) * tree.h - 1; }

std::uint64_t printed_scatter(const Tree& tree) { return tree.n() + (tree.k == 2 ? 1 : 0); }

std::uint64_t printed_all_gather(const Tree& tree) {
  return tree.k * tree.n() + (tree.k + 1) * tree.h - 2 * (tree.k + 1) + 1;
}

std::uint64_t printed_exchange(const Tree& tree) {
  const auto [k, h] = tree;
  return tree.n() * tree.n() * (2 * k + 1) * (k - 1) / (k * k * k) + 2 * h - 3;
}

std::uint64_t printed_cut(const Tree& tree, std::uint64_t top_capacity) {
  const std::uint64_t crossings = tree.below(tree.h - 1) * (tree.n() - tree.below(tree.h - 1));
  return (crossings + top_capacity - 1) / top_capacity + 2 * tree.h - 1;
}

std::uint64_t printed_phases(const Tree& tree, const std::vector<std::uint64_t>& capacities) {
  std::uint64_t steps = 2 * tree.h - 1;
  for (std::uint64_t i = 1; i <= tree.h; ++i)
    steps += ((tree.k - 1) * tree.below(2 * i - 2) + capacities[i - 1] - 1) / capacities[i - 1];
  return steps;
}

}  // namespace lockstep::papers::fat_trees
