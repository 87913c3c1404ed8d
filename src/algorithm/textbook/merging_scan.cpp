// SPDX-License-Identifier: Apache-2.0

/// Scan in which each processor adds up a part of all blocks, for long blocks. The contributions to
/// a part go up a tree of its own, in which sums of consecutive numbers become one as early as
/// possible: the two runs whose collectors are nearest to each other are joined first. The sums of
/// all smaller numbers come down the same way, in reverse order of time.
/// Source: Lockstep; sweeps over one tree: Blelloch 1990.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;

/// A run of consecutive numbers on its way to another collector.
struct Join {
  Node from = 0;
  Node to = 0;
  Node first = 0;  ///< number of the run
  Node last = 0;
  std::size_t hops = 0;  ///< the number of its first hop; those that follow have the next numbers
  std::size_t end = 0;
};
/// A part crosses an arc as soon as `missing` other hops are made.
struct JoinHop {
  Node from;
  Node to;
  std::uint32_t missing;
  std::vector<std::size_t> then{};
  std::uint32_t height = 1;  ///< of the hops that wait for it
  std::uint32_t step = 0;
};

class MergingScan {
 public:
  MergingScan(const ErasedTopology& network, Ports ports)
      : network_(network),
        processors_(static_cast<Node>(network.processor_count())),
        ports_(ports),
        load_(network.node_count()) {
    check_block_parts(processors_, 1);
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      distances_.push_back(distances_from(network, NodeId{u}));
    for (Node root = 0; root < processors_; ++root) add_hops(joins_.emplace_back(joined(root)));
    schedule();
  }

  [[nodiscard]] Transfers plan() {
    plan_ = every_node_a_class(network_.node_count());
    plan_.parts = processors_;
    plan_.steps = 2 * half_;
    for (Node root = 0; root < processors_; ++root) add_part(root);
    plan_.sort_by_step();
    std::ranges::stable_sort(plan_.additions, {}, &Addition::step);
    return std::move(plan_);
  }

 private:
  /// The joins of neighbouring runs until one is left, whose collector is the root. The collector
  /// of two runs is the one that is nearer to the root.
  [[nodiscard]] std::vector<Join> joined(Node root) {
    struct Run {
      Node first;
      Node collector;
      std::uint32_t version = 0;
    };
    // By their last numbers; `ends` leads to the last number of the run that begins here.
    std::vector<Run> runs(processors_);
    std::vector<Node> ends(processors_);
    for (Node u = 0; u < processors_; ++u) {
      runs[u] = {u, u};
      ends[u] = u;
    }
    using Pair = std::tuple<std::uint32_t, Node, std::uint64_t, Node, std::uint32_t, std::uint32_t>;
    std::priority_queue<Pair, std::vector<Pair>, std::greater<>> nearest;
    const auto add_pair = [&](Node last) {  // this run and the one behind it
      if (last + 1 == processors_) return;
      const Run& one = runs[last];
      const Run& other = runs[ends[last + 1]];
      nearest.emplace(distances_[one.collector][other.collector], ends[last + 1] - one.first,
                      random_(), last, one.version, other.version);
    };
    for (Node u = 0; u < processors_; ++u) add_pair(u);
    std::vector<Join> joins;
    while (joins.size() + 1 < processors_) {
      const auto [distance, length, chance, last, version, other_version] = nearest.top();
      nearest.pop();
      const Run one = runs[last];
      if (ends[one.first] != last || one.version != version) continue;
      const Node other_last = ends[last + 1];
      const Run other = runs[other_last];
      if (other.version != other_version) continue;
      const auto from_root = [&](Node u) { return distances_[u][root]; };
      const bool stays = std::pair(from_root(one.collector), chance % 2) <
                         std::pair(from_root(other.collector), std::uint64_t{1});
      joins.push_back(stays ? Join{other.collector, one.collector, other.first, other_last}
                            : Join{one.collector, other.collector, one.first, last});
      runs[other_last] = {one.first, joins.back().to, one.version + other.version + 1};
      ends[one.first] = other_last;
      add_pair(other_last);
      if (one.first > 0) add_pair(one.first - 1);
    }
    return joins;
  }

