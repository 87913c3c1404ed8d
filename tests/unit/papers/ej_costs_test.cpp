// SPDX-License-Identifier: Apache-2.0

/// Limits of the closed forms, and small networks by hand; that the figures are right for many is
/// for tests/papers/ej_costs_test.cpp.

#include <gtest/gtest.h>

#include "lockstep/algorithm/all_gather/ej_simultaneous.hpp"
#include "lockstep/algorithm/all_gather/ej_three_phase.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"
#include "lockstep/topology/eisenstein_jacobi_tree.hpp"
#include "papers/ej/costs.hpp"

namespace lockstep {
namespace {

using ej_costs::Broadcast;
using ej_costs::OneDimension;

OneDimension complete_graph_of_seven() {
  return ej_costs::one_dimension(EisensteinJacobiTree(EisensteinJacobi(1, 2)));
}

TEST(EjCosts, SevenNodesAllNeighbours) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_EQ(one.level_sizes, (ej_costs::Counts{1, 6}));
  EXPECT_EQ(one.leaves, (ej_costs::Counts{0, 6}));
  for (const Broadcast algorithm : {Broadcast::iterative, Broadcast::improved}) {
    EXPECT_EQ(ej_costs::broadcast_steps(one, 1, algorithm),
              (std::vector<ej_costs::BroadcastStep>{{1, 6, 7, 0}}));
    EXPECT_EQ(ej_costs::broadcast_senders(one, 1, algorithm), 1U);
    EXPECT_EQ(ej_costs::average_receive_step(one, 1, algorithm), (Fraction{1, 1}));
  }
  const EisensteinJacobiNetwork network(1, 2);
  EXPECT_EQ(EjTwoSubstep(network).promise(), (Cost{2, 2}));
  EXPECT_EQ(EjThreePhase(network).promise(), (Cost{3, 3}));
}

TEST(EjCosts, CountsUpTo64Bits) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_EQ(ej_costs::broadcast_senders(one, 22, Broadcast::improved),
            558545864083284007U);                                                  // 7^21
  EXPECT_NO_THROW((void)ej_costs::broadcast_steps(one, 22, Broadcast::improved));  // 7^22 < 2^62
  for (const Broadcast algorithm : {Broadcast::iterative, Broadcast::improved}) {
    EXPECT_THROW((void)ej_costs::broadcast_steps(one, 23, algorithm), InvalidParameter);
    EXPECT_THROW((void)ej_costs::average_receive_step(one, 23, algorithm), InvalidParameter);
  }
  EXPECT_THROW((void)ej_costs::broadcast_senders(one, 24, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::least_total_exchange_steps(one, 23), InvalidParameter);
}

TEST(EjCosts, RefusesNoDimensions) {
  const OneDimension one = complete_graph_of_seven();
  EXPECT_THROW((void)ej_costs::broadcast_steps(one, 0, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::broadcast_senders(one, 0, Broadcast::iterative), InvalidParameter);
  EXPECT_THROW((void)ej_costs::average_receive_step(one, 0, Broadcast::improved), InvalidParameter);
  EXPECT_THROW((void)ej_costs::least_all_gather_steps(one, 0), InvalidParameter);
}

}  // namespace
}  // namespace lockstep
