// SPDX-License-Identifier: Apache-2.0
/// Both ledgers are full after the right entries, and object to every other set of entries.

#include "lockstep/verify/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Operation operations[] = {Operation::broadcast, Operation::scatter, Operation::gather,
                                    Operation::all_gather, Operation::total_exchange};

std::vector<MissingPair> expected_pairs(const Collective& collective, std::uint64_t processors) {
  std::vector<MissingPair> pairs;
  for (std::uint64_t d = 0; d < processors; ++d)
    for (std::uint64_t o = 0; o < collective.pattern.origins(processors); ++o)
      if (collective.expects(Origin{o}, NodeId{d})) pairs.push_back({Origin{o}, NodeId{d}});
  return pairs;
}

template <class Check>
void for_all_collectives(Check check) {
  for (const Operation operation : operations)
    for (const std::uint64_t processors : {1U, 2U, 3U, 64U, 65U, 130U}) {
      SCOPED_TRACE(std::string(name_of(operation)) + " " + std::to_string(processors));
      check(Collective{operation, NodeId{processors - 1}}, processors);
      check(Collective{operation, NodeId{0}}, processors);
    }
  for (const std::uint64_t processors : {2U, 3U, 64U, 130U})
    for (const std::uint64_t blocks : {0U, 1U, 5U, 64U, 200U}) {
      SCOPED_TRACE("many-to-all " + std::to_string(processors) + " " + std::to_string(blocks));
      std::vector<NodeId> homes;  // of many none or several
      for (std::uint64_t i = 0; i < blocks; ++i) homes.push_back(NodeId{i * i * i % processors});
      check(Collective{Operation::many_to_all, {}, Pattern::many(std::move(homes))}, processors);
    }
  for (const std::uint64_t processors : {2U, 3U, 64U, 130U})
    for (const Operation operation : {Operation::multicast, Operation::partial_exchange}) {
      SCOPED_TRACE(std::string(name_of(operation)) + " " + std::to_string(processors));
      const auto some = [](Origin origin, NodeId destination) {
        return index(origin) * index(destination) % 3 == 1;
      };
      check(Collective{operation, {}, Pattern::where(processors, some)}, processors);
      check(Collective{operation, {}, Pattern::pairs({})}, processors);
    }
}

TEST(ExactLedger, IsFullAfterEveryPair) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    ExactLedger ledger(collective, processors);
    EXPECT_EQ(ledger.missing(), collective.deliveries(processors));
    for (const MissingPair& pair : expected_pairs(collective, processors)) {
      EXPECT_FALSE(ledger.entered(pair.origin, pair.destination));
      EXPECT_TRUE(ledger.enter(pair.origin, pair.destination));
      EXPECT_TRUE(ledger.entered(pair.origin, pair.destination));
    }
    EXPECT_EQ(ledger.missing(), 0U);
    EXPECT_THAT(ledger.all_missing(), IsEmpty());
    EXPECT_FALSE(ledger.first_missing().has_value());
  });
}

/// Counts more than 64 origins as well, and the first of them.
TEST(ExactLedger, CountsWhatEachProcessorReceived) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    if (!collective.every_source() || !collective.every_destination() || collective.is_by_pairs())
      return;  // processors share words
    const std::vector<MissingPair> pairs = expected_pairs(collective, processors);
    ExactLedger ledger(collective, processors);
    std::vector<std::uint64_t> received(processors);
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
      EXPECT_TRUE(ledger.enter(pairs[i].origin, pairs[i].destination));
      ++received[index(pairs[i].destination)];
    }
    for (std::uint64_t d = 0; d < processors; ++d)
      EXPECT_EQ(ledger.received(NodeId{d}), received[d]) << d;
  });
}

TEST(ExactLedger, NamesEveryPairThatNeverCame) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    std::vector<MissingPair> pairs = expected_pairs(collective, processors);
    if (pairs.size() < 3) return;
    const std::vector<MissingPair> left_out{pairs[0], pairs[pairs.size() / 2], pairs.back()};
    ExactLedger ledger(collective, processors);
    for (const MissingPair& pair : pairs) {
      if (std::find(left_out.begin(), left_out.end(), pair) != left_out.end()) continue;
      EXPECT_TRUE(ledger.enter(pair.origin, pair.destination));
    }
    EXPECT_EQ(ledger.missing(), 3U);
    EXPECT_EQ(ledger.all_missing(), left_out);
    EXPECT_EQ(ledger.first_missing(), left_out.front());
  });
}

