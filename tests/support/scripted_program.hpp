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
#include <optional>
#include <utility>
#include <vector>

#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/network.hpp"
#include "support/cases.hpp"

namespace lockstep::test {

struct ScriptedSend {
  Port port{};
  std::uint32_t blocks = 1;  ///< or control words
  /// Own blocks for the neighbour there; or, where there is one, passed on from what came through
  /// `from` in the step before.
  bool forwards = false;
  Port from{};
  bool words = false;            ///< own control words, where the program has such
  std::optional<Route> route{};  ///< instead of the port, where it has such
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
  [[nodiscard]] const Routes& routes() const noexcept { return routes_; }
  [[nodiscard]] Routes& routes() noexcept { return routes_; }
  [[nodiscard]] std::uint32_t ports() const noexcept { return ports_; }
  [[nodiscard]] const Network& network() const noexcept { return network_; }

 private:
  Network network_;
  std::uint32_t ports_;
  std::uint64_t steps_;
  std::vector<ScriptedTurn> turns_;
  Routes routes_;
};

/// What a scripted program may do beyond packets of blocks that it knows nothing of.
enum class Reads : std::uint8_t { nothing, words, words_and_routes };

/// Sparse: all nodes start; later a node runs when it received something or asked to. A program
/// that reads words has a label for every block, and three regions of control words; what it reads
/// goes into what it sends next, and into whose a block is said to be. Its nodes have as much
/// memory as their degree asks for.
template <Activity how, Reads reads = Reads::nothing>
class ScriptedProgram {
  static constexpr bool has_words = reads != Reads::nothing;
  /// A bit of a word that says that it is a control word, and that no fault alters.
  static constexpr std::uint64_t is_control = 16;

 public:
  using Memory = std::uint64_t;  // messages taken so far, and words
  static constexpr Activity activity = how;
  static constexpr bool labelled = has_words;

  explicit ScriptedProgram(Script script, std::vector<Phase> phases = {})
      : script_(std::move(script)), phases_(std::move(phases)) {}

  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    const std::uint32_t blocks = slots(script_.ports());
    std::vector<std::uint32_t> all(has_words ? 6 : 3, blocks);
    return all;
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const requires has_words {
    return slots(script_.network().degree(node));
  }
  [[nodiscard]] std::vector<Region> control_regions() const requires has_words {
    return {Region{3}, Region{4}, Region{5}};
  }
  [[nodiscard]] const Routes& routes() const requires(reads == Reads::words_and_routes) {
    return script_.routes();
  }
  [[nodiscard]] std::uint64_t step_count() const noexcept { return script_.steps(); }
  [[nodiscard]] const std::vector<Phase>& phases() const noexcept { return phases_; }
  [[nodiscard]] std::vector<NodeId> starts() const {
    std::vector<NodeId> all;
    for (std::uint64_t u = 0; u < script_.network().node_count(); ++u) all.push_back(NodeId{u});
    return all;
  }

  template <class StepView>
  void operator()(StepView& here) const {
    const ScriptedTurn& turn = script_.turn(here.step(), here.node());
    std::vector<Blocks> arrived(script_.ports(), {Region{}, 0, 0});  // by port
    for (const Port port : turn.takes) take(here, port, turn.asks_host, arrived);
    std::uint32_t own = 0;
    for (const ScriptedSend& send : turn.sends) {
      const bool forwards = send.forwards && arrived.at(index(send.from)).count != 0;
      if (forwards)
        send_all(here, send, arrived[index(send.from)]);
      else if (has_words && send.words)
        send_all(here, send, computed(here, send, own++));
      else if (turn.asks_host)
        send_all(here, send, loaded(here, send, own++));
    }
    if (turn.stays_active) here.stay_active();
  }

 private:
  /// A region is written in every third step, and read in the step after.
  [[nodiscard]] static Region region_of(std::uint64_t step, bool control = false) {
    return static_cast<Region>(step % 3 + (control ? 3 : 0));
  }
  [[nodiscard]] static std::uint32_t slots(std::size_t ports) {
    return (static_cast<std::uint32_t>(ports) + Script::sends_at_most) * Script::widest;
  }

  template <class StepView>
  void send_all(StepView& here, const ScriptedSend& send, const Blocks& blocks) const {
    if constexpr (reads == Reads::words_and_routes)
      if (send.route) return here.send(*send.route, blocks);
    here.send(send.port, blocks);
  }

