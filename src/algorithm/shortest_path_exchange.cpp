// SPDX-License-Identifier: Apache-2.0

// size: one plan of levels, and its schedule, for four operations.

/// Exchanges on any graph along shortest paths, level by level: total exchange, odd-distance
/// exchange, all-gather, many-to-all.
/// Model:   all-port or single-port, full-duplex.
/// Idea:    every source has a tree of shortest paths to its destinations (algorithm/origin_trees),
///          chosen so that links share the work. In level t all blocks make their hop number t + 1;
///          those that go over the same link are one message. With all ports a level is a step.
///          With one port a level is a bipartite graph of senders and receivers, whose edges are
///          coloured with as few colours as there can be (Koenig): a colour is a step.
/// Source:  Dimakopoulos 1996, section 4.1 (shortest paths, (4.14) and (4.15)); levels by edge
///          colouring are this library's.
/// Differs: messages of any number of blocks; the thesis sends one block in a message.
/// Program: a schedule, but not a plan of transfers: a hop of a block takes 4 bytes here and some
///          100 there, and total exchanges of up to 2^27 hops are planned.

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/origin_trees.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/scheduled_algorithm.hpp"
#include "core/edge_colouring.hpp"
#include "core/freed_memory.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/bipartition.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {
namespace {

/// Blocks over all hops of a plan.
constexpr std::uint64_t most_planned_blocks = std::uint64_t{1} << 27U;

using Hop = OriginTrees::Hop;

/// The demand of the algorithm, in the words of OriginTrees.
[[nodiscard]] OriginTrees::Demand demand_of(const AlgorithmInfo& info,
                                            const ErasedTopology& network,
                                            const std::shared_ptr<const Makers>& made) {
  const std::uint64_t processors = network.processor_count();
  OriginTrees::Demand demand;
  for (std::uint64_t u = 0; u < processors; ++u)
    if (made->count_of(NodeId{u}) != 0) demand.sources.push_back(NodeId{u});
  demand.wanted = [processors](NodeId, NodeId node) { return index(node) < processors; };
  if (info.operation == Operation::odd_distance_exchange)
    demand.wanted = [processors, classes = Bipartition(network)](NodeId source, NodeId node) {
      return index(node) < processors && classes.is_odd(source) != classes.is_odd(node);
    };
  demand.personalised = info.operation == Operation::total_exchange ||
                        info.operation == Operation::odd_distance_exchange;
  demand.blocks = [made](NodeId source) { return made->count_of(source); };
  return demand;
}

/// The blocks that go over one link in one level.
struct Message {
  std::uint32_t from;
  std::uint32_t to;
  Port port;
  std::uint32_t step = 0;    // in which it is sent
  std::uint32_t first = 0;   // slot that its first block gets
  std::uint32_t blocks = 0;  // those that end at `to` before those that go on
  std::uint32_t ends = 0;    // of them that end there; of an all-gather all do
  Region source{};           // memory of the sender
  std::vector<std::uint32_t> slots{};
  std::vector<Origin> origins{};  // of those that end
};

/// Plans all messages, level by level. Blocks that arrive in a level are in the region of the next
/// level until they are sent on; the regions of odd and even levels take turns.
class LevelPlan {
 public:
  LevelPlan(const AlgorithmInfo& info, const ErasedTopology& network, const Makers& made,
            const OriginTrees& trees)
      : in_turn_(info.model.sends == 1),
        personalised_(trees.personalised()),
        network_(network),
        made_(made),
        trees_(trees),
        slot_of_(trees.source_count() * network.node_count()),
        sizes_(network.node_count()) {
    for (std::uint32_t s = 0; s < trees.source_count(); ++s)
      size(index(trees.source(s)), 0) = own_blocks(s);
    const std::span<const Hop> hops = trees.hops();
    for (std::size_t begin = 0; begin < hops.size();) {
      std::size_t end = begin;
      while (end < hops.size() && hops[end].level == hops[begin].level) ++end;
      plan_level(hops.subspan(begin, end - begin));
      begin = end;
    }
  }

  [[nodiscard]] std::vector<Message>& messages() noexcept { return messages_; }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  /// Memory, with what an allocator takes for itself.
  [[nodiscard]] std::uint64_t bytes() const {
    constexpr std::uint64_t of_an_array = 16;
    std::uint64_t all = slot_of_.size() * sizeof(std::uint32_t) +
                        sizes_.size() * sizeof(sizes_[0]) + messages_.capacity() * sizeof(Message);
    for (const Message& message : messages_)
      all += message.slots.capacity() * sizeof(std::uint32_t) +
             message.origins.capacity() * sizeof(Origin) + 2 * of_an_array;
    return all;
  }
  [[nodiscard]] std::array<std::uint32_t, 2> sizes(std::uint64_t node) const {
    return sizes_[node];
  }
  /// The blocks that the source itself sends.
  [[nodiscard]] std::uint32_t own_blocks(std::uint32_t source) const {
    return personalised_ ? static_cast<std::uint32_t>(trees_.destinations(source).size())
                         : made_.count_of(trees_.source(source));
  }

