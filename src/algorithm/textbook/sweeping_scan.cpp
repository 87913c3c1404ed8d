// SPDX-License-Identifier: Apache-2.0

/// Scan by sweeps over a tree (Blelloch 1990): the sums of the processors below a node go up, the
/// sums of all numbers before them come down, one each for every run of consecutive numbers, and
/// the parts of a block follow each other.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "algorithm/pipeline.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/run_trees.hpp"

namespace lockstep {
namespace {

using Node = std::uint32_t;
/// Number of an arc of the pipeline; empty where nothing has to cross.
using ArcNumber = std::optional<std::size_t>;

/// The sums of one run of a node and how they are made.
struct SweptRun {
  /// The runs of children, and the node itself, in the order of the numbers. `run`: its number
  /// among the runs of all nodes; empty: the node itself.
  struct Item {
    NumberRun numbers;
    std::optional<std::size_t> run{};
  };
  NumberRun numbers{};
  std::size_t above = 0;  // the run of the parent that it is part of
  std::vector<Item> items{};
  ArcNumber up{};
  ArcNumber down{};
};

/// The sweeps over one tree.
class Sweeps {
 public:
  Sweeps(const ErasedTopology& network, RunTree tree, std::uint32_t parts, Ports ports)
      : processors_(static_cast<Node>(network.processor_count())),
        tree_(std::move(tree)),
        first_run_(network.node_count() + 1) {
    for (std::size_t u = 0; u < network.node_count(); ++u) {
      first_run_[u + 1] = first_run_[u] + tree_.runs[u].size();
      for (const NumberRun& numbers : tree_.runs[u]) runs_.push_back({.numbers = numbers});
    }
    for (Node u = 0; u < processors_; ++u) add_item(u, {{u, u}});
    for (const auto& [parent, child] : tree_.links)
      for (std::size_t r = first_run_[child]; r < first_run_[child + 1]; ++r)
        add_item(parent, {runs_[r].numbers, r});
    for (SweptRun& run : runs_)
      std::ranges::sort(run.items, {},
                        [](const SweptRun::Item& item) { return item.numbers.first; });
    Pipeline pipeline(network.node_count());
    add_arcs(pipeline);
    timing_ = pipeline.timing(parts, ports);
  }

  [[nodiscard]] std::uint64_t steps(std::uint64_t parts) const { return timing_.steps(parts); }

  [[nodiscard]] Transfers plan(std::uint32_t parts) const {
    Transfers plan = every_node_a_class(first_run_.size() - 1);
    plan.parts = parts;
    for (std::uint32_t p = 0; p < parts; ++p) add_part(plan, p);
    plan.sort_by_step();
    std::ranges::stable_sort(plan.additions, {}, &Addition::step);
    for (const Addition& addition : plan.additions)
      plan.steps = std::max<std::uint64_t>(plan.steps, addition.step);
    return plan;
  }

 private:
  using Item = SweptRun::Item;

  void add_item(Node node, Item item) {
    for (std::size_t r = first_run_[node]; r < first_run_[node + 1]; ++r)
      if (runs_[r].numbers.last >= item.numbers.last) {
        runs_[r].items.push_back(item);
        if (item.run) runs_[*item.run].above = r;
        return;
      }
  }

  /// Nobody needs the sum of the last numbers, and nothing comes before the first ones.
  [[nodiscard]] bool goes_up(const NumberRun& run) const { return run.last + 1 != processors_; }
  [[nodiscard]] static bool comes_down(const NumberRun& run) { return run.first != 0; }

  void add_arcs(Pipeline& pipeline) {
    for (auto link = tree_.links.rbegin(); link != tree_.links.rend(); ++link)
      for (std::size_t r = first_run_[link->child]; r < first_run_[link->child + 1]; ++r) {
        SweptRun& run = runs_[r];
        if (!goes_up(run.numbers)) continue;
        run.up = pipeline.add(
            {.from = link->child, .to = link->parent, .after = ups_of(run, processors_)});
      }
    for (const auto& [parent, child] : tree_.links)
      for (std::size_t r = first_run_[child]; r < first_run_[child + 1]; ++r) {
        SweptRun& run = runs_[r];
        if (!comes_down(run.numbers)) continue;
        std::vector<std::size_t> after = ups_of(runs_[run.above], run.numbers.first);
        if (runs_[run.above].down) after.push_back(*runs_[run.above].down);
        run.down = pipeline.add({.from = parent, .to = child, .after = std::move(after)});
      }
  }
  /// The arcs by which the sums of smaller numbers arrive.
  [[nodiscard]] std::vector<std::size_t> ups_of(const SweptRun& run, Node before) const {
    std::vector<std::size_t> arcs;
    for (const Item& item : run.items)
      if (item.run && item.numbers.first < before && runs_[*item.run].up)
        arcs.push_back(*runs_[*item.run].up);
    return arcs;
  }

