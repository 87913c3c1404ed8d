// SPDX-License-Identifier: Apache-2.0

/// All-gather in any product of graphs, one dimension after the other.
/// Model:   all-port or single-port, full-duplex.
/// Idea:    in all copies of a factor at the same time an all-gather along shortest paths, hop by
///          hop (algorithm/origin_trees), of all that nodes have from the dimensions before. With
///          one port the messages of a hop are an edge colouring of senders and receivers.
/// Source:  textbook; the trees as in `shortest-paths`. Products: Dimakopoulos 1996, section 2.1.1.
/// Differs: none. Dimensions are taken from the last to the first, so that what a node has from
///          those before lies in consecutive slots.
/// Program: a schedule, but not a plan of transfers: 4,096 nodes would make 16,773,120 of them,
///          where a message of consecutive blocks is one action here.

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithm/origin_trees.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "core/edge_colouring.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

/// The message from one node of a factor to another: all that it has from these nodes.
struct FactorMessage {
  std::uint32_t step;
  std::uint32_t from;
  std::uint32_t to;
  Port port;
  Port back;
  std::vector<std::uint32_t> sources;
};

/// An all-gather in one factor.
struct FactorPlan {
  std::vector<FactorMessage> messages;
  std::uint32_t steps = 0;
};

[[nodiscard]] FactorPlan plan_of(const ErasedTopology& factor, bool in_turn) {
  OriginTrees::Demand demand{.wanted = [](NodeId, NodeId) { return true; }, .personalised = false};
  for (std::uint64_t u = 0; u < factor.node_count(); ++u) demand.sources.push_back(NodeId{u});
  const OriginTrees trees(factor, std::move(demand));
  FactorPlan plan;
  const std::span<const OriginTrees::Hop> hops = trees.hops();
  std::size_t first = 0;  // message of the level
  for (std::size_t i = 0; i < hops.size(); ++i) {
    const bool new_level = i == 0 || hops[i].level != hops[i - 1].level;
    if (new_level) first = plan.messages.size();
    if (new_level || hops[i].arc != hops[i - 1].arc) {
      const auto from = static_cast<std::uint32_t>(index(trees.tail(hops[i])));
      const Port port = trees.port_of(hops[i]);
      plan.messages.push_back(
          {plan.steps, from, hops[i].node, port, factor.reverse_port(NodeId{from}, port), {}});
    }
    plan.messages.back().sources.push_back(
        static_cast<std::uint32_t>(index(trees.source(hops[i].source))));
    if (i + 1 < hops.size() && hops[i + 1].level == hops[i].level) continue;
    const auto level = std::span(plan.messages).subspan(first);
    const std::vector<BipartiteEdge> edges = edges_of(level);
    const std::vector<std::uint32_t> colours = edge_colouring(edges);
    for (std::size_t k = 0; in_turn && k < level.size(); ++k) level[k].step += colours[k];
    plan.steps += in_turn ? colours_needed(edges) : 1;
  }
  return plan;
}

/// Slot o of every node is for the block of node o. In the dimension of stride s, the blocks of the
/// nodes that agree with a node before that dimension, and have a coordinate c there, are s slots
/// one after the other.
class DimensionWriter {
 public:
  DimensionWriter(const ErasedTopology& network, bool in_turn)
      : nodes_(static_cast<std::uint32_t>(network.node_count())), network_(network) {
    for (const ProductFactor& factor : product_factors(network))
      dimensions_.push_back({factor, plan_of(factor.topology, in_turn)});
    std::ranges::sort(dimensions_, {}, [](const Dimension& own) { return own.factor.stride; });
    for (Dimension& own : dimensions_) {
      own.first_step = steps_;
      steps_ += own.plan.steps;
      own.events = events_of(own);
    }
  }

  [[nodiscard]] Schedule schedule() {
    Schedule schedule(nodes_, {nodes_});
    std::vector<NodeId> all(nodes_);
    for (std::uint32_t u = 0; u < nodes_; ++u) all[u] = NodeId{u};
    all_ = schedule.add_elements(all).first;
    for (std::uint32_t u = 0; u < nodes_; ++u) write(schedule, u);
    schedule.close(steps_);
    return schedule;
  }

 private:
  /// A message at one of its ends.
  struct End {
    std::uint32_t step;
    bool sends;
    const FactorMessage* message;

    /// As the factor calls it.
    [[nodiscard]] Port through() const { return sends ? message->port : message->back; }
  };
  struct Dimension {
    ProductFactor factor;
    FactorPlan plan;
    std::uint32_t first_step = 0;
    std::vector<std::vector<End>> events{};  // by coordinate
  };

  [[nodiscard]] static std::vector<std::vector<End>> events_of(const Dimension& own) {
    std::vector<std::vector<End>> events(own.factor.topology.node_count());
    for (const FactorMessage& message : own.plan.messages) {
      events[message.from].push_back({message.step, true, &message});
      events[message.to].push_back({message.step + 1, false, &message});
    }
    for (std::vector<End>& ends : events)
      std::ranges::sort(ends, {}, [](const End& end) {
        return std::tuple(end.step, end.sends, index(end.through()));
      });
    return events;
  }

