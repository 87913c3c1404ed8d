// SPDX-License-Identifier: Apache-2.0
#include "algorithm/total_exchange/path_exchange.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
using Path = std::vector<Node>;

/// A shortest path for every pair, so that all nodes pass on equally much (one port), or all arcs
/// carry equally much (all ports).
class SharedPaths {
 public:
  SharedPaths(const ErasedTopology& network, Ports ports)
      : nodes_(network.node_count()),
        ports_(ports),
        neighbors_(nodes_),
        paths_(nodes_ * nodes_),
        best_(nodes_, {none, 0}) {
    std::uint32_t arcs = 0;
    for (std::uint64_t u = 0; u < nodes_; ++u) {
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        neighbors_[u].push_back(
            {static_cast<Node>(index(network.neighbor(NodeId{u}, port(p)))), arcs++});
      distances_.push_back(distances_from(network, NodeId{u}));
    }
    loads_.resize(ports == Ports::one ? nodes_ : arcs);
    const auto processors = static_cast<std::uint32_t>(network.processor_count());
    for (Node s = 0; s < processors; ++s)
      for (Node d = 0; d < processors; ++d) {
        hops_ += distances_[s][d];
        if (s != d) pairs_.push_back(static_cast<std::uint32_t>(s * nodes_ + d));
      }
  }

  [[nodiscard]] std::uint64_t hops() const noexcept { return hops_; }

  /// Takes a path of least cost for every pair, again and again, and of equal ones another: the sum
  /// of squares never rises, and wanders where it cannot fall. Keeps the best choice.
  void balance(std::int64_t most_work) {
    constexpr int most_passes = 400;
    for (const std::uint32_t pair : pairs_) choose(pair);
    std::vector<Path> best = paths_;
    std::uint64_t least = largest_load();
    std::erase_if(pairs_, [this](std::uint32_t pair) { return paths_[pair].size() < 3; });
    for (int i = 0; i < most_passes && least > enough() && looks_ < most_work; ++i) {
      std::shuffle(pairs_.begin(), pairs_.end(), random_);
      for (const std::uint32_t pair : pairs_) choose(pair);
      if (largest_load() >= least) continue;
      least = largest_load();
      best = paths_;
    }
    paths_ = std::move(best);
  }

  /// Indexed by source * nodes + destination.
  [[nodiscard]] std::vector<Path> paths() && { return std::move(paths_); }

 private:
  static constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

  struct Arc {
    Node to;
    std::uint32_t number;
  };

  /// Whose load a hop adds to; none where a block ends, as every node receives equally many.
  [[nodiscard]] std::uint64_t* load(const Arc& arc, Node destination) {
    if (ports_ == Ports::all) return &loads_[arc.number];
    return arc.to == destination ? nullptr : &loads_[arc.to];
  }

  /// The increase of the sum of the squares of all loads by the hop.
  [[nodiscard]] std::uint64_t cost(const Arc& arc, Node destination) {
    const std::uint64_t* const own = load(arc, destination);
    return own == nullptr ? 0 : 2 * *own + 1;
  }

