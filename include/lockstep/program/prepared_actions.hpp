// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The actions of one step of a node-invariant schedule, made ready for a part of the processors:
/// who is at a relative address is computed for many of them at once. Part of node_invariant.hpp.

#include <array>
#include <cstdint>
#include <span>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/node_invariant_schedule.hpp"

namespace lockstep {

/// An action with its products u element for the processors of a part, where they were computed
/// beforehand: sources of what is delivered, or the node a packet is loaded for.
struct PreparedAction {
  Action action;
  const std::uint32_t* products = nullptr;
  std::uint64_t begin = 0;

  [[nodiscard]] NodeId product(NodeId me) const noexcept {
    return NodeId{products[index(me) - begin]};
  }
};

template <class Translations>
class PreparedActions {
 public:
  static constexpr std::uint64_t part = 512;

  PreparedActions(const Translations& translations, std::span<const Action> actions)
      : translations_(translations) {
    if (actions.size() > list_.size()) return;  // a long step: products one by one
    for (const Action& action : actions) {
      PreparedAction& entry = list_[count_++];
      entry.action = action;
      if (needs_product(action) && used_ < products_.size())
        entry.products = products_[used_++].data();
    }
  }

  [[nodiscard]] bool needs_products() const noexcept { return used_ != 0; }
  /// Empty: a long step.
  [[nodiscard]] std::span<const PreparedAction> list() const noexcept {
    return {list_.data(), count_};
  }

  void compute(std::uint64_t begin, std::uint64_t end) {
    std::size_t next = 0;
    for (PreparedAction& entry : std::span(list_.data(), count_)) {
      entry.begin = begin;
      if (entry.products == nullptr) continue;
      const Action& action = entry.action;
      translations_.apply(
          NodeId{begin},
          action.kind == Action::Kind::load ? action.element_or_list : action.elements.first,
          std::span(products_[next++].data(), static_cast<std::size_t>(end - begin)));
    }
  }

 private:
  [[nodiscard]] static bool needs_product(const Action& action) noexcept {
    using Kind = Action::Kind;
    return action.kind == Kind::load ||
           ((action.kind == Kind::take_deliver || action.kind == Kind::deliver) &&
            action.elements.count == 1);
  }

  const Translations& translations_;
  std::size_t count_ = 0;
  std::size_t used_ = 0;
  std::array<PreparedAction, 8> list_;
  std::array<std::array<std::uint32_t, part>, 3> products_;
};

}  // namespace lockstep