 private:
  [[nodiscard]] std::uint32_t& size(std::uint64_t node, std::size_t region) {
    return sizes_[node][region];
  }
  /// The slot of a block of the source at the node: of those for its destination i, or its block i,
  /// slot slot_of + i, modulo 2^32.
  [[nodiscard]] std::uint32_t& slot_of(std::uint32_t source, std::uint64_t node) {
    return slot_of_[source * network_.node_count() + node];
  }

  void plan_level(std::span<const Hop> hops) {
    const std::size_t before = messages_.size();
    for (std::size_t begin = 0; begin < hops.size();) {
      std::size_t end = begin;
      while (end < hops.size() && hops[end].arc == hops[begin].arc) ++end;
      plan_message(hops.subspan(begin, end - begin));
      begin = end;
    }
    const std::span<Message> level = std::span(messages_).subspan(before);
    steps_ += number_steps(level);
    place(level, hops);
  }

  /// The steps that the level takes.
  [[nodiscard]] std::uint64_t number_steps(std::span<Message> level) const {
    const auto first = static_cast<std::uint32_t>(steps_);
    for (Message& message : level) message.step = first;
    if (!in_turn_) return 1;
    const std::vector<BipartiteEdge> edges = edges_of(level);
    const std::vector<std::uint32_t> colours = edge_colouring(edges);
    for (std::size_t i = 0; i < level.size(); ++i) level[i].step += colours[i];
    return colours_needed(edges);
  }

  [[nodiscard]] bool ends(const Hop& hop) const { return trees_.is_wanted(hop.source, hop.node); }
  /// Blocks of the hop that go on from its end.
  [[nodiscard]] std::uint32_t passing(const Hop& hop) const {
    const std::uint32_t destinations = hop.count - static_cast<std::uint32_t>(ends(hop));
    if (personalised_ || destinations == 0) return destinations;
    return made_.count_of(trees_.source(hop.source));
  }

  /// Plans which blocks a message holds, and where they come from.
  void plan_message(std::span<const Hop> hops) {
    Message message{.from = static_cast<std::uint32_t>(index(trees_.tail(hops.front()))),
                    .to = hops.front().node,
                    .port = trees_.port_of(hops.front()),
                    .source = static_cast<Region>(hops.front().level % 2)};
    for (const Hop& hop : hops)
      if (personalised_ ? ends(hop) : passing(hop) == 0) add_ends(message, hop);
    message.ends = static_cast<std::uint32_t>(message.slots.size());
    for (const Hop& hop : hops)
      if (passing(hop) != 0) add_passing(message, hop);
    message.blocks = static_cast<std::uint32_t>(message.slots.size());
    blocks_ += message.blocks;
    if (blocks_ > most_planned_blocks)
      throw invalid(
          "{}: the plan of more than {} hops of blocks is too large; use a smaller "
          "network or another algorithm",
          network_.name(), grouped(most_planned_blocks));
    messages_.push_back(std::move(message));
  }

  void add_ends(Message& message, const Hop& hop) {
    const std::uint32_t slot = slot_of(hop.source, message.from);
    if (personalised_) {
      message.slots.push_back(slot + hop.first);
      message.origins.push_back(Origin{index(trees_.source(hop.source))});
    } else {
      add_all_of(message, hop, slot);
    }
  }
  void add_passing(Message& message, const Hop& hop) {
    const std::uint32_t slot = slot_of(hop.source, message.from);
    if (!personalised_) return add_all_of(message, hop, slot);
    for (std::uint32_t i = hop.count - passing(hop); i < hop.count; ++i)
      message.slots.push_back(slot + hop.first + i);
  }
  void add_all_of(Message& message, const Hop& hop, std::uint32_t slot) {
    for (const std::uint32_t block : made_.made_by(trees_.source(hop.source))) {
      message.slots.push_back(slot++);
      if (ends(hop)) message.origins.push_back(Origin{block});
    }
  }

