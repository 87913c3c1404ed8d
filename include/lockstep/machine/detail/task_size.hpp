// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How a machine divides its nodes into tasks, and how many workers share a step.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lockstep/program/work.hpp"

namespace lockstep::detail {

/// Below this many nodes a step is not shared where its time is not known.
inline constexpr std::uint64_t nodes_worth_sharing = 512;
/// A shorter step is over before another worker has taken its part.
inline constexpr double seconds_worth_sharing = 1e-5;
/// The same of fewer nodes: more of their messages cross from one worker to another, and where only
/// active nodes run, their parts may be uneven.
inline constexpr double seconds_worth_sharing_few = 2e-5;
inline constexpr double seconds_worth_sharing_few_active = 3e-4;
/// If it is known how uneven they are, sharing has to save so much, and a tenth of the step, which
/// workers lose to each other's caches.
inline constexpr double seconds_worth_saving = 5e-6;

/// Nodes of a word of the active set, which belongs to one task.
inline constexpr std::uint64_t nodes_of_task_word = 64;

[[nodiscard]] constexpr std::uint64_t words_of_nodes(std::uint64_t nodes) noexcept {
  return nodes / nodes_of_task_word + static_cast<std::uint64_t>(nodes % nodes_of_task_word != 0);
}

/// Sizes on which the division depends.
struct TaskRequest {
  std::uint64_t nodes = 0;
  std::size_t workers = 1;
  std::uint64_t asked = 0;    ///< MachineOptions::processors_per_task
  bool sparse = false;        ///< only active nodes run
  bool receive_once = false;  ///< ReceiveOnceMachine
  ExpectedStep step{};        ///< MachineOptions::step
};

/// Whether workers share a step, unless MachineOptions::processors_per_task decides.
[[nodiscard]] constexpr bool is_worth_sharing(const TaskRequest& request) noexcept {
  const bool many = request.nodes >= nodes_worth_sharing;
  const auto [seconds, parallelism] = request.step;
  if (!(seconds > 0)) return many;
  if (parallelism > 0) return seconds * (0.9 - 1 / parallelism) >= seconds_worth_saving;
  return seconds >= (many             ? seconds_worth_sharing
                     : request.sparse ? seconds_worth_sharing_few_active
                                      : seconds_worth_sharing_few);
}

/// Consecutive nodes of a task; the last one may have fewer.
[[nodiscard]] constexpr std::uint64_t nodes_per_task(const TaskRequest& request) noexcept {
  const auto [nodes, workers, asked, sparse, receive_once, step] = request;
  const auto whole_words = [](std::uint64_t some) {
    return words_of_nodes(some) * nodes_of_task_word;
  };
  if (receive_once && asked == 0 && !is_worth_sharing(request)) return whole_words(nodes);
  if (receive_once && asked == 0) {
    // Some ranges of nodes are busier than others: there are many for every worker.
    constexpr std::uint64_t ranges_per_worker = 64;
    constexpr std::uint64_t least_words = nodes_worth_sharing / nodes_of_task_word;
    const std::uint64_t words = words_of_nodes(nodes) / (workers * ranges_per_worker) + 1;
    return std::max(least_words, words) * nodes_of_task_word;
  }
  if (receive_once) return whole_words(std::min(asked, nodes));
  if (asked != 0) return sparse ? whole_words(asked) : asked;
  return whole_words(is_worth_sharing(request) ? (nodes + workers - 1) / workers : nodes);
}

[[nodiscard]] constexpr std::uint64_t task_count(const TaskRequest& request) noexcept {
  const std::uint64_t each = nodes_per_task(request);
  return each == 0 ? 0
                   : request.nodes / each + static_cast<std::uint64_t>(request.nodes % each != 0);
}

/// Workers that have a task in a step in which every node acts.
[[nodiscard]] constexpr std::size_t workers_per_step(const TaskRequest& request) noexcept {
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(request.workers, std::max<std::uint64_t>(1, task_count(request))));
}

}  // namespace lockstep::detail