TEST(ExactLedger, NoticesASecondEntry) {
  ExactLedger ledger({Operation::total_exchange}, 70);
  EXPECT_TRUE(ledger.enter(NodeId{69}, NodeId{3}));
  EXPECT_FALSE(ledger.enter(NodeId{69}, NodeId{3}));
  EXPECT_TRUE(ledger.enter(NodeId{3}, NodeId{69}));
}

TEST(ExactLedger, TakesManyDestinationsOfOneSource) {
  ExactLedger ledger({Operation::broadcast, NodeId{64}}, 130);
  EXPECT_TRUE(ledger.single_source());
  EXPECT_FALSE(ExactLedger({Operation::all_gather}, 130).single_source());
  EXPECT_EQ(ledger.enter_word(1, 0b0110), 0b0110U);
  EXPECT_EQ(ledger.enter_word(1, 0b1100), 0b1000U);
  EXPECT_FALSE(ledger.enter(NodeId{64}, NodeId{65}));
  EXPECT_TRUE(ledger.enter(NodeId{64}, NodeId{1}));
  EXPECT_TRUE(ledger.entered(NodeId{64}, NodeId{67}));
  EXPECT_FALSE(ledger.entered(NodeId{64}, NodeId{68}));
  EXPECT_EQ(ledger.missing(), 129U - 4U);
  EXPECT_EQ(ledger.first_missing(), (MissingPair{NodeId{64}, NodeId{0}}));
}

TEST(ExactLedger, TakesWhatItSays) {
  EXPECT_EQ(ExactLedger::bytes({Operation::total_exchange}, 64), 64U * 8);
  EXPECT_EQ(ExactLedger::bytes({Operation::total_exchange}, 65), 65U * 16);
  EXPECT_EQ(ExactLedger::bytes({Operation::broadcast}, 1'000), 16U * 8);
  EXPECT_EQ(ExactLedger::bytes({Operation::scatter}, 64), 8U);
  EXPECT_EQ(ExactLedger::bytes({Operation::gather}, 64), 64U * 8);
  const Pattern one = Pattern::pairs({{Origin{0}, NodeId{1}}});
  EXPECT_EQ(ExactLedger::bytes({Operation::partial_exchange, {}, one}, 1'000'000), 8U);
}

bool accepts(const DigestLedger& ledger) {
  const DigestLedger::Judgement judgement = ledger.judge();
  return judgement.missing == 0 && judgement.duplicated == 0 && judgement.wrong_sets == 0;
}

void enter_all(DigestLedger& ledger, const std::vector<MissingPair>& pairs) {
  for (const MissingPair& pair : pairs) ledger.enter(pair.origin, pair.destination);
}

TEST(DigestLedger, AcceptsEveryPairInAnyOrder) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    std::vector<MissingPair> pairs = expected_pairs(collective, processors);
    Random random(processors);
    std::shuffle(pairs.begin(), pairs.end(), random);
    DigestLedger ledger(collective, processors, 1);
    EXPECT_EQ(accepts(ledger), pairs.empty());
    enter_all(ledger, pairs);
    EXPECT_TRUE(accepts(ledger));
  });
}

/// Rows of every length enter several destinations at once, or one after the other.
TEST(DigestLedger, EntersLoggedRowsAsSinglePairs) {
  constexpr std::uint64_t processors = 210;
  const Collective collective{Operation::all_gather};
  for (const std::uint64_t size : {1U, 7U, 8U, 64U, 65U, 150U}) {
    SCOPED_TRACE(size);
    // Destinations 3, 4, ..: row r has the r-th node behind each.
    std::vector<std::uint32_t> origins;
    for (std::uint64_t r = 1; r < processors; ++r)
      for (std::uint64_t d = 3; d < 3 + size; ++d)
        origins.push_back(static_cast<std::uint32_t>((d + r) % processors));
    DigestLedger ledger(collective, processors, 1);
    const auto enter = [&](std::size_t row, std::size_t rows) {
      ledger.enter(detail::LoggedRows{NodeId{3}, size, rows, size, origins.data() + row * size});
    };
    enter(0, 1);
    enter(1, processors - 3);
    EXPECT_EQ(ledger.judge({3, 3 + size}).missing, size);
    enter(processors - 2, 1);
    const DigestLedger::Judgement all = ledger.judge({3, 3 + size});
    EXPECT_EQ(all.missing + all.duplicated + all.wrong_sets, 0U);
    EXPECT_EQ(ledger.judge().missing, (processors - size) * (processors - 1));
    enter(0, 1);
    EXPECT_EQ(ledger.judge({3, 3 + size}).duplicated, size);
  }
}

