// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/sent_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace lockstep::detail {

void ListedRanges::add(NodeId node, SlotRange range) {
  if (nodes_.empty() || nodes_.back().node != node) nodes_.push_back({node, ranges_.size(), false});
  ranges_.push_back(range);
}

void ListedRanges::close() {
  const auto begin = ranges_.begin() + static_cast<std::ptrdiff_t>(nodes_.back().at);
  std::sort(begin, ranges_.end(),
            [](const SlotRange& a, const SlotRange& b) { return a.first < b.first; });
  auto last = begin;
  for (auto next = begin; next != ranges_.end(); ++next)
    if (last->touches(*next))
      last->include(*next);
    else
      *++last = *next;
  ranges_.erase(last + 1, ranges_.end());
  nodes_.back().closed = true;
}

SlotRange ListedRanges::lowest_in(SlotRange range, NodeId node) const {
  const auto of = std::lower_bound(nodes_.begin(), nodes_.end(), node,
                                   [](const Begin& b, NodeId n) { return b.node < n; });
  const auto behind = std::next(of) == nodes_.end() ? ranges_.size() : std::next(of)->at;
  std::size_t i = of->at;
  if (of->closed)
    i = static_cast<std::size_t>(
        std::partition_point(ranges_.begin() + static_cast<std::ptrdiff_t>(i),
                             ranges_.begin() + static_cast<std::ptrdiff_t>(behind),
                             [&](const SlotRange& r) { return r.last <= range.first; }) -
        ranges_.begin());
  SlotRange lowest;
  for (; i < behind && !(of->closed && ranges_[i].first >= range.last); ++i) {
    const SlotRange both{std::max(ranges_[i].first, range.first),
                         std::min(ranges_[i].last, range.last)};
    if (both.first < both.last && (lowest.last == 0 || both.first < lowest.first)) lowest = both;
  }
  return lowest;
}

}  // namespace lockstep::detail
