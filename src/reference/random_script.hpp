// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random scripts (reference/scripted_program.hpp): every node its own sends, lawful or not.
///
///     const Script script = random_script(random, network, 5, {.send = 20, .no_such_port = 5});

#include <cstdint>
#include <utility>
#include <vector>

#include "lockstep/topology/network.hpp"
#include "reference/random.hpp"
#include "reference/scripted_program.hpp"

namespace lockstep::reference {

/// How unlawful a random script may be; chances in percent.
struct ScriptChances {
  std::uint64_t send = 40;         ///< a node sends (again)
  std::uint64_t forward = 50;      ///< it passes on what arrived
  std::uint64_t backwards = 30;    ///< blocks are sent or stored by a list
  std::uint64_t skipped_take = 0;  ///< it does not look at a port
  std::uint64_t no_such_port = 0;
  std::uint64_t after_end = 0;
  std::uint64_t stay_active = 20;
  std::uint64_t switch_asks_host = 0;
  std::uint64_t words = 0;    ///< own control words are sent
  std::uint64_t route = 0;    ///< over a route
  std::uint64_t astray = 0;   ///< over one that may lead nowhere
  std::uint64_t longest = 4;  ///< links of a route
  std::uint64_t access = 0;   ///< a slot is named (again), there or not, in time or not
};

/// Walks from random nodes; and where each starts.
inline std::vector<std::pair<NodeId, Route>> random_routes(Random& random, Script& script,
                                                           const ScriptChances& chances) {
  std::vector<std::pair<NodeId, Route>> routes;
  const Network& network = script.network();
  for (std::uint64_t i = 0; chances.route != 0 && i < 4 * network.node_count(); ++i) {
    const NodeId from{random.number(0, network.node_count() - 1)};
    NodeId at = from;
    std::vector<Port> ports;
    const std::uint64_t links = random.number(1, chances.longest);
    while (ports.size() < links) {
      ports.push_back(port(random.number(0, network.degree(at) - 1)));
      at = network.neighbor(at, ports.back());
    }
    routes.emplace_back(from, script.routes().add(ports));
  }
  return routes;
}

/// Blocks that the node sent in the step before, if it did; or near those that it uses; or anywhere
/// and beyond.
inline Blocks random_blocks(Random& random, std::uint64_t step, std::size_t degree) {
  const auto number = [&random](std::uint64_t low, std::uint64_t high) {
    return static_cast<std::uint32_t>(random.number(low, high));
  };
  const std::uint32_t own = Script::slots(degree);
  const std::uint32_t count = number(1, Script::widest);
  const std::uint64_t control = random.happens(20) ? 3 : 0;
  if (random.happens(50))
    return {static_cast<Region>((step + 2) % 3 + control),
            (static_cast<std::uint32_t>(degree) + number(0, 2)) * Script::widest, count};
  const std::uint64_t near = random.number(step, step + 2) % 3 + control;
  return {static_cast<Region>(random.happens(80) ? near : random.number(0, 9)),
          random.happens(70) ? number(0, own - count) : number(0, own + 4), count};
}

inline std::vector<ScriptedAccess> random_accesses(Random& random, std::uint64_t step,
                                                   std::size_t degree, std::uint64_t chance) {
  std::vector<ScriptedAccess> accesses;
  while (chance != 0 && accesses.size() < Script::sends_at_most && random.happens(chance)) {
    ScriptedAccess& access = accesses.emplace_back();
    access.kind = static_cast<ScriptedAccess::Kind>(random.number(0, 6));
    access.blocks = random_blocks(random, step, degree);
    access.through = port(random.number(0, degree));
    access.first = random.happens(50);
  }
  return accesses;
}

inline Script random_script(Random& random, const Network& network, std::uint64_t steps,
                            const ScriptChances& chances) {
  Script script(network, steps);
  const std::vector<std::pair<NodeId, Route>> routes = random_routes(random, script, chances);
  for (std::uint64_t step = 0; step <= steps; ++step)
    for (std::uint64_t u = 0; u < network.node_count(); ++u) {
      const std::size_t degree = network.degree(NodeId{u});
      ScriptedTurn& turn = script.turn(step, NodeId{u});
      if (random.happens(10)) turn.takes.push_back(port(degree));  // through which nothing comes
      random.shuffle(turn.takes);
      std::erase_if(turn.takes, [&](Port) { return random.happens(chances.skipped_take); });
      turn.accesses = random_accesses(random, step, degree, chances.access);
      turn.stays_active = random.happens(chances.stay_active);
      turn.stores_backwards = random.happens(chances.backwards);
      turn.asks_host = u < network.processor_count() || random.happens(chances.switch_asks_host);
      const std::uint64_t send = step < steps ? chances.send : chances.after_end;
      while (turn.sends.size() < Script::sends_at_most && random.happens(send)) {
        const bool bad = random.happens(chances.no_such_port);
        turn.sends.push_back({bad ? port(degree) : port(random.number(0, degree - 1)),
                              static_cast<std::uint32_t>(random.number(1, Script::widest)),
                              random.happens(chances.forward),
                              port(random.number(0, degree - 1)),
                              random.happens(chances.words),
                              {},
                              random.happens(chances.backwards)});
        if (routes.empty() || !random.happens(chances.route)) continue;
        const auto [from, route] = routes[random.number(0, routes.size() - 1)];
        if (from == NodeId{u} || random.happens(chances.astray)) turn.sends.back().route = route;
      }
    }
  return script;
}

}  // namespace lockstep::reference
