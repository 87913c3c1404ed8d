// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many-to-all broadcast in an n x n torus over four arc-disjoint spanning trees: what aggregation
/// is compared with.
/// Model:   all-port, full-duplex; packet switching: all messages go over one link.
/// Idea:    block j goes up tree j mod 4 to the root, and from there down to all nodes, packet
///          after packet; the four trees work at the same time.
/// Cost:    trees of height H, ceil(s/4) blocks of a tree, packets of B: a gathering that depends
///          on where the blocks are made, then ceil(s/4/B) + H - 1 steps of at most B blocks. In
///          bulk: 2H steps, in which a node of depth d sends once, in step H - d, all from below
///          it, and once, in step H + d, the tree's whole share.
/// Source:  Y.-S. Chen, C.-Y. Chen, section 4 and table 1, after Varvarigos and Bertsekas.
/// Differs: the paper counts a broadcast in bulk without the gathering, over trees of height
///          2 floor(n/2) + 2 of which it says nothing but that they exist (edst_trees.hpp);
///          packets are not in the paper (tests/papers/torus_edst_test.cpp).
/// Program: its own: a schedule would need no labels, but a third of the run's time to write it,
///          and a quarter more memory (torus:50x50: 0.11 s beside 0.32 s; 60 MiB, not 47).
///
/// The rule of one node in the many-to-all broadcast over four spanning trees, and the plan
/// that all nodes share. A label holds the block's number.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/many_to_all/edst_trees.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

/// When what is gathered goes on: a packet in every step; or all of it, once, when it is complete.
enum class EdstPace : std::uint8_t { packets, bulk };

/// Consequences of the pace: the length of messages, and the counts of the machine.
struct EdstTiming {
  EdstPace pace = EdstPace::bulk;
  std::uint32_t packet = 1;  ///< blocks of a message, at most
  std::uint64_t packets = 1;
  std::uint64_t gather_steps = 0;
  std::uint64_t steps = 0;
  Cost cost{};
};

struct EdstPlan {
  std::shared_ptr<const EdstTrees> trees;
  Makers makers;
  /// By tree, of tree 0's places: blocks that are made there or below.
  std::array<std::vector<std::uint32_t>, EdstTrees::count> gathered;
  EdstTiming timing{};

  EdstPlan(std::shared_ptr<const EdstTrees> four, Pattern homes);

  /// `packet_blocks`: of EdstPace::packets.
  [[nodiscard]] EdstTiming timing_of(EdstPace pace, std::uint64_t packet_blocks) const;
  /// Blocks of tree 0, which has the most.
  [[nodiscard]] std::uint32_t share() const noexcept { return gathered[0][0]; }
  /// Blocks that an inner node of a tree has in hand at a time.
  [[nodiscard]] std::uint32_t passing() const noexcept {
    return timing.packets > 1 ? 2 * timing.packet : timing.packet;
  }
};

class EdstProgram {
 public:
  /// By tree.
  struct Memory {
    std::array<std::uint32_t, EdstTrees::count> held{};     ///< blocks that it made or gathered
    std::array<std::uint32_t, EdstTrees::count> sent{};     ///< of these
    std::array<std::uint32_t, EdstTrees::count> passing{};  ///< blocks to send down
  };
  static constexpr Activity activity = Activity::sparse;
  static constexpr Traits traits =
      Traits::step_count | Traits::labels | Traits::blocks_of | Traits::phases;

  explicit EdstProgram(std::shared_ptr<const EdstPlan> plan) : plan_(std::move(plan)) {}

  /// The root, and who makes something.
  [[nodiscard]] std::vector<NodeId> starts() const;
  /// The regions of a tree: the gathered blocks, and behind them those in hand on their way down.
  [[nodiscard]] std::vector<std::uint32_t> regions() const;
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const;
  [[nodiscard]] std::uint64_t step_count() const { return plan_->timing.steps; }
  [[nodiscard]] std::vector<Phase> phases() const {
    return {{"gather", 0}, {"broadcast", plan_->timing.gather_steps}};
  }

  void operator()(auto& here) const {
    if (here.step() == 0) load_own(here);
    for (std::size_t tree = 0; tree < EdstTrees::count; ++tree) {
      const NodeId place = plan_->trees->place(tree, here.node());
      if (here.step() != 0) take(here, tree, place);
      if (here.last_call()) continue;
      if (here.step() < plan_->timing.gather_steps)
        send_up(here, tree, place);
      else
        send_down(here, tree, place);
    }
  }

 private:
  static constexpr NodeId root{0};

  void load_own(auto& here) const {
    for (const std::uint32_t block : plan_->makers.made_by(here.node())) {
      const std::size_t tree = block % EdstTrees::count;
      const std::uint32_t slot = here.memory().held[tree]++;
      here.load(region_of(tree), slot, Origin{block}, here.node());
      here.set_word(region_of(tree), slot, block);
    }
  }

  void take(auto& here, std::size_t tree, NodeId place) const {
    if (here.step() - 1 < plan_->timing.gather_steps) {
      for (const SpanningTree::Child& child : plan_->trees->children(place))
        if (const auto arrival = here.take(EdstTrees::turned(child.port, tree)))
          take_up(here, tree, arrival);
    } else if (place != root) {
      if (const auto arrival = here.take(plan_->trees->parent_port(tree, place)))
        take_down(here, tree, place, arrival);
    }
  }

