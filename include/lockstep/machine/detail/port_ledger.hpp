// SPDX-License-Identifier: Apache-2.0
#pragma once

/// PortLedger: through which ports nodes sent, for links that carry one direction at a time. What
/// machine/detail/step_judge.hpp remembers from one pass to the next.

#include <cstdint>
#include <vector>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"

namespace lockstep {

/// A word of ports per node and step parity; where nodes have more than 64, a stamp per arc.
class PortLedger {
 public:
  PortLedger(const PortModel& model, const ArcLayout& arcs);

  [[nodiscard]] static std::uint64_t bytes(const PortModel& model, std::uint64_t nodes,
                                           std::uint64_t max_degree, std::uint64_t arcs) noexcept {
    if (model.duplex == Duplex::full) return 0;
    return 2 * (max_degree > ports_in_word ? arcs * sizeof(std::uint32_t) : nodes * sizeof(Sent));
  }

  void on_send(std::uint64_t step, NodeId node, Port port) noexcept {
    if (!half_duplex_) return;
    if (by_arc_) [[unlikely]] {
      used_[step % 2][arcs_.index(node, port)] = arc_stamp(step);
      return;
    }
    Sent& sent = sent_[step % 2][index(node)];
    if (sent.stamp != step + 1) sent = {step + 1, 0};
    sent.ports |= std::uint64_t{1} << index(port);
  }

  /// The same for consecutive nodes, which sent through the same ports. Groups of such nodes have
  /// at most 64 ports.
  void on_sends(std::uint64_t step, NodeId first, std::size_t nodes, std::uint64_t ports) noexcept {
    if (ports != 0)
      std::fill_n(sent_[step % 2].begin() + offset(first), nodes, Sent{step + 1, ports});
  }
  /// Ports that some of them sent through.
  [[nodiscard]] std::uint64_t sent_through(std::uint64_t step, NodeId first,
                                           std::size_t nodes) const noexcept {
    std::uint64_t ports = 0;
    for (auto sent = sent_[step % 2].begin() + offset(first); nodes != 0; ++sent, --nodes)
      if (sent->stamp == step + 1) ports |= sent->ports;
    return ports;
  }

  /// Whether a message sent in `step` that arrives through `port` met one on its link.
  [[nodiscard]] bool meets_own_send(std::uint64_t step, NodeId node, Port port) const noexcept {
    if (!half_duplex_) return false;
    if (by_arc_) [[unlikely]]
      return used_[step % 2][arcs_.index(node, port)] == arc_stamp(step);
    const Sent& sent = sent_[step % 2][index(node)];
    return sent.stamp == step + 1 && ((sent.ports >> index(port)) & 1U) != 0;
  }

 private:
  static constexpr std::uint64_t ports_in_word = 64;

  /// The stamp says which step it is about: a node of a sparse program may skip many.
  struct Sent {
    std::uint64_t stamp = 0;  // 1 + step; 0: none
    std::uint64_t ports = 0;
  };

  [[nodiscard]] static std::ptrdiff_t offset(NodeId node) noexcept {
    return static_cast<std::ptrdiff_t>(index(node));
  }
  /// 0: never; repeats after 2^32 steps.
  [[nodiscard]] static std::uint32_t arc_stamp(std::uint64_t step) noexcept {
    return static_cast<std::uint32_t>(step + 1);
  }

  ArcLayout arcs_;
  bool half_duplex_;
  bool by_arc_;
  std::vector<Sent> sent_[2];           // by step parity; own entry only
  std::vector<std::uint32_t> used_[2];  // the same by arc
};

/// Brings violations found by different workers into one order, one per (step, node, rule): the
/// lowest port or slot and the largest count stand for all. A node at which too many messages
/// arrived is not blamed for not reading them as well.
void settle(std::vector<Violation>& violations);

}  // namespace lockstep
