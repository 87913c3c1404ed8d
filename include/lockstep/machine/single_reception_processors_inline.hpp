// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of single_reception_machine.hpp: the processors of a range of nodes in one step.

#include <bit>

#include "lockstep/machine/single_reception_machine.hpp"

namespace lockstep {

template <class Net, class Prog, class H>
void SingleReceptionMachine<Net, Prog, H>::run_range(std::size_t range) {
  if (options_.disturb) [[unlikely]]
    options_.disturb(step_, range);
  Outcome& outcome = outcomes_[range];
  outcome = Outcome{};
  detail::DeliveryBatch<H> batch(host_, outcome.deliveries, outcome.verify_seconds);
  Pass pass{.network = network_,
            .boxes = {boxes_, step_},
            .step = step_,
            .last_call = is_last_call(),
            .max_sends = options_.model.sends,
            .block_bytes = options_.block_bytes,
            .host = host_,
            .variables = variables_.data(),
            .batch = batch,
            .violations = outcome.violations,
            .rejected = outcome.rejected,
            .trace = options_.trace == nullptr ? nullptr : &outcome.trace};
  const std::uint64_t first = range * range_words_;
  NodeId running{first * detail::NodeBits::nodes_per_word};
  try {
    run_words(pass, first, std::min(first + range_words_, detail::NodeBits::words(nodes_)),
              running);
    batch.flush();
  } catch (...) {
    failure_.keep(running);
  }
  outcome.counts += pass.counts;
}

/// `running`: the node whose rule is at work. Flat, so that its view lives in registers.
template <class Net, class Prog, class H>
[[gnu::flatten]] void SingleReceptionMachine<Net, Prog, H>::run_words(Pass& pass,
                                                                      std::uint64_t first,
                                                                      std::uint64_t last,
                                                                      NodeId& running) {
  for (std::uint64_t word = first; word < last; ++word) {
    const auto [arrived, others] = pass.boxes.drain(word);
    for (std::uint64_t bits = arrived | others; bits != 0; bits &= bits - 1) {
      const std::uint64_t bit = bits & (~bits + 1);
      running = NodeId{word * detail::NodeBits::nodes_per_word +
                       static_cast<std::uint64_t>(std::countr_zero(bits))};
      run_processor(pass, running,
                    (arrived & bit) != 0 ? View::Message::waits : View::Message::none);
    }
  }
}

template <class Net, class Prog, class H>
[[gnu::always_inline]] inline void SingleReceptionMachine<Net, Prog, H>::run_processor(
    Pass& pass, NodeId node, typename View::Message message) {
  View here(pass, node, message);
  program_(here);

  detail::TaskCounts& counts = pass.counts;
  counts.senders += static_cast<std::uint64_t>(here.sends_ != 0);
  counts.messages += here.sends_;
  counts.blocks += here.sends_;
  counts.largest |= static_cast<std::uint64_t>(here.sends_ != 0);
  counts.ports_used |= here.sent_through_;
  if (here.sends_ > pass.max_sends) [[unlikely]]
    here.report(pass.step, here.last_sent_, Rule::sends, here.sends_);
  if (message == View::Message::none) return;
  ++counts.taken;
  counts.receivers += static_cast<std::uint64_t>(!here.arrived_);
  if (here.arrived_) [[unlikely]]
    here.report(pass.step - 1, here.through_, Rule::unread, 1);
}

}  // namespace lockstep