  void add(const Path& path, std::uint64_t sign) {
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
      const auto arc = std::ranges::find(neighbors_[path[i]], path[i + 1], &Arc::to);
      if (std::uint64_t* const own = load(*arc, path.back())) *own += sign;
    }
  }

  void choose(std::uint32_t pair) {
    Path& path = paths_[pair];
    if (!path.empty()) add(path, ~std::uint64_t{0});
    find_cheapest(path, static_cast<Node>(pair / nodes_), static_cast<Node>(pair % nodes_));
    add(path, 1);
  }

  /// Level by level from the source, through the nodes on shortest paths.
  void find_cheapest(Path& path, Node source, Node destination) {
    const std::vector<std::uint32_t>& to_go = distances_[destination];
    const std::uint32_t length = to_go[source];
    looks_ += static_cast<std::int64_t>(nodes_ / 8);
    best_[source] = {0, 0};
    reached_.assign(1, source);
    std::size_t first = 0;  // reached by this level
    for (std::uint32_t level = 0; level < length; ++level) {
      const std::size_t last = reached_.size();
      for (; first < last; ++first) {
        const Node u = reached_[first];
        const std::uint32_t left = to_go[u];
        const std::uint64_t before = best_[u].first;
        for (const Arc& arc : neighbors_[u]) {
          if (to_go[arc.to] + 1 != left) continue;
          ++looks_;
          const std::uint64_t sum = before + cost(arc, destination);
          auto& [least, via] = best_[arc.to];
          if (least == none) reached_.push_back(arc.to);
          const bool other = sum == least && random_() % 2 == 0;
          if (sum < least || other) {
            least = sum;
            via = u;
          }
        }
      }
    }
    path.resize(length + 1);
    path[length] = destination;
    for (std::uint32_t level = length; level > 0; --level)
      path[level - 1] = best_[path[level]].second;
    for (const Node u : reached_) best_[u].first = none;
  }

  [[nodiscard]] std::uint64_t largest_load() const { return *std::ranges::max_element(loads_); }
  /// No choice has less.
  [[nodiscard]] std::uint64_t enough() const {
    const std::uint64_t all = std::accumulate(loads_.begin(), loads_.end(), std::uint64_t{0});
    return Fraction(all, loads_.size()).rounded_up();
  }

  std::uint64_t nodes_;
  Ports ports_;
  std::vector<std::vector<Arc>> neighbors_;
  std::vector<std::vector<std::uint32_t>> distances_;
  std::uint64_t hops_ = 0;
  std::vector<Path> paths_;  // of source * nodes + destination
  std::vector<std::uint32_t> pairs_;
  std::vector<std::uint64_t> loads_;                  // by node, or by arc
  std::vector<std::pair<std::uint64_t, Node>> best_;  // by node: `none` where it is not reached
  std::vector<Node> reached_;
  std::int64_t looks_ = 0;
  std::mt19937_64 random_{1916};
};

struct Block {
  Node source;
  Node destination;
  std::uint32_t made;  // hops
  std::uint32_t left;
};

/// The first block that waits for an arc.
struct Head {
  Node from;
  Node to;
  std::uint32_t left;
  std::uint32_t arc;  // of the node
};

/// One arc per sender and receiver, as many as there can be: first come the arcs whose blocks have
/// the furthest to go, and of these the nodes that have the most to send.
class StepMatching {
 public:
  StepMatching(std::uint64_t nodes, std::vector<Head> heads,
               const std::vector<std::uint64_t>& to_send)
      : heads_(std::move(heads)), own_(nodes), sender_(nodes, none), seen_(nodes) {
    std::ranges::sort(heads_, [&](const Head& a, const Head& b) {
      return std::tuple(b.left, to_send[b.from], to_send[b.to], a.from, a.to) <
             std::tuple(a.left, to_send[a.from], to_send[a.to], b.from, b.to);
    });
    std::vector<std::uint8_t> sends(nodes);
    std::vector<Node> order;
    for (std::uint32_t i = 0; i < heads_.size(); ++i) {
      const auto& [from, to, left, arc] = heads_[i];
      if (own_[from].empty()) order.push_back(from);
      own_[from].push_back(i);
      if (sends[from] != 0 || sender_[to] != none) continue;
      sender_[to] = i;
      sends[from] = 1;
    }
    std::ranges::stable_sort(order, std::greater{}, [&](Node u) { return to_send[u]; });
    for (const Node u : order) {
      if (sends[u] != 0) continue;
      std::ranges::fill(seen_, std::uint8_t{0});
      (void)sends_at_last(u);
    }
  }

  void for_each(const auto& take) const {
    for (const std::uint32_t i : sender_)
      if (i != none) take(heads_[i]);
  }

 private:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  /// Along an augmenting path.
  [[nodiscard]] bool sends_at_last(Node u) {  // NOLINT(misc-no-recursion): as deep as nodes are
    for (const std::uint32_t i : own_[u]) {
      const Node to = heads_[i].to;
      if (std::exchange(seen_[to], std::uint8_t{1}) != 0) continue;
      if (sender_[to] != none && !sends_at_last(heads_[sender_[to]].from)) continue;
      sender_[to] = i;
      return true;
    }
    return false;
  }

  std::vector<Head> heads_;
  std::vector<std::vector<std::uint32_t>> own_;  // of each sender
  std::vector<std::uint32_t> sender_;            // of each receiver
  std::vector<std::uint8_t> seen_;
};

