// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool are_consecutive(std::span<const std::uint32_t> slots) {
  for (std::size_t i = 1; i < slots.size(); ++i)
    if (slots[i] != slots[0] + i) return false;
  return !slots.empty();
}

[[nodiscard]] Blocks as_blocks(Region region, std::span<const std::uint32_t> slots) {
  return {region, slots.front(), static_cast<std::uint32_t>(slots.size())};
}

}  // namespace

Schedule::Schedule(std::uint64_t nodes, std::vector<std::uint32_t> regions)
    : nodes_(nodes), regions_(std::move(regions)), first_in_step_{0} {
  if (nodes >= std::numeric_limits<std::uint32_t>::max())
    throw InvalidParameter(fmt::format("schedule: {} nodes, allowed below 2^32 - 1", nodes));
  if (regions_.size() > max_regions)
    throw InvalidParameter(
        fmt::format("schedule: {} regions, allowed {}", regions_.size(), max_regions));
}

void Schedule::set_sizes(NodeId node, std::span<const std::uint32_t> blocks) {
  if (std::ranges::equal(blocks, regions_)) return;
  if (sizes_.empty()) {
    sizes_.reserve(nodes_ * regions_.size());
    for (std::uint64_t u = 0; u < nodes_; ++u)
      sizes_.insert(sizes_.end(), regions_.begin(), regions_.end());
  }
  std::ranges::copy(blocks,
                    sizes_.begin() + static_cast<std::ptrdiff_t>(index(node) * regions_.size()));
}

void Schedule::begin_step(std::uint64_t step) {
  expects(step >= step_, "steps are written in order");
  first_in_step_.resize(step + 1, turn_node_.size());
  step_ = step;
}

void Schedule::begin_turn(NodeId node) {
  if (turn_node_.size() == std::numeric_limits<std::uint32_t>::max())
    throw InvalidParameter("schedule: more than 2^32 - 1 turns of nodes");
  turn_node_.push_back(static_cast<std::uint32_t>(index(node)));
  turn_step_.push_back(step_);
  first_action_.push_back(actions_.size());
}

std::uint32_t Schedule::add_list(std::span<const std::uint32_t> slots) {
  // Neighbouring turns often use one list; the limit is that of a message's descriptor.
  constexpr std::uint64_t looked_at = 64;
  const std::uint64_t lists = first_of_list_.size() - 1;
  for (std::uint64_t i = lists; i > 0 && i + looked_at > lists; --i)
    if (std::ranges::equal(list(static_cast<GatherList>(i - 1)), slots))
      return static_cast<std::uint32_t>(i - 1);
  if (lists > max_region_blocks || slots.size() > max_region_blocks)
    throw InvalidParameter(
        fmt::format("schedule: list {} of {} blocks, allowed lists and lengths up to {}", lists,
                    slots.size(), max_region_blocks));
  slots_.insert(slots_.end(), slots.begin(), slots.end());
  first_of_list_.push_back(slots_.size());
  return static_cast<std::uint32_t>(lists);
}

Elements Schedule::elements(std::span<const Origin> origins) {
  if (elements_.size() + origins.size() > std::numeric_limits<std::uint32_t>::max())
    throw InvalidParameter("schedule: more than 2^32 - 1 origins");
  const auto first = static_cast<std::uint32_t>(elements_.size());
  for (const Origin origin : origins) elements_.push_back(NodeId{index(origin)});
  return {first, static_cast<std::uint32_t>(origins.size())};
}

void Schedule::take_store(Port port, Region region, std::span<const std::uint32_t> slots) {
  if (are_consecutive(slots))
    add({Action::Kind::take_store, port, as_blocks(region, slots), {}, 0});
  else
    add({Action::Kind::take_scatter, port, {region, 0, 0}, {}, add_list(slots)});
}

void Schedule::take_combine(Port port, Region region, std::span<const std::uint32_t> own,
                            std::span<const std::uint32_t> into, Operands order) {
  const Elements how{static_cast<std::uint32_t>(order), 0};
  if (std::ranges::equal(own, into) && !are_consecutive(into))
    return add({Action::Kind::take_combine_list, port, {region, 0, 0}, how, add_list(into)});
  if (!are_consecutive(own) || !are_consecutive(into) || own.size() != into.size())
    throw InvalidParameter(
        "schedule: a message is combined with a list of blocks and stored elsewhere");
  add({Action::Kind::take_combine_into, port, as_blocks(region, into), how, own.front()});
}

void Schedule::take_deliver(Port port, std::uint32_t first, std::span<const Origin> origins) {
  const Blocks blocks{Region{}, first, static_cast<std::uint32_t>(origins.size())};
  add({Action::Kind::take_deliver, port, blocks, elements(origins), 0});
}

