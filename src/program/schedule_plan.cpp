// SPDX-License-Identifier: Apache-2.0

/// From a user's schedule to the actions of all processors: loads, slots, receptions, deliveries.

#include <algorithm>
#include <limits>
#include <utility>

#include "lockstep/core/expects.hpp"
#include "program/schedule_file.hpp"
#include "program/slot_pool.hpp"

namespace lockstep {
namespace {

class Plan {
 public:
  Plan(const UserSchedule& user, const AnyCayley& group)
      : user_(user), schedule_(group), slots_(group.node_count(), none) {
    std::vector<NodeId> addresses;
    std::vector<NodeId> sources;
    for (std::uint64_t g = 0; g < group.node_count(); ++g) {
      addresses.push_back(NodeId{g});
      const bool named_by_source = user.operation == Operation::all_gather;
      sources.push_back(named_by_source ? NodeId{g} : group.inverse(NodeId{g}));
    }
    addresses_ = schedule_.add_elements(addresses);
    sources_ = schedule_.add_elements(sources);
    identity_ = only(addresses_, static_cast<std::uint32_t>(index(group.identity())));
  }

  [[nodiscard]] NodeInvariantSchedule schedule() {
    for (const UserSchedule::Step& step : user_.steps) {
      for (const UserSchedule::Message& message : user_.messages_of(step)) send(message);
      schedule_.next_step();
      pool_.begin_step();
      for (const UserSchedule::Message& message : user_.messages_of(step)) receive(message);
    }
    const Region region = schedule_.add_region(pool_.size());
    expects(region == memory, "the schedule has one region");
    return std::move(schedule_);
  }

 private:
  using Entry = UserSchedule::Entry;
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  static constexpr Region memory{0};  // added last: only then its size is known

  [[nodiscard]] static Elements only(Elements all, std::uint32_t which) noexcept {
    return {all.first + which, 1};
  }

  /// A block that is sent and not in memory is the processor's own.
  void send(const UserSchedule::Message& message) {
    std::vector<std::uint32_t> places;
    for (const Entry& entry : user_.entries_of(message)) {
      std::uint32_t& slot = slots_[entry.block];
      if (slot == none) {
        slot = pool_.acquire();
        schedule_.load({memory, slot, 1}, only(addresses_, entry.block), identity_);
      }
      places.push_back(slot);
    }
    for (const Entry& entry : user_.entries_of(message))
      if (entry.last_send) pool_.release_sent(std::exchange(slots_[entry.block], none));
    if (places.size() == 1)
      schedule_.send(message.port, {memory, places.front(), 1});
    else
      schedule_.send(message.port, memory, schedule_.add_list(places));
  }

  void receive(const UserSchedule::Message& message) {
    const auto entries = user_.entries_of(message);
    const bool kept = std::ranges::any_of(entries, [](const Entry& entry) { return entry.kept; });
    if (!kept) return deliver_where_they_are(message.port, entries);
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < entries.size(); ++i) places.push_back(pool_.acquire());
    if (places.size() == 1)
      schedule_.take_store(message.port, {memory, places.front(), 1});
    else
      schedule_.take_scatter(message.port, memory, schedule_.add_list(places));
    for (std::size_t i = 0; i < entries.size(); ++i) keep(entries[i], places[i]);
  }

  void deliver_where_they_are(Port sent_through, std::span<const Entry> entries) {
    if (entries.size() == 1)
      return schedule_.take_deliver(sent_through, only(sources_, entries.front().at_receiver));
    std::vector<NodeId> sources;
    for (const Entry& entry : entries)
      sources.push_back(schedule_.elements()[sources_.first + entry.at_receiver]);
    schedule_.take_deliver(sent_through, schedule_.add_elements(sources));
  }

  void keep(const Entry& entry, std::uint32_t slot) {
    if (entry.delivered) schedule_.deliver({memory, slot, 1}, only(sources_, entry.at_receiver));
    if (entry.kept)
      slots_[entry.at_receiver] = slot;
    else
      pool_.release_delivered(slot);
  }

  const UserSchedule& user_;
  NodeInvariantSchedule schedule_;
  Elements addresses_;
  Elements sources_;  // of a block, by its name at the receiver, where its source is from there
  Elements identity_;
  SlotPool pool_;
  std::vector<std::uint32_t> slots_;  // of each block that is in memory
};

}  // namespace

NodeInvariantSchedule schedule_of(const UserSchedule& user, const AnyCayley& group) {
  return Plan(user, group).schedule();
}

}  // namespace lockstep