  /// Places the blocks of the level where they arrive. Hops and messages are in the same order.
  void place(std::span<Message> level, std::span<const Hop> hops) {
    const std::size_t region = (hops.front().level + 1) % 2;
    std::vector<std::uint32_t> used(network_.node_count());
    auto hop = hops.begin();
    for (Message& message : level) {
      message.first = used[message.to];
      std::uint32_t next = message.first + message.ends;
      for (const std::uint32_t arc = hop->arc; hop != hops.end() && hop->arc == arc; ++hop) {
        const std::uint32_t passed = passing(*hop);
        const std::uint32_t skipped =
            personalised_ ? hop->first + hop->count - passed : std::uint32_t{0};
        slot_of(hop->source, message.to) = next - skipped;
        next += passed;
      }
      used[message.to] += message.blocks == message.ends ? 0 : message.blocks;
      size(message.to, region) = std::max(size(message.to, region), used[message.to]);
    }
  }

  bool in_turn_;
  bool personalised_;
  const ErasedTopology& network_;
  const Makers& made_;
  const OriginTrees& trees_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::array<std::uint32_t, 2>> sizes_;
  std::vector<Message> messages_;
  std::uint64_t steps_ = 0;
  std::uint64_t blocks_ = 0;
};

/// A message at one of its ends.
struct Event {
  std::uint32_t node;
  std::uint32_t step;
  bool sends;
  std::uint32_t message;
};

class LevelWriter {
 public:
  LevelWriter(const ErasedTopology& network, const Makers& made, const OriginTrees& trees,
              LevelPlan& plan)
      : network_(network), made_(made), trees_(trees), plan_(plan) {}

  [[nodiscard]] Schedule schedule() {
    std::array<std::uint32_t, 2> most{};
    for (std::uint64_t u = 0; u < network_.node_count(); ++u)
      for (const std::size_t region : {0U, 1U})
        most[region] = std::max(most[region], plan_.sizes(u)[region]);
    Schedule schedule(network_.node_count(), {most[0], most[1]});
    for (std::uint64_t u = 0; u < network_.node_count(); ++u)
      schedule.set_sizes(NodeId{u}, plan_.sizes(u));
    write(schedule);
    schedule.close(plan_.steps());
    return schedule;
  }

 private:
  void write(Schedule& schedule) {
    std::vector<std::uint32_t> source_of(network_.node_count());
    for (std::uint32_t s = 0; s < trees_.source_count(); ++s)
      source_of[index(trees_.source(s))] = s + 1;
    const std::vector<Event> events = this->events();
    for (std::size_t i = 0; i < events.size(); ++i) {
      const Event& event = events[i];
      const bool new_node = i == 0 || events[i - 1].node != event.node;
      if (new_node || events[i - 1].step != event.step)
        schedule.begin_turn(event.step, NodeId{event.node});
      Message& message = plan_.messages()[event.message];
      if (!event.sends) {
        receive(schedule, message);
        continue;
      }
      // The own blocks, before the first of them leaves.
      if (std::uint32_t& source = source_of[event.node]; source != 0)
        load(schedule, std::exchange(source, 0) - 1);
      schedule.send(message.port, message.source, message.slots);
      message.slots = std::vector<std::uint32_t>();  // no longer needed
    }
  }

  /// Node by node, step by step; what arrives is taken before anything is sent.
  [[nodiscard]] std::vector<Event> events() {
    std::vector<Event> all;
    all.reserve(2 * plan_.messages().size());
    for (std::uint32_t i = 0; i < plan_.messages().size(); ++i) {
      const Message& message = plan_.messages()[i];
      all.push_back({message.from, message.step, true, i});
      all.push_back({message.to, message.step + 1, false, i});
    }
    std::ranges::sort(all, {}, [](const Event& event) {
      return std::tuple(event.node, event.step, event.sends, event.message);
    });
    return all;
  }

  void load(Schedule& schedule, std::uint32_t source) {
    if (trees_.personalised())
      return schedule.load(Region{0}, 0, schedule.add_elements(trees_.destinations(source)));
    schedule.load(Region{0}, 0, made_.loads_of(trees_.source(source)));
  }

  void receive(Schedule& schedule, const Message& message) const {
    const Port at = network_.reverse_port(NodeId{message.from}, message.port);
    if (message.ends == message.blocks) return schedule.take_deliver(at, 0, message.origins);
    const auto region = static_cast<Region>(1 - index(message.source));
    schedule.take_store(at, Blocks{region, message.first, message.blocks});
    if (!message.origins.empty()) schedule.deliver(region, message.first, message.origins);
  }

