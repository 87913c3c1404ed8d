// SPDX-License-Identifier: Apache-2.0
#include "catalog/ej_broadcast_lines.hpp"

namespace lockstep::catalog {

template CatalogLine line<EjImproved>(std::string_view);
template CatalogLine line<EjIterative>(std::string_view);
template CatalogLine line<EjMatching>(std::string_view);
template CatalogLine line<EjSinglePortTree>(std::string_view);

}  // namespace lockstep::catalog
