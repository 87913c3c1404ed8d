// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program with one mistake: in one step one processor, or every one, does one thing otherwise.
/// To show that somebody notices. Its processors run one by one, not together.
///
///     const BrokenProgram broken(program, {Mistake::deliver_nothing, 3, NodeId{5}});
///     const Outcome outcome = run(network, broken, job);
///     EXPECT_TRUE(broken.made() && !outcome.verdict.complete());

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/detail/group_of_one.hpp"
#include "lockstep/program/program.hpp"

namespace lockstep::test {

enum class Mistake : std::uint8_t {
  load_nothing,
  store_nothing,
  deliver_nothing,
  send_nothing,
  send_twice,
  send_elsewhere,  // through the next port
  leave_unread,
  wrong_source  // as the next node's block
};

inline constexpr std::array all_mistakes{Mistake::load_nothing,    Mistake::store_nothing,
                                         Mistake::deliver_nothing, Mistake::send_nothing,
                                         Mistake::send_twice,      Mistake::send_elsewhere,
                                         Mistake::leave_unread,    Mistake::wrong_source};

inline std::ostream& operator<<(std::ostream& out, Mistake mistake) {
  constexpr std::array<std::string_view, all_mistakes.size()> names{
      "load nothing", "store nothing",  "deliver nothing", "send nothing",
      "send twice",   "send elsewhere", "leave unread",    "wrong source"};
  return out << names[static_cast<std::size_t>(mistake)];
}

/// The place and kind of a mistake; the first opportunity in that step is taken.
struct MistakePlan {
  Mistake mistake{};
  std::uint64_t step = 0;
  std::optional<NodeId> node{};  ///< empty: all of them, as if the shared plan were wrong
};

/// The view that a step rule sees instead of the machine's view.
template <class StepView>
class MistakenView {
 public:
  MistakenView(StepView& here, const MistakePlan& plan, std::atomic<bool>& made)
      : here_(here),
        plan_(plan),
        made_(made),
        due_(here.step() == plan.step && plan.node.value_or(here.node()) == here.node()) {}

  [[nodiscard]] NodeId node() const { return here_.node(); }
  [[nodiscard]] std::uint64_t step() const { return here_.step(); }
  [[nodiscard]] std::size_t degree() const { return here_.degree(); }
  [[nodiscard]] bool last_call() const { return here_.last_call(); }
  [[nodiscard]] auto& memory() { return here_.memory(); }
  void stay_active() { here_.stay_active(); }

  auto take(Port port) {
    if (makes(Mistake::leave_unread)) return decltype(here_.take(port)){};
    return here_.take(port);
  }
  auto take_first() {
    if (makes(Mistake::leave_unread)) return decltype(here_.take_first()){};
    return here_.take_first();
  }
  template <class... Arguments>
  void store(const Arguments&... arguments) {
    if (!makes(Mistake::store_nothing)) here_.store(arguments...);
  }
  template <class... Arguments>
  void combine(const Arguments&... arguments) {
    if (!makes(Mistake::store_nothing)) here_.combine(arguments...);
  }
  template <class Move>
  void perform(const Move& move) {
    if (!makes(Mistake::store_nothing)) here_.perform(move);
  }
  void load(Region region, std::uint32_t slot, NodeId destination) {
    if (!makes(Mistake::load_nothing)) here_.load(region, slot, destination);
  }
  template <class RegionOrArrival>
  void deliver(const RegionOrArrival& from, std::uint32_t block, NodeId source) {
    if (makes(Mistake::deliver_nothing)) return;
    if (makes(Mistake::wrong_source)) source = NodeId{index(source) + 1};
    here_.deliver(from, block, source);
  }
  template <class... Arguments>
  void send(Port port, const Arguments&... arguments) {
    if (makes(Mistake::send_nothing)) return;
    if (makes(Mistake::send_twice)) here_.send(port, arguments...);
    if (makes(Mistake::send_elsewhere)) port = lockstep::port((index(port) + 1U) % here_.degree());
    here_.send(port, arguments...);
  }

 private:
  [[nodiscard]] bool makes(Mistake mistake) {
    if (!due_ || mistake != plan_.mistake) return false;
    due_ = false;
    // relaxed: read after the run only.
    made_.store(true, std::memory_order_relaxed);
    return true;
  }

  StepView& here_;
  const MistakePlan& plan_;
  std::atomic<bool>& made_;
  bool due_;
};

/// `Whole` is a CountedProgram; it outlives this.
template <CountedProgram Whole>
class BrokenProgram {
 public:
  using Memory = typename Whole::Memory;
  static constexpr Activity activity = Whole::activity;
  static constexpr Traits traits =
      Traits::step_count | (GatheringProgram<Whole> ? Traits::gather_list : Traits::none);

  BrokenProgram(const Whole& whole, const MistakePlan& plan) : whole_(whole), plan_(plan) {}

  /// Whether there was an opportunity to make the mistake.
  [[nodiscard]] bool made() const { return made_.load(std::memory_order_relaxed); }

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return whole_.regions(); }
  [[nodiscard]] std::uint64_t step_count() const { return whole_.step_count(); }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const requires
      GatheringProgram<Whole> {
    return whole_.gather_list(list);
  }

  template <class StepView>
  void operator()(StepView& here) const {
    MistakenView<StepView> mistaken(here, plan_, made_);
    run_rule(whole_, mistaken);
  }

 private:
  const Whole& whole_;
  MistakePlan plan_;
  mutable std::atomic<bool> made_{false};
};

}  // namespace lockstep::test
