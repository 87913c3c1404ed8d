// SPDX-License-Identifier: Apache-2.0
#include "cost/typical_host.hpp"

#include <cstdint>
#include <initializer_list>
#include <utility>

namespace lockstep {
namespace {

HostModel model() {
  using enum HostKind;
  HostModel model{.cached_bytes = std::uint64_t{4} << 20U};
  for (const auto& [kind, seconds] :
       std::initializer_list<std::pair<HostKind, double>>{{whole_run, 2e-6},
                                                          {step, 3e-7},
                                                          {barrier, 1e-6},
                                                          {handover, 4e-6},
                                                          {turn, 2e-8},
                                                          {dense_turn, 1e-8},
                                                          {once_turn, 1e-8},
                                                          {message, 4e-8},
                                                          {queued_message, 7e-8},
                                                          {routed_message, 5e-8},
                                                          {copy, 2e-8},
                                                          {copied_block, 1e-9},
                                                          {copied_byte, 4e-11},
                                                          {combine, 3e-8},
                                                          {combined_block, 5e-9},
                                                          {combined_byte, 4e-11},
                                                          {listed_slot, 6e-9},
                                                          {search, 6e-8},
                                                          {load, 2e-8},
                                                          {loaded_byte, 4e-11},
                                                          {delivery, 1e-8},
                                                          {checked_delivery, 7e-9},
                                                          {checked_byte, 6e-11},
                                                          {contribution, 1e-8},
                                                          {contributed_byte, 8e-11},
                                                          {row, 1.5e-7},
                                                          {row_block, 3e-10},
                                                          {row_message, 6e-10},
                                                          {row_slot, 4e-9},
                                                          {row_load, 1.5e-8},
                                                          {row_delivery, 1.5e-8},
                                                          {run_delivery, 5e-9},
                                                          {queue_step, 3e-7},
                                                          {queue_switch, 1e-8},
                                                          {queue_run, 1.2e-8},
                                                          {far_byte, 2e-11},
                                                          {far_access, 2e-8},
                                                          {farther_byte, 2e-11}})
    model.rates[kind] = {seconds, seconds, seconds};
  return model;
}

}  // namespace

const HostModel& typical_host() {
  static const HostModel typical = model();
  return typical;
}

}  // namespace lockstep
