// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random programs that keep to the rules of the machine or break them, against the reference
/// machine: same record, violations, deliveries byte for byte, trace; and where nothing is left
/// unread the rules are recounted from the trace. On networks with hubs, lanes, switches, and
/// regular ones whose nodes number their ports each in its own way, so that what arrives differs
/// from node to node.
///
///     const ScriptTrial trial = try_script(random, executors, {});
///     trial.difference;  // empty: all as the reference machine says

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/machine/violation.hpp"
#include "reference/random.hpp"

namespace lockstep::study {

enum class ScriptKind : std::uint8_t {
  script,    ///< every node its own moves, one by one
  words,     ///< the same with labels, control words, memories of different sizes
  routes,    ///< and with messages over routes
  schedule,  ///< all nodes the same moves, in groups or one by one
  single     ///< one reception each, on the receive-once machine
};

[[nodiscard]] constexpr std::string_view name_of(ScriptKind kind) noexcept {
  constexpr std::string_view names[] = {"script", "script with words", "script with routes",
                                        "schedule", "script of one reception each"};
  return names[static_cast<std::size_t>(kind)];
}

struct ScriptTrial {
  ScriptKind kind{};
  std::string run;           ///< what was run, on one line
  std::string difference{};  ///< the first from the reference machine; empty: none
  std::set<Rule> broken{};
  bool interrupted = false;
};

/// Draws one and runs it. Processes share it where each of them owns a node.
[[nodiscard]] ScriptTrial try_script(reference::Random& random,
                                     std::span<const ExecutorKind> executors,
                                     const std::stop_token& stop, Processes* processes = nullptr);

/// The processes, if the network has a node for each of them; else null: every process runs it.
[[nodiscard]] Processes* sharing(Processes* processes, std::uint64_t nodes);

/// Some tasks of some steps start late. Which ones depends on the seed alone.
[[nodiscard]] std::function<void(std::uint64_t, std::size_t)> delays(std::uint64_t seed);

}  // namespace lockstep::study