  /// Over shortest paths, past the nodes with the least to do.
  void add_hops(std::vector<Join>& joins) {
    std::vector<std::vector<std::size_t>> arrivals(network_.node_count());
    for (Join& join : joins) {
      std::vector<std::size_t> before = arrivals[join.from];
      join.hops = hops_.size();
      for (Node u = join.from; u != join.to;) {
        Node next = join.to;
        std::uint64_t least = ~std::uint64_t{0};
        for (std::size_t p = 0; p < network_.degree(NodeId{u}); ++p) {
          const auto v = static_cast<Node>(index(network_.neighbor(NodeId{u}, port(p))));
          if (distances_[v][join.to] + 1 != distances_[u][join.to] || load_[v] >= least) continue;
          least = load_[v];
          next = v;
        }
        ++load_[u];
        ++load_[next];
        for (const std::size_t hop : before) hops_[hop].then.push_back(hops_.size());
        before.assign(1, hops_.size());
        hops_.push_back({u, next,
                         static_cast<std::uint32_t>(
                             hops_.size() == join.hops ? arrivals[join.from].size() : 1)});
        u = next;
      }
      join.end = hops_.size();
      arrivals[join.to].push_back(join.end - 1);
    }
  }

  /// In every step the longest messages that are ready, of at most N/16 sums.
  void schedule() {
    for (std::size_t i = hops_.size(); i-- > 0;)
      for (const std::size_t next : hops_[i].then)
        hops_[i].height = std::max(hops_[i].height, hops_[next].height + 1);
    const std::size_t most = (processors_ + 15) / 16;
    std::map<std::pair<Node, Node>, std::vector<std::size_t>> ready;  // by arc
    const auto is_lower = [this](std::size_t a, std::size_t b) {
      return std::tuple(hops_[a].height, b) < std::tuple(hops_[b].height, a);
    };
    const auto add = [&](std::size_t hop) {
      std::vector<std::size_t>& list = ready[{hops_[hop].from, hops_[hop].to}];
      list.push_back(hop);
      std::ranges::push_heap(list, is_lower);
    };
    for (std::size_t i = 0; i < hops_.size(); ++i)
      if (hops_[i].missing == 0) add(i);
    for (std::size_t left = hops_.size(); left > 0; ++half_) {
      using Message = std::tuple<std::size_t, std::uint32_t, std::uint64_t, Node, Node>;
      std::vector<Message> messages;
      for (const auto& [arc, list] : ready)
        if (!list.empty())
          messages.emplace_back(std::min(list.size(), most), hops_[list.front()].height, random_(),
                                arc.first, arc.second);
      std::ranges::sort(messages, std::ranges::greater());
      std::vector<bool> sends(load_.size());
      std::vector<bool> receives(load_.size());
      std::vector<std::size_t> made;
      for (const auto& [length, height, chance, from, to] : messages) {
        if (ports_ == Ports::one && (sends[from] || receives[to])) continue;
        sends[from] = receives[to] = true;
        std::vector<std::size_t>& list = ready[{from, to}];
        for (std::size_t i = 0; i < length; ++i) {
          std::ranges::pop_heap(list, is_lower);
          made.push_back(list.back());
          list.pop_back();
        }
      }
      for (const std::size_t hop : made) {
        hops_[hop].step = static_cast<std::uint32_t>(half_);
        for (const std::size_t next : hops_[hop].then)
          if (--hops_[next].missing == 0) add(next);
      }
      left -= made.size();
    }
  }

  /// A run that a node collects, or its own number; in the order of the numbers.
  struct Item {
    Node first;
    Node sum;
    const Join* join = nullptr;
  };

