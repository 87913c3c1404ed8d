// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machine for the all-gathers of Eisenstein-Jacobi networks is instantiated in a file of its
/// own (ej_gather_lines.cpp): it is built beside those for the other algorithms, not after them.

#include "catalog/catalog_line.hpp"
#include "lockstep/algorithm/all_gather/ej_greedy.hpp"
#include "lockstep/algorithm/all_gather/ej_rotated.hpp"
#include "lockstep/algorithm/all_gather/ej_simultaneous.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase_complete.hpp"

namespace lockstep::catalog {

extern template CatalogLine line<EjRotated<Duplex::half>>(std::string_view);
extern template CatalogLine line<EjTwoSubstep>(std::string_view);
extern template CatalogLine line<EjThreePhaseComplete>(std::string_view);
extern template CatalogLine line<EjThreePhase>(std::string_view);
extern template CatalogLine line<EjGreedy<Duplex::half>>(std::string_view);
extern template CatalogLine line<EjRotated<Duplex::full>>(std::string_view);
extern template CatalogLine line<EjSimultaneous<Duplex::full>>(std::string_view);
extern template CatalogLine line<EjGreedy<Duplex::full>>(std::string_view);

}  // namespace lockstep::catalog
