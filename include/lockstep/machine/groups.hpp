// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Code of machines that run processors in groups: included by whoever compiles the machine of a
/// program with step_all() (UniformProgram). Other programs are compiled without it.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/group_view.hpp"
#include "lockstep/machine/detail/passes_together.hpp"
#include "lockstep/machine/detail/same_moves.hpp"
#include "lockstep/machine/machine.hpp"

namespace lockstep {

/// What run_processor() does, for `size` processors.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::run_group(Pass& pass, NodeId first,
                                                                        std::size_t size) {
  static_assert(detail::most_group == GroupView<Pass>::max_size);
  GroupView<Pass> here(pass, first, size);
  program_.step_all(here);
  if (here.digest_ != same_moves_->at(pass.step).digest) [[unlikely]]
    detail::refuse_moves();

  detail::TaskCounts& counts = pass.counts;
  counts.all.senders += here.sends_ != 0 ? size : 0;
  counts.messages += here.sends_ * size;
  counts.work.turns += size;
  Taken* const taken = taken_.data() + index(first);
  std::fill_n(taken, size, static_cast<Taken>(here.takes_));
  std::uint64_t receivers = here.takes_ != 0 ? size : 0;
  std::uint64_t missing = 0;
  for (std::size_t k = 0; here.incomplete_ && k < size; ++k) {
    taken[k] = static_cast<Taken>(here.taken(k));
    missing += here.takes_ - here.taken(k);
    receivers -= static_cast<std::uint64_t>(here.taken(k) == 0);
  }
  counts.all.receivers += receivers;
  counts.taken += here.takes_ * size - missing;
  if constexpr (queues)
    for (std::size_t k = 0; k < size; ++k)
      if (here.taken(k) != 0) lowest_taken_[index(first) + k] = here.lowest_taken(k);
  if (pass.trace != nullptr) here.sort_trace();
  pass.judge.sent_by_all(first, size, here.sent_through_);
  if (pass.track_activity) note_activity(pass, here);
  if (pass.judge.exceeds_sends(here.sends_) || pass.judge.exceeds_receptions(here.takes_))
      [[unlikely]]
    for (std::size_t k = 0; k < size; ++k) {
      pass.judge.sends(here.node(k), here.last_sent_, here.sends_);
      pass.judge.receptions(here.node(k), here.lowest_taken(k), here.taken(k));
    }
}

/// Mostly all of a group are alike, and their entries are looked at in one loop.
template <class Net, class Prog, class Chans>
template <class Pass>
void Machine<Net, Prog, Chans>::note_activity(Pass& pass, const GroupView<Pass>& here) {
  if (here.incomplete_) {
    for (std::size_t k = 0; k < here.size(); ++k)
      note_activity(pass, here.node(k), here.sends_ != 0, here.taken(k) != 0);
    return;
  }
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t* const sent_in = sent_in_.data() + index(here.first());
  if (here.takes_ != 0)
    pass.counts.all.busy +=
        static_cast<std::uint64_t>(std::count(sent_in, sent_in + here.size(), this_step - 1));
  if (here.sends_ != 0) std::fill_n(sent_in, here.size(), this_step);
}

}  // namespace lockstep