  void take_up(auto& here, std::size_t tree, const auto& arrival) const {
    std::uint32_t& held = here.memory().held[tree];
    here.store(arrival, {region_of(tree), held, arrival.blocks()});
    held += arrival.blocks();
    if (here.node() == root) plan_->makers.deliver(here, arrival);
  }

  /// A leaf delivers where it arrived.
  void take_down(auto& here, std::size_t tree, NodeId place, const auto& arrival) const {
    plan_->makers.deliver(here, arrival);
    if (plan_->trees->children(place).empty()) return;
    here.memory().passing[tree] = arrival.blocks();
    here.store(arrival, {region_of(tree), in_hand(here, tree, place), arrival.blocks()});
  }

  void send_up(auto& here, std::size_t tree, NodeId place) const {
    if (place == root) return here.stay_active();
    std::uint32_t& sent = here.memory().sent[tree];
    const std::uint32_t waiting = here.memory().held[tree] - sent;
    const std::uint32_t count =
        may_send(place, here.step()) ? std::min(waiting, plan_->timing.packet) : 0;
    if (count != 0)
      here.send(plan_->trees->parent_port(tree, place), Blocks{region_of(tree), sent, count});
    sent += count;
    if (waiting > count) here.stay_active();
  }

  void send_down(auto& here, std::size_t tree, NodeId place) const {
    auto& memory = here.memory();
    Blocks blocks{region_of(tree), memory.sent[tree], 0};
    if (place == root) {
      blocks.count = std::min(memory.held[tree] - blocks.first, plan_->timing.packet);
      memory.sent[tree] += blocks.count;
      if (memory.sent[tree] < memory.held[tree]) here.stay_active();
    } else {
      blocks.count = std::exchange(memory.passing[tree], 0);
      blocks.first = in_hand(here, tree, place);
    }
    if (blocks.count == 0) return;
    for (const SpanningTree::Child& child : plan_->trees->children(place))
      here.send(EdstTrees::turned(child.port, tree), blocks);
  }

  /// In bulk a node's turn comes once: when all below it have sent.
  [[nodiscard]] bool may_send(NodeId place, std::uint64_t step) const {
    return plan_->timing.pace == EdstPace::packets ||
           step + plan_->trees->first().depth(place) == plan_->trees->height();
  }
  /// The place of an arrival of this step until the step after the next.
  [[nodiscard]] std::uint32_t in_hand(const auto& here, std::size_t tree, NodeId place) const {
    const std::uint32_t half = here.step() % 2 == 0 ? 0 : plan_->passing() - plan_->timing.packet;
    return plan_->gathered[tree][index(place)] + half;
  }
  [[nodiscard]] static Region region_of(std::size_t tree) { return static_cast<Region>(tree); }

  std::shared_ptr<const EdstPlan> plan_;
};

class Edst final : public TorusManyToAll {
  static constexpr std::array<std::string_view, 2> packet_words{"bulk", "auto"};
  static constexpr std::array own_parameters{
      messages_parameter, placement_parameter, parts_parameter,
      Parameter{.name = "packet",
                .kind = Parameter::Kind::count,
                .placeholder = "B",
                .meaning =
                    "Number of blocks per message on spanning trees: a number, bulk (all blocks "
                    "of a tree) or auto (the number with the least time at --ts, --tm)",
                .noun = "packet size",
                .phrase = ", packet {}",
                .least = 1,
                .words = packet_words,
                .usual = "auto",
                .selects_algorithm = true},
      Parameter{.name = "trees",
                .kind = Parameter::Kind::word,
                .placeholder = "FORM",
                .meaning = "Spanning trees of an n x n torus: table (for n = 3..30 and 50), odd "
                           "(for odd n) or any (for every n)",
                .noun = "form of trees",
                .phrase = ", trees: {}",
                .words = EdstTrees::forms,
                .usual = "the trees of least height",
                .selects_algorithm = true}};

 public:
  using Program = EdstProgram;
  static constexpr AlgorithmInfo info{
      .name = "edst",
      .operation = Operation::many_to_all,
      .model = port_models::all_port,
      .source = "Y.-S. Chen, C.-Y. Chen, section 4",
      .costs =
          "bulk: 2H steps; packets: the gathering (from the plan) plus ceil(s/4/B) + H - 1 steps",
      .summary =
          "gathers and broadcasts on four arc-disjoint spanning trees; the baseline of the paper",
      .parameters = own_parameters,
      .charges_idle_steps = true,
      .plans_every_node = true,
      .promise_name = "plan"};

  /// Two sides of the same length.
  [[nodiscard]] static SupportedNetworks networks();

  /// Throws InvalidParameter unless the torus has two equal sides of 3 or more, the trees exist,
  /// and the blocks have their places.
  Edst(const Torus& torus, const Settings& settings, const Pattern& fixed);

  /// The packet size of least time. Nothing where it is given.
  [[nodiscard]] static std::vector<Settings> choices(const Torus& torus, const Settings& settings,
                                                     const Pattern& fixed, double startup_blocks);

  [[nodiscard]] std::optional<Cost> promise() const override { return plan_->timing.cost; }
  [[nodiscard]] Footprint footprint() const override;
  [[nodiscard]] Pattern pattern() const override { return plan_->makers.pattern(); }
  [[nodiscard]] Settings chosen() const override;
  /// Packets of 1, 2, 4, .. blocks, and bulk.
  [[nodiscard]] std::optional<Variants> variants() const override;
  [[nodiscard]] Program program() const { return Program(plan_); }

 private:
  std::shared_ptr<const EdstPlan> plan_;
};

}  // namespace lockstep
