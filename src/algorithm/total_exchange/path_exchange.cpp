// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/path_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "core/edge_colouring.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
using Path = std::vector<Node>;

/// A shortest path for every pair, so that in every level nodes send and receive equally often
/// (one port), or all arcs carry equally much (all ports).
class SharedPaths {
 public:
  SharedPaths(const ErasedTopology& network, PathPorts ports)
      : nodes_(network.node_count()), ports_(ports), neighbors_(nodes_), paths_(nodes_ * nodes_) {
    std::uint32_t arcs = 0;
    for (std::uint64_t u = 0; u < nodes_; ++u) {
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        neighbors_[u].push_back(
            {static_cast<Node>(index(network.neighbor(NodeId{u}, port(p)))), arcs++});
      distances_.push_back(distances_from(network, NodeId{u}));
      diameter_ = std::max(diameter_, *std::ranges::max_element(distances_.back()));
    }
    loads_.resize(ports == PathPorts::one ? 2 * diameter_ * nodes_ : arcs);
    for (std::uint32_t pair = 0; pair < nodes_ * nodes_; ++pair)
      if (pair / nodes_ != pair % nodes_) pairs_.push_back(pair);
  }

  /// Takes a path of least cost for every pair, again and again, and of equal ones another: the sum
  /// of squares never rises, and wanders where it cannot fall. Keeps the best choice.
  void balance(std::int64_t most_work) {
    constexpr int most_passes = 400;
    for (const std::uint32_t pair : pairs_) choose(pair);
    std::vector<Path> best = paths_;
    std::uint64_t least = steps();
    std::erase_if(pairs_, [this](std::uint32_t pair) { return paths_[pair].size() < 3; });
    for (int i = 0; i < most_passes && least > enough() && looks_ < most_work; ++i) {
      std::shuffle(pairs_.begin(), pairs_.end(), random_);
      for (const std::uint32_t pair : pairs_) choose(pair);
      if (steps() >= least) continue;
      least = steps();
      best = paths_;
    }
    paths_ = std::move(best);
  }

  [[nodiscard]] const Path& path(std::uint64_t source, std::uint64_t destination) const {
    return paths_[source * nodes_ + destination];
  }
  [[nodiscard]] std::uint32_t diameter() const noexcept { return diameter_; }

 private:
  struct Arc {
    Node to;
    std::uint32_t number;
  };

  [[nodiscard]] std::uint64_t& sent(std::uint32_t level, Node u) {
    return loads_[std::uint64_t{2} * level * nodes_ + u];
  }
  [[nodiscard]] std::uint64_t& received(std::uint32_t level, Node u) {
    return loads_[(std::uint64_t{2} * level + 1) * nodes_ + u];
  }

  /// What the hop adds to the sum of the squares of all loads.
  [[nodiscard]] std::uint64_t cost(std::uint32_t level, Node u, const Arc& arc) {
    if (ports_ == PathPorts::all) return 2 * loads_[arc.number] + 1;
    return 2 * (sent(level, u) + received(level, arc.to)) + 2;
  }

  void add(const Path& path, std::uint64_t sign) {
    for (std::uint32_t level = 0; level + 1 < path.size(); ++level) {
      if (ports_ == PathPorts::one) {
        sent(level, path[level]) += sign;
        received(level, path[level + 1]) += sign;
        continue;
      }
      const auto arc = std::ranges::find(neighbors_[path[level]], path[level + 1], &Arc::to);
      loads_[arc->number] += sign;
    }
  }

  void choose(std::uint32_t pair) {
    Path& path = paths_[pair];
    if (!path.empty()) add(path, ~std::uint64_t{0});
    path = cheapest(static_cast<Node>(pair / nodes_), static_cast<Node>(pair % nodes_));
    add(path, 1);
  }

