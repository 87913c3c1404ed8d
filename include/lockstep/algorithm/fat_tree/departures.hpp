// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Departures: which processor sends in which step, and what, told by a word: a destination, a set
/// of levels. The calendar of schedules in which messages leave their makers in given steps.
///
///     const Departures plan([&](auto leaves) { leaves(0, source, destination); });
///     plan.in(0).size() == 1;                      // who sends in step 0
///     plan.of(0, source)[0] == destination;
///
/// 8 bytes per message and 8 per step.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

class Departures {
 public:
  /// A message leaves: step, counted from 0, who sends it, what.
  using Leaves = std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>;

  /// `tell_all` tells of every message, in any order, the same each time: it is called twice.
  /// Sources and words are below 2^32. Of one sender and step words keep the order they were told
  /// in.
  explicit Departures(const std::function<void(const Leaves&)>& tell_all);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t messages, std::uint64_t steps) noexcept {
    return 2 * messages * sizeof(std::uint32_t) + (steps + 1) * sizeof(std::uint64_t);
  }

  /// Steps up to and with the last departure.
  [[nodiscard]] std::uint64_t steps() const noexcept { return begin_.size() - 1; }
  /// The last step in which something leaves; 0 where nothing does.
  [[nodiscard]] std::uint64_t last() const noexcept { return steps() == 0 ? 0 : steps() - 1; }
  /// Who sends, ascending; as often as it sends.
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint64_t step) const noexcept {
    if (step >= steps()) return {};
    return std::span(senders_).subspan(begin_[step], begin_[step + 1] - begin_[step]);
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint64_t step, NodeId sender) const noexcept;

 private:
  std::vector<std::uint64_t> begin_{0};  ///< of each step
  std::vector<std::uint32_t> senders_;
  std::vector<std::uint32_t> words_;
};

/// Of a program whose messages leave by such a calendar: who runs when (CalendarProgram).
class LeavesByCalendar {
 public:
  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (const std::uint32_t u : departures_->in(0)) all.push_back(NodeId{u});
    return all;
  }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const {
    return departures_->in(step);
  }
  [[nodiscard]] std::uint64_t last_start() const { return departures_->last(); }

 protected:
  explicit LeavesByCalendar(std::shared_ptr<const Departures> departures)
      : departures_(std::move(departures)) {}

  [[nodiscard]] const Departures& departures() const noexcept { return *departures_; }

 private:
  std::shared_ptr<const Departures> departures_;
};

}  // namespace lockstep
