// SPDX-License-Identifier: Apache-2.0
#pragma once

/// InjectionTimes: which processor injects a message in which step, and a word that says which: a
/// timetable of programs whose messages wait nowhere once they are on their way.
///
///     const InjectionTimes times([&](auto inject) { inject(0, source, destination); });
///     times.in(0).size() == 1;                      // senders in step 0
///     times.of(0, source)[0] == destination;
///
/// 8 bytes per message and 8 per step.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

class InjectionTimes {
 public:
  /// Step, counted from 0; sender; word.
  using Inject = std::function<void(std::uint64_t, std::uint64_t, std::uint64_t)>;

  /// `inject_all` injects every message, in any order, the same each time: it is called twice.
  /// Senders and words are below 2^32. Words of one sender and step keep their order.
  explicit InjectionTimes(const std::function<void(const Inject&)>& inject_all);

  [[nodiscard]] static std::uint64_t bytes(std::uint64_t messages, std::uint64_t steps) noexcept {
    return 2 * messages * sizeof(std::uint32_t) + (steps + 1) * sizeof(std::uint64_t);
  }

  /// Steps up to and with the last injection.
  [[nodiscard]] std::uint64_t steps() const noexcept { return begin_.size() - 1; }
  /// The last step with an injection; 0 where there is none.
  [[nodiscard]] std::uint64_t last() const noexcept { return steps() == 0 ? 0 : steps() - 1; }
  /// Senders, ascending; each as often as it sends.
  [[nodiscard]] std::span<const std::uint32_t> in(std::uint64_t step) const noexcept {
    if (step >= steps()) return {};
    return std::span(senders_).subspan(begin_[step], begin_[step + 1] - begin_[step]);
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint64_t step,
                                                  NodeId sender) const noexcept {
    const std::span<const std::uint32_t> all = in(step);
    const auto own = static_cast<std::uint32_t>(index(sender));
    // Where every processor sends one message, a sender's place is its number.
    std::size_t first = own;
    if (own >= all.size() || all[own] != own || (own != 0 && all[own - 1] == own))
      first = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), own) - all.begin());
    std::size_t last = first;
    while (last < all.size() && all[last] == own) ++last;
    return std::span(words_).subspan(step < steps() ? begin_[step] + first : 0, last - first);
  }

 private:
  std::vector<std::uint64_t> begin_{0};  ///< of each step
  std::vector<std::uint32_t> senders_;
  std::vector<std::uint32_t> words_;
};

/// What a program whose processors follow such a timetable tells the machine (CalendarProgram).
class InjectsByTimetable {
 public:
  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (const std::uint32_t u : injections_->in(0)) all.push_back(NodeId{u});
    return all;
  }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const {
    return injections_->in(step);
  }
  [[nodiscard]] std::uint64_t last_start() const { return injections_->last(); }

 protected:
  explicit InjectsByTimetable(std::shared_ptr<const InjectionTimes> injections)
      : injections_(std::move(injections)) {}

  [[nodiscard]] const InjectionTimes& injections() const noexcept { return *injections_; }

 private:
  std::shared_ptr<const InjectionTimes> injections_;
};

}  // namespace lockstep
