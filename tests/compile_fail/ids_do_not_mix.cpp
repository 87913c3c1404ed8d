// SPDX-License-Identifier: Apache-2.0
/// A port is no node, a node no number: strong integers do not convert into each other.
// expected: (could not convert|cannot convert|cannot initialize a parameter)

#include "lockstep/core/ids.hpp"
#include "lockstep/topology/ring.hpp"

lockstep::NodeId right_neighbor(const lockstep::Ring& ring, lockstep::NodeId node) {
#ifdef MUST_NOT_COMPILE
  return ring.neighbor(lockstep::Port{0}, node);
#else
  return ring.neighbor(node, lockstep::Port{0});
#endif
}