  /// The port of node u that its factor calls `own`: lanes are in the same order.
  [[nodiscard]] Port port_of(NodeId u, const Dimension& dimension, Port own) const {
    const ErasedTopology& factor = dimension.factor.topology;
    const NodeId c = dimension.factor.coordinate(u);
    const NodeId to = factor.neighbor(c, own);
    std::size_t lane = 0;
    for (std::size_t p = 0; p < index(own); ++p)
      lane += factor.neighbor(c, port(p)) == to ? 1U : 0U;
    const NodeId end = dimension.factor.with(u, to);
    for (std::size_t p = 0;; ++p)  // ends: links of a factor are links of the product
      if (network_.neighbor(u, port(p)) == end && lane-- == 0) return port(p);
  }

  void write(Schedule& schedule, std::uint32_t u) const {
    if (steps_ == 0) return;
    schedule.begin_turn(0, NodeId{u});
    schedule.load(Blocks{Region{0}, u, 1}, NodeId{u});
    for (const Dimension& own : dimensions_) {
      for (const End& end : own.events[index(own.factor.coordinate(NodeId{u}))]) {
        schedule.enter_turn(own.first_step + end.step, NodeId{u});
        const Port through = port_of(NodeId{u}, own, end.through());
        with_slots(u, own, *end.message, [&](const auto&... slots) {
          if (end.sends)
            schedule.send(through, slots...);
          else
            schedule.take_store(through, slots...);
        });
        if (end.sends) continue;
        for (const std::uint32_t source : end.message->sources) {
          const std::uint32_t first = first_of(u, own, source);
          schedule.deliver(Region{0}, first, Elements{all_ + first, stride_of(own)});
        }
      }
    }
  }

  /// The first of the blocks that come from that coordinate.
  [[nodiscard]] static std::uint32_t first_of(std::uint32_t u, const Dimension& own,
                                              std::uint32_t source) {
    const std::uint64_t whole = own.factor.stride * own.factor.topology.node_count();
    return static_cast<std::uint32_t>(u / whole * whole + source * own.factor.stride);
  }
  [[nodiscard]] static std::uint32_t stride_of(const Dimension& own) {
    return static_cast<std::uint32_t>(own.factor.stride);
  }
  /// take(blocks) where those of the message are consecutive, else take(region, slots).
  static void with_slots(std::uint32_t u, const Dimension& own, const FactorMessage& message,
                         const auto& take) {
    if (message.sources.size() == 1)
      return take(Blocks{Region{0}, first_of(u, own, message.sources.front()), stride_of(own)});
    std::vector<std::uint32_t> slots;
    for (const std::uint32_t source : message.sources)
      for (std::uint32_t i = 0; i < own.factor.stride; ++i)
        slots.push_back(first_of(u, own, source) + i);
    take(Region{0}, slots);
  }

  std::uint32_t nodes_;
  const ErasedTopology& network_;
  std::vector<Dimension> dimensions_;  // in the order in which they are taken
  std::uint32_t steps_ = 0;
  std::uint32_t all_ = 0;  // elements: every node
};

constexpr NetworkShape product{
    .text = "any product",
    .plural = "products",
    .is = [](const ErasedTopology& network) { return !network.factors().empty(); },
    .wider = &shapes::any_network,
    .family = "products"};

/// The trees of a factor are planned whole.
constexpr std::uint64_t most_factor_nodes = 512;
static_assert(most_factor_nodes * most_factor_nodes <= most_tree_pairs);
constexpr NetworkQuantity factor_nodes{
    .name = "factor",
    .kind = NetworkQuantity::Kind::each,
    .unit = " nodes",
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      std::uint64_t most = 0;
      for (const ErasedTopology& factor : network.factors())
        most = std::max(most, factor.node_count());
      return most;
    }};

[[nodiscard]] PlannedAlgorithm by_dimension(Ports ports) {
  const bool all = ports == Ports::all;
  return {.info = {.name = all ? "dimension-by-dimension" : "dimension-by-dimension-in-turn",
                   .operation = Operation::all_gather,
                   .model = all ? port_models::all_port : port_models::single_port,
                   .source = "textbook; products: Dimakopoulos, section 2.1.1",
                   .startups = all ? "D" : "",
                   .costs = all ? "message times: counted in the plan" : "counted in the plan",
                   .claims = {.startups = all ? Among::all : Among::none},
                   .summary = "runs an all-gather in each factor, one dimension after the other",
                   .promise_name = "plan"},
          .networks = product.up_to_nodes(4'096).with(at_most(factor_nodes, most_factor_nodes)),
          .schedule = [all](const PlanRequest& asked) {
            return PlannedSchedule{.schedule = DimensionWriter(asked.network, !all).schedule()};
          }};
}

}  // namespace

const PlannedAlgorithm factor_gather = by_dimension(Ports::all);
const PlannedAlgorithm factor_gather_in_turn = by_dimension(Ports::one);

}  // namespace lockstep
