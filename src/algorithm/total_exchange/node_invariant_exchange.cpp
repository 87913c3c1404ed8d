// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/node_invariant_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithm/checks.hpp"
#include "algorithm/grown_bytes.hpp"
#include "core/joined.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "program/slot_pool.hpp"

namespace lockstep {
namespace {

/// A block that waits in a processor.
struct Waiting {
  NodeId destination;         // as its source sees it: what tells the blocks of a queue apart
  NodeId rest;                // as the processor sees it
  std::uint64_t joined = 0;   // when it joined the queue
  std::uint32_t slot = 0;     // of another processor's block
  std::uint32_t primary = 0;  // the block whose primary, secondary and joined are least leaves
  std::uint32_t secondary = 0;

  [[nodiscard]] bool own() const noexcept { return rest == destination; }
};

class Queue {
 public:
  Queue(const RelativeRoutes& routes, QueueDiscipline discipline)
      : routes_(routes), discipline_(discipline) {
    for (const NodeId destination : initial_order())
      push({.destination = destination, .rest = destination});
  }

  [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }

  void push(Waiting block) {
    block.joined = joined_++;
    const std::uint32_t left = routes_.distance(block.rest);
    const std::uint32_t travelled = routes_.distance(block.destination) - left;
    if (discipline_ == QueueDiscipline::closest_first) block.primary = left;
    if (discipline_ == QueueDiscipline::furthest_first) block.primary = ~left;
    if (discipline_ == QueueDiscipline::closest_first ||
        discipline_ == QueueDiscipline::furthest_first)
      block.secondary = ~travelled;
    blocks_.push(block);
  }

  [[nodiscard]] Waiting pop() {
    const Waiting block = blocks_.top();
    blocks_.pop();
    return block;
  }

 private:
  struct Later {
    bool operator()(const Waiting& a, const Waiting& b) const noexcept {
      return std::tie(b.primary, b.secondary, b.joined) <
             std::tie(a.primary, a.secondary, a.joined);
    }
  };

  /// From the head of the queue: the paper's Fig. 4.5 has the last node there.
  [[nodiscard]] std::vector<NodeId> initial_order() const {
    std::vector<NodeId> order;
    for (std::uint64_t g = routes_.node_count(); g-- > 0;)
      if (NodeId{g} != routes_.identity()) order.push_back(NodeId{g});
    if (discipline_ == QueueDiscipline::message_shift)
      std::ranges::stable_sort(order, std::ranges::greater(),
                               [this](NodeId g) { return routes_.distance(g); });
    return order;
  }

  const RelativeRoutes& routes_;
  QueueDiscipline discipline_;
  std::uint64_t joined_ = 0;
  std::priority_queue<Waiting, std::vector<Waiting>, Later> blocks_;
};

/// What one processor does, and by symmetry all: the block that it sends through a port comes to it
/// through the same port, one hop closer to where it goes (Lemma 4.9). Returns the slots used.
std::uint32_t run(const RelativeRoutes& routes, QueueDiscipline discipline, auto&& steps) {
  Queue queue(routes, discipline);
  SlotPool slots;
  while (!queue.empty()) {
    Waiting block = queue.pop();
    if (block.own()) {
      block.slot = slots.acquire();
      steps.load(block);
    }
    const Port through = routes.first(block.rest);
    steps.send(through, block);
    slots.release_sent(block.slot);
    slots.begin_step();
    block.rest = routes.rest(block.rest);
    if (block.rest == routes.identity()) {
      steps.deliver(through, block);
    } else {
      block.slot = slots.acquire();
      steps.store(through, block);
      queue.push(block);
    }
  }
  return slots.size();
}

struct OnlyCounted {
  void load(const Waiting&) {}
  void send(Port, const Waiting&) {}
  void deliver(Port, const Waiting&) {}
  void store(Port, const Waiting&) {}
};

struct Recorded : OnlyCounted {
  std::vector<NodeInvariantSend> sends{};
  void send(Port through, const Waiting& block) {
    sends.push_back({block.destination, block.rest, through});
  }
};

class Written {
 public:
  explicit Written(const AnyCayley& group) : schedule_(group) {
    std::vector<NodeId> nodes(group.node_count());
    std::vector<NodeId> inverses(group.node_count());
    for (std::uint64_t g = 0; g < group.node_count(); ++g) {
      nodes[g] = NodeId{g};
      inverses[g] = group.inverse(NodeId{g});
    }
    nodes_ = schedule_.add_elements(nodes);
    sources_ = schedule_.add_elements(inverses);
    identity_ = only(nodes_, group.identity());
  }

