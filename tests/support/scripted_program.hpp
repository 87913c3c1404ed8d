// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ScriptedProgram: a program given as a table of what every node does in every step, lawful or
/// not. A node's memory keeps to the rules (what was sent in a step is not overwritten in the
/// next), so that only the script decides what happens.
///
///     Script script(network, 3);                       // 3 steps
///     script.turn(0, NodeId{4}).sends = {{Port{1}, 2}};  // node 4 sends 2 blocks through port 1
///     const ScriptedProgram<Activity::dense> program(script);

#include <cstdint>
#include <vector>

#include "lockstep/program/program.hpp"
#include "lockstep/topology/network.hpp"
#include "support/cases.hpp"

namespace lockstep::test {

struct ScriptedSend {
  Port port{};
  std::uint32_t blocks = 1;
  /// Own blocks for the neighbour there; or, where there is one, passed on from what came through
  /// `from` in the step before.
  bool forwards = false;
  Port from{};
};

struct ScriptedTurn {
  std::vector<Port> takes;  ///< in this order
  std::vector<ScriptedSend> sends;
  bool stays_active = false;
  bool asks_host = true;  ///< delivers what it takes, and sends own blocks
};

class Script {
 public:
  static constexpr std::uint32_t widest = 3;         ///< blocks of a message, at most
  static constexpr std::uint32_t sends_at_most = 6;  ///< of a node in a step

  /// Every node takes what arrives, through its ports in order, and sends nothing.
  Script(const Network& network, std::uint64_t steps)
      : network_(network),
        ports_(static_cast<std::uint32_t>(network.max_degree())),
        steps_(steps),
        turns_((steps + 1) * network.node_count()) {
    for (std::uint64_t step = 0; step <= steps; ++step)
      for (std::uint64_t u = 0; u < network.node_count(); ++u)
        for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
          turn(step, NodeId{u}).takes.push_back(port(p));
  }

  /// step == steps(): the last call.
  [[nodiscard]] ScriptedTurn& turn(std::uint64_t step, NodeId node) {
    return turns_[step * network_.node_count() + index(node)];
  }
  [[nodiscard]] const ScriptedTurn& turn(std::uint64_t step, NodeId node) const {
    return turns_[step * network_.node_count() + index(node)];
  }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] std::uint32_t ports() const noexcept { return ports_; }
  [[nodiscard]] const Network& network() const noexcept { return network_; }

 private:
  Network network_;
  std::uint32_t ports_;
  std::uint64_t steps_;
  std::vector<ScriptedTurn> turns_;
};

/// Sparse: all nodes start; later a node runs when it received something or asked to.
template <Activity how>
class ScriptedProgram {
 public:
  using Memory = std::uint64_t;  // messages taken so far
  static constexpr Activity activity = how;

  explicit ScriptedProgram(Script script) : script_(std::move(script)) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    const std::uint32_t blocks = (script_.ports() + Script::sends_at_most) * Script::widest;
    return {blocks, blocks, blocks};
  }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return script_.steps(); }
  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (std::uint64_t u = 0; u < script_.network().node_count(); ++u) all.push_back(NodeId{u});
    return all;
  }

  template <class StepView>
  void operator()(StepView& here) const {
    const ScriptedTurn& turn = script_.turn(here.step(), here.node());
    std::vector<std::uint32_t> arrived(script_.ports(), 0);  // blocks, by port
    for (const Port port : turn.takes) take(here, port, turn.asks_host, arrived);
    std::uint32_t own = 0;
    for (const ScriptedSend& send : turn.sends) {
      const bool forwards = send.forwards && arrived.at(index(send.from)) != 0;
      if (forwards)
        here.send(send.port, arrivals(here.step(), send.from, arrived[index(send.from)]));
      else if (turn.asks_host)
        here.send(send.port, loaded(here, send, own++));
    }
    if (turn.stays_active) here.stay_active();
  }

 private:
  /// A region is written in every third step, and read in the step after.
  [[nodiscard]] static Region region_of(std::uint64_t step) {
    return static_cast<Region>(step % 3);
  }
  [[nodiscard]] static Blocks arrivals(std::uint64_t step, Port port, std::uint32_t blocks) {
    return {region_of(step), index(port) * Script::widest, blocks};
  }

  template <class StepView>
  void take(StepView& here, Port port, bool delivers, std::vector<std::uint32_t>& arrived) const {
    const auto arrival = here.take(port);
    if (!arrival) return;
    ++here.memory();
    arrived.at(index(port)) = arrival.blocks();
    here.store(arrival, arrivals(here.step(), port, arrival.blocks()));
    const NodeId sender = script_.network().neighbor(here.node(), port);
    for (std::uint32_t i = 0; delivers && i < arrival.blocks(); ++i)
      here.deliver(arrival, i, sender);
  }

  template <class StepView>
  Blocks loaded(StepView& here, const ScriptedSend& send, std::uint32_t own) const {
    const Blocks blocks{region_of(here.step()), (script_.ports() + own) * Script::widest,
                        send.blocks};
    const bool exists = index(send.port) < here.degree();
    const NodeId to = exists ? script_.network().neighbor(here.node(), send.port) : here.node();
    for (std::uint32_t i = 0; i < send.blocks; ++i) here.load(blocks.region, blocks.first + i, to);
    return blocks;
  }

  Script script_;
};

static_assert(CountedProgram<ScriptedProgram<Activity::dense>>);
static_assert(StartingProgram<ScriptedProgram<Activity::sparse>>);

/// How unlawful a random script may be; chances in percent.
struct ScriptChances {
  std::uint64_t send = 40;         ///< a node sends (again)
  std::uint64_t forward = 50;      ///< it passes on what arrived
  std::uint64_t skipped_take = 0;  ///< it does not look at a port
  std::uint64_t no_such_port = 0;
  std::uint64_t after_end = 0;
  std::uint64_t stay_active = 20;
  std::uint64_t switch_asks_host = 0;
};

inline Script random_script(Random& random, const Network& network, std::uint64_t steps,
                            const ScriptChances& chances) {
  const auto happens = [&random](std::uint64_t percent) {
    return uniform(random, 1, 100) <= percent;
  };
  Script script(network, steps);
  for (std::uint64_t step = 0; step <= steps; ++step)
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const std::size_t degree = network.degree(NodeId{u});
      ScriptedTurn& turn = script.turn(step, NodeId{u});
      std::shuffle(turn.takes.begin(), turn.takes.end(), random);
      std::erase_if(turn.takes, [&](Port) { return happens(chances.skipped_take); });
      turn.stays_active = happens(chances.stay_active);
      turn.asks_host = u < network.processor_count() || happens(chances.switch_asks_host);
      const std::uint64_t send = step < steps ? chances.send : chances.after_end;
      while (turn.sends.size() < Script::sends_at_most && happens(send)) {
        const bool bad = happens(chances.no_such_port);
        turn.sends.push_back({bad ? port(degree) : port(uniform(random, 0, degree - 1)),
                              static_cast<std::uint32_t>(uniform(random, 1, Script::widest)),
                              happens(chances.forward), port(uniform(random, 0, degree - 1))});
      }
    }
  return script;
}

}  // namespace lockstep::test
