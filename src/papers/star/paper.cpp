// SPDX-License-Identifier: Apache-2.0

/// Y.-C. Tseng, W.-L. Chang, J.-P. Sheu, "Efficient all-to-all broadcast in star graph
/// interconnection networks": star.json has what it prints. Ours are closed forms
/// (papers/star/costs.hpp), and the runs that count them.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/star_promises.hpp"
#include "core/joined.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "papers/formula.hpp"
#include "papers/star/costs.hpp"
#include "study/best_choice.hpp"
#include "topology/star_routing.hpp"

namespace lockstep::papers {

extern const std::string_view star_json;

namespace star {
namespace {

/// The sizes drawn: 3..12.
constexpr std::size_t smallest_drawn = 3;
constexpr std::size_t largest_drawn = 12;

/// t_s/t_m of the row.
[[nodiscard]] Fraction ratio_of(const Call& call) {
  const std::string text = call.text("ratio");
  return std::ranges::find(study::paper_ratios, text, &study::NamedRatio::text)->exact();
}

/// Execution time improved. The costs of the paper have no control words: t_w is explicit, so that
/// it depends on no block.
[[nodiscard]] double improvement(const Cost& ours, const Cost& baseline, const Call& call) {
  const CostParameters host{.t_s = ratio_of(call).value(), .t_m = 1, .t_w = 0};
  return execution_time_improved(ours, baseline, host, 1);
}

/// Packing with k against no packing.
[[nodiscard]] double packing_improvement(std::size_t n, std::size_t k, const Call& call) {
  return improvement(star_costs::packing(n, k), star_costs::packing(n, 1), call);
}

/// The all-gather on the mesh against the Hamiltonian ring.
[[nodiscard]] double mesh_improvement(std::size_t n, const Call& call) {
  return improvement(star_costs::by_formulas(StarMesh::info, n),
                     star_costs::by_formulas(StarHamiltonianRing::info, n), call);
}

/// For the sizes drawn, from one on.
template <class OfSize>
[[nodiscard]] auto over_sizes(OfSize of_size, std::size_t first = smallest_drawn) {
  std::vector<decltype(of_size(first))> values;
  for (std::size_t n = first; n <= largest_drawn; ++n) values.push_back(of_size(n));
  return values;
}

[[nodiscard]] std::vector<std::size_t> best_factors(const Call& call) {
  return over_sizes([&](std::size_t n) { return star_costs::best_k(n, ratio_of(call)); });
}

/// With the best factor for every size.
[[nodiscard]] std::vector<double> packing_improvements(const Call& call) {
  return over_sizes([&](std::size_t n) {
    return packing_improvement(n, star_costs::best_k(n, ratio_of(call)), call);
  });
}

[[nodiscard]] std::vector<double> mesh_improvements(const Call& call,
                                                    std::size_t first = smallest_drawn) {
  return over_sizes([&](std::size_t n) { return mesh_improvement(n, call); }, first);
}

[[nodiscard]] double most_of_both(const Call& call) {
  return std::max(std::ranges::max(packing_improvements(call)),
                  std::ranges::max(mesh_improvements(call)));
}

/// "229 t_s + 474 t_m"
[[nodiscard]] std::string cost_text(const Cost& cost) {
  return fmt::format("{} t_s + {} t_m", cost.startups, to_string(cost.message_times));
}

[[nodiscard]] std::string range_text(const std::vector<double>& values) {
  return fmt::format("{:.4f}..{:.4f}", std::ranges::min(values), std::ranges::max(values));
}

/// The largest of table 2.
[[nodiscard]] Fraction largest_ratio() {
  Fraction largest;
  for (std::size_t n = 4; n <= largest_drawn; ++n)
    for (std::size_t k = 3; k < n; ++k)
      largest = std::max(largest, star_costs::least_ratio_for_packing(n, k).value());
  return largest;
}

/// Dimensions, y and Y of a row of table 1, from 0 on.
[[nodiscard]] std::string route(std::size_t i) {
  const Permutation z = permutation_from_label("3241");
  constexpr std::size_t k = 2;
  const StarRoute ours = star_routes(z.size(), k).at(i);
  std::vector<std::size_t> dimensions;
  for (const Port p : ours.ports) dimensions.push_back(StarGraph::to_paper_dimension(p));
  const std::string y = to_paper_label(compose(z, ours.end));
  return fmt::format("{}; {}; **{}", dimensions.empty() ? "none" : joined(dimensions, ","), y,
                     y.substr(k));
}

[[nodiscard]] Value sizes_without_improvement(const Call& call) {
  std::vector<std::size_t> losses;
  for (std::size_t n = smallest_drawn; n <= largest_drawn; ++n)
    if (mesh_improvement(n, call) <= 0) losses.push_back(n);
  return joined(losses, ", ");
}

const Functions functions{
    {"route", route},
    {"least_ratio", star_costs::least_ratio_for_packing},
    {"least_mesh_ratio", star_costs::least_ratio_for_mesh},
    {"largest_ratio", largest_ratio},
    {"packing_improvement",
     [](const Call& call) {
       return fixed(packing_improvement(call.number(0), call.number(1), call), 4);
     }},
    {"mesh_improvement",
     [](const Call& call) { return fixed(mesh_improvement(call.number(0), call), 4); }},
    {"is_loss", [](const std::string& improvement) { return improvement.starts_with('-'); }},
    {"outer_times",
     [](std::size_t n, std::size_t k) {
       return star_promises::packing_level(n, n, k).message_times.rounded_up();
     }},
    {"packing_times",
     [](std::size_t n, std::size_t k) {
       return star_costs::packing(n, k).message_times.rounded_up();
     }},
    {"mean_distance", star_costs::mean_distance},
    {"least_k", [](const Call& call) { return std::ranges::min(best_factors(call)); }},
    {"most_k", [](const Call& call) { return std::ranges::max(best_factors(call)); }},
    {"packing_cost",
     [](std::size_t n, std::size_t k) { return cost_text(star_costs::packing(n, k)); }},
    {"mesh_cost",
     [](std::size_t n) { return cost_text(star_costs::by_formulas(StarMesh::info, n)); }},
    {"ring_cost",
     [](std::size_t n) {
       return cost_text(star_costs::by_formulas(StarHamiltonianRing::info, n));
     }},
    {"packing_range", [](const Call& call) { return range_text(packing_improvements(call)); }},
    {"packing_is_within",
     [](const Call& call) {
       const auto [least, most] = std::ranges::minmax(packing_improvements(call));
       return least >= std::stod(call.text(0)) && most <= std::stod(call.text(1));
     }},
    {"most_of_both", [](const Call& call) { return fixed(most_of_both(call), 4); }},
    {"reaches", [](const Call& call) { return most_of_both(call) >= std::stod(call.text(0)); }},
    {"mesh_range", [](const Call& call) { return range_text(mesh_improvements(call, 6)); }},
    {"sizes_without_improvement", sizes_without_improvement}};

}  // namespace
}  // namespace star

const Paper star_paper{.name = "star", .data = data_from<star_json, star::functions>};

}  // namespace lockstep::papers
