// SPDX-License-Identifier: Apache-2.0
#pragma once
// size: one program, whose parts make no sense alone.

/// ScriptedProgram: a program given as a table of what every node does in every step, lawful or
/// not. But for the accesses that it names, a node's memory keeps to the rules (what was sent in a
/// step is not overwritten in the next), so that only the script decides what happens.
///
///     Script script(network, 3);                       // 3 steps
///     script.turn(0, NodeId{4}).sends = {{Port{1}, 2}};  // node 4 sends 2 blocks through port 1
///     const ScriptedProgram<Activity::dense> program(script);

#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::reference {

struct ScriptedSend {
  Port port{};
  std::uint32_t blocks = 1;  ///< or control words
  /// Own blocks for the neighbour there; or, where there is one, passed on from what came through
  /// `from` in the step before.
  bool forwards = false;
  Port from{};
  bool words = false;            ///< own control words, where the program has such
  std::optional<Route> route{};  ///< instead of the port, where it has such
  bool backwards = false;        ///< the last block first, by a gather list
};

/// A further access of a node to its memory, inside it or not, in time or not.
struct ScriptedAccess {
  enum class Kind : std::uint8_t { store, store_list, load, deliver, send, send_list, word };
  Kind kind{};
  Blocks blocks{};
  Port through{};      ///< of a send
  bool first = false;  ///< before all else, not after
};

struct ScriptedTurn {
  std::vector<Port> takes;  ///< in this order
  std::vector<ScriptedAccess> accesses{};
  std::vector<ScriptedSend> sends;
  bool stays_active = false;
  bool asks_host = true;          ///< delivers what it takes, and sends own blocks
  bool stores_backwards = false;  ///< the last block first, by a list of slots
};

class Script {
 public:
  static constexpr std::uint32_t widest = 3;         ///< blocks of a message, at most
  static constexpr std::uint32_t sends_at_most = 6;  ///< of a node in a step
  static constexpr std::uint32_t beyond = 8;  ///< slots that no node has, and an access may name

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

  /// Blocks of a region of a node with so many ports.
  [[nodiscard]] static std::uint32_t slots(std::size_t ports) {
    return (static_cast<std::uint32_t>(ports) + sends_at_most) * widest;
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

/// Features of a scripted program beyond packets of blocks that it knows nothing of.
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
  static constexpr Traits traits =
      Traits::step_count | Traits::gather_list | Traits::phases |
      (has_words ? Traits::labels | Traits::control_regions | Traits::blocks_of : Traits::none) |
      (reads == Reads::words_and_routes ? Traits::routes : Traits::none);

  explicit ScriptedProgram(Script script, std::vector<Phase> phases = {})
      : script_(std::move(script)),
        phases_(std::move(phases)),
        falling_(regions().front() + Script::beyond) {
    std::iota(falling_.rbegin(), falling_.rend(), 0U);
  }

  [[nodiscard]] std::vector<std::uint32_t> regions() const {
    return std::vector<std::uint32_t>(has_words ? 6 : 3, Script::slots(script_.ports()));
  }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region) const requires has_words {
    return Script::slots(script_.network().degree(node));
  }
  [[nodiscard]] std::vector<Region> control_regions() const requires has_words {
    return {Region{3}, Region{4}, Region{5}};
  }
  [[nodiscard]] const Routes& routes() const requires(reads == Reads::words_and_routes) {
    return script_.routes();
  }
  [[nodiscard]] std::span<const std::uint32_t> gather_list(GatherList list) const {
    const auto number = static_cast<std::uint32_t>(list);
    return backwards({Region{}, number / Script::widest, number % Script::widest + 1});
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
    for (const ScriptedAccess& access : turn.accesses)
      if (access.first) carry_out(here, access);
    std::vector<Blocks> arrived(script_.ports(), {Region{}, 0, 0});  // by port
    for (const Port port : turn.takes) take(here, port, turn, arrived);
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
    for (const ScriptedAccess& access : turn.accesses)
      if (!access.first) carry_out(here, access);
    if (turn.stays_active) here.stay_active();
  }

 private:
  template <class StepView>
  void carry_out(StepView& here, const ScriptedAccess& access) const {
    using Kind = ScriptedAccess::Kind;
    const Blocks& blocks = access.blocks;
    const Port nowhere = port(script_.ports());  // nothing arrives through it
    switch (access.kind) {
      case Kind::store:
        return here.store(here.take(nowhere), blocks);
      case Kind::store_list:
        return here.store(here.take(nowhere), blocks.region, backwards(blocks));
      case Kind::load:
        return here.load(blocks.region, blocks.first, here.node());
      case Kind::deliver:
        return here.deliver(blocks.region, blocks.first, here.node());
      case Kind::send:
        return here.send(access.through, blocks);
      case Kind::send_list:
        return here.send(access.through, blocks.region, list_of(blocks));
      case Kind::word:
        if constexpr (has_words) {
          here.memory() = 31 * here.memory() + here.word(blocks.region, blocks.first);
          here.set_word(blocks.region, blocks.first, here.memory() | is_control);
        }
    }
  }

  /// A region is written in every third step, and read in the step after.
  [[nodiscard]] static Region region_of(std::uint64_t step, bool control = false) {
    return static_cast<Region>(step % 3 + (control ? 3 : 0));
  }

  [[nodiscard]] std::span<const std::uint32_t> backwards(const Blocks& blocks) const {
    return std::span(falling_).last(blocks.first + blocks.count).first(blocks.count);
  }

  [[nodiscard]] static GatherList list_of(const Blocks& blocks) {
    return static_cast<GatherList>(blocks.first * Script::widest + blocks.count - 1);
  }

  template <class StepView>
  void send_all(StepView& here, const ScriptedSend& send, const Blocks& blocks) const {
    const GatherList list = list_of(blocks);
    if constexpr (reads == Reads::words_and_routes)
      if (send.route)
        return send.backwards ? here.send(*send.route, blocks.region, list)
                              : here.send(*send.route, blocks);
    send.backwards ? here.send(send.port, blocks.region, list) : here.send(send.port, blocks);
  }

  template <class StepView>
  void take(StepView& here, Port port, const ScriptedTurn& turn,
            std::vector<Blocks>& arrived) const {
    const auto arrival = here.take(port);
    if (!arrival) return;
    ++here.memory();
    Blocks& into = arrived.at(index(port));
    into = {region_of(here.step()), index(port) * Script::widest, arrival.blocks()};
    bool delivers = turn.asks_host;
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
    if (turn.stores_backwards)
      here.store(arrival, into.region, backwards(into));
    else
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
        here.set_word(blocks.region, blocks.first + i,
                      2 * is_control * (index(here.node()) + (send.forwards ? here.memory() : 0)));
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
  std::vector<std::uint32_t> falling_;  // numbers of slots, for lists of any that are consecutive
};

static_assert(!LabelledProgram<ScriptedProgram<Activity::dense>>);
static_assert(!ControlProgram<ScriptedProgram<Activity::dense>>);
static_assert(!UnevenProgram<ScriptedProgram<Activity::dense>>);
static_assert(ControlProgram<ScriptedProgram<Activity::dense, Reads::words>>);
static_assert(!RoutingProgram<ScriptedProgram<Activity::dense, Reads::words>>);
static_assert(RoutingProgram<ScriptedProgram<Activity::dense, Reads::words_and_routes>>);
static_assert(CountedProgram<ScriptedProgram<Activity::dense>>);
static_assert(StartingProgram<ScriptedProgram<Activity::sparse>>);

}  // namespace lockstep::reference
