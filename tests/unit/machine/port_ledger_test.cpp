// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/port_ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(PortLedger, FullDuplexNeverObjectsAndTakesNoMemory) {
  PortLedger ledger(port_models::single_port, {4, 3});
  ledger.on_send(0, NodeId{1}, Port{2});
  EXPECT_FALSE(ledger.meets_own_send(0, NodeId{1}, Port{2}));
  EXPECT_EQ(PortLedger::bytes(port_models::single_port, 1000, 4, 4000), 0U);
  EXPECT_GT(PortLedger::bytes(port_models::all_port_half_duplex, 1000, 4, 4000), 0U);
}

TEST(PortLedger, HalfDuplexKnowsWhatANodeSentInThatStep) {
  PortLedger ledger(port_models::all_port_half_duplex, {4, 3});
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
  PortLedger ledger(port_models::all_port_half_duplex, {4, 3});
  ledger.on_send(6, NodeId{1}, Port{2});
  EXPECT_FALSE(ledger.meets_own_send(8, NodeId{1}, Port{2}));
  EXPECT_FALSE(ledger.meets_own_send(1006, NodeId{1}, Port{2}));
  ledger.on_send(8, NodeId{1}, Port{0});
  EXPECT_FALSE(ledger.meets_own_send(8, NodeId{1}, Port{2}));
}

/// A word of ports up to 64, an entry per arc above; also where the arcs are listed node by node.
TEST(PortLedger, HalfDuplexHasAnyNumberOfPorts) {
  constexpr std::array<std::uint64_t, 3> first{0, 1, 1001};  // of 1 port, and of 1000
  for (const ArcLayout& arcs :
       {ArcLayout(2, 64), ArcLayout(2, 65), ArcLayout(2, 1000), ArcLayout(2, 1000, first.data())}) {
    PortLedger ledger(port_models::all_port_half_duplex, arcs);
    const Port last = port(arcs.ports() - 1);
    for (const std::uint64_t step : {0U, 1U, 2U, 9U}) {
      EXPECT_FALSE(ledger.meets_own_send(step, NodeId{1}, last));
      ledger.on_send(step, NodeId{1}, last);
      EXPECT_TRUE(ledger.meets_own_send(step, NodeId{1}, last));
      EXPECT_FALSE(ledger.meets_own_send(step, NodeId{1}, port(arcs.ports() - 2)));
      EXPECT_FALSE(ledger.meets_own_send(step, NodeId{1}, Port{0}));
      EXPECT_FALSE(ledger.meets_own_send(step, NodeId{0}, Port{0}));
    }
    EXPECT_TRUE(ledger.meets_own_send(9, NodeId{1}, last));
    EXPECT_TRUE(ledger.meets_own_send(2, NodeId{1}, last));
    EXPECT_FALSE(ledger.meets_own_send(0, NodeId{1}, last));
  }
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