  void load(const Waiting& block) {
    schedule_.load(place(block), only(nodes_, block.destination), identity_);
  }
  void send(Port through, const Waiting& block) {
    schedule_.send(through, place(block));
    schedule_.next_step();
  }
  void deliver(Port through, const Waiting& block) {
    schedule_.take_deliver(through, only(sources_, block.destination));
  }
  void store(Port through, const Waiting& block) { schedule_.take_store(through, place(block)); }

  [[nodiscard]] NodeInvariantSchedule finished(std::uint32_t slots) {
    const Region region = schedule_.add_region(slots);
    expects(region == memory, "the schedule has one region");
    return std::move(schedule_);
  }

 private:
  static constexpr Region memory{0};  // added last: only then its size is known

  [[nodiscard]] static Blocks place(const Waiting& block) noexcept {
    return {memory, block.slot, 1};
  }
  [[nodiscard]] static Elements only(Elements all, NodeId which) noexcept {
    return {all.first + static_cast<std::uint32_t>(index(which)), 1};
  }

  NodeInvariantSchedule schedule_;
  Elements nodes_;
  Elements sources_;  // inverse of g: where the block that went by g came from
  Elements identity_;
};

}  // namespace

QueueDiscipline queue_discipline(std::string_view name) {
  for (const QueueDiscipline discipline : all_queue_disciplines)
    if (name_of(discipline) == name) return discipline;
  throw InvalidParameter(fmt::format("discipline: '{}' is not valid; expected {}", name,
                                     joined(queue_discipline_names, ", ")));
}

std::vector<NodeInvariantSend> node_invariant_sends(const RelativeRoutes& routes,
                                                    QueueDiscipline discipline) {
  Recorded recorded;
  (void)run(routes, discipline, recorded);
  return std::move(recorded.sends);
}

NodeInvariantExchange::NodeInvariantExchange(const AnyCayley& group, const Settings& settings)
    : group_(group),
      discipline_(queue_discipline(settings.text("discipline", parameters.front().fallback))) {
  check_count(info.name, group.name(), group.node_count(), "nodes", max_region_blocks - 1);
  routes_ = std::make_shared<const RelativeRoutes>(group);
}

Footprint NodeInvariantExchange::footprint() const {
  constexpr std::uint64_t followed_in_a_moment = 20'000'000;
  const std::uint64_t nodes = group_.node_count();
  const std::uint64_t steps = routes_->status();
  const std::uint64_t most_slots = nodes + 1;
  return {
      .steps = steps,
      .hops = steps * nodes,
      .blocks_per_processor =
          steps <= followed_in_a_moment ? run(*routes_, discipline_, OnlyCounted{}) : most_slots,
      .plan_bytes = (2 * steps + nodes - 1) * sizeof(Action) + (steps + 1) * sizeof(std::uint64_t) +
                    2 * nodes * sizeof(NodeId) + group_.translation_bytes(2 * nodes)};
}

std::uint64_t NodeInvariantExchange::planning_bytes() const {
  const std::uint64_t steps = routes_->status();
  return grown_bytes<Action>(2 * steps + group_.node_count() - 1) +
         grown_bytes<std::uint64_t>(steps + 1);
}

NodeInvariantProgram NodeInvariantExchange::program() const {
  Written steps(group_);
  const std::uint32_t used = run(*routes_, discipline_, steps);
  return {group_, steps.finished(used)};
}

}  // namespace lockstep
