// SPDX-License-Identifier: Apache-2.0
#pragma once

/// All-gathers in EJ_alpha^(n) whose loads are known in closed form: one class, and for every
/// algorithm a rule, which says in which step and through which port a block comes to each
/// displacement from its source.
///
///     inline constexpr EjGatherRule simultaneous{.info = ..., .loads = ..., .last_hops = ...};
///     using EjSimultaneous = EjGather<simultaneous>;

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "lockstep/algorithm/all_gather/ej_gather_loads.hpp"
#include "lockstep/algorithm/all_gather/ej_gather_plan.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"

namespace lockstep {

/// The last hop of a part of a block to the displacement of these coordinates, dimension 1 first.
using EjLastHops =
    std::function<EjGatherPlan::Hop(std::span<const NodeId> coordinates, std::uint32_t part)>;

struct EjGatherRule {
  AlgorithmInfo info;
  EjLoads (*loads)(const EisensteinJacobiTree& tree, std::size_t n);
  EjLastHops (*last_hops)(const EisensteinJacobiTree& tree, std::size_t n);  ///< keeps the tree
  bool in_parts = false;     ///< blocks are cut in n parts
  bool in_substeps = false;  ///< every step is cut in two (ej_first_substep)
};

class EjGatherByRule : public Algorithm {
 public:
  using TopologyType = EisensteinJacobiNetwork;

  [[nodiscard]] std::optional<Promise> promise() const override { return promise_; }
  [[nodiscard]] Footprint footprint() const override { return footprint_; }
  [[nodiscard]] EjGatherPlan plan() const;
  [[nodiscard]] NodeInvariantProgram<EisensteinJacobiNetwork> program() const {
    return {network_, plan().schedule()};
  }

 protected:
  EjGatherByRule(const EisensteinJacobiNetwork& network, const EjGatherRule& rule);

 private:
  EisensteinJacobiNetwork network_;
  const EjGatherRule* rule_;
  Promise promise_;
  Footprint footprint_;
};

template <const EjGatherRule& rule>
class EjGather final : public EjGatherByRule {
 public:
  static constexpr AlgorithmInfo info = rule.info;

  /// Throws InvalidParameter where all blocks do not fit the memory of a processor.
  explicit EjGather(const EisensteinJacobiNetwork& network, const Settings& = {})
      : EjGatherByRule(network, rule) {}
};

}  // namespace lockstep
