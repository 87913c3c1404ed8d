// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/step_judge.hpp"

#include <algorithm>
#include <utility>

namespace lockstep::detail {

void StepJudge::report_to(std::vector<Violation>* found, std::uint64_t step, NodeId node, Port port,
                          Rule rule, std::uint64_t count) {
  found->push_back({step, node, port, rule, count});
}

void StepJudge::report_link(std::vector<Violation>* found, const Violation& violation,
                            const MessageName& one, const MessageName& other) {
  found->push_back(violation);
  found->back().one = std::min(one, other);
  found->back().other = std::max(one, other);
}

void StepJudge::report_slot(std::vector<Violation>* found, const Violation& violation) {
  for (auto v = found->rbegin(); v != found->rend() && v->node == violation.node; ++v)
    if (v->rule == violation.rule && v->step == violation.step) {
      if (std::pair(violation.region, violation.slot) >= std::pair(v->region, v->slot)) return;
      v->region = violation.region;
      v->slot = violation.slot;
      return;
    }
  found->push_back(violation);
}

}  // namespace lockstep::detail
