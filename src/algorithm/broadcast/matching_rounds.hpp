// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A broadcast in the single-port model, step by step: who informs whom is a maximum matching.

#include <cstdint>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep {

/// A matching from senders (informed nodes) to targets, grown target by target. A target that is
/// matched stays so, though its sender may change: so targets taken by falling preference make the
/// matching one of greatest preference, and it is maximum once all have been tried.
class TargetMatching {
 public:
  explicit TargetMatching(const EisensteinJacobiNetwork& network);

  /// Nobody is matched.
  void clear();
  /// Matches one more target, if any choice of senders allows it: a shortest augmenting path by
  /// breadth-first search. Senders that a search in vain has seen are in no later path either.
  bool add(NodeId target, const std::vector<std::uint8_t>& informed);

  [[nodiscard]] std::uint64_t size() const noexcept { return targets_.size(); }
  [[nodiscard]] const std::vector<std::uint32_t>& targets() const noexcept { return targets_; }
  /// The port through which the target is reached by its sender.
  [[nodiscard]] Port port_to(std::uint32_t target) const noexcept { return port_of_[target]; }
  [[nodiscard]] NodeId sender_to(std::uint32_t target) const;

 private:
  /// How the search came to a sender: it could reach that target, through that port.
  struct Visit {
    std::uint32_t search = 0;  ///< 0: never; given_up: no target in vain
    std::uint32_t target = 0;
    Port port{};
  };
  static constexpr std::uint32_t given_up = ~std::uint32_t{0};
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  void augment(std::uint32_t sender, std::uint32_t target);

  const EisensteinJacobiNetwork& network_;
  std::vector<std::uint32_t> target_of_;  // by sender
  std::vector<std::uint32_t> sender_of_;  // by target
  std::vector<Port> port_of_;             // by target
  std::vector<Visit> visits_;             // by sender
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint32_t> queue_;
  std::vector<std::uint32_t> seen_;  // senders, by the present search
  std::uint32_t search_ = 0;
};

/// The broadcast from node 0.
class MatchingRounds {
 public:
  explicit MatchingRounds(const EisensteinJacobiNetwork& network);

  [[nodiscard]] bool done() const noexcept { return informed_count_ == informed_.size(); }
  /// One step: the matching to inform by. Precondition: not done.
  [[nodiscard]] const TargetMatching& next();

 private:
  /// Larger is better.
  [[nodiscard]] std::uint64_t preference(NodeId target) const;
  void inform(NodeId u);

  const EisensteinJacobiNetwork& network_;
  std::vector<std::uint8_t> informed_;
  std::vector<std::uint16_t> uninformed_neighbors_;
  std::vector<std::uint32_t> frontier_;  // uninformed, with an informed neighbour
  std::uint64_t informed_count_ = 0;
  TargetMatching matching_;
};

}  // namespace lockstep