  const ErasedTopology& network_;
  const Makers& made_;
  const OriginTrees& trees_;
  LevelPlan& plan_;
};

[[nodiscard]] PlannedSchedule planned(const AlgorithmInfo& info, const PlanRequest& asked) {
  const ErasedTopology& network = asked.network;
  const std::uint64_t processors = network.processor_count();
  check_count(info.name, network.name(), asked.pattern.origins(processors), "blocks");
  const auto made = std::make_shared<const Makers>(asked.pattern, processors, network.node_count());
  const OriginTrees trees(network, demand_of(info, network, made));
  LevelPlan levels(info, network, *made, trees);
  LevelWriter writer(network, *made, trees, levels);
  const std::uint64_t bytes =
      trees.bytes() + levels.bytes() + 2 * levels.messages().size() * sizeof(Event);
  return {.schedule = writer.schedule(), .planning_bytes = bytes};
}

constexpr NetworkShape other_network{
    .text = "any other network",
    .plural = "networks that are not Cayley graphs",
    .is = [](const ErasedTopology& network) { return !network.symmetric(); },
    .general = true,
    .wider = &shapes::any_network};

/// A search from every processor looks at every link.
constexpr NetworkQuantity searched_links{
    .name = "processors x links",
    .kind = NetworkQuantity::Kind::formula,
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      const std::optional<std::uint64_t> links = network.link_count();
      const std::uint64_t processors = std::max<std::uint64_t>(network.processor_count(), 1);
      if (!links || *links > std::numeric_limits<std::uint64_t>::max() / processors) return {};
      return *links * processors;
    }};
/// The sources are an option of the run.
constexpr NetworkQuantity source_pairs{.name = "sources x nodes",
                                       .kind = NetworkQuantity::Kind::formula};

[[nodiscard]] SupportedNetworks networks_for(Operation operation) {
  if (operation == Operation::all_gather || operation == Operation::many_to_all)
    return shapes::any_network.with(at_most(
        operation == Operation::all_gather ? quantities::pairs : source_pairs, most_tree_pairs));
  const SupportedNetworks networks =
      shapes::cayley_graph.with(at_most(quantities::pairs, most_tree_pairs))
          .or_else(other_network.with(at_most(quantities::pairs, most_tree_pairs_without_rival))
                       .with(at_most(searched_links, most_tree_links))
                       .with(at_most(quantities::hops, most_planned_blocks)));
  return operation == Operation::total_exchange ? networks : networks.both(shapes::bipartite);
}

[[nodiscard]] PlannedAlgorithm along_shortest_paths(Operation operation, Ports ports) {
  const bool all = ports == Ports::all;
  const bool odd = operation == Operation::odd_distance_exchange;
  AlgorithmInfo info{
      .name = all ? "shortest-paths" : "shortest-paths-in-turn",
      .operation = operation,
      .model = all ? port_models::all_port : port_models::single_port,
      .source = "Lockstep; shortest paths as in Dimakopoulos, section 4.1",
      .startups = all && !odd ? "D" : "",
      .costs = !all  ? "counted in the plan"
               : odd ? "start-ups: the largest odd distance; message times: counted in the plan"
                     : "message times: counted in the plan",
      .claims = {.startups = all ? Among::all : Among::none},
      .summary = all ? "sends along shortest paths, all blocks one hop per step"
                     : "sends along shortest paths, hop by hop, one message per node and step",
      .promise_name = "plan"};
  if (operation == Operation::many_to_all) info = many_to_all_like(info);
  return {.info = info,
          .networks = networks_for(operation),
          .schedule = [info](const PlanRequest& asked) {
            PlannedSchedule made = planned(info, asked);
            give_back_freed_memory(made.planning_bytes);
            return made;
          }};
}

}  // namespace

const PlannedAlgorithm level_exchange = along_shortest_paths(Operation::total_exchange, Ports::all);
const PlannedAlgorithm level_exchange_in_turn =
    along_shortest_paths(Operation::total_exchange, Ports::one);
const PlannedAlgorithm odd_level_exchange =
    along_shortest_paths(Operation::odd_distance_exchange, Ports::all);
const PlannedAlgorithm odd_level_exchange_in_turn =
    along_shortest_paths(Operation::odd_distance_exchange, Ports::one);
const PlannedAlgorithm level_gather = along_shortest_paths(Operation::all_gather, Ports::all);
const PlannedAlgorithm level_gather_in_turn =
    along_shortest_paths(Operation::all_gather, Ports::one);
const PlannedAlgorithm level_many_to_all = along_shortest_paths(Operation::many_to_all, Ports::all);
const PlannedAlgorithm level_many_to_all_in_turn =
    along_shortest_paths(Operation::many_to_all, Ports::one);

}  // namespace lockstep