  // The names of sums.
  [[nodiscard]] std::uint64_t nodes() const { return first_run_.size() - 1; }
  [[nodiscard]] Node sum_of(std::size_t run) const { return auxiliary(nodes(), run); }
  [[nodiscard]] Node before(std::size_t run) const {
    return auxiliary(nodes(), runs_.size() + run);
  }
  [[nodiscard]] Node sum_of(Node node, const Item& item) const {
    return item.run ? sum_of(*item.run) : alone(nodes(), node);
  }

  void add_part(Transfers& plan, std::uint32_t part) const {
    const auto step_of = [&](std::size_t arc) {
      return timing_.first[arc] + part * timing_.period;
    };
    const auto send = [&](std::size_t arc, Node sum, Node from, Node to) {
      plan.move_part(step_of(arc), everyone, sum, from, to, part);
    };
    // Adds the items before a number to `into`, in their order.
    const auto add_items = [&](std::uint64_t step, Node node, const SweptRun& run, Node end,
                               Node into, bool is_empty) {
      for (const Item& item : run.items) {
        if (item.numbers.first >= end) break;
        plan.add(step, node, sum_of(node, item), into, is_empty ? Combine::none : Combine::behind,
                 part);
        is_empty = false;
      }
    };
    for (auto link = tree_.links.rbegin(); link != tree_.links.rend(); ++link)
      for (std::size_t r = first_run_[link->child]; r < first_run_[link->child + 1]; ++r) {
        if (!runs_[r].up) continue;
        add_items(step_of(*runs_[r].up), link->child, runs_[r], processors_, sum_of(r), true);
        send(*runs_[r].up, sum_of(r), link->child, link->parent);
      }
    for (const auto& [parent, child] : tree_.links)
      for (std::size_t r = first_run_[child]; r < first_run_[child + 1]; ++r) {
        if (!runs_[r].down) continue;
        const std::size_t arc = *runs_[r].down;
        const std::size_t above = runs_[r].above;
        const bool is_empty = !comes_down(runs_[above].numbers);
        if (!is_empty)
          plan.add(step_of(arc), parent, before(above), before(r), Combine::none, part);
        add_items(step_of(arc), parent, runs_[above], runs_[r].numbers.first, before(r), is_empty);
        send(arc, before(r), parent, child);
      }
    for (Node u = 0; u < processors_; ++u) add_result(plan, part, u);
  }

  /// `everyone` begins with the own contribution: what comes before it, from the nearest on.
  void add_result(Transfers& plan, std::uint32_t part, Node node) const {
    std::size_t own = first_run_[node];
    while (runs_[own].numbers.last < node) ++own;
    const SweptRun& run = runs_[own];
    std::vector<std::size_t> arrivals = ups_of(run, node);
    if (run.down) arrivals.push_back(*run.down);
    std::uint64_t step = 0;
    for (const std::size_t arc : arrivals)
      step = std::max(step, timing_.first[arc] + part * timing_.period + 1);
    const auto add_before = [&](Node sum) {
      plan.add(step, node, sum, everyone, Combine::before, part);
    };
    auto item = std::ranges::find(run.items, std::optional<std::size_t>(), &Item::run);
    while (item != run.items.begin()) add_before(sum_of(node, *--item));
    if (run.down) add_before(before(own));
  }

  Node processors_;
  RunTree tree_;
  std::vector<std::size_t> first_run_;  // of each node
  std::vector<SweptRun> runs_;
  Pipeline::Timing timing_;
};

[[nodiscard]] Transfers swept(const PlanRequest& asked, Ports ports) {
  std::optional<Sweeps> best;
  for (RunTree& tree : run_trees(asked.network, ports))
    if (Sweeps sweeps(asked.network, std::move(tree), asked.parts, ports);
        !best || sweeps.steps(asked.parts) < best->steps(asked.parts))
      best = std::move(sweeps);
  return best->plan(asked.parts);
}

constexpr NetworkShape single_run_tree{.text = "any network",
                                       .plural = "networks",
                                       .clause = " with a tree of consecutive numbers",
                                       .is = has_tree_of_single_runs,
                                       .searched = true,
                                       .wider = &shapes::any_network};

[[nodiscard]] PlannedAlgorithm sweeps(std::string_view name, Ports ports, std::string_view costs) {
  return {.info = {.name = name,
                   .operation = Operation::scan,
                   .model = ports == Ports::one ? port_models::single_port : port_models::all_port,
                   .source = "Blelloch 1990; several runs: Lockstep",
                   .costs = costs,
                   .summary = "sums go up a tree, those of all smaller numbers come down"},
          .networks = shapes::any_network.up_to_nodes(most_searched_run_trees)
                          .or_else(single_run_tree.up_to_nodes(512)),
          .plan = [ports](const PlanRequest& asked) { return swept(asked, ports); },
          .parts = Parts::open};
}

}  // namespace

const PlannedAlgorithm sweeping_scan =
    sweeps("sweeps", Ports::all,
           "2H + R(P - 1) steps of 1/P, H = height of the tree, R = most runs of a subtree");
const PlannedAlgorithm sweeping_scan_in_turn = sweeps(
    "sweeps-in-turn", Ports::one,
    "counted in the plan: about D P steps of 1/P, D = most sums that a node sends or receives");

}  // namespace lockstep