void Schedule::copy(Blocks from, Blocks into) {
  add({Action::Kind::copy, {}, into, {index(from.region), 0}, from.first});
}

void Schedule::combine(Blocks left, Blocks right, Blocks into) {
  if (left.region != into.region || right.region != into.region)
    throw InvalidParameter("schedule: blocks of different regions are combined");
  add({Action::Kind::combine, {}, into, {left.first, 0}, right.first});
}

void Schedule::load(Region region, std::uint32_t first, std::span<const LoadedBlock> blocks) {
  std::vector<Origin> pairs;
  for (const LoadedBlock& block : blocks) {
    pairs.push_back(block.origin);
    pairs.push_back(block.destination);
  }
  const Blocks into{region, first, static_cast<std::uint32_t>(blocks.size())};
  add({Action::Kind::load_pairs, {}, into, elements(pairs), 0});
}

void Schedule::deliver(Region region, std::uint32_t first, std::span<const Origin> origins) {
  const Blocks own{region, first, static_cast<std::uint32_t>(origins.size())};
  add({Action::Kind::deliver, {}, own, elements(origins), 0});
}

void Schedule::send(Port port, Region region, std::span<const std::uint32_t> slots) {
  if (are_consecutive(slots))
    add({Action::Kind::send, port, as_blocks(region, slots), {}, 0});
  else
    add({Action::Kind::send_list, port, {region, 0, 0}, {}, add_list(slots)});
}

void Schedule::send(std::span<const Port> route, Region region,
                    std::span<const std::uint32_t> slots) {
  const Elements over{index(routes_.add(route)), 1};
  if (are_consecutive(slots))
    add({Action::Kind::send_route, {}, as_blocks(region, slots), over, 0});
  else
    add({Action::Kind::send_route_list, {}, {region, 0, 0}, over, add_list(slots)});
}

void Schedule::close(std::uint64_t steps, std::vector<Phase> phases) {
  steps_ = steps;
  phases_ = std::move(phases);
  expects(turn_step_.empty() || turn_step_.back() <= steps, "turns belong to the run");
  first_action_.push_back(actions_.size());
  first_in_step_.resize(steps + 2, turn_node_.size());
  first_turn_.assign(nodes_ + 1, 0);
  for (const std::uint32_t node : turn_node_) ++first_turn_[node + 1];
  std::partial_sum(first_turn_.begin(), first_turn_.end(), first_turn_.begin());
  turn_of_node_.resize(turn_node_.size());
  std::vector<std::uint64_t> next(first_turn_.begin(), first_turn_.end() - 1);
  for (std::size_t i = 0; i < turn_node_.size(); ++i)
    turn_of_node_[next[turn_node_[i]]++] = static_cast<std::uint32_t>(i);
}

std::span<const std::uint32_t> Schedule::nodes_in(std::uint64_t step) const noexcept {
  if (step > steps_) return {};
  return {turn_node_.data() + first_in_step_[step], turn_node_.data() + first_in_step_[step + 1]};
}

bool Schedule::is_control(Region region) const noexcept {
  return std::ranges::find(control_, region) != control_.end();
}

Schedule::Traffic Schedule::traffic() const {
  Traffic all;
  for (std::uint64_t step = 0; step <= steps_; ++step) {
    std::uint64_t messages = 0;
    std::uint64_t largest = 0;
    std::uint64_t most_words = 0;
    for (std::uint64_t i = first_in_step_[step]; i < first_in_step_[step + 1]; ++i)
      for (const Action& action : turn(i).actions) {
        const bool listed =
            action.kind == Action::Kind::send_list || action.kind == Action::Kind::send_route_list;
        if (!listed && action.kind != Action::Kind::send && action.kind != Action::Kind::send_route)
          continue;
        ++messages;
        const std::uint64_t blocks =
            listed ? list(static_cast<GatherList>(action.element_or_list)).size()
                   : action.blocks.count;
        std::uint64_t& most = is_control(action.blocks.region) ? most_words : largest;
        most = std::max(most, blocks);
      }
    all.messages += messages;
    all.startups += static_cast<std::uint64_t>(messages != 0);
    all.message_times += largest;
    all.control_words += most_words;
  }
  return all;
}

std::uint64_t Schedule::bytes() const noexcept {
  const auto of = [](const auto& list) { return list.size() * sizeof(list[0]); };
  return of(sizes_) + of(actions_) + of(elements_) + of(slots_) + of(first_of_list_) +
         of(turn_node_) + of(turn_step_) + of(first_action_) + of(first_in_step_) +
         of(first_turn_) + of(turn_of_node_);
}

}  // namespace lockstep