TEST(DigestLedger, CountsWhatNeverCame) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    std::vector<MissingPair> pairs = expected_pairs(collective, processors);
    for (std::size_t left_out = 1; left_out <= std::min<std::size_t>(3, pairs.size()); ++left_out) {
      DigestLedger ledger(collective, processors, 1);
      enter_all(ledger, {pairs.begin() + static_cast<std::ptrdiff_t>(left_out), pairs.end()});
      EXPECT_EQ(ledger.judge().missing, left_out);
      EXPECT_EQ(ledger.judge().duplicated, 0U);
    }
  });
}

TEST(DigestLedger, CountsWhatCameTwice) {
  for_all_collectives([](const Collective& collective, std::uint64_t processors) {
    const std::vector<MissingPair> pairs = expected_pairs(collective, processors);
    if (pairs.empty()) return;
    DigestLedger ledger(collective, processors, 1);
    enter_all(ledger, pairs);
    enter_all(ledger, {pairs.front(), pairs.front(), pairs.back()});
    EXPECT_EQ(ledger.judge().duplicated, 3U);
    EXPECT_EQ(ledger.judge().missing, 0U);
  });
}

/// Right in number, wrong in kind: one source twice, another never.
TEST(DigestLedger, NoticesEveryExchangeOfOneSourceForAnother) {
  constexpr std::uint64_t processors = 40;
  const Collective exchange{Operation::total_exchange};
  for (const std::uint64_t seed : {1U, 2U, 3U})
    for (std::uint64_t never = 0; never < processors; ++never)
      for (std::uint64_t twice = 0; twice < processors; ++twice) {
        const NodeId destination{7};
        if (never == twice || never == 7 || twice == 7) continue;
        DigestLedger ledger(exchange, processors, seed);
        for (const MissingPair& pair : expected_pairs(exchange, processors))
          ledger.enter(
              pair == MissingPair{NodeId{never}, destination} ? Origin{twice} : pair.origin,
              pair.destination);
        EXPECT_EQ(ledger.judge().wrong_sets, 1U) << never << " " << twice;
      }
}

TEST(DigestLedger, NoticesBlocksThatChangedPlaces) {
  const Collective exchange{Operation::total_exchange};
  DigestLedger ledger(exchange, 6, 1);
  for (const MissingPair& pair : expected_pairs(exchange, 6)) {
    // 1 -> 2 and 3 -> 4 are delivered at each other's destination.
    if (pair == MissingPair{NodeId{1}, NodeId{2}})
      ledger.enter(NodeId{3}, NodeId{2});
    else if (pair == MissingPair{NodeId{3}, NodeId{4}})
      ledger.enter(NodeId{1}, NodeId{4});
    else
      ledger.enter(pair.origin, pair.destination);
  }
  EXPECT_EQ(ledger.judge().wrong_sets, 2U);
}

TEST(DigestLedger, TakesTheSameForAnyNumberOfSources) {
  EXPECT_EQ(DigestLedger::bytes(1'000), 1'000U * 32);
  EXPECT_EQ(DigestLedger::bytes(2'000), 2 * DigestLedger::bytes(1'000));
}

/// Random sets of entries: both ledgers come to the same verdict.
TEST(Ledgers, AgreeOnRandomEntries) {
  const auto make = [](Random& random) {
    std::vector<MissingPair> pairs = expected_pairs({Operation::total_exchange}, 5);
    for (std::uint64_t changes = uniform(random, 0, 3); changes > 0; --changes) {
      const std::uint64_t at = uniform(random, 0, pairs.size() - 1);
      const std::uint64_t other = uniform(random, 0, pairs.size() - 1);
      switch (uniform(random, 0, 2)) {
        case 0:
          pairs[at] = pairs[other];
          break;
        case 1:
          pairs.push_back(pairs[at]);
          break;
        default:
          std::swap(pairs[at], pairs[other]);  // changes nothing
      }
    }
    return pairs;
  };
  for_all(500, make, [](const std::vector<MissingPair>& pairs) {
    const Collective exchange{Operation::total_exchange};
    ExactLedger exact(exchange, 5);
    DigestLedger digest(exchange, 5, 9);
    bool fresh = true;
    for (const MissingPair& pair : pairs)
      fresh = exact.enter(pair.origin, pair.destination) && fresh;
    enter_all(digest, pairs);
    EXPECT_EQ(accepts(digest), fresh && exact.missing() == 0);
  });
}

}  // namespace
}  // namespace lockstep::test