/// Every arc, or every arc of a matching, sends the first block that waits for it.
class Traffic {
 public:
  Traffic(const ErasedTopology& network, Transfers& exchange, const std::vector<Path>& paths,
          QueueDiscipline discipline)
      : exchange_(exchange), paths_(paths), ends_(exchange.nodes()), to_send_(exchange.nodes()) {
    for (std::uint64_t u = 0; u < exchange.nodes(); ++u) {
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        ends_[u].push_back(static_cast<Node>(index(network.neighbor(NodeId{u}, port(p)))));
      std::ranges::sort(ends_[u]);
      waiting_.emplace_back(ends_[u].size(), DisciplineQueue<Block>(discipline));
    }
    std::vector<Block> blocks;
    for (Node s = 0; s < network.processor_count(); ++s)
      for (Node d = 0; d < network.processor_count(); ++d) {
        if (s == d) continue;
        const Path& path = paths[s * exchange.nodes() + d];
        for (std::size_t i = 0; i + 1 < path.size(); ++i) ++to_send_[path[i]];
        blocks.push_back({s, d, 0, static_cast<std::uint32_t>(path.size() - 1)});
      }
    if (discipline == QueueDiscipline::fifo) std::ranges::reverse(blocks);  // as of Cayley graphs
    if (discipline == QueueDiscipline::message_shift)
      std::ranges::stable_sort(blocks, std::ranges::greater(), &Block::left);
    for (const Block& block : blocks) join(block);
  }

  void move(Ports ports) {
    for (;; ++exchange_.steps) {
      std::vector<Head> heads;
      for (Node u = 0; u < exchange_.nodes(); ++u)
        for (std::uint32_t arc = 0; arc < ends_[u].size(); ++arc)
          if (!waiting_[u][arc].empty())
            heads.push_back({u, ends_[u][arc], waiting_[u][arc].top().left, arc});
      if (heads.empty()) return;
      std::vector<Block> moved;
      const auto send = [&](const Head& head) { moved.push_back(sent(head)); };
      if (ports == Ports::all)
        std::ranges::for_each(heads, send);
      else
        StepMatching(exchange_.nodes(), std::move(heads), to_send_).for_each(send);
      for (const Block& block : moved)
        if (block.left != 0) join(block);
    }
  }

 private:
  /// Those with equally far to go leave as they joined, however far they have come.
  void join(const Block& block) {
    const Path& path = paths_[block.source * exchange_.nodes() + block.destination];
    const Node from = path[block.made];
    const auto arc = std::ranges::lower_bound(ends_[from], path[block.made + 1]);
    waiting_[from][static_cast<std::size_t>(arc - ends_[from].begin())].push(block, block.left, 0);
  }

  [[nodiscard]] Block sent(const Head& head) {
    Block block = waiting_[head.from][head.arc].pop();
    --to_send_[head.from];
    exchange_.move(exchange_.steps, block.source, block.destination, head.from, head.to);
    ++block.made;
    --block.left;
    return block;
  }

  Transfers& exchange_;
  const std::vector<Path>& paths_;
  std::vector<std::vector<Node>> ends_;                       // of the arcs of a node, rising
  std::vector<std::vector<DisciplineQueue<Block>>> waiting_;  // by node and arc
  std::vector<std::uint64_t> to_send_;                        // by node
};

/// The disciplines of queues share the paths.
[[nodiscard]] std::vector<Path> shared_paths(const ErasedTopology& network, Ports ports) {
  static KnownSearches<std::pair<Ports, bool>, std::vector<Path>> known;
  return known.of(network, {ports, network.symmetric()}, [&] {
    SharedPaths paths(network, ports);
    check_planned_transfers(network.name(), paths.hops(), most_path_hops);
    paths.balance(network.symmetric() ? 200'000 : 3'000'000);
    return std::move(paths).paths();
  });
}

}  // namespace

Transfers path_exchange(const ErasedTopology& network, Ports ports, QueueDiscipline discipline) {
  const std::uint64_t most_nodes = network.symmetric() ? most_path_nodes_of_group : most_path_nodes;
  if (network.node_count() > most_nodes)
    throw invalid("{}: paths between {}; allowed: up to {}", network.name(),
                  counted(network.node_count(), "node"), most_nodes);
  static KnownSearches<std::pair<Ports, QueueDiscipline>, Transfers> known;
  return known.of(network, {ports, discipline}, [&] {
    Transfers exchange = every_node_a_class(network.node_count());
    if (network.processor_count() > 1)
      Traffic(network, exchange, shared_paths(network, ports), discipline).move(ports);
    return exchange;
  });
}

}  // namespace lockstep
