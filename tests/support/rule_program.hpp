// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program written where it is used: a rule and a number of steps.
///
///     const Rules program = rules(1, [](auto& here) { here.send(right, first_block); });
///
/// All of them are one type, so that one machine is compiled for each kind of channel.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::test {

/// The calls of a step that such rules make; `Arriving` is the machine's type of what arrives.
template <class Arriving>
class RuleStep {
 public:
  [[nodiscard]] virtual NodeId node() const = 0;
  [[nodiscard]] virtual std::uint64_t step() const = 0;
  [[nodiscard]] virtual bool last_call() const = 0;
  [[nodiscard]] virtual std::size_t degree() const = 0;
  [[nodiscard]] virtual std::uint64_t& memory() = 0;
  virtual Arriving take(Port port) = 0;
  virtual Arriving take_first() = 0;
  virtual void store(const Arriving& arrival, Blocks into) = 0;
  virtual void deliver(const Arriving& arrival, std::uint32_t block, NodeId source) = 0;
  virtual void deliver(Region region, std::uint32_t slot, NodeId source) = 0;
  virtual void load(Region region, std::uint32_t slot, NodeId destination) = 0;
  virtual void send(Port port, Blocks blocks) = 0;

 protected:
  ~RuleStep() = default;
};

/// The step of one machine.
template <class Arriving, class View>
class RuleStepOf final : public RuleStep<Arriving> {
 public:
  explicit RuleStepOf(View& here) : here_(here) {}

  [[nodiscard]] NodeId node() const override { return here_.node(); }
  [[nodiscard]] std::uint64_t step() const override { return here_.step(); }
  [[nodiscard]] bool last_call() const override { return here_.last_call(); }
  [[nodiscard]] std::size_t degree() const override { return here_.degree(); }
  [[nodiscard]] std::uint64_t& memory() override { return here_.memory(); }
  Arriving take(Port port) override { return here_.take(port); }
  Arriving take_first() override { return here_.take_first(); }
  void store(const Arriving& arrival, Blocks into) override { here_.store(arrival, into); }
  void deliver(const Arriving& arrival, std::uint32_t block, NodeId source) override {
    here_.deliver(arrival, block, source);
  }
  void deliver(Region region, std::uint32_t slot, NodeId source) override {
    here_.deliver(region, slot, source);
  }
  void load(Region region, std::uint32_t slot, NodeId destination) override {
    here_.load(region, slot, destination);
  }
  void send(Port port, Blocks blocks) override { here_.send(port, blocks); }

 private:
  View& here_;
};

/// Dense; two regions of two blocks; a counter for each processor.
struct Rules {
  using Memory = std::uint64_t;
  static constexpr Activity activity = Activity::dense;
  static constexpr Traits traits = Traits::step_count;
  std::uint64_t steps;
  std::function<void(RuleStep<Arrival>&)> rule;
  std::function<void(RuleStep<ErasedArrival>&)> reference_rule;  ///< the same one

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {2, 2}; }
  [[nodiscard]] std::uint64_t step_count() const { return steps; }
  template <class View>
  void operator()(View& here) const {
    using Arriving = decltype(here.take_first());
    RuleStepOf<Arriving, View> step(here);
    if constexpr (std::same_as<Arriving, Arrival>)
      rule(step);
    else
      reference_rule(step);
  }
};

template <class Rule>
Rules rules(std::uint64_t steps, Rule rule) {
  return {steps, rule, rule};
}

inline constexpr Blocks first_block{Region{0}, 0, 1};

}  // namespace lockstep::test
