// SPDX-License-Identifier: Apache-2.0
#include "algorithm/planned_algorithm.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "algorithm/checks.hpp"
#include "algorithm/line_plans.hpp"
#include "algorithm/many_to_all/placement.hpp"
#include "algorithm/reduction_plans.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/plan/transformations.hpp"
#include "program/cost_formulas.hpp"
#include "topology/known_searches.hpp"
#include "topology/prime_form.hpp"

namespace lockstep {
namespace {

constexpr Parameter open_parts_parameter = [] {
  Parameter open = parts_parameter;
  open.defines_problem = false;
  return open;
}();
constexpr std::array parts_only{open_parts_parameter};
constexpr std::array root_and_parts{root_parameter, open_parts_parameter};

class PlannedRun final : public PlannedTransfers {
 public:
  /// `known`: the plan, or its figures.
  PlannedRun(const PlannedAlgorithm& algorithm, const ErasedTopology& network, auto known,
             std::function<Transfers()> make, Pattern pattern = {},
             std::optional<Variants> variants = {})
      : PlannedTransfers(algorithm.info.name, network, std::move(known), std::move(make),
                         algorithm.info.operation),
        pattern_(std::move(pattern)),
        variants_(std::move(variants)) {}

  [[nodiscard]] std::optional<Variants> variants() const override { return variants_; }
  [[nodiscard]] Pattern pattern() const override { return pattern_; }
  [[nodiscard]] Settings chosen() const override { return messages_of(pattern_); }

  /// All blocks wait in their processor before the first step.
  [[nodiscard]] std::optional<std::uint64_t> own_blocks() const override {
    if (operation() != Operation::total_exchange || parts_per_block() != 1) return std::nullopt;
    return network().processor_count() - 1;
  }

