// SPDX-License-Identifier: Apache-2.0

/// Chapter 6 of V. V. Dimakopoulos, "Collective communication problems in multiprocessors":
/// fat_trees.json has what it prints, this file what its formulas ask the machine. Steps count from
/// 1, as in the thesis.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lockstep/topology/switch_tree.hpp"
#include "papers/measured.hpp"

namespace lockstep::papers {

extern const std::string_view fat_trees_json;

namespace {

/// ('all-gather', 'descending', 'pipelined', 'no') on the network of the row.
[[nodiscard]] Job job_of(const Call& call) {
  Job job{call.text("topology"), parse_operation(call.text(0)), call.text(1)};
  if (call.size() == 4) job.settings[call.text(2)] = call.text(3);
  return job;
}

[[nodiscard]] const FatTree& tree_of(const AnyTopology& network) { return *network.as<FatTree>(); }

/// The queues of a level, from 1 on, in an all-gather by the algorithm of the row.
template <std::uint64_t LevelQueues::*Figure>
[[nodiscard]] Value queue(const Call& call) {
  const Job job{call.text("topology"), Operation::all_gather, call.text("algorithm")};
  return result_of(job).record.queues.at(call.number(0) - 1).*Figure;
}

/// Leaves that send in the first and in the last step in which any does, without pipelining.
[[nodiscard]] Value leaves_sending(const Call& call) {
  const AnyTopology network = network_of(call);
  Job job = job_of(call);
  job.settings["pipelined"] = std::string("no");
  SendTrace of_leaves = trace_of(job);
  std::erase_if(of_leaves, [&](const SendEvent& event) {
    return index(event.sender) >= tree_of(network).processor_count();
  });
  const auto [first, last] = std::ranges::minmax_element(of_leaves, {}, &SendEvent::step);
  const auto in = [&](std::uint64_t step) {
    return std::ranges::count_if(of_leaves,
                                 [step](const SendEvent& event) { return event.step == step; });
  };
  return fmt::format("{}, at last {}", in(first->step), in(last->step));
}

/// Steps of the class sequence in which a leaf receives nothing, on average over the leaves.
[[nodiscard]] Value holes(const Call& call) {
  const Job job{call.text("topology"), Operation::total_exchange, "class-sequence"};
  const AnyTopology network = network_of(call);
  const std::uint64_t leaves = tree_of(network).processor_count();
  const SendTrace trace = trace_of(job);
  const auto received = std::ranges::count_if(
      trace, [&](const SendEvent& event) { return index(event.receiver) < leaves; });
  return steps_of(job) - static_cast<std::uint64_t>(received) / leaves;
}

/// "7" where it takes as long from any leaf, else "7..9".
[[nodiscard]] Value broadcast_from_any(const Call& call) {
  const AnyTopology network = network_of(call);
  std::vector<std::uint64_t> steps;
  for (std::uint64_t root = 0; root < tree_of(network).processor_count(); ++root)
    steps.push_back(
        steps_of({network.name(), Operation::broadcast, call.text(0), {{"root", root}}}));
  const auto [least, most] = std::ranges::minmax(steps);
  return least == most ? fmt::format("{}", least) : fmt::format("{}..{}", least, most);
}

/// The step in which the last message that turns on that level came, in the scatter from leaf 0.
[[nodiscard]] Value last_arrival(const Call& call) {
  const AnyTopology network = network_of(call);
  const FatTree& tree = tree_of(network);
  std::uint64_t last = 0;
  for (const SendEvent& event : trace_of({network.name(), Operation::scatter, "furthest-first"})) {
    const std::uint64_t leaf = index(event.receiver);
    if (leaf < tree.processor_count() && leaf != 0 && tree.turning_level(0, leaf) == call.number(0))
      last = std::max(last, event.step + 1);
  }
  return last;
}

/// The steps in which switch 0 of a level, the last argument, sends a message, in their order.
enum class Direction : std::uint8_t { any, up };
[[nodiscard]] std::vector<std::uint64_t> sends_of(const Call& call,
                                                  Direction direction = Direction::any) {
  const AnyTopology network = network_of(call);
  const SwitchTree::Place sender{call.number(2), 0};
  std::vector<std::uint64_t> steps;
  for (const SendEvent& event :
       trace_of({network.name(), parse_operation(call.text(0)), call.text(1)}))
    if (tree_of(network).place(event.sender) == sender &&
        (direction == Direction::any || event.receiver > event.sender))
      steps.push_back(event.step + 1);
  std::ranges::sort(steps);
  return steps;
}

/// The step before the switch first has nothing to send.
[[nodiscard]] Value first_pause(const Call& call) {
  const std::vector<std::uint64_t> steps = sends_of(call);
  const auto gap =
      std::adjacent_find(steps.begin(), steps.end(), [](auto a, auto b) { return b > a + 1; });
  return gap == steps.end() ? steps.back() : *gap;
}

/// The arity whose trees of n leaves take the fewest steps; the largest of several.
[[nodiscard]] Value best_arity(const Call& call) {
  const std::uint64_t leaves = call.number("n");
  std::uint64_t best = 0;
  std::uint64_t least = 0;
  for (const std::uint64_t k : {2U, 4U, 8U, 16U}) {
    std::uint64_t height = 1;
    std::uint64_t reached = k;
    for (; reached < leaves; reached *= k) ++height;
    if (reached != leaves || height == 1) continue;
    const std::uint64_t steps = steps_of(
        {fmt::format("fat-tree:{}^{}", k, height), parse_operation(call.text(0)), call.text(1)});
    if (best != 0 && steps > least) continue;
    best = k;
    least = steps;
  }
  return best;
}

/// "4.33 3.64 3.61 3.73": of broadcasting in trees of many leaves.
[[nodiscard]] double per_leaf(double k) { return (k + 1) / std::log(k); }

const Functions functions{
    {"steps", [](const Call& call) { return steps_of(job_of(call)); }},
    {"steps_on",
     [](const std::string& network, const std::string& operation, const std::string& algorithm) {
       return steps_of({network, parse_operation(operation), algorithm});
     }},
    {"bound",
     [](const Call& call) {
       const auto& bound = result_of(job_of(call)).forecast.lower_bound;
       return bound->undivided.message_times.rounded_up();
     }},
    {"nodes", [](const Call& call) { return network_of(call).node_count(); }},
    {"capacity",
     [](const Call& call) { return tree_of(network_of(call)).capacity(call.number(0)); }},
    {"links",
     [](const Call& call) {
       const AnyTopology network = network_of(call);
       const std::size_t level = call.number(0);
       return network.levels()[level - 1].nodes * tree_of(network).capacity(level);
     }},
    {"waiting_up", queue<&LevelQueues::wait_up>},
    {"waiting_down", queue<&LevelQueues::wait_down>},
    {"buffered", queue<&LevelQueues::per_branch>},
    {"leaves_sending", leaves_sending},
    {"holes", holes},
    {"broadcast_from_any", broadcast_from_any},
    {"last_arrival", last_arrival},
    {"sends", [](const Call& call) { return sends_of(call).size(); }},
    {"last_send", [](const Call& call) { return sends_of(call).back(); }},
    {"last_send_up", [](const Call& call) { return sends_of(call, Direction::up).back(); }},
    {"first_pause", first_pause},
    {"best_arity", best_arity},
    {"per_leaf", [](int k) { return fmt::format("{:.2f}", per_leaf(k)); }},
    {"least_per_leaf", [] {
       constexpr std::array arities{2, 3, 4, 5};
       return *std::ranges::min_element(arities,
                                        [](int a, int b) { return per_leaf(a) < per_leaf(b); });
     }}};

}  // namespace

const Paper fat_trees_paper{.name = "fat-trees", .data = data_from<fat_trees_json, functions>};

}  // namespace lockstep::papers
