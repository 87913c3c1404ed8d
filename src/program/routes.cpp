// SPDX-License-Identifier: Apache-2.0
#include "lockstep/program/routes.hpp"

#include <limits>
#include <string>

#include "lockstep/core/errors.hpp"

namespace lockstep {

Route Routes::add(std::span<const Port> ports) {
  if (ports.empty() || ports_.size() + ports.size() > std::numeric_limits<std::uint32_t>::max())
    throw InvalidParameter("routes: a route of " + std::to_string(ports.size()) + " links after " +
                           std::to_string(ports_.size()) +
                           " others; allowed: 1 to 2^32 - 1 in total");
  ports_.insert(ports_.end(), ports.begin(), ports.end());
  begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
  return static_cast<Route>(begin_.size() - 2);
}

std::span<const Port> Routes::ports(Route route) const {
  if (index(route) >= size())
    throw InvalidParameter("routes: number " + std::to_string(index(route)) + "; allowed: below " +
                           std::to_string(size()));
  const std::uint32_t begin = begin_[index(route)];
  return {ports_.data() + begin, begin_[index(route) + 1] - begin};
}

}  // namespace lockstep
