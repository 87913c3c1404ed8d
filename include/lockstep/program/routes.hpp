// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Routes: the paths that messages take through several links in one step, where switching is
/// wormhole. A route is a list of ports, of the node where the message starts, of the one it comes
/// to, and so on; from every node that has them it leads somewhere.
///
///     Routes routes;
///     const Route two_right = routes.add({right, right});
///     here.send(two_right, blocks);                   // to the second next node of a ring
///
/// All processors share the table (Program::routes()).

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {

/// Index into Routes.
enum class Route : std::uint32_t {};

class Routes {
 public:
  /// Throws InvalidParameter for a route without links, or if all routes exceed 2^32 - 1 links.
  Route add(std::span<const Port> ports) {
    if (ports.empty() || ports_.size() + ports.size() > std::numeric_limits<std::uint32_t>::max())
      throw InvalidParameter("routes: a route of " + std::to_string(ports.size()) +
                             " links after " + std::to_string(ports_.size()) +
                             " others; allowed: 1 to 2^32 - 1 in total");
    ports_.insert(ports_.end(), ports.begin(), ports.end());
    begin_.push_back(static_cast<std::uint32_t>(ports_.size()));
    return static_cast<Route>(begin_.size() - 2);
  }
  Route add(std::initializer_list<Port> ports) {
    return add(std::span<const Port>(ports.begin(), ports.size()));
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Port> ports(Route route) const {
    if (index(route) >= size())
      throw InvalidParameter("routes: number " + std::to_string(index(route)) +
                             "; allowed: below " + std::to_string(size()));
    const std::uint32_t begin = begin_[index(route)];
    return {ports_.data() + begin, begin_[index(route) + 1] - begin};
  }

 private:
  std::vector<Port> ports_;
  std::vector<std::uint32_t> begin_{0};
};

}  // namespace lockstep
