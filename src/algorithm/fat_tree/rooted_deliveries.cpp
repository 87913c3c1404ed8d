// SPDX-License-Identifier: Apache-2.0

/// Scatter in a fat tree, furthest destinations first, and the gather that is this scatter read
/// backwards.
/// Model:   single-port-send; the scatter with all ports: as many messages leave in a step as the
///          source has lanes.
/// Idea:    the source sends by the level at which a message turns, the highest first; switches
///          pass on what came in the step before: there is never more than one message in a node.
///          In the gather a message leaves in the step that mirrors its counterpart's arrival.
/// Source:  Dimakopoulos 1996, section 6.2.2.   Differs: several lanes (c > 1) are not in it.

#include <cstdint>

#include "algorithm/fat_tree/deliveries.hpp"
#include "algorithm/fat_tree/tree_shapes.hpp"
#include "program/cost_formulas.hpp"

namespace lockstep {
namespace {

using Inject = InjectionTimes::Inject;

/// inject_one(inject, tree, steps, i, root, other): message i, to or from the i-th furthest.
[[nodiscard]] FatTreeTimetable rooted(const SwitchTree& tree, const Settings& settings,
                                      std::string_view formula, auto inject_one) {
  check_countable(tree);
  const std::uint64_t root = settings.number(root_parameter.name);
  const std::uint64_t steps = value_by_formula(formula, tree).numerator();
  return {.steps = steps, .inject_all = [=](const Inject& inject) {
            for (std::uint64_t i = 0; i + 1 < tree.processor_count(); ++i)
              inject_one(inject, tree, steps, i, root, furthest(tree, root, i));
          }};
}

/// `lanes`: messages that leave in a step.
[[nodiscard]] FatTreeTimetable scattered(const SwitchTree& tree, const Settings& settings,
                                         std::string_view formula, std::uint64_t lanes) {
  return rooted(tree, settings, formula,
                [lanes](const Inject& inject, const SwitchTree&, std::uint64_t, std::uint64_t i,
                        std::uint64_t root, std::uint64_t to) { inject(i / lanes, root, to); });
}

}  // namespace

constinit const FatTreeDeliveries furthest_first_scatter = {
    .info = fat_tree_info("furthest-first", Operation::scatter, port_models::single_port_send,
                          "Dimakopoulos, section 6.2.2", steps_with_leaf, least_of_one_block,
                          "sends to the furthest destinations first, one message per step"),
    .plan = [](const SwitchTree& tree, const Settings& settings) {
      return scattered(tree, settings, steps_with_leaf, 1);
    }};

constinit const FatTreeDeliveries furthest_first_scatter_by_lanes = {
    .info =
        fat_tree_info("furthest-first-all-port", Operation::scatter, port_models::all_port,
                      "Lockstep; not in Dimakopoulos", steps_with_leaf_by_lanes,
                      with_one_parent(least_of_one_block),
                      "sends to the furthest destinations first, through all lanes of the source"),
    .plan = [](const SwitchTree& tree, const Settings& settings) {
      return scattered(tree, settings, steps_with_leaf_by_lanes, tree.lanes(1));
    }};

constinit const FatTreeDeliveries reversed_gather = {
    .info = fat_tree_info("reversed", Operation::gather, port_models::single_port_send,
                          "Dimakopoulos, section 6.2.2", steps_with_leaf,
                          with_one_parent(least_of_one_block),
                          "reverses the scatter with furthest destinations first; no queues"),
    .plan = [](const SwitchTree& tree, const Settings& settings) {
      return rooted(tree, settings, steps_with_leaf,
                    [](const Inject& inject, const SwitchTree& own, std::uint64_t steps,
                       std::uint64_t i, std::uint64_t root, std::uint64_t from) {
                      // In the scatter message i arrives in step i + 2 turns, counted from 1.
                      inject(steps - i - 2 * own.turning_level(root, from), from, root);
                    });
    }};

}  // namespace lockstep
