// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/sent_slots.hpp"

#include <algorithm>
#include <cstddef>

namespace lockstep::detail {
namespace {

[[nodiscard]] std::span<const SlotRange> part_of(const std::vector<SlotRange>& all,
                                                 std::size_t begin, std::size_t end) {
  return std::span(all).subspan(begin, end - begin);
}

/// Visits what was sent, as ranges, in the order of the list.
template <class Visit>
void for_ranges_of(SlotRange range, std::span<const std::uint32_t> slots, Visit visit) {
  if (slots.empty()) return visit(range);
  for_ranges(range.region(), slots, [&](Blocks blocks) { visit(SlotRange::of(blocks)); });
}

}  // namespace

void ListedRanges::add(NodeId node, SlotRange range, std::span<const std::uint32_t> slots) {
  if (nodes_.empty() || nodes_.back().node != node)
    nodes_.push_back({node, {sent_.size(), sent_.size()}});
  OfNode& last = nodes_.back();
  last.ordered = {};
  sent_.push_back({range, slots});
  last.sent.end = sent_.size();
}

std::size_t ListedRanges::number_of(NodeId node) const {
  const auto of = std::ranges::lower_bound(nodes_, node, {}, &OfNode::node);
  return static_cast<std::size_t>(of - nodes_.begin());
}

void ListedRanges::put_in_order(NodeId node) {
  OfNode& of = nodes_[number_of(node)];
  if (of.ordered.end != 0) return;
  const std::size_t begin = ordered_.size();
  for (std::size_t i = of.sent.begin; i < of.sent.end; ++i)
    for_ranges_of(sent_[i].range, sent_[i].slots,
                  [&](SlotRange range) { ordered_.push_back(range); });
  const auto first = ordered_.begin() + static_cast<std::ptrdiff_t>(begin);
  std::sort(first, ordered_.end(),
            [](const SlotRange& a, const SlotRange& b) { return a.first < b.first; });
  auto last = first;
  for (auto next = first; next != ordered_.end(); ++next)
    if (last->touches(*next))
      last->include(*next);
    else
      *++last = *next;
  ordered_.erase(last + 1, ordered_.end());
  of.ordered = {begin, ordered_.size()};
}

SlotRange ListedRanges::lowest_in(SlotRange range, NodeId node) const {
  SlotRange lowest;
  const auto meet = [&](SlotRange sent) {
    const SlotRange both{std::max(sent.first, range.first), std::min(sent.last, range.last)};
    if (both.first < both.last && (lowest.last == 0 || both.first < lowest.first)) lowest = both;
  };
  const OfNode& of = nodes_[number_of(node)];
  if (of.ordered.end != 0) {
    const auto ordered = part_of(ordered_, of.ordered.begin, of.ordered.end);
    const auto first = std::ranges::partition_point(
        ordered, [&](const SlotRange& sent) { return sent.last <= range.first; });
    if (first != ordered.end()) meet(*first);
    return lowest;
  }
  for (std::size_t i = of.sent.begin; i < of.sent.end; ++i)
    if (sent_[i].range.meets(range)) for_ranges_of(sent_[i].range, sent_[i].slots, meet);
  return lowest;
}

}  // namespace lockstep::detail