 private:
  Pattern pattern_;
  std::optional<Variants> variants_;
};

/// The numbers of parts that are worth a plan, one or two for each power of two: the least time is
/// flat. Fewer in large networks, whose plans take longer.
[[nodiscard]] Variants numbers_of_parts(const ErasedTopology& network) {
  constexpr std::uint64_t most_transfers = std::uint64_t{1} << 14U;
  constexpr std::uint64_t most_worth = 512;
  const std::uint64_t most = std::min(most_transfers / network.node_count(), most_worth);
  std::vector<Settings> list;
  const auto add = [&](std::uint64_t parts) {
    list.push_back({{std::string(open_parts_parameter.name), parts}});
  };
  add(1);
  for (std::uint64_t parts = 2; parts <= most; parts *= 2) {
    add(parts);
    add(parts + parts / 2);
  }
  return {.all = {}, .cheapest_of = {std::move(list)}};
}

/// Pattern and root are checked.
[[nodiscard]] PlanRequest request_for(const PlannedAlgorithm& algorithm,
                                      const ErasedTopology& network, const Settings& settings,
                                      const Pattern& pattern, std::uint64_t parts) {
  const NodeId root = has_root(algorithm.info.operation)
                          ? checked_root(algorithm.info, network, settings)
                          : NodeId{};
  return {network, root, pattern, static_cast<std::uint32_t>(parts), settings};
}
[[nodiscard]] Pattern pattern_of(const PlannedAlgorithm& algorithm, const ErasedTopology& network,
                                 const Settings& settings, const Pattern& fixed) {
  const bool has_makers = algorithm.info.operation == Operation::many_to_all;
  return has_makers ? homes_on(network, settings, fixed) : Pattern();
}

/// Empty where the cost follows from the plan.
[[nodiscard]] std::optional<Announcement> announced_by(const PlannedAlgorithm& algorithm,
                                                       const ErasedTopology& network,
                                                       const Settings& settings,
                                                       const std::function<Transfers()>& make) {
  if (algorithm.cost) return Announcement{algorithm.cost(network), make};
  if (is_ranked_by_formula(algorithm))
    return Announcement{*cost_by_formula(algorithm.info, network), make};
  if (algorithm.announce) return algorithm.announce({.network = network, .settings = settings});
  return std::nullopt;
}

/// The operation of the mirror image.
[[nodiscard]] Operation mirror_of(Operation operation) {
  switch (operation) {
    case Operation::broadcast:
      return Operation::reduce;
    case Operation::scatter:
      return Operation::gather;
    case Operation::gather:
      return Operation::scatter;
    default:
      expects(operation == Operation::all_gather, "the operation has a mirror image");
      return Operation::reduce_scatter;
  }
}

/// Sends become receptions.
[[nodiscard]] PortModel mirror_of(PortModel model) {
  expects(model.sends == model.receptions, "the port model is its own mirror image");
  return model;
}

/// An algorithm made of another begins without its claims, its cost before planning, and the
/// statement that all nodes move alike.
[[nodiscard]] PlannedAlgorithm made_of(PlannedAlgorithm algorithm, Operation operation,
                                       std::string_view costs, std::string_view summary) {
  algorithm.info.operation = operation;
  algorithm.info.costs = costs;
  algorithm.info.summary = summary;
  algorithm.info.claims = {};
  algorithm.info.startups = algorithm.info.message_times = {};
  algorithm.cost = {};
  algorithm.announce = {};
  algorithm.one_class = false;
  return algorithm;
}

/// The plan of an all-gather, or of a total exchange, lists what all N nodes do if it is not of one
/// class.
constexpr std::uint64_t most_listed_nodes = 512;

/// The same where the plan lists what all nodes do.
[[nodiscard]] PlannedAlgorithm made_of_list(PlannedAlgorithm algorithm, Operation operation,
                                            std::string_view costs, std::string_view summary) {
  PlannedAlgorithm made = made_of(std::move(algorithm), operation, costs, summary);
  made.networks = made.networks.up_to_nodes(most_listed_nodes);
  made.plan = [plan = std::move(made.plan)](const PlanRequest& asked) {
    return of_every_node(plan(asked), asked.network);
  };
  return made;
}

/// The plan of the form, with the numbers of the network.
[[nodiscard]] Transfers planned_in(const PrimeForm& form,
                                   const std::function<Transfers(const PlanRequest&)>& plan,
                                   const PlanRequest& asked) {
  const auto root = std::ranges::find(form.nodes, asked.root) - form.nodes.begin();
  return placed(of_every_node(plan({form.network, NodeId{static_cast<std::uint64_t>(root)},
                                    asked.pattern, asked.parts, asked.settings}),
                              form.network),
                form.nodes);
}

}  // namespace

PlannedAlgorithm in_any_numbering(PlannedAlgorithm algorithm) {
  expects(algorithm.plan && !algorithm.cost, "the algorithm is a plan, and its cost follows");
  algorithm.plan = [plan = std::move(algorithm.plan),
                    networks = algorithm.networks](const PlanRequest& asked) {
    const PrimeForm* const form = asked.network.prime_form();
    if (form == nullptr || !networks.admits(form->network)) return plan(asked);
    constexpr std::uint64_t most_planned_twice = 256;
    const bool is_admitted = networks.admits(asked.network);
    if (is_admitted && asked.network.node_count() > most_planned_twice) return plan(asked);
    Transfers of_form = planned_in(*form, plan, asked);
    if (!is_admitted) return of_form;
    const auto figures = [&](const Transfers& made) {
      const Cost cost = planned_cost(made, asked.network);
      return std::pair(cost.startups, cost.message_times);
    };
    Transfers as_numbered = plan(asked);
    return figures(of_form) < figures(as_numbered) ? of_form : as_numbered;
  };
  algorithm.networks = algorithm.networks.in_any_numbering();
  algorithm.info.in_any_numbering = true;
  return algorithm;
}

PlannedAlgorithm searched_in_prime_form(PlannedAlgorithm algorithm) {
  algorithm.plan = [plan = std::move(algorithm.plan)](const PlanRequest& asked) {
    const PrimeForm* const form = asked.network.prime_form();
    return form == nullptr ? plan(asked) : planned_in(*form, plan, asked);
  };
  return algorithm;
}

PlannedAlgorithm mirrored(const PlannedAlgorithm& algorithm) {
  PlannedAlgorithm mirror = algorithm;
  const bool as_one = algorithm.one_class;
  if (algorithm.info.operation == Operation::all_gather && !as_one)
    mirror.networks = algorithm.networks.up_to_nodes(most_listed_nodes);
  mirror.info.operation = mirror_of(algorithm.info.operation);
  mirror.info.model = mirror_of(algorithm.info.model);
  mirror.info.commutative = is_reduction(mirror.info.operation);
  mirror.info.summary =
      mirror.info.operation == Operation::gather    ? "reverses the scatter of the same name"
      : mirror.info.operation == Operation::scatter ? "reverses the gather of the same name"
      : mirror.info.operation == Operation::reduce  ? "reverses the broadcast of the same name"
                                                    : "reverses the all-gather of the same name";
  mirror.plan = [plan = algorithm.plan, as_one](const PlanRequest& asked) {
    Transfers made = plan(asked);
    return reversed(asked.network,
                    as_one ? std::move(made) : of_every_node(std::move(made), asked.network));
  };
  return mirror;
}

PlannedAlgorithm scattered_reduction(const PlannedAlgorithm& all_gather) {
  PlannedAlgorithm made = made_of_list(
      all_gather, Operation::all_reduce,
      "twice the start-ups of the all-gather of the same name, 2/N times its message times",
      "reduce-scatter of a part per processor, then the all-gather of the same name; for long "
      "blocks");
  made.info.model = mirror_of(all_gather.info.model);
  made.info.commutative = true;
  made.info.whole_parts = true;
  made.plan = [plan = made.plan](const PlanRequest& asked) {
    const Transfers gather = plan(asked);
    const std::uint64_t processors = asked.network.processor_count();
    return then(in_block_parts(reversed(asked.network, gather), processors),
                in_block_parts(gather, processors));
  };
  return made;
}

PlannedAlgorithm gathered_reduction(const PlannedAlgorithm& all_gather, Operation operation,
                                    std::string_view name) {
  PlannedAlgorithm made = made_of_list(all_gather, operation, "cost of the all-gather",
                                       "all-gather of the contributions, which every node adds");
  made.info.name = name;
  made.plan = [plan = made.plan, operation](const PlanRequest& asked) {
    return gathered_and_added(plan(asked), asked.network.processor_count(), operation);
  };
  return made;
}

PlannedAlgorithm collected(const PlannedAlgorithm& all_gather) {
  PlannedAlgorithm made =
      made_of(all_gather, Operation::gather,
              "start-ups of the all-gather of the same name, at most its message times",
              "every block goes to the root as in the all-gather of the same name");
  made.plan = [plan = all_gather.plan](const PlanRequest& asked) {
    return collected(plan(asked), asked.network, asked.root);
  };
  return made;
}

PlannedAlgorithm with_any_makers(const PlannedAlgorithm& all_gather) {
  PlannedAlgorithm made =
      made_of_list(all_gather, Operation::many_to_all,
                   "start-ups of the all-gather of the same name; counted in the plan",
                   "the all-gather of the same name, of the blocks that each node makes");
  made.info = many_to_all_like(made.info);
  made.plan = [plan = made.plan](const PlanRequest& asked) {
    std::vector<std::uint32_t> makers;
    for (const NodeId home : *asked.pattern.homes())
      makers.push_back(static_cast<std::uint32_t>(index(home)));
    const bool is_cut = asked.settings.find(parts_parameter.name) != nullptr;  // by the user
    return with_makers(plan(asked), std::move(makers), is_cut ? WholeBlocks::yes : WholeBlocks::no);
  };
  return made;
}

PlannedAlgorithm between_classes(const PlannedAlgorithm& total_exchange) {
  PlannedAlgorithm made =
      made_of(total_exchange, Operation::odd_distance_exchange,
              "at most the cost of the total exchange of the same name",
              "the total exchange of the same name, of the blocks for odd distances");
  made.networks = total_exchange.networks.both(shapes::bipartite);
  made.one_class = total_exchange.one_class;
  made.plan = [plan = total_exchange.plan](const PlanRequest& asked) {
    return between_classes(plan(asked), asked.network);
  };
  return made;
}

PlannedAlgorithm exchanged_scan(const PlannedAlgorithm& total_exchange, std::string_view name) {
  PlannedAlgorithm made = made_of_list(
      total_exchange, Operation::scan,
      "twice the start-ups of the total exchange, 2/N times its message times",
      "each processor adds up a part of all blocks, which comes and goes by a total exchange; for "
      "long blocks");
  made.info.name = name;
  made.info.whole_parts = true;
  made.plan = [plan = made.plan](const PlanRequest& asked) {
    return scan_by_exchange(plan(asked), asked.network.processor_count());
  };
  return made;
}

PlannedAlgorithm scattered_broadcast(const PlannedAlgorithm& scatter,
                                     const PlannedAlgorithm& all_gather, std::string_view name) {
  PlannedAlgorithm made =
      made_of(scatter, Operation::broadcast,
              "start-ups of the scatter and the all-gather, 1/N times the message times of both",
              "scatter of a part per processor, then an all-gather; for long blocks");
  made.info.name = name;
  made.info.source = "van de Geijn; Chan et al. 2007";
  made.info.whole_parts = false;
  made.networks = scatter.networks.both(all_gather.networks).up_to_nodes(most_listed_nodes);
  made.plan = [scatter = scatter.plan, gather = all_gather.plan](const PlanRequest& asked) {
    const Transfers all = of_every_node(gather(asked), asked.network);
    const std::uint64_t processors = asked.network.processor_count();
    return then_the_rest(
        in_parts_of(asked.root, in_finer_parts(scatter(asked), all.parts), processors),
        in_parts_of(asked.root, all, processors));
  };
  return made;
}

std::span<const Parameter> parameters_of(const PlannedAlgorithm& algorithm) {
  if (algorithm.info.operation == Operation::many_to_all) return placement_parameters;
  if (!algorithm.info.parameters.empty()) return algorithm.info.parameters;
  const bool rooted = has_root(algorithm.info.operation);
  if (algorithm.parts == Parts::by_plan)
    return rooted ? std::span<const Parameter>(root_parameters) : std::span<const Parameter>();
  return rooted ? std::span<const Parameter>(root_and_parts)
                : std::span<const Parameter>(parts_only);
}

bool is_ranked_by_formula(const PlannedAlgorithm& algorithm) {
  return algorithm.cost || (algorithm.one_class && algorithm.plan && algorithm.info.has_formulas());
}

std::shared_ptr<const PlannedTransfers> planned_for(const PlannedAlgorithm& algorithm,
                                                    const ErasedTopology& network,
                                                    const Settings& settings, const Pattern& fixed,
                                                    KnownPlans* known) {
  Pattern pattern = pattern_of(algorithm, network, settings, fixed);
  const std::uint64_t parts = settings.number(open_parts_parameter.name, 1);
  if (parts > most_parts)
    throw invalid("parts: {} is not valid; expected 1..{}", parts, most_parts);
  const auto make = [=] {
    return algorithm.plan(request_for(algorithm, network, settings, pattern, parts));
  };
  if (auto announced = announced_by(algorithm, network, settings, make)) {
    const auto figures = std::make_shared<PlanFigures>();
    figures->cost = announced->cost;
    return std::make_shared<const PlannedRun>(algorithm, network, figures,
                                              std::move(announced->plan));
  }
  check_count(algorithm.info.name, network.name(), network.node_count(), "nodes",
              max_region_blocks - 1);
  const bool is_open =
      algorithm.parts == Parts::open && settings.find(open_parts_parameter.name) == nullptr;
  const std::optional<Variants> variants =
      is_open ? std::optional(numbers_of_parts(network)) : algorithm.variants;
  constexpr std::uint64_t most_known_nodes = 1'024;
  if (known == nullptr || network.node_count() > most_known_nodes ||
      !algorithm.info.parameters.empty())
    return std::make_shared<const PlannedRun>(algorithm, network, make(), make, pattern, variants);
  KnownPlans::Key key{settings.number(root_parameter.name),
                      settings.number(open_parts_parameter.name)};
  append_links(network, key);
  if (std::shared_ptr<PlanFigures> figures = known->find(key))
    return std::make_shared<const PlannedRun>(algorithm, network, std::move(figures), make, pattern,
                                              variants);
  const auto made =
      std::make_shared<const PlannedRun>(algorithm, network, make(), make, pattern, variants);
  if (std::shared_ptr<PlanFigures> figures = made->long_plan_figures())
    known->add(std::move(key), std::move(figures));
  return made;
}

std::shared_ptr<const ScheduledAlgorithm> scheduled_for(const PlannedAlgorithm& algorithm,
                                                        const ErasedTopology& network,
                                                        const Settings& settings,
                                                        const Pattern& fixed) {
  const Pattern pattern = pattern_of(algorithm, network, settings, fixed);
  return std::make_shared<const ScheduledAlgorithm>(
      algorithm.schedule(request_for(algorithm, network, settings, pattern, 1)), pattern);
}

}  // namespace lockstep
