// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machine for the broadcasts of Eisenstein-Jacobi networks is instantiated in a file of its
/// own (ej_broadcast_lines.cpp): it is built beside those for the other algorithms, not after them.

#include "catalog/catalog_line.hpp"
#include "lockstep/algorithm/broadcast/ej_improved.hpp"
#include "lockstep/algorithm/broadcast/ej_iterative.hpp"
#include "lockstep/algorithm/broadcast/ej_matching.hpp"
#include "lockstep/algorithm/broadcast/ej_single_port_tree.hpp"

namespace lockstep::catalog {

extern template CatalogLine line<EjImproved>(std::string_view);
extern template CatalogLine line<EjIterative>(std::string_view);
extern template CatalogLine line<EjMatching>(std::string_view);
extern template CatalogLine line<EjSinglePortTree>(std::string_view);

}  // namespace lockstep::catalog
