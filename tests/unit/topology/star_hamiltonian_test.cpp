// SPDX-License-Identifier: Apache-2.0
#include "topology/star_hamiltonian.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

TEST(StarHamiltonian, WordOfFourSymbols) {
  std::vector<std::uint8_t> ports;
  for (const int dimension :
       {4, 2, 3, 2, 3, 2, 4, 3, 2, 3, 2, 3, 4, 2, 3, 2, 3, 2, 4, 3, 2, 3, 2, 3})
    ports.push_back(static_cast<std::uint8_t>(dimension - 2));
  EXPECT_EQ(star_hamiltonian_word(4), ports);
}

TEST(StarHamiltonian, VisitsEveryNodeOnceAndCloses) {
  for (std::size_t n = 3; n <= 9; ++n) {
    const StarGraph star{n};
    const std::vector<std::uint8_t> word = star_hamiltonian_word(n);
    ASSERT_EQ(word.size(), star.node_count());
    std::vector<bool> visited(star.node_count(), false);
    NodeId u = star.identity();
    for (const std::uint8_t p : word) {
      ASSERT_LT(p, n - 1);
      ASSERT_FALSE(visited[index(u)]) << star.name() << ": node " << index(u) << " twice";
      visited[index(u)] = true;
      u = star.neighbor(u, port(p));
    }
    EXPECT_EQ(u, star.identity()) << star.name();
  }
}

TEST(StarHamiltonian, RefusesOtherSizes) {
  for (const std::size_t n : {0U, 2U, 13U})
    EXPECT_THROW((void)star_hamiltonian_word(n), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
