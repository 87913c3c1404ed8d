// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The settings that an algorithm may be run with where a request leaves them open: what `run`
/// selects from, `compare` runs the best of, and `tune` ranks.

#include <span>
#include <vector>

#include "catalog/catalog_line.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep::catalog {

/// Those settings, with the chosen ones added or in their place.
[[nodiscard]] Settings with(Settings settings, const Settings& chosen);
/// All of them in one list, in their order.
[[nodiscard]] std::vector<Settings> in_one_list(Variants variants);

/// The variants that the algorithm states, or each word of its word parameters.
[[nodiscard]] Variants variants_of(const Algorithm& algorithm,
                                   std::span<const Parameter> parameters);

/// The same, and for a count that a variant sets by a word, such as --batch auto, every power of
/// two and the largest count that the algorithm accepts, which compete with it: where costs fall or
/// rise with the count, the best one is among them.
[[nodiscard]] Variants open_variants(const CatalogLine& line, const Algorithm& algorithm,
                                     const RunRequest& request);

/// The variants of the algorithm that the request names, whose other settings are those of the
/// problem. Throws InvalidParameter or ResourceExhausted if the algorithm refuses them.
[[nodiscard]] Variants open_variants(const RunRequest& request);

}  // namespace lockstep::catalog
