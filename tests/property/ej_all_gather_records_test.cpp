// SPDX-License-Identifier: Apache-2.0
/// All-gathers of Eisenstein-Jacobi networks have one record, whatever runs them.
#include <gtest/gtest.h>

#include "algorithm/planned_algorithms.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/planned_class.hpp"

namespace lockstep::test {
namespace {

template <const PlannedAlgorithm& planned>
void expect_one_record(const EisensteinJacobiNetwork& network) {
  SCOPED_TRACE(planned.info.name);
  const PlannedClass<planned, EisensteinJacobiNetwork> algorithm(network);
  expect_reference_outcome(build_network(network), algorithm.program(),
                           {.model = planned.info.model, .collective = {Operation::all_gather}},
                           {ChannelKind::slot, ChannelKind::spsc});
}

TEST(EjAllGatherRecords, AreTheSameWhateverRunsThem) {
  const EisensteinJacobiNetwork network(2, 2, 2);
  expect_one_record<ej_two_substep>(network);
  expect_one_record<ej_simultaneous>(network);
  expect_one_record<ej_three_phase>(network);
  expect_one_record<ej_three_phase_complete>(network);
  expect_one_record<ej_greedy_half_duplex>(network);
}

}  // namespace
}  // namespace lockstep::test