  void add_part(Node root) {
    const std::uint64_t nodes = network_.node_count();
    const std::vector<Join>& joins = joins_[root];
    std::vector<std::vector<Item>> items(processors_);
    for (Node u = 0; u < processors_; ++u) items[u].push_back({u, alone(nodes, u)});
    const auto add = [&](std::uint64_t step, Node node, Node what, Node into, Combine how) {
      plan_.add(step, node, what, into, how, root);
    };
    const auto send = [&](std::uint64_t step, Node sum, Node from, Node to) {
      plan_.move_part(step, everyone, sum, from, to, root);
    };
    // `into` becomes the sum of these items, behind what it is already.
    const auto add_items = [&](std::uint64_t step, Node node, std::size_t count, Node into,
                               Combine how) {
      for (std::size_t i = 0; i < count; ++i, how = Combine::behind)
        add(step, node, items[node][i].sum, into, how);
    };
    for (const Join& join : joins) {
      std::vector<Item>& own = items[join.from];
      std::ranges::sort(own, {}, &Item::first);
      Node sum = own.front().sum;
      if (join.last + 1 != processors_) {  // nobody needs the sum of the last numbers
        if (own.size() > 1) {
          sum = auxiliary(nodes, join.from);
          add_items(hops_[join.hops].step, join.from, own.size(), sum, Combine::none);
        }
        for (std::size_t i = join.hops; i < join.end; ++i)
          send(hops_[i].step, sum, hops_[i].from, hops_[i].to);
      }
      items[join.to].push_back({join.first, sum, &join});
    }
    std::ranges::sort(items[root], {}, &Item::first);
    struct Before {
      Node sum = everyone;  ///< of the numbers before the run of a node; everyone: there are none
      std::uint64_t step = 0;
    };
    std::vector<Before> before(processors_);
    before[root].step = half_;
    const auto add_result = [&](Node u) {
      const auto own = std::ranges::find(items[u], nullptr, &Item::join);
      for (auto item = own; item != items[u].begin();)
        add(before[u].step, u, (--item)->sum, everyone, Combine::before);
      if (before[u].sum != everyone)
        add(before[u].step, u, before[u].sum, everyone, Combine::before);
    };
    add_result(root);
    for (auto join = joins.rbegin(); join != joins.rend(); ++join) {
      const Before& above = before[join->to];
      Before& below = before[join->from];
      const auto step_of = [&](std::size_t hop) { return 2 * half_ - 1 - hops_[hop].step; };
      below.step = step_of(join->hops) + 1;
      const auto item = std::ranges::find(items[join->to], &*join, &Item::join);
      const auto count = static_cast<std::size_t>(item - items[join->to].begin());
      if (join->first != 0) {
        below.sum = count == 0 ? above.sum : auxiliary(nodes, processors_ + join->from);
        if (count > 0) {
          if (above.sum != everyone)
            add(step_of(join->end - 1), join->to, above.sum, below.sum, Combine::none);
          add_items(step_of(join->end - 1), join->to, count, below.sum,
                    above.sum != everyone ? Combine::behind : Combine::none);
        }
        for (std::size_t i = join->end; i-- > join->hops;)
          send(step_of(i), below.sum, hops_[i].to, hops_[i].from);
      }
      add_result(join->from);
    }
  }

  const ErasedTopology& network_;
  Node processors_;
  Ports ports_;
  std::vector<std::uint64_t> load_;  // of nodes: hops that begin or end there
  std::vector<std::vector<std::uint32_t>> distances_;
  std::vector<std::vector<Join>> joins_;  // of each part
  std::vector<JoinHop> hops_;
  std::uint64_t half_ = 0;  // steps up
  std::mt19937_64 random_{1990};
  Transfers plan_;
};

[[nodiscard]] PlannedAlgorithm merging(std::string_view name, Ports ports) {
  return {.info = {.name = name,
                   .operation = Operation::scan,
                   .model = ports == Ports::one ? port_models::single_port : port_models::all_port,
                   .source = "Lockstep",
                   .costs = "counted in the plan",
                   .summary = "each processor adds up a part of all blocks, over a tree that joins "
                              "consecutive numbers early; for long blocks",
                   .whole_parts = true},
          .networks = shapes::any_network.up_to_nodes(256),
          .plan = [ports](const PlanRequest& asked) {
            return MergingScan(asked.network, ports).plan();
          }};
}

}  // namespace

const PlannedAlgorithm merging_scan = merging("merging-trees", Ports::all);
const PlannedAlgorithm merging_scan_in_turn = merging("merging-trees-in-turn", Ports::one);

}  // namespace lockstep
