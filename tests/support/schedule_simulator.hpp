// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Carries out the text of a schedule without any code of the readers, the machine or the proof: it
/// splits the text itself, moves sets of contributions instead of bytes, and compares what hosts
/// receive with the definition of the operation.
///
///     const SimulatedProblem problem{.operation = "gather", .root = 2};
///     EXPECT_TRUE(delivers_all(text, ErasedTopology("ring:4"), problem));

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep::test {

/// The request of the user, never the statement of a file.
struct SimulatedProblem {
  std::string operation;
  std::uint64_t root = 0;
  std::vector<std::uint64_t> homes{};  ///< of a many-to-all
  std::uint64_t block_bytes = 64;
};

/// Whether every expected block is delivered once, whole, and nothing else. Precondition: the text
/// is well-formed.
[[nodiscard]] bool delivers_all(const std::string& text, const ErasedTopology& network,
                                const SimulatedProblem& problem);

}  // namespace lockstep::test
