// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/delivery_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/fraction.hpp"

namespace lockstep {

InjectionTimes::InjectionTimes(const std::function<void(const Inject&)>& inject_all) {
  inject_all([this](std::uint64_t step, std::uint64_t sender, std::uint64_t word) {
    expects(std::max(sender, word) >> 32U == 0, "injection times: senders and words below 2^32");
    if (begin_.size() < step + 2) begin_.resize(step + 2);
    ++begin_[step + 1];
  });
  for (std::size_t step = 1; step < begin_.size(); ++step) begin_[step] += begin_[step - 1];
  senders_.resize(begin_.back());
  words_.resize(begin_.back());
  // Afterwards begin_[step] is where the next step begins.
  inject_all([&](std::uint64_t step, std::uint64_t sender, std::uint64_t word) {
    const std::uint64_t place = begin_[step]++;
    senders_[place] = static_cast<std::uint32_t>(sender);
    words_[place] = static_cast<std::uint32_t>(word);
  });
  std::copy_backward(begin_.begin(), begin_.end() - 1, begin_.end());
  begin_.front() = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> of_step;
  for (std::size_t step = 0; step + 1 < begin_.size(); ++step) {
    of_step.clear();
    for (std::uint64_t i = begin_[step]; i < begin_[step + 1]; ++i)
      of_step.emplace_back(senders_[i], words_[i]);
    std::ranges::stable_sort(of_step, {}, [](const auto& one) { return one.first; });
    std::uint64_t place = begin_[step];
    for (const auto& [sender, word] : of_step) {
      senders_[place] = sender;
      words_[place++] = word;
    }
  }
}

FatTreeWays::FatTreeWays(const SwitchTree& tree, FatTreeColumns columns)
    : leaves_(tree.processor_count()) {
  constexpr WideCount most = WideCount{1} << 32U;
  const std::uint64_t used = columns == FatTreeColumns::first ? 1 : tree.columns(tree.height());
  if (WideCount{leaves_.value()} * used > most)
    throw ResourceExhausted(fmt::format(
        "{}: {} processors times {} columns; allowed: up to 2^32 if each message has its own route",
        tree.name(), grouped(leaves_.value()), grouped(used)));
}

std::uint64_t column_of_digits(const SwitchTree& tree, std::uint64_t destination) {
  if (tree.has_one_column()) return 0;
  std::uint64_t column = 0;
  for (std::size_t level = 1; level < tree.height(); ++level) {
    const std::uint64_t digit = destination / tree.leaves_below(level - 1) % tree.arity(level);
    column += digit % tree.parents(level + 1) * tree.columns(level);
  }
  return column;
}

FatTreeDelivery::FatTreeDelivery(const SwitchTree& tree, FatTreeColumns columns,
                                 std::shared_ptr<const InjectionTimes> injections)
    : injections_(std::move(injections)), tree_(tree), columns_(columns), ways_(tree, columns) {
  const SwitchTree used = used_tree(tree, columns);
  for (std::size_t level = 0; level <= tree.height(); ++level) {
    slots_.push_back(static_cast<std::uint32_t>(2 * used.degree_of_level(level)));
    has_lanes_.push_back((level != 0 && tree.lanes(level) != 1) ||
                         (level != tree.height() && tree.lanes(level + 1) != 1));
  }
}

Footprint FatTreeDelivery::footprint(const SwitchTree& tree, FatTreeColumns columns,
                                     std::uint64_t steps, std::uint64_t messages,
                                     std::uint64_t hops, std::uint64_t planning) {
  const SwitchTree used = used_tree(tree, columns);
  bool has_lanes = false;
  for (std::size_t i = 1; i <= tree.height(); ++i) has_lanes = has_lanes || tree.lanes(i) != 1;
  return {.steps = steps,
          .hops = hops,
          .blocks_per_processor = 2 * used.max_degree(),
          .blocks_of_all = 4 * *used.link_count(),
          .plan_bytes = InjectionTimes::bytes(messages, steps) + planning +
                        (has_lanes ? branch_variables(used) : 0)};
}

}  // namespace lockstep
