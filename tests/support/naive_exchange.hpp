// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Single-port total exchange as the thesis writes it (Fig. 4.5, Definition 4.3): every processor
/// with a queue of its own, in node numbers, nothing relative but the choice among the waiting
/// messages.
///
///     const NaiveExchange expected = naive_exchange(group, QueueDiscipline::fifo);

#include <algorithm>
#include <cstdint>
#include <deque>
#include <tuple>
#include <vector>

#include "algorithm/total_exchange/queue_discipline.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep::test {

struct NaiveExchange {
  SendTrace sends;
  std::uint64_t steps = 0;
  std::uint64_t largest_queue = 0;    ///< in any processor, between two steps
  std::uint64_t largest_foreign = 0;  ///< the same, messages of other sources only
};

class NaiveProcessors {
 public:
  NaiveProcessors(const AnyCayley& group, QueueDiscipline discipline)
      : group_(group), discipline_(discipline), queues_(group.node_count()) {
    for (std::uint64_t v = 0; v < group.node_count(); ++v)
      distances_.push_back(distances_from(group, NodeId{v}));
    for (std::uint64_t v = 0; v < group.node_count(); ++v) fill(NodeId{v});
  }

  NaiveExchange run() {
    look();
    while (!queues_.front().empty()) step();
    return result_;
  }

 private:
  struct Message {
    NodeId source;
    NodeId destination;
  };
  struct Moving {
    Message message;
    NodeId to;
  };

  [[nodiscard]] std::uint64_t distance(NodeId u, NodeId v) const {
    return distances_[index(u)][index(v)];
  }

  /// m_v(v v_j), j = N-1 at the head; message shift: the furthest at the head.
  void fill(NodeId v) {
    auto& queue = queues_[index(v)];
    for (std::uint64_t j = group_.node_count(); j-- > 0;)
      if (NodeId{j} != group_.identity()) queue.push_back({v, group_.product(v, NodeId{j})});
    if (discipline_ == QueueDiscipline::message_shift)
      std::stable_sort(queue.begin(), queue.end(), [&](const Message& a, const Message& b) {
        return distance(v, a.destination) > distance(v, b.destination);
      });
  }

  [[nodiscard]] std::size_t chosen(NodeId v) const {
    const auto& queue = queues_[index(v)];
    std::size_t best = 0;
    const auto rank = [&](const Message& m) {
      const std::uint64_t left = distance(v, m.destination);
      const std::uint64_t far = discipline_ == QueueDiscipline::closest_first ? ~left : left;
      return std::tuple(far, distance(m.source, v));
    };
    if (discipline_ == QueueDiscipline::fifo || discipline_ == QueueDiscipline::message_shift)
      return best;
    for (std::size_t i = 1; i < queue.size(); ++i)
      if (rank(queue[i]) > rank(queue[best])) best = i;
    return best;
  }

  /// The first neighbour that is closer.
  [[nodiscard]] Port towards(NodeId v, NodeId destination) const {
    std::size_t p = 0;
    while (distance(group_.neighbor(v, port(p)), destination) + 1 != distance(v, destination)) ++p;
    return port(p);
  }

  void step() {
    std::vector<Moving> moving;
    for (std::uint64_t u = 0; u < queues_.size(); ++u) {
      const NodeId v{u};
      auto& queue = queues_[u];
      const auto at = queue.begin() + static_cast<std::ptrdiff_t>(chosen(v));
      const Port through = towards(v, at->destination);
      const NodeId to = group_.neighbor(v, through);
      result_.sends.push_back({.step = result_.steps,
                               .sender = v,
                               .port = through,
                               .receiver = to,
                               .receiver_port = group_.reverse_port(v, through),
                               .blocks = 1});
      moving.push_back({*at, to});
      queue.erase(at);
    }
    for (const Moving& one : moving)
      if (one.message.destination != one.to) queues_[index(one.to)].push_back(one.message);
    ++result_.steps;
    look();
  }

  void look() {
    for (std::uint64_t u = 0; u < queues_.size(); ++u) {
      const auto foreign = std::count_if(queues_[u].begin(), queues_[u].end(),
                                         [&](const Message& m) { return m.source != NodeId{u}; });
      result_.largest_queue = std::max<std::uint64_t>(result_.largest_queue, queues_[u].size());
      result_.largest_foreign =
          std::max(result_.largest_foreign, static_cast<std::uint64_t>(foreign));
    }
  }

  AnyCayley group_;
  QueueDiscipline discipline_;
  std::vector<std::vector<std::uint32_t>> distances_;
  std::vector<std::deque<Message>> queues_;
  NaiveExchange result_;
};

inline NaiveExchange naive_exchange(const AnyCayley& group, QueueDiscipline discipline) {
  return NaiveProcessors(group, discipline).run();
}

}  // namespace lockstep::test
