// SPDX-License-Identifier: Apache-2.0

#include "lockstep/program/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "program/seen_lists.hpp"

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

/// Size of an array whose entries have numbers. Throws InvalidParameter where there are too many.
[[nodiscard]] std::uint32_t checked_size(const char* what, std::uint64_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max())
    throw invalid("schedule: more than 2^32 - 1 {}", what);
  return static_cast<std::uint32_t>(size);
}

}  // namespace

struct Schedule::Writing {
  SeenLists actions{};
  SeenLists elements{};
  SeenLists lists{};
};

Schedule::Schedule() = default;
Schedule::Schedule(Schedule&&) noexcept = default;
Schedule& Schedule::operator=(Schedule&&) noexcept = default;
Schedule::~Schedule() = default;

Schedule::Schedule(std::uint64_t nodes, std::vector<std::uint32_t> regions)
    : nodes_(nodes),
      classes_(nodes),
      regions_(std::move(regions)),
      writing_(std::make_unique<Writing>()) {
  if (nodes >= std::numeric_limits<std::uint32_t>::max())
    throw invalid("schedule: {} nodes; allowed: fewer than 2^32 - 1", nodes);
  if (regions_.size() > max_regions)
    throw invalid("schedule: {} regions; allowed: {}", regions_.size(), max_regions);
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

void Schedule::set_classes(std::vector<std::uint32_t> class_of) {
  relative_ = true;
  class_of_ = std::move(class_of);
  classes_ = 1;
  for (const std::uint32_t c : class_of_) classes_ = std::max(classes_, c + std::uint64_t{1});
  std::vector<bool> seen(classes_);
  for (const std::uint32_t c : class_of_) seen[c] = true;
  if (const auto none = std::ranges::find(seen, false); !class_of_.empty() && none != seen.end())
    throw invalid("schedule: class {} of {} has no nodes", none - seen.begin(), classes_);
  if (classes_ == 1) class_of_.clear();
}

Schedule Schedule::without_turns(std::vector<std::uint32_t> class_of) const {
  Schedule other(nodes_, regions_);
  other.set_classes(std::move(class_of));
  other.elements_ = elements_;
  other.slots_ = slots_;
  other.lists_ = lists_;
  return other;
}

void Schedule::reserve(std::uint64_t turns) {
  turns_.reserve(turns);
  turn_classes_.reserve(turns);
}

void Schedule::next_turn(std::uint64_t step, std::uint64_t of_class) {
  end_turn();
  turns_.push_back({checked_size("steps", step), 0});
  turn_classes_.push_back(static_cast<std::uint32_t>(of_class));
  last_turn_step_ = std::max(last_turn_step_, step);
}

void Schedule::end_turn() {
  if (turns_.empty()) return;
  const auto next = static_cast<std::uint32_t>(first_action_.size() - 1);
  const std::span<const Action> own = std::span(actions_).subspan(first_action_.back());
  const std::uint32_t number = writing_->actions.number_of(own, next, [this](std::uint32_t known) {
    return actions(Turn{0, known});
  });
  turns_.back().actions = number;
  if (number == next)
    first_action_.push_back(checked_size("actions", actions_.size()));
  else
    actions_.erase(actions_.end() - static_cast<std::ptrdiff_t>(own.size()), actions_.end());
}

GatherList Schedule::add_list(std::span<const std::uint32_t> slots) {
  const auto next = static_cast<std::uint32_t>(lists_.size());
  const std::uint32_t number = writing_->lists.number_of(
      slots, next, [this](std::uint32_t known) { return list(static_cast<GatherList>(known)); });
  if (number != next) return static_cast<GatherList>(number);
  return add_list(add_slots(slots), static_cast<std::uint32_t>(slots.size()));
}

std::uint32_t Schedule::add_slots(std::span<const std::uint32_t> slots) {
  const auto first = static_cast<std::uint32_t>(slots_.size());
  (void)checked_size("slots in lists", slots_.size() + slots.size());
  slots_.insert(slots_.end(), slots.begin(), slots.end());
  return first;
}

/// The limits are those of a message's descriptor.
GatherList Schedule::add_list(SlotNumber first, std::uint32_t count) {
  if (lists_.size() > max_region_blocks || count > max_region_blocks)
    throw invalid("schedule: list {} of {} blocks; allowed: lists and lengths up to {}",
                  lists_.size(), count, max_region_blocks);
  lists_.push_back({first, count});
  return static_cast<GatherList>(lists_.size() - 1);
}

template <class List>
Elements Schedule::elements(const List& list) {
  const auto next = static_cast<std::uint32_t>(elements_.size());
  const auto at = [&](std::uint32_t first) {
    const std::size_t behind = elements_.size() - first;
    return std::span(elements_).subspan(first, std::min(list.size(), behind));
  };
  const std::uint32_t first = writing_->elements.number_of(std::span(list), next, at);
  if (first == next) {
    (void)checked_size("origins", elements_.size() + list.size());
    for (const auto& one : list) elements_.push_back(checked_size("origins", index(one)));
  }
  return {first, static_cast<std::uint32_t>(list.size())};
}

Elements Schedule::add_elements(std::span<const NodeId> nodes) { return elements(nodes); }

/// Whether the origin is the node whose turn is written.
bool Schedule::is_own(Origin origin) const noexcept {
  return index(origin) == turn_classes_.back();
}

void Schedule::add(Action::Kind of_blocks, Action::Kind of_list, Port port, Region region,
                   std::span<const std::uint32_t> slots, Elements elements) {
  if (are_consecutive(slots))
    add({of_blocks, port, as_blocks(region, slots), elements, 0});
  else
    add({of_list, port, {region, 0, 0}, elements, index(add_list(slots))});
}

void Schedule::take_combine(Port port, Region region, std::span<const std::uint32_t> own,
                            std::span<const std::uint32_t> into, Operands order) {
  const Elements how{static_cast<std::uint32_t>(order), 0};
  if (std::ranges::equal(own, into) && !are_consecutive(into))
    return add({Action::Kind::take_combine_list, port, {region, 0, 0}, how, index(add_list(into))});
  if (!are_consecutive(own) || !are_consecutive(into) || own.size() != into.size())
    throw InvalidParameter(
        "schedule: a message cannot be combined with a list of blocks and stored elsewhere");
  add({Action::Kind::take_combine_into, port, as_blocks(region, into), how, own.front()});
}

void Schedule::take_deliver(Port port, SlotNumber first, std::span<const Origin> origins) {
  const Blocks blocks{Region{}, first, static_cast<std::uint32_t>(origins.size())};
  add({Action::Kind::take_deliver, port, blocks, elements(origins), 0});
}

void Schedule::combine(Blocks left, Blocks right, Blocks into) {
  if (left.region != into.region || right.region != into.region)
    throw InvalidParameter("schedule: blocks of different regions cannot be combined");
  add({Action::Kind::combine, {}, into, {left.first, 0}, right.first});
}

void Schedule::load(Region region, SlotNumber first, std::span<const LoadedBlock> blocks) {
  if (blocks.size() == 1 && is_own(blocks.front().origin))
    return load({region, first, 1}, blocks.front().destination);
  std::vector<Origin> pairs;
  for (const LoadedBlock& block : blocks) {
    pairs.push_back(block.origin);
    pairs.push_back(Origin{block.destination});
  }
  const Blocks into{region, first, static_cast<std::uint32_t>(blocks.size())};
  add({Action::Kind::load_pairs, {}, into, elements(pairs), 0});
}

void Schedule::load(Blocks into, NodeId destination) {
  const Elements elements = is_own(destination) ? Elements{} : add_elements({&destination, 1});
  add({Action::Kind::load, {}, into, elements, 0});
}

void Schedule::deliver(Region region, SlotNumber first, std::span<const Origin> origins) {
  const Blocks own{region, first, static_cast<std::uint32_t>(origins.size())};
  const bool of_node = origins.size() == 1 && is_own(origins.front());
  add({Action::Kind::deliver, {}, own, of_node ? Elements{} : elements(origins), 0});
}

void Schedule::close(std::uint64_t steps, std::vector<Phase> phases) {
  end_turn();
  writing_.reset();
  steps_ = steps;
  phases_ = std::move(phases);
  expects(last_turn_step_ <= steps, "turns belong to the run");
  (void)checked_size("turns of nodes", turns_.size());
  actions_.shrink_to_fit();
  first_action_.shrink_to_fit();
  elements_.shrink_to_fit();
  if (is_of_one_class()) return fill_steps();
  sort_turns();
  if (relative_) list_nodes();
}

void Schedule::fill_steps() {
  const auto idle = static_cast<std::uint32_t>(first_action_.size() - 1);
  std::vector<Turn> all(steps_ + 1);
  for (std::uint64_t step = 0; step <= steps_; ++step)
    all[step] = {static_cast<std::uint32_t>(step), idle};
  for (const Turn& turn : turns_) all[turn.step] = turn;
  if (all.size() != turns_.size()) first_action_.push_back(first_action_.back());
  turns_ = std::move(all);
  turn_classes_ = {};
  first_turn_ = {0, static_cast<std::uint32_t>(turns_.size())};
}

/// Each counted, then put into place: by step, by class.
void Schedule::sort_turns() {
  std::vector<std::uint32_t> by_step(turns_.size());
  first_in_step_.assign(steps_ + 3, 0);
  for (const Turn& turn : turns_) ++first_in_step_[turn.step + std::size_t{2}];
  std::partial_sum(first_in_step_.begin(), first_in_step_.end(), first_in_step_.begin());
  for (std::size_t i = 0; i < turns_.size(); ++i)
    by_step[first_in_step_[turns_[i].step + std::size_t{1}]++] = turn_classes_[i];
  first_turn_.assign(classes_ + 2, 0);
  for (const std::uint32_t c : turn_classes_) ++first_turn_[c + std::size_t{2}];
  std::partial_sum(first_turn_.begin(), first_turn_.end(), first_turn_.begin());
  if (std::ranges::is_sorted(turn_classes_)) {
    first_turn_.erase(first_turn_.begin());
  } else {
    std::vector<Turn> by_class(turns_.size());
    for (std::size_t i = 0; i < turns_.size(); ++i)
      by_class[first_turn_[turn_classes_[i] + std::size_t{1}]++] = turns_[i];
    turns_ = std::move(by_class);
  }
  turn_classes_ = std::move(by_step);
}

void Schedule::list_nodes() {
  class_nodes_.resize(nodes_);
  std::iota(class_nodes_.begin(), class_nodes_.end(), 0U);
  std::ranges::stable_sort(class_nodes_, {}, [this](std::uint32_t u) { return class_of_[u]; });
  first_node_.assign(classes_ + 1, 0);
  for (const std::uint32_t c : class_of_) ++first_node_[c + std::size_t{1}];
  std::partial_sum(first_node_.begin(), first_node_.end(), first_node_.begin());
}

/// In a schedule of few classes, these are the nodes from the first class that acts to the last.
std::span<const std::uint32_t> Schedule::nodes_in(std::uint64_t step) const noexcept {
  if (step > steps_) return {};
  const std::span<const std::uint32_t> classes{turn_classes_.data() + first_in_step_[step],
                                               turn_classes_.data() + first_in_step_[step + 1]};
  if (!relative_ || classes.empty()) return classes;
  const auto [least, most] = std::ranges::minmax(classes);
  return {class_nodes_.data() + first_node_[least], class_nodes_.data() + first_node_[most + 1]};
}

std::vector<NodeId> Schedule::elements() const {
  std::vector<NodeId> nodes;
  nodes.reserve(elements_.size());
  for (const std::uint32_t element : elements_) nodes.push_back(NodeId{element});
  return nodes;
}

bool Schedule::is_control(Region region) const noexcept {
  return std::ranges::find(control_, region) != control_.end();
}

std::uint64_t Schedule::bytes() const noexcept {
  const auto of = [](const auto& list) { return list.size() * sizeof(list[0]); };
  return of(sizes_) + of(actions_) + of(first_action_) + of(elements_) + of(slots_) + of(lists_) +
         of(turns_) + of(first_turn_) + of(turn_classes_) + of(first_in_step_) + of(class_of_) +
         of(class_nodes_) + of(first_node_);
}

std::uint64_t Schedule::writing_bytes() const noexcept {
  return bytes() + turns_.size() * (sizeof(Turn) + sizeof(std::uint32_t));
}

}  // namespace lockstep
