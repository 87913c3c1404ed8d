// SPDX-License-Identifier: Apache-2.0
/// All-gathers of Eisenstein-Jacobi networks have one record, whatever runs them.
#include <gtest/gtest.h>

#include "algorithm/all_gather/ej_gather_rules.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"

namespace lockstep::test {
namespace {

template <class A>
void expect_one_record(const EisensteinJacobiNetwork& network) {
  SCOPED_TRACE(A::info.name);
  const A algorithm(network);
  expect_reference_outcome(build_network(network), algorithm.program(),
                           {.model = A::info.model, .collective = {Operation::all_gather}},
                           {ChannelKind::slot, ChannelKind::spsc});
}

TEST(EjAllGatherRecords, AreTheSameWhateverRunsThem) {
  const EisensteinJacobiNetwork network(2, 2, 2);
  expect_one_record<EjTwoSubstep>(network);
  expect_one_record<EjSimultaneous>(network);
  expect_one_record<EjThreePhase>(network);
  expect_one_record<EjThreePhaseComplete>(network);
  expect_one_record<EjGreedy<Duplex::half>>(network);
}

}  // namespace
}  // namespace lockstep::test
