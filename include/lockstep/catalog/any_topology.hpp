// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A topology that was named at run time: itself a topology, slower than the family's own type, and
/// able to give that type back. For lists, reports and tests that hold for every network.
///
///     const AnyTopology star = make_topology("star:5");
///     star.node_count() == 120;
///     star.as<StarGraph>()->symbols() == 5;       // null if it is of another family

#include <string>
#include <utility>

#include "lockstep/topology/any_cayley.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

class AnyTopology : public ErasedTopology {
 public:
  using ErasedTopology::ErasedTopology;
  AnyTopology() = default;
  /// Any other network. The operations of a family are available only if the type provides them.
  explicit AnyTopology(ErasedTopology topology) : ErasedTopology(std::move(topology)) {}
  /// As make_topology(). Implicit: a name is the usual way to write a network.
  AnyTopology(const std::string& text);  // NOLINT(google-explicit-constructor)
  AnyTopology(const char* text);         // NOLINT(google-explicit-constructor)
};

static_assert(Topology<AnyTopology>);

/// "star:7" -> the star graph on 7 symbols. Throws InvalidParameter that says what was given, what
/// is allowed, and the nearest valid name.
[[nodiscard]] AnyTopology make_topology(const std::string& text);

}  // namespace lockstep
