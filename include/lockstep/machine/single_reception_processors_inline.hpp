// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of single_reception_machine.hpp: the processors of a range of nodes in one step.

#include <bit>

#include "lockstep/machine/single_reception_machine.hpp"

namespace lockstep {

template <class Net, class Prog>
void SingleReceptionMachine<Net, Prog>::run_task(PassPlace place, std::size_t range,
                                                 Outcome& outcome) {
  detail::DeliveryBatch batch(host_, outcome.deliveries, outcome.verify_seconds);
  Pass pass{.network = network_,
            .boxes = {boxes_, place.step},
            .step = place.step,
            .last_call = place.last_call,
            .laws_are_proven = laws_are_proven_,
            .judge = {options_.model, place, nullptr, outcome.violations},
            .block_bytes = options_.block_bytes,
            .host = host_,
            .variables = variables_.data(),
            .batch = batch,
            .rejected = rejected_[range],
            .trace = options_.trace == nullptr ? nullptr : &outcome.trace};
  const std::uint64_t first = range * range_words_;
  run_words(pass, first, std::min(first + range_words_, detail::NodeBits::words(nodes_)));
  batch.flush();
  outcome.counts = pass.counts;
  outcome.counts.processors = pass.counts.all.without(pass.switches);
}

/// Flat, so that a node's view lives in registers.
template <class Net, class Prog>
[[gnu::flatten]] void SingleReceptionMachine<Net, Prog>::run_words(Pass& pass, std::uint64_t first,
                                                                   std::uint64_t last) {
  for (std::uint64_t word = first; word < last; ++word) {
    const auto [arrived, others] = pass.boxes.drain(word);
    for (std::uint64_t bits = arrived | others; bits != 0; bits &= bits - 1) {
      const std::uint64_t bit = bits & (~bits + 1);
      const NodeId node{word * detail::NodeBits::nodes_per_word +
                        static_cast<std::uint64_t>(std::countr_zero(bits))};
      run_processor(pass, node, (arrived & bit) != 0 ? View::Message::waits : View::Message::none);
    }
  }
}

template <class Net, class Prog>
[[gnu::always_inline]] inline void SingleReceptionMachine<Net, Prog>::run_processor(
    Pass& pass, NodeId node, typename View::Message message) {
  View here(pass, node, message);
  run_rule(program_, here);

  detail::TaskCounts& counts = pass.counts;
  counts.all.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.messages += here.sends_;
  counts.blocks += here.sends_;
  counts.largest |= static_cast<std::uint64_t>(here.sends_ != 0);
  counts.ports_used |= here.sent_through_;
  if (here.is_switch())
    pass.switches += {static_cast<std::uint64_t>(here.sends_ != 0),
                      static_cast<std::uint64_t>(message != View::Message::none && !here.arrived_)};
  pass.judge.sends(node, here.last_sent_, here.sends_);
  if (message == View::Message::none) return;
  ++counts.taken;
  counts.all.receivers += static_cast<std::uint64_t>(!here.arrived_);
  if (here.arrived_) [[unlikely]]
    pass.judge.unread(node, here.through_, 1);
}

}  // namespace lockstep
