// SPDX-License-Identifier: Apache-2.0
#include "catalog/ej_gather_lines.hpp"

namespace lockstep::catalog {

template CatalogLine line<EjRotated<Duplex::half>>(std::string_view);
template CatalogLine line<EjTwoSubstep>(std::string_view);
template CatalogLine line<EjThreePhaseComplete>(std::string_view);
template CatalogLine line<EjThreePhase>(std::string_view);
template CatalogLine line<EjGreedy<Duplex::half>>(std::string_view);
template CatalogLine line<EjRotated<Duplex::full>>(std::string_view);
template CatalogLine line<EjSimultaneous<Duplex::full>>(std::string_view);
template CatalogLine line<EjGreedy<Duplex::full>>(std::string_view);

}  // namespace lockstep::catalog