  /// Level by level from the source, through the nodes on shortest paths.
  [[nodiscard]] Path cheapest(Node source, Node destination) {
    constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
    const std::vector<std::uint32_t>& to_go = distances_[destination];
    const std::uint32_t length = to_go[source];
    best_.assign(nodes_, {none, 0});
    looks_ += static_cast<std::int64_t>(nodes_ / 8);
    best_[source].first = 0;
    std::vector<Node> now{source};
    for (std::uint32_t level = 0; level < length; ++level) {
      std::vector<Node> next;
      for (const Node u : now)
        for (const Arc& arc : neighbors_[u]) {
          if (to_go[arc.to] + 1 != to_go[u]) continue;
          ++looks_;
          const std::uint64_t sum = best_[u].first + cost(level, u, arc);
          if (best_[arc.to].first == none) next.push_back(arc.to);
          const bool other = sum == best_[arc.to].first && random_() % 2 == 0;
          if (sum < best_[arc.to].first || other) best_[arc.to] = {sum, u};
        }
      now = std::move(next);
    }
    Path path(length + 1, destination);
    for (std::uint32_t level = length; level > 0; --level)
      path[level - 1] = best_[path[level]].second;
    return path;
  }

  /// Of one port: the largest load of every level; of all ports: the largest of all.
  [[nodiscard]] std::uint64_t steps() const {
    if (ports_ == PathPorts::all) return *std::ranges::max_element(loads_);
    std::uint64_t sum = 0;
    for (std::uint64_t level = 0; level < diameter_; ++level)
      sum +=
          *std::max_element(loads_.begin() + static_cast<std::ptrdiff_t>(2 * level * nodes_),
                            loads_.begin() + static_cast<std::ptrdiff_t>(2 * (level + 1) * nodes_));
    return sum;
  }
  /// No choice has less.
  [[nodiscard]] std::uint64_t enough() const {
    std::uint64_t all = 0;
    for (const auto& row : distances_) all += std::accumulate(row.begin(), row.end(), 0ULL);
    const std::uint64_t share = ports_ == PathPorts::one ? nodes_ : loads_.size();
    return all / share + (all % share == 0 ? 0 : 1);
  }

  std::uint64_t nodes_;
  PathPorts ports_;
  std::vector<std::vector<Arc>> neighbors_;
  std::vector<std::vector<std::uint32_t>> distances_;
  std::uint32_t diameter_ = 0;
  std::vector<Path> paths_;  // of source * nodes + destination
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint64_t> loads_;  // sent and received, level by level; or by arc
  std::vector<std::pair<std::uint64_t, Node>> best_;
  std::int64_t looks_ = 0;
  std::mt19937_64 random_{1916};
};

/// All hops of a level before those of the next.
void in_levels(ExchangeHops& exchange, const SharedPaths& paths) {
  std::vector<BlockHop>& hops = exchange.hops;
  for (std::uint32_t level = 0; level < paths.diameter(); ++level) {
    const std::size_t first = hops.size();
    std::vector<BipartiteEdge> edges;
    for (Node s = 0; s < exchange.nodes(); ++s)
      for (Node d = 0; d < exchange.nodes(); ++d) {
        const Path& path = paths.path(s, d);
        if (path.size() < level + 2) continue;
        hops.push_back({0, s, d, path[level], path[level + 1]});
        edges.push_back({path[level], path[level + 1]});
      }
    const std::vector<std::uint32_t> colours = edge_colouring(edges);
    for (std::size_t i = 0; i < edges.size(); ++i)
      hops[first + i].step = static_cast<std::uint32_t>(exchange.steps) + colours[i];
    exchange.steps += colours_needed(edges);
  }
}

/// Queues, of every arc (all ports) or of every node (one port). In a step each sends the first of
/// its blocks, in the order of the discipline, whose next node can still receive; with one port the
/// nodes with the longest queues choose first.
class PathQueues {
 public:
  PathQueues(ExchangeHops& exchange, const SharedPaths& paths, PathPorts ports,
             QueueDiscipline discipline)
      : exchange_(exchange), paths_(paths), ports_(ports), discipline_(discipline) {
    std::vector<Block> all;
    for (Node s = 0; s < exchange.nodes(); ++s)
      for (Node d = 0; d < exchange.nodes(); ++d)
        if (s != d) all.push_back({s, d});
    if (discipline == QueueDiscipline::fifo) std::ranges::reverse(all);  // as of Cayley graphs
    if (discipline == QueueDiscipline::message_shift)
      std::ranges::stable_sort(all, std::ranges::greater(),
                               [&](const Block& b) { return left(b); });
    for (const Block& block : all) join(block);
  }

