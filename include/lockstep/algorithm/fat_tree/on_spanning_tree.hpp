// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A program or an algorithm for fat trees on a spanning tree of an XGFT, column 0: the fat tree of
/// capacities 1. Its nodes have other numbers there, its ports the same; switches of other columns
/// stand idle.
///
///     using Ascending = OnSpanningTree<FatTreeAscending>;      // an AlgorithmClass of Xgft
///     Ascending(tree, {}).promise() == FatTreeAscending(tree.spanning_tree(), {}).promise();

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/algorithm/fat_tree/furthest.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/xgft.hpp"

namespace lockstep {

/// What a rule is handed: all as it is but the node's number and its number of ports.
template <class View>
class SpanningTreeView {
 public:
  SpanningTreeView(View& here, NodeId node, std::size_t degree)
      : here_(here), node_(node), degree_(degree) {}

  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] std::size_t degree() const { return degree_; }
  [[nodiscard]] auto step() const { return here_.step(); }
  [[nodiscard]] auto& memory() { return here_.memory(); }
  [[nodiscard]] auto take(Port p) { return here_.take(p); }
  [[nodiscard]] auto take_first() { return here_.take_first(); }
  [[nodiscard]] auto word(Region region, std::uint32_t slot) { return here_.word(region, slot); }
  void set_word(Region region, std::uint32_t slot, std::uint64_t word) {
    here_.set_word(region, slot, word);
  }
  void store(const auto& arrival, Blocks blocks) { here_.store(arrival, blocks); }
  void load(Region region, std::uint32_t slot, NodeId destination) {
    here_.load(region, slot, destination);
  }
  void deliver(const auto& arrival, std::uint32_t i, Origin origin) {
    here_.deliver(arrival, i, origin);
  }
  void send(Port p, Blocks blocks) { here_.send(p, blocks); }
  void stay_active() { here_.stay_active(); }

 private:
  View& here_;
  NodeId node_;
  std::size_t degree_;
};

template <UnevenProgram Prog>
class SpanningTreeProgram {
 public:
  using Memory = typename Prog::Memory;
  static constexpr Activity activity = Prog::activity;
  static constexpr bool labelled = LabelledProgram<Prog>;

  /// Of the spanning tree.
  SpanningTreeProgram(Xgft network, Prog program)
      : network_(std::move(network)), program_(std::move(program)) {}

  // Leaves have the same numbers.
  [[nodiscard]] std::vector<NodeId> starts() const { return program_.starts(); }
  [[nodiscard]] std::span<const std::uint32_t> starts_in(std::uint64_t step) const requires
      CalendarProgram<Prog> {
    return program_.starts_in(step);
  }
  [[nodiscard]] std::uint64_t last_start() const requires CalendarProgram<Prog> {
    return program_.last_start();
  }

  [[nodiscard]] std::vector<std::uint32_t> regions() const { return program_.regions(); }
  [[nodiscard]] std::uint32_t blocks_of(NodeId node, Region region) const {
    const Xgft::Place place = network_.place(node);
    return place.column != 0
               ? 0
               : static_cast<std::uint32_t>(program_.blocks_of(in_tree(place), region));
  }

  void operator()(auto& here) const {
    const Xgft::Place place = network_.place(here.node());
    SpanningTreeView tree_view(here, in_tree(place),
                               network_.spanning_tree().degree_of_level(place.level));
    program_(tree_view);
  }

 private:
  [[nodiscard]] NodeId in_tree(Xgft::Place place) const {
    return network_.spanning_tree().node({place.level, place.subtree});
  }

  Xgft network_;
  Prog program_;
};

template <class A>
class OnSpanningTree final : public Algorithm {
 public:
  using TopologyType = Xgft;
  using Program = SpanningTreeProgram<typename A::Program>;
  static constexpr AlgorithmInfo info = A::info;

  OnSpanningTree(Xgft network, const Settings& settings)
      : network_(std::move(network)), algorithm_(countable_tree(network_), settings) {}

  [[nodiscard]] std::optional<Cost> promise() const override { return algorithm_.promise(); }
  [[nodiscard]] Footprint footprint() const override { return algorithm_.footprint(); }
  [[nodiscard]] Program program() const { return {network_, algorithm_.program()}; }

  /// Only switches of column 0 pass messages on.
  [[nodiscard]] std::vector<Level> levels() const override {
    return network_.spanning_tree().levels();
  }

 private:
  Xgft network_;
  A algorithm_;
};

}  // namespace lockstep
