// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Improvements of the star paper's algorithms at the ratios t_s/t_m that it draws.
///
///     EXPECT_NEAR(packing_improvement(5, 3, "100"), 0.4764, 5e-5);

#include <cstddef>
#include <map>
#include <string>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/core/fraction.hpp"
#include "lockstep/cost/model.hpp"
#include "papers/star/costs.hpp"

namespace lockstep::test {

/// As the golden tables write it.
inline Fraction ratio_of(const std::string& text) {
  static const std::map<std::string, Fraction> ratios{
      {"0.1", Fraction{1, 10}}, {"1", Fraction{1, 1}}, {"100", Fraction{100, 1}}};
  return ratios.at(text);
}

inline CostParameters host_of(const std::string& ratio) {
  return {.t_s = ratio_of(ratio).value(), .t_m = 1, .t_w = 0};
}

/// The improvement of packing with k over no packing.
inline double packing_improvement(std::size_t n, std::size_t k, const std::string& ratio) {
  return execution_time_improved(star_costs::packing(n, k), star_costs::packing(n, 1),
                                 host_of(ratio), 1);
}

/// The improvement of the all-gather on the mesh over the Hamiltonian ring.
inline double mesh_improvement(std::size_t n, const std::string& ratio) {
  return execution_time_improved(star_costs::by_formulas(StarMesh::info, n),
                                 star_costs::by_formulas(StarHamiltonianRing::info, n),
                                 host_of(ratio), 1);
}

}  // namespace lockstep::test
