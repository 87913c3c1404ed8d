// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ReceiveOnceScript: a program that promises to receive once, given as a table of what every
/// node does in every step, lawful or not; and random ones.
///
///     ReceiveOnceScript script(8, {NodeId{0}});
///     script.turn(0, NodeId{0}).sends = {Port{1}};

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/network.hpp"
#include "reference/random.hpp"

namespace lockstep::reference {

enum class Reading : std::uint8_t { stores, in_place, nothing };

/// The access of a node to its memory at the end of its turn.
enum class Access : std::uint8_t { none, load, store, load_beyond, deliver_beyond, send_beyond };

struct ReceiveOnceTurn {
  Reading reading = Reading::stores;
  std::vector<Port> sends{};
  bool stays_active = false;
  Access access = Access::none;
};

/// Nodes without a turn read what arrives and do nothing else.
class ReceiveOnceScript {
 public:
  using Memory = NoMemory;
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits = Traits::step_count | Traits::phases | Traits::receives_once;

  ReceiveOnceScript(std::uint64_t steps, std::vector<NodeId> starts, std::vector<Phase> phases = {})
      : steps_(steps), starts_(std::move(starts)), phases_(std::move(phases)) {}

  [[nodiscard]] ReceiveOnceTurn& turn(std::uint64_t step, NodeId node) {
    return turns_[{step, node}];
  }

  [[nodiscard]] std::vector<NodeId> starts() const { return starts_; }
  [[nodiscard]] std::vector<std::uint32_t> regions() const { return {1}; }
  [[nodiscard]] std::uint64_t step_count() const { return steps_; }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }
  void operator()(auto& here) const {
    const auto found = turns_.find({here.step(), here.node()});
    const ReceiveOnceTurn turn = found == turns_.end() ? ReceiveOnceTurn{} : found->second;
    if (here.step() == 0) here.load(Region{0}, 0, here.node());
    if (turn.reading != Reading::nothing) read(here, turn.reading);
    for (const Port port : turn.sends) here.send(port, Blocks{});
    carry_out(here, turn.access);
    if (turn.stays_active) here.stay_active();
  }

 private:
  void carry_out(auto& here, Access access) const {
    switch (access) {
      case Access::none:
        return;
      case Access::load:
        return here.load(Region{0}, 0, here.node());
      case Access::store:  // nothing: what arrived was taken, or is left unread
        return here.store({}, Blocks{});
      case Access::load_beyond:
        return here.load(Region{0}, 2, here.node());
      case Access::deliver_beyond:
        return here.deliver(Region{1}, 0, here.node());
      case Access::send_beyond:
        return here.send(Port{0}, Blocks{Region{0}, 0, 2});
    }
  }

  void read(auto& here, Reading reading) const {
    const auto arrival = here.take_first();
    if (!arrival) return;
    if (reading == Reading::in_place) return here.deliver(arrival, 0, starts_.front());
    here.store(arrival, Blocks{});
    here.deliver(Region{0}, 0, starts_.front());
  }

  std::uint64_t steps_;
  std::vector<NodeId> starts_;
  std::vector<Phase> phases_;
  std::map<std::pair<std::uint64_t, NodeId>, ReceiveOnceTurn> turns_;
};

static_assert(ReceiveOnceProgram<ReceiveOnceScript>);
static_assert(CountedProgram<ReceiveOnceScript>);

/// How unlawful a random script may be; chances in percent.
struct ReceiveOnceChances {
  std::uint64_t send = 60;  ///< to each neighbour that was not reached
  std::uint64_t stay = 30;
  std::uint64_t again = 0;  ///< to one that was
  std::uint64_t crowd = 0;  ///< although another sends there in the same step
  std::uint64_t twice = 0;  ///< the same through the same port
  std::uint64_t no_such_port = 0;
  std::uint64_t nothing_read = 0;
  std::uint64_t after_end = 0;
  std::uint64_t access = 0;  ///< a node names its block once more, or one that it does not have
};

/// Walks through a run of its own to know who is reached when.
inline ReceiveOnceScript random_receive_once(Random& random, const Network& network,
                                             const ReceiveOnceChances& chances) {
  const std::uint64_t nodes = network.node_count();
  const std::uint64_t steps = random.number(0, 7);
  std::vector<NodeId> starts;
  for (std::uint64_t i = random.number(1, 3); i > 0; --i)
    starts.push_back(NodeId{random.number(0, nodes - 1)});
  ReceiveOnceScript script(steps, starts);
  std::vector<char> reached(nodes, 0);
  std::vector<char> runs(nodes, 0);
  for (const NodeId start : starts) reached[index(start)] = runs[index(start)] = 1;
  for (std::uint64_t step = 0; step <= steps; ++step) {
    std::vector<char> next(nodes, 0);
    for (std::uint64_t u = 0; u < nodes; ++u) {
      if (runs[u] == 0) {
        if (random.happens(5)) script.turn(step, NodeId{u}).sends = {Port{0}};  // must not run
        continue;
      }
      ReceiveOnceTurn& turn = script.turn(step, NodeId{u});
      turn.reading = random.happens(chances.nothing_read) ? Reading::nothing
                     : random.happens(50)                 ? Reading::in_place
                                                          : Reading::stores;
      const std::size_t degree = network.degree(NodeId{u});
      for (std::size_t p = 0; p < degree; ++p) {
        const std::uint64_t v = index(network.neighbor(NodeId{u}, port(p)));
        const bool crowds = next[v] == 1 && random.happens(chances.crowd);
        if (reached[v] != 0 && !random.happens(chances.again)) continue;
        if (next[v] != 0 && !crowds) continue;
        if (!random.happens(step < steps ? chances.send : chances.after_end)) continue;
        turn.sends.push_back(port(p));
        if (random.happens(chances.twice)) turn.sends.push_back(port(p));
        if (step < steps) next[v] = 1;
      }
      if (random.happens(chances.no_such_port)) turn.sends.push_back(port(degree));
      random.shuffle(turn.sends);
      turn.stays_active = random.happens(chances.stay);
      if (random.happens(chances.access)) turn.access = static_cast<Access>(random.number(1, 5));
    }
    for (std::uint64_t u = 0; u < nodes; ++u) {
      const auto found = runs[u] != 0 && script.turn(step, NodeId{u}).stays_active;
      if (next[u] != 0) reached[u] = 1;
      runs[u] = static_cast<char>(next[u] != 0 || found);
    }
  }
  return script;
}

}  // namespace lockstep::reference
