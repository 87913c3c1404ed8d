// SPDX-License-Identifier: Apache-2.0
/// Arithmetic on an id goes through index(), where it can be seen.
// expected: (no match for|invalid operands to binary expression)

#include "lockstep/core/ids.hpp"

lockstep::NodeId next(lockstep::NodeId node) {
#ifdef MUST_NOT_COMPILE
  return node + 1;
#else
  return lockstep::NodeId{index(node) + 1};
#endif
}
