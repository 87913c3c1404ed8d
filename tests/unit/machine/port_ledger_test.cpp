// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/port_ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PortLedger, FullDuplexNeverObjectsAndTakesNoMemory) {
  PortLedger ledger(port_models::single_port, 4, 3);
  ledger.on_send(0, NodeId{1}, Port{2});
  EXPECT_FALSE(ledger.meets_own_send(0, NodeId{1}, Port{2}));
  EXPECT_EQ(PortLedger::bytes(port_models::single_port, 1000), 0U);
  EXPECT_GT(PortLedger::bytes(port_models::all_port_half_duplex, 1000), 0U);
}

TEST(PortLedger, HalfDuplexKnowsWhatANodeSentInThatStep) {
  PortLedger ledger(port_models::all_port_half_duplex, 4, 3);
  ledger.on_send(6, NodeId{1}, Port{2});
  ledger.on_send(6, NodeId{1}, Port{0});
  ledger.on_send(7, NodeId{1}, Port{1});
  EXPECT_TRUE(ledger.meets_own_send(6, NodeId{1}, Port{0}));
  EXPECT_FALSE(ledger.meets_own_send(6, NodeId{1}, Port{1}));
  EXPECT_TRUE(ledger.meets_own_send(6, NodeId{1}, Port{2}));
  EXPECT_TRUE(ledger.meets_own_send(7, NodeId{1}, Port{1}));
  EXPECT_FALSE(ledger.meets_own_send(7, NodeId{1}, Port{2}));
  EXPECT_FALSE(ledger.meets_own_send(6, NodeId{2}, Port{2}));
}

/// A processor of a sparse program may not run for many steps.
TEST(PortLedger, HalfDuplexForgetsOlderSends) {
  PortLedger ledger(port_models::all_port_half_duplex, 4, 3);
  ledger.on_send(6, NodeId{1}, Port{2});
  EXPECT_FALSE(ledger.meets_own_send(8, NodeId{1}, Port{2}));
  EXPECT_FALSE(ledger.meets_own_send(1006, NodeId{1}, Port{2}));
  ledger.on_send(8, NodeId{1}, Port{0});
  EXPECT_FALSE(ledger.meets_own_send(8, NodeId{1}, Port{2}));
}

TEST(PortLedger, HalfDuplexHasSixtyFourPorts) {
  PortLedger ledger(port_models::all_port_half_duplex, 1, 64);
  ledger.on_send(0, NodeId{0}, Port{63});
  EXPECT_TRUE(ledger.meets_own_send(0, NodeId{0}, Port{63}));
  EXPECT_FALSE(ledger.meets_own_send(0, NodeId{0}, Port{31}));
  EXPECT_THROW(PortLedger(port_models::all_port_half_duplex, 1, 65), InvalidParameter);
  EXPECT_NO_THROW(PortLedger(port_models::all_port, 1, 65));
}

std::vector<Violation> settled(std::vector<Violation> violations) {
  settle(violations);
  return violations;
}

TEST(Settle, NothingStaysNothing) { EXPECT_THAT(settled({}), IsEmpty()); }

TEST(Settle, KeepsOneViolationPerStepNodeAndRule) {
  const Violation lowest{3, NodeId{1}, Port{0}, Rule::half_duplex, 2};
  const Violation other{3, NodeId{1}, Port{2}, Rule::half_duplex, 2};
  EXPECT_THAT(settled({other, lowest, other}), ElementsAre(lowest));
}

TEST(Settle, KeepsTheLargestCount) {
  EXPECT_THAT(settled({{3, NodeId{1}, Port{0}, Rule::receptions, 2},
                       {3, NodeId{1}, Port{0}, Rule::receptions, 4},
                       {3, NodeId{1}, Port{0}, Rule::receptions, 3}}),
              ElementsAre(Violation{3, NodeId{1}, Port{0}, Rule::receptions, 4}));
}

TEST(Settle, DoesNotBlameACrowdedNodeForNotReading) {
  const Violation crowded{3, NodeId{1}, Port{0}, Rule::receptions, 2};
  const Violation unread{3, NodeId{1}, Port{0}, Rule::unread, 1};
  const Violation elsewhere{3, NodeId{2}, Port{0}, Rule::unread, 1};
  const Violation later{4, NodeId{1}, Port{0}, Rule::unread, 1};
  EXPECT_THAT(settled({unread, later, crowded, elsewhere}), ElementsAre(crowded, elsewhere, later));
}

TEST(Settle, OrderOfDiscoveryDoesNotMatter) {
  const auto make = [](Random& random) {
    std::vector<Violation> violations;
    for (std::size_t i = 0; i < 30; ++i)
      violations.push_back({uniform(random, 0, 2), NodeId{uniform(random, 0, 3)},
                            port(uniform(random, 0, 3)), static_cast<Rule>(uniform(random, 0, 6)),
                            uniform(random, 1, 4)});
    std::vector<Violation> shuffled = violations;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    return std::pair(violations, shuffled);
  };
  for_all(200, make, [](const auto& two) {
    EXPECT_EQ(settled(two.first), settled(two.second));
    EXPECT_EQ(settled(settled(two.first)), settled(two.first));
  });
}

}  // namespace
}  // namespace lockstep::test
