// SPDX-License-Identifier: Apache-2.0
#pragma once

/// From a base block to a full table.
///
///     assemble_exchange_table(optimal_exchange_table(6, TableKind::base_total)).columns == 689;
///
/// An orbit block is a minimal word of a full orbit and its n - 2 rotations, a row each: every
/// column then holds every letter once, and no cell is blank. So all the art is in the base block,
/// which holds the nodes whose orbits are not full.
///
/// Source: Coolsaet, Fack (exchange_table.hpp), section 2; theorem 3: no base block is needed for
/// the odd distances where n - 1 is an odd prime.

#include "lockstep/algorithm/exchange_table/exchange_table.hpp"

namespace lockstep {

/// A full table for 10 symbols has 3.6 million words, 0.4 GB.
inline constexpr std::size_t max_full_table_symbols = 10;

/// The base block, followed by an orbit block for each full orbit that is not in it, by the length
/// of the orbit's words and then by its least standard word. Throws InvalidParameter unless `base`
/// is a base block without faults for at most 10 symbols. O(n! n^2).
[[nodiscard]] ExchangeTable assemble_exchange_table(const ExchangeTable& base);

}  // namespace lockstep
