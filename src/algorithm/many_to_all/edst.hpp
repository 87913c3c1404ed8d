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
/// Program: its own: a schedule would need no labels, but a quarter more memory (measured on
///          torus:50x50: 60 MiB, not 47).

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "algorithm/many_to_all/edst_program.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/topology/cyclic_networks.hpp"

namespace lockstep {

class Edst final : public Algorithm {
  static constexpr std::array<std::string_view, 2> packet_words{"bulk", "auto"};
  static constexpr std::array own_parameters{
      messages_parameter, placement_parameter, parts_parameter,
      Parameter{
          .name = "packet",
          .kind = Parameter::Kind::count,
          .placeholder = "B",
          .meaning =
              "Blocks per message on spanning trees: a number, bulk (all blocks of a tree) or "
              "auto (the least time at --ts, --tm) (default: auto)",
          .noun = "packet size",
          .phrase = ", packet {}",
          .least = 1,
          .words = packet_words,
          .selects_algorithm = true},
      Parameter{
          .name = "trees",
          .kind = Parameter::Kind::word,
          .placeholder = "FORM",
          .meaning =
              "Spanning trees of an n x n torus: table (n = 3..30 and 50), odd (odd n) or any "
              "(default: the trees of least height)",
          .noun = "form of trees",
          .phrase = ", trees: {}",
          .words = EdstTrees::forms,
          .selects_algorithm = true}};

 public:
  using TopologyType = Torus;
  using Program = EdstProgram;
  static constexpr AlgorithmInfo info{
      .name = "edst",
      .operation = Operation::many_to_all,
      .model = port_models::all_port,
      .source = "Y.-S. Chen, C.-Y. Chen, section 4",
      .costs =
          "in bulk 2H steps; in packets a gathering and ceil(s/4/B) + H - 1 steps, from the plan",
      .summary =
          "gathers and broadcasts on four arc-disjoint spanning trees; the baseline of the paper",
      .parameters = own_parameters,
      .charges_idle_steps = true,
      .plans_every_node = true};

  /// Two sides of the same length.
  [[nodiscard]] static bool admits(const Torus& torus);

  /// Throws InvalidParameter unless the torus has two equal sides of 3 or more, the trees exist,
  /// and the blocks have their places.
  Edst(const Torus& torus, const Settings& settings, const Pattern& fixed);

  /// What has to be made before anything is chosen.
  [[nodiscard]] static Pattern fixed_pattern(const Torus& torus, const Settings& settings) {
    return fixed_homes(torus, settings);
  }
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

static_assert(AlgorithmClass<Edst>);

}  // namespace lockstep
