// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The one order in which the ways to solve a problem are ranked, for `run`, `compare`, `sweep`,
/// `tune` and the maps of winners: by the time that is charged; of equals, algorithms that declare
/// the port model or a weaker one come before those that only turn out to keep its rules; of these,
/// the first one in the order of the catalogue.
///
///     const std::vector<Ranked> ways{{Cost{229, 474}}, {Cost{251, 442}}};
///     first_of(ways, {.t_s = 0.1}, 64) == 1

#include <cstddef>
#include <span>
#include <vector>

#include "lockstep/cost/model.hpp"
#include "lockstep/program/cost.hpp"

namespace lockstep::catalog {

struct Ranked {
  Cost charged{};        ///< with idle steps and padding, as RunPlan::charged() says
  bool declared = true;  ///< the algorithm needs the port model or a weaker one
};

/// Whether `a` is ranked before `b`; of those that are equal in this, the first one counts.
[[nodiscard]] bool ranks_before(const Ranked& a, const Ranked& b, const CostParameters& costs,
                                std::size_t block_bytes);

/// Index of the first of the ranking. Precondition: there is one.
[[nodiscard]] std::size_t first_of(std::span<const Ranked> ways, const CostParameters& costs,
                                   std::size_t block_bytes);
/// The indices of all, in the order of the ranking.
[[nodiscard]] std::vector<std::size_t> ranking_of(std::span<const Ranked> ways,
                                                  const CostParameters& costs,
                                                  std::size_t block_bytes);

/// Whether `other` is ranked behind `way` at all times t_s, t_m and t_w: none of its costs is less.
[[nodiscard]] bool is_never_behind(const Ranked& way, const Ranked& other) noexcept;

}  // namespace lockstep::catalog