  void run() {
    for (; !waiting_.empty(); ++exchange_.steps) {
      std::vector<bool> receives(ports_ == PathPorts::one ? exchange_.nodes() : 0);
      std::vector<Block> moved;
      for (std::vector<Block>* const queue : in_turn()) {
        const auto block = std::ranges::find_if(
            *queue, [&](const Block& b) { return receives.empty() || !receives[next(b)]; });
        if (block == queue->end()) continue;
        if (!receives.empty()) receives[next(*block)] = true;
        exchange_.hops.push_back({static_cast<std::uint32_t>(exchange_.steps), block->source,
                                  block->destination, path(*block)[block->made], next(*block)});
        moved.push_back({block->source, block->destination, block->made + 1});
        queue->erase(block);
      }
      std::erase_if(waiting_, [](const auto& place) { return place.second.empty(); });
      for (const Block& block : moved)
        if (left(block) != 0) join(block);
    }
  }

 private:
  struct Block {
    Node source;
    Node destination;
    std::uint32_t made = 0;  // hops
  };

  [[nodiscard]] const Path& path(const Block& b) const {
    return paths_.path(b.source, b.destination);
  }
  [[nodiscard]] std::size_t left(const Block& b) const { return path(b).size() - 1 - b.made; }
  [[nodiscard]] Node next(const Block& b) const { return path(b)[b.made + 1]; }

  /// Behind all that leave before it.
  void join(const Block& block) {
    const Node at = path(block)[block.made];
    std::vector<Block>& queue = waiting_[{at, ports_ == PathPorts::all ? next(block) : at}];
    const auto place = std::ranges::upper_bound(
        queue, left(block),
        [this](std::size_t a, std::size_t b) {
          if (discipline_ == QueueDiscipline::furthest_first) return a > b;
          return discipline_ == QueueDiscipline::closest_first && a < b;
        },
        [this](const Block& b) { return left(b); });
    queue.insert(place, block);
  }

  [[nodiscard]] std::vector<std::vector<Block>*> in_turn() {
    std::vector<std::vector<Block>*> order;
    for (auto& [place, queue] : waiting_) order.push_back(&queue);
    if (ports_ == PathPorts::one)
      std::ranges::stable_sort(order, std::ranges::greater(), &std::vector<Block>::size);
    return order;
  }

  ExchangeHops& exchange_;
  const SharedPaths& paths_;
  PathPorts ports_;
  QueueDiscipline discipline_;
  std::map<std::pair<Node, Node>, std::vector<Block>> waiting_;  // by arc or node
};

}  // namespace

ExchangeHops path_exchange(const ErasedTopology& network, PathPorts ports,
                           std::optional<QueueDiscipline> discipline) {
  // A moment of planning; less on Cayley graphs, where other algorithms take the status.
  const bool known_elsewhere = network.symmetric();
  const std::uint64_t most_nodes = known_elsewhere ? 64 : 300;
  if (network.node_count() > most_nodes)
    throw InvalidParameter(fmt::format("{}: paths between {}; allowed: up to {}", network.name(),
                                       counted(network.node_count(), "node"), most_nodes));
  ExchangeHops exchange = every_node_a_class(network.node_count());
  if (network.node_count() == 1) return exchange;
  SharedPaths paths(network, ports);
  paths.balance(known_elsewhere ? 200'000 : 3'000'000);
  if (discipline)
    PathQueues(exchange, paths, ports, *discipline).run();
  else
    in_levels(exchange, paths);
  return exchange;
}

}  // namespace lockstep
