// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: one processor in one step, and many of them at once.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans, class H>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans, H>::run_processor(Pass& pass,
                                                                               NodeId node) {
  StepView<Pass> here(pass, node);
  program_(here);

  detail::TaskCounts& counts = pass.counts;
  counts.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.receivers += static_cast<std::uint64_t>(here.taken_ != 0);
  counts.messages += here.sends_;
  counts.taken += here.taken_;
  taken_[index(node)] = static_cast<Taken>(here.taken_);
  if constexpr (queues) lowest_taken_[index(node)] = here.lowest_taken_;
  if constexpr (!Pass::usual)
    if (pass.track_activity) note_activity(pass, node, here.sends_ != 0, here.taken_ != 0);
  if (here.sends_ > pass.max_sends) [[unlikely]]
    here.report(pass.step, node, here.last_sent_, lockstep::Rule::sends, here.sends_);
  if (here.taken_ > pass.max_receptions) [[unlikely]]
    here.report(pass.step - 1, node, here.lowest_taken_, lockstep::Rule::receptions, here.taken_);
}

/// What run_processor() does, for `size` processors.
template <class Net, class Prog, class Chans, class H>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans, H>::run_group(Pass& pass, NodeId first,
                                                                           std::size_t size) {
  GroupView<Pass> here(pass, first, size);
  program_.together(here);

  detail::TaskCounts& counts = pass.counts;
  counts.senders += here.sends_ != 0 ? size : 0;
  counts.messages += here.sends_ * size;
  Taken* const taken = taken_.data() + index(first);
  std::fill_n(taken, size, static_cast<Taken>(here.takes_));
  std::uint64_t receivers = here.takes_ != 0 ? size : 0;
  std::uint64_t missing = 0;
  for (std::size_t k = 0; here.incomplete_ && k < size; ++k) {
    taken[k] = static_cast<Taken>(here.taken(k));
    missing += here.takes_ - here.taken(k);
    receivers -= static_cast<std::uint64_t>(here.taken(k) == 0);
  }
  counts.receivers += receivers;
  counts.taken += here.takes_ * size - missing;
  if constexpr (queues)
    for (std::size_t k = 0; k < size; ++k)
      if (here.taken(k) != 0) lowest_taken_[index(first) + k] = here.lowest_taken(k);
  if (here.sends_ > pass.max_sends || here.takes_ > pass.max_receptions) [[unlikely]]
    report_group(pass, here);
}

template <class Net, class Prog, class Chans, class H>
template <class Pass>
void Machine<Net, Prog, Chans, H>::report_group(Pass& pass, const GroupView<Pass>& here) {
  for (std::size_t k = 0; k < here.size(); ++k) {
    const NodeId node{index(here.first()) + k};
    const std::uint32_t taken = here.taken(k);
    if (here.sends_ > pass.max_sends)
      detail::report(*pass.violations,
                     {pass.step, node, here.last_sent_, lockstep::Rule::sends, here.sends_});
    if (taken > pass.max_receptions)
      detail::report(*pass.violations, {pass.step - 1, node, here.lowest_taken(k),
                                        lockstep::Rule::receptions, taken});
  }
}

}  // namespace lockstep
