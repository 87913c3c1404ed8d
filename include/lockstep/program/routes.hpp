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
#include <span>
#include <vector>

#include "lockstep/core/ids.hpp"

namespace lockstep {

/// Index into Routes.
enum class Route : std::uint32_t {};

class Routes {
 public:
  /// Throws InvalidParameter for a route without links, or if all routes exceed 2^32 - 1 links.
  Route add(std::span<const Port> ports);
  Route add(std::initializer_list<Port> ports) {
    return add(std::span<const Port>(ports.begin(), ports.size()));
  }

  [[nodiscard]] std::uint64_t size() const noexcept { return begin_.size() - 1; }
  [[nodiscard]] std::span<const Port> ports(Route route) const;

 private:
  std::vector<Port> ports_;
  std::vector<std::uint32_t> begin_{0};
};

}  // namespace lockstep
