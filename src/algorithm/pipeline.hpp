// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Pipelines: the parts of a block follow each other over the same arcs, each arc working once in
/// every period. Under one port the period is at least D, the number of arcs that leave or reach a
/// node, whichever is larger. Arcs are coloured with D colours so that no two of a node's arcs in
/// one direction have the same colour (Koenig 1916), or take the first free step in which they can
/// work (list scheduling), which is over earlier but may need a longer period. With all ports the
/// period is the number of equal arcs, which several blocks cross in turn.
///
///     Pipeline path(network.node_count());
///     path.add({.from = 0, .to = 1});
///     path.add({.from = 1, .to = 2, .after = {0}});
///     path.plan(root, everyone, 64, Ports::one);     // part p crosses arc i in step p + i

#include <cstdint>
#include <optional>
#include <vector>

#include "lockstep/program/plan/transfers.hpp"

namespace lockstep {

/// Messages that a node sends, and receives, in a step.
enum class Ports : std::uint8_t { one, all };

class Pipeline {
 public:
  struct Arc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::vector<std::size_t> after{};  ///< arcs over which a part has to come before
    Combine combine = Combine::none;
  };

  explicit Pipeline(std::uint64_t nodes) : nodes_(nodes) {}

  /// Its number. Arcs after which it comes are added before.
  std::size_t add(Arc arc) {
    arcs_.push_back(std::move(arc));
    return arcs_.size() - 1;
  }
  /// When part 0 crosses each arc; part p crosses it p times the period later.
  struct Timing {
    std::vector<std::uint64_t> first{};
    std::uint64_t period = 1;

    [[nodiscard]] std::uint64_t steps(std::uint64_t parts) const;
  };
  /// The shortest that is known for so many parts.
  [[nodiscard]] Timing timing(std::uint64_t parts, Ports ports) const;
  /// All parts of the block of this source and destination.
  [[nodiscard]] Transfers plan(std::uint32_t source, std::uint32_t destination, std::uint32_t parts,
                               Ports ports) const;

 private:
  [[nodiscard]] Timing over_all_ports() const;
  [[nodiscard]] Timing coloured() const;
  /// Empty where an arc finds no free step in this period.
  [[nodiscard]] std::optional<Timing> listed(std::uint64_t period) const;
  void take_turns(Timing& timing, const std::vector<std::uint64_t>& turns) const;

  std::uint64_t nodes_;
  std::vector<Arc> arcs_;
};

/// A node and its parent; a parent comes before its children.
struct TreeLink {
  std::uint32_t parent;
  std::uint32_t child;
};
using TreeLinks = std::vector<TreeLink>;

}  // namespace lockstep
