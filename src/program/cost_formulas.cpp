// SPDX-License-Identifier: Apache-2.0
#include "program/cost_formulas.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

#include "core/formula.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "topology/prime_form.hpp"
#include "topology/product_factors.hpp"

namespace lockstep {
namespace {

using formulas::Call;
using formulas::Value;

/// Empty if there is no such variable, or the network has no such value.
[[nodiscard]] std::optional<std::uint64_t> variable_of(const ErasedTopology& network, char name) {
  switch (name) {
    case 'N':
      return network.processor_count();
    case 'g':
      return network.max_degree();
    case 'D':
      return network.diameter();
    case 'S':
      return metrics_detail::sum(network.level_sizes(NodeId{0}));
    case 'd': {
      const std::size_t factors = product_factors(network).size();
      return factors > 1 ? factors : network.max_degree();
    }
    case 'n': {
      if (const auto* const star = network.as<StarGraph>()) return star->symbols();
      const auto* const ej = network.as<EisensteinJacobiNetwork>();
      return ej == nullptr ? std::nullopt : std::optional<std::uint64_t>(ej->dimensions());
    }
    default:
      return std::nullopt;
  }
}

/// The formula in k for each side, added up.
[[nodiscard]] Value sum_over_sides(const Call& call) {
  formulas::Scope scope = call.scope;
  std::int64_t sum = 0;
  for (std::uint64_t i = 0; i < call.number("side_count"); ++i) {
    scope.names.insert_or_assign("k", call.named(fmt::format("side_{}", i)));
    sum += formulas::evaluate(call.text(0), scope).number();
  }
  return sum;
}

void add_sides(const ErasedTopology& network, formulas::Scope& scope) {
  std::uint64_t count = 0;
  const auto add = [&](std::uint64_t side) {
    scope.names.insert_or_assign(fmt::format("side_{}", count++), side);
  };
  for (const ProductFactor& factor : product_factors(network)) add(factor.topology.node_count());
  if (count == 0) add(network.node_count());
  scope.names.insert_or_assign("side_count", count);
  scope.functions.insert_or_assign("sides", sum_over_sides);
}

/// The name of that level, such as k_2.
template <char name>
[[nodiscard]] Value of_level(const Call& call) {
  return call.named(fmt::format("{}_{}", name, call.number(0)));
}

/// A sum of arities is K_i.
[[nodiscard]] formulas::Scope scope_of(const SwitchTree& tree) {
  formulas::Scope scope{
      .names = {{"N", tree.processor_count()}, {"h", tree.height()}, {"N_0", 1}, {"K_0", 0}},
      .functions = {{"below", of_level<'N'>},
                    {"arity", of_level<'k'>},
                    {"arities", of_level<'K'>},
                    {"lanes", of_level<'c'>}}};
  std::uint64_t arities = 0;
  for (std::size_t i = 1; i <= tree.height(); ++i) {
    arities += tree.arity(i);
    scope.names.insert({{fmt::format("N_{}", i), tree.leaves_below(i)},
                        {fmt::format("k_{}", i), tree.arity(i)},
                        {fmt::format("K_{}", i), arities},
                        {fmt::format("c_{}", i), tree.lanes(i)}});
  }
  return scope;
}

}  // namespace

Fraction value_by_formula(std::string_view formula, const SwitchTree& tree) {
  if (tree.processor_count() < 2) return 0;
  return formulas::evaluate(formula, scope_of(tree)).fraction();
}

Fraction value_by_formula(std::string_view formula, const ErasedTopology& network,
                          std::uint64_t parts) {
  if (network.processor_count() < 2) return 0;
  const auto tree = switch_tree(network);
  formulas::Scope scope = tree ? scope_of(*tree) : formulas::Scope();
  scope.names.insert_or_assign("P", parts);
  scope.others = [&network](std::string_view name) -> std::optional<Value> {
    if (name.size() == 1)
      if (const auto value = variable_of(network, name.front())) return *value;
    return std::nullopt;
  };
  scope.exact = true;
  if (formula.find("sides(") != std::string_view::npos) add_sides(network, scope);
  return formulas::evaluate(formula, scope).fraction();
}

ErasedTopology formula_network(const AlgorithmInfo& info, const ErasedTopology& network) {
  const PrimeForm* const form = info.in_any_numbering ? network.prime_form() : nullptr;
  return form != nullptr ? form->network : network;
}

std::optional<Cost> cost_by_formula(const AlgorithmInfo& info, const ErasedTopology& network,
                                    std::uint64_t parts) {
  if (!info.has_formulas()) return std::nullopt;
  const ErasedTopology of = formula_network(info, network);
  try {
    return Cost{value_by_formula(info.startups, of, parts).rounded_up(),
                value_by_formula(info.message_times, of, parts)};
  } catch (const std::invalid_argument& problem) {
    throw invalid("{} on {}: {}", info.name, network.name(), problem.what());
  }
}

std::string cost_text(const AlgorithmInfo& info) {
  const std::string startups = formulas::readable(info.startups);
  const std::string times = formulas::readable(info.message_times);
  if (!times.empty() && times == startups)
    return fmt::format("{} start-ups and message times", startups);
  if (times == fmt::format("({})/P", startups)) return fmt::format("{} steps of 1/P", startups);
  std::vector<std::string> texts;
  if (!startups.empty()) texts.push_back(fmt::format("{} start-ups", startups));
  if (!times.empty()) texts.push_back(fmt::format("{} message times", times));
  const std::string figures = joined(texts, ", ");
  if (figures.empty() || info.costs.empty()) return figures + std::string(info.costs);
  return fmt::format("{}; {}", figures, info.costs);
}

}  // namespace lockstep
