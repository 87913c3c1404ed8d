// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "algorithm/broadcast/planned_broadcast.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/topology/metrics.hpp"
#include "topology/least_broadcast_steps.hpp"

namespace lockstep {
namespace {

/// The claim of the algorithm.
TEST(BeamSearch, MeetsTheBoundOnSmallTori) {
  std::size_t tori = 0;
  for (std::uint64_t a = 2; a <= 11; ++a)
    for (std::uint64_t b = a; a * b <= 128; ++b, ++tori) {
      const AnyTopology torus("torus:" + std::to_string(a) + "x" + std::to_string(b));
      EXPECT_EQ(beam_search_plan(torus, NodeId{0}).steps(),
                least_broadcast_steps(level_sizes(torus, NodeId{0})))
          << torus.name();
    }
  EXPECT_GT(tori, 150U);
}

/// A search that keeps one state per step takes a step more.
TEST(BeamSearch, KeepsSeveralStates) {
  for (const auto& [name, root] : {std::pair{"torus:4x5x5", 0U}, std::pair{"mesh:3x5x6", 45U},
                                   std::pair{"random-regular:40,3,17", 0U}})
    EXPECT_EQ(beam_search_plan(AnyTopology(name), NodeId{root}).steps(), 7U) << name;
}

}  // namespace
}  // namespace lockstep
