// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/channels.hpp"

#include <cstring>

namespace lockstep {

SlotChannels::SlotChannels(const ArcLayout& arcs) : arcs_(arcs) {
  for (HugeBuffer& slots : slots_) slots = HugeBuffer(bytes(arcs) / 2);
}

void SlotChannels::begin_step(std::uint64_t step) {
  // relaxed: one thread, before the parallel loop that sends.
  if (keeps_rows() && step % stamps < row_steps)
    for (Row& row : rows_[step % row_steps]) row.store(0, std::memory_order_relaxed);
  if (!clears_slots(step)) return;
  const HugeBuffer& slots = slots_[step % 2];
  if (slots.size() != 0) std::memset(slots.data(), 0, slots.size());
}

MailboxChannels::MailboxChannels(const ArcLayout& arcs)
    : boxes_{std::make_unique<Box[]>(arcs.nodes()), std::make_unique<Box[]>(arcs.nodes())},
      nodes_(arcs.nodes()) {}

void MailboxChannels::begin_step(std::uint64_t step) {
  if (step % stamps >= 2) return;
  Box* const boxes = boxes_[step % 2].get();
  // relaxed: one thread, before the parallel loop that pushes.
  for (std::uint64_t i = 0; i < nodes_; ++i) boxes[i].store(0, std::memory_order_relaxed);
}

WormholeChannels::WormholeChannels(const ArcLayout& arcs)
    : arcs_(arcs),
      links_{std::make_unique<Word[]>(arcs.size()), std::make_unique<Word[]>(arcs.size())},
      outbox_{std::vector<Outgoing>(arcs.size()), std::vector<Outgoing>(arcs.size())} {}

void WormholeChannels::begin_step(std::uint64_t step) {
  if (step % stamps >= 2) return;
  // relaxed: one thread, before the parallel loop that sends.
  for (std::uint64_t i = 0; i < arcs_.size(); ++i)
    links_[step % 2][i].store(0, std::memory_order_relaxed);
  outbox_[step % 2].assign(arcs_.size(), {});
}

}  // namespace lockstep
