// SPDX-License-Identifier: Apache-2.0
#pragma once

/// OneByOne: a program whose processors run one by one, whatever it offers.

#include <cstdint>
#include <span>
#include <vector>

#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::test {

template <Program P>
class OneByOne {
 public:
  using Memory = typename P::Memory;
  static constexpr Activity activity = P::activity;
  static constexpr Traits traits = Traits::step_count | Traits::gather_list | Traits::phases;

  explicit OneByOne(const P& program) : program_(program) {}
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return program_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const { return program_.step_count(); }
  [[nodiscard]] std::vector<Phase> phases() const { return phases_of(program_); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const {
    return program_.gather_list(list);
  }
  template <class StepView>
  void operator()(StepView& here) const {
    run_rule(program_, here);
  }

 private:
  const P& program_;
};

}  // namespace lockstep::test