  template <class StepView>
  void take(StepView& here, Port port, bool delivers, std::vector<Blocks>& arrived) const {
    const auto arrival = here.take(port);
    if (!arrival) return;
    ++here.memory();
    Blocks& into = arrived.at(index(port));
    into = {region_of(here.step()), index(port) * Script::widest, arrival.blocks()};
    Origin origin = script_.network().neighbor(here.node(), port);
    if constexpr (has_words) {
      const bool control = (arrival.word(0) & is_control) != 0;
      if (control) into.region = region_of(here.step(), true);
      for (std::uint32_t i = 0; i < arrival.blocks(); ++i)
        here.memory() = 31 * here.memory() + arrival.word(i);
      if constexpr (reads == Reads::words_and_routes)
        if (const auto route = arrival.route()) here.memory() += index(*route) + 1;
      origin = Origin{arrival.word(0) / (2 * is_control) % script_.network().node_count()};
      delivers = delivers && !control;
    }
    here.store(arrival, into);
    for (std::uint32_t i = 0; delivers && i < arrival.blocks(); ++i)
      here.deliver(arrival, i, origin);
  }

  template <class StepView>
  Blocks loaded(StepView& here, const ScriptedSend& send, std::uint32_t own) const {
    const Blocks blocks = own_blocks(here, send, own, false);
    const bool exists = index(send.port) < here.degree();
    const NodeId to = exists ? script_.network().neighbor(here.node(), send.port) : here.node();
    for (std::uint32_t i = 0; i < send.blocks; ++i) {
      here.load(blocks.region, blocks.first + i, to);
      if constexpr (has_words)
        here.set_word(blocks.region, blocks.first + i, 2 * is_control * index(here.node()));
    }
    return blocks;
  }

  template <class StepView>
  Blocks computed(StepView& here, const ScriptedSend& send, std::uint32_t own) const {
    const Blocks blocks = own_blocks(here, send, own, true);
    if constexpr (has_words)
      for (std::uint32_t i = 0; i < send.blocks; ++i) {
        const std::uint64_t before =
            here.step() < 3 ? 0 : here.word(blocks.region, blocks.first + i);
        here.set_word(blocks.region, blocks.first + i, (before + here.memory() + i) | is_control);
      }
    return blocks;
  }

  template <class StepView>
  static Blocks own_blocks(StepView& here, const ScriptedSend& send, std::uint32_t own,
                           bool control) {
    const auto first = static_cast<std::uint32_t>(here.degree()) + own;
    return {region_of(here.step(), control), first * Script::widest, send.blocks};
  }

  Script script_;
  std::vector<Phase> phases_;
};

static_assert(!LabelledProgram<ScriptedProgram<Activity::dense>>);
static_assert(!ControlProgram<ScriptedProgram<Activity::dense>>);
static_assert(!UnevenProgram<ScriptedProgram<Activity::dense>>);
static_assert(ControlProgram<ScriptedProgram<Activity::dense, Reads::words>>);
static_assert(!RoutingProgram<ScriptedProgram<Activity::dense, Reads::words>>);
static_assert(RoutingProgram<ScriptedProgram<Activity::dense, Reads::words_and_routes>>);
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
  std::uint64_t words = 0;    ///< own control words are sent
  std::uint64_t route = 0;    ///< over a route
  std::uint64_t astray = 0;   ///< over one that may lead nowhere
  std::uint64_t longest = 4;  ///< links of a route
};

/// Walks from random nodes; and where each starts.
inline std::vector<std::pair<NodeId, Route>> random_routes(Random& random, Script& script,
                                                           const ScriptChances& chances) {
  std::vector<std::pair<NodeId, Route>> routes;
  const Network& network = script.network();
  for (std::uint64_t i = 0; chances.route != 0 && i < 4 * network.node_count(); ++i) {
    const NodeId from{uniform(random, 0, network.node_count() - 1)};
    NodeId at = from;
    std::vector<Port> ports;
    const std::uint64_t links = uniform(random, 1, chances.longest);
    while (ports.size() < links) {
      ports.push_back(port(uniform(random, 0, network.degree(at) - 1)));
      at = network.neighbor(at, ports.back());
    }
    routes.emplace_back(from, script.routes().add(ports));
  }
  return routes;
}

inline Script random_script(Random& random, const Network& network, std::uint64_t steps,
                            const ScriptChances& chances) {
  const auto happens = [&random](std::uint64_t percent) {
    return uniform(random, 1, 100) <= percent;
  };
  Script script(network, steps);
  const std::vector<std::pair<NodeId, Route>> routes = random_routes(random, script, chances);
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
                              happens(chances.forward),
                              port(uniform(random, 0, degree - 1)),
                              happens(chances.words),
                              {}});
        if (routes.empty() || !happens(chances.route)) continue;
        const auto [from, route] = routes[uniform(random, 0, routes.size() - 1)];
        if (from == NodeId{u} || happens(chances.astray)) turn.sends.back().route = route;
      }
    }
  return script;
}

}  // namespace lockstep::test
