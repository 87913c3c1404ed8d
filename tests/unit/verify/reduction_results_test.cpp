// SPDX-License-Identifier: Apache-2.0
/// Sums are those of a plain adder, and a result that is not the sum of what belongs in it does not
/// pass.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/verify/delivery.hpp"
#include "reference/summing_host.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

using reference::SummingHost;
using Bytes = std::vector<std::byte>;

constexpr Operation reductions[] = {Operation::reduce, Operation::all_reduce,
                                    Operation::reduce_scatter, Operation::scan};

[[nodiscard]] Bytes random_bytes(Random& random, std::size_t count) {
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.number(0, 255));
  return bytes;
}

TEST(AddBlocks, IsAdditionByWordsAndThenByBytes) {
  Random random(base_seed());
  SummingHost plain({.collective = {Operation::all_reduce}, .processors = 1});
  for (const std::size_t size : {0U, 1U, 7U, 8U, 9U, 16U, 63U, 64U, 65U})
    for (const std::uint32_t blocks : {1U, 3U}) {
      const Bytes left = random_bytes(random, size * blocks);
      const Bytes right = random_bytes(random, size * blocks);
      Bytes expected(left.size());
      plain.combine(expected.data(), left.data(), right.data(), size, blocks);
      Bytes into = left;
      add_blocks(into.data(), into.data(), right.data(), size, blocks);
      EXPECT_EQ(into, expected) << size;
      into = right;
      add_blocks(into.data(), left.data(), into.data(), size, blocks);
      EXPECT_EQ(into, expected) << size;
    }
  std::uint64_t word = ~std::uint64_t{0};
  std::uint64_t one = 1;
  auto* const bytes = reinterpret_cast<std::byte*>(&word);
  add_blocks(bytes, bytes, reinterpret_cast<const std::byte*>(&one), 8, 1);
  EXPECT_EQ(word, 0U);  // modulo 2^64
}

/// Results as the plain adder has them, of contributions that may be altered.
class Summed {
 public:
  explicit Summed(const ReductionResults::Parameters& of)
      : of_(of),
        host_({.collective = of.collective,
               .processors = of.processors,
               .block_bytes = of.block_bytes,
               .seed = of.seed,
               .parts_per_block = of.parts_per_block}) {}

  [[nodiscard]] Bytes contribution(std::uint64_t u, NodeId destination) {
    Bytes bytes(padded());
    host_.load(bytes.data(), NodeId{u}, Origin{u}, destination);
    return bytes;
  }
  void add(Bytes& sum, const Bytes& contribution) {
    host_.combine(sum.data(), sum.data(), contribution.data(),
                  bytes_of_part(of_.block_bytes, of_.parts_per_block),
                  static_cast<std::uint32_t>(of_.parts_per_block));
  }
  [[nodiscard]] std::uint64_t contributors(NodeId destination) const {
    return of_.collective.operation == Operation::scan ? index(destination) + 1 : of_.processors;
  }
  /// The bytes behind the block in the last part may have any value.
  [[nodiscard]] Bytes result(NodeId destination) {
    Bytes sum(padded(), std::byte{});
    for (std::uint64_t u = 0; u < contributors(destination); ++u)
      add(sum, contribution(u, destination));
    return sum;
  }

 private:
  [[nodiscard]] std::size_t padded() const {
    return of_.parts_per_block * bytes_of_part(of_.block_bytes, of_.parts_per_block);
  }

  ReductionResults::Parameters of_;
  SummingHost host_;
};

TEST(ReductionResults, AreTheSumsOfAllThatBelongsInThem) {
  for (const Operation operation : reductions)
    for (const std::uint64_t processors : {1U, 2U, 5U, 130U})
      for (const auto& [bytes, parts] : {std::pair{0U, 1U},
                                         {1U, 1U},
                                         {8U, 1U},
                                         {13U, 1U},
                                         {64U, 1U},
                                         {64U, 4U},
                                         {64U, 5U},
                                         {3U, 7U}}) {
        SCOPED_TRACE(testing::Message()
                     << name_of(operation) << " " << processors << " " << bytes << " " << parts);
        const ReductionResults::Parameters of{.collective = {operation, NodeId{0}},
                                              .processors = processors,
                                              .block_bytes = bytes,
                                              .seed = 7,
                                              .parts_per_block = parts};
        ReductionResults results(of);
        Summed summed(of);
        for (std::uint64_t u = 0; u < processors; ++u) {
          Bytes result = summed.result(NodeId{u});
          ASSERT_TRUE(results.matches(result.data(), NodeId{u}));
          if (bytes == 0) continue;
          result[bytes / 2] ^= std::byte{4};
          ASSERT_FALSE(results.matches(result.data(), NodeId{u}));
        }
      }
}

TEST(ReductionResults, LackNothingHaveNothingTwiceAndNothingForeign) {
  for (const Operation operation : reductions) {
    const ReductionResults::Parameters of{
        .collective = {operation}, .processors = 70, .block_bytes = 8};
    ReductionResults results(of);
    Summed summed(of);
    const NodeId destination{66};
    const Bytes right = summed.result(destination);
    ASSERT_TRUE(results.matches(right.data(), destination));
    for (std::uint64_t u = 0; u < summed.contributors(destination); ++u) {
      Bytes twice = right;
      summed.add(twice, summed.contribution(u, destination));
      EXPECT_FALSE(results.matches(twice.data(), destination)) << u;
      Bytes lacking(8);  // modulo 2^64 the same as adding it 2^64 - 1 times
      std::uint64_t rest = 0;
      std::uint64_t own = 0;
      std::memcpy(&rest, right.data(), 8);
      std::memcpy(&own, summed.contribution(u, destination).data(), 8);
      rest -= own;
      std::memcpy(lacking.data(), &rest, 8);
      EXPECT_FALSE(results.matches(lacking.data(), destination)) << u;
      const Bytes foreign = summed.contribution((u + 1) % 70, NodeId{3});
      summed.add(lacking, operation == Operation::reduce_scatter
                              ? foreign
                              : summed.contribution((u + 1) % 70, destination));
      EXPECT_FALSE(results.matches(lacking.data(), destination)) << u;
    }
  }
}

TEST(ReductionResults, TakeLittleMemory) {
  const auto bytes = [](Operation operation) {
    return ReductionResults::bytes(
        {.collective = {operation}, .processors = 1'000'000, .block_bytes = 64});
  };
  EXPECT_EQ(bytes(Operation::all_reduce), 64U);
  EXPECT_EQ(bytes(Operation::reduce_scatter), 0U);
  EXPECT_EQ(bytes(Operation::scan), 15'626U * 64U);
}

/// Results of the whole host: exactly once, at the right processor, by either ledger.
TEST(ProvingHostOfReductions, ProvesEveryResultOnce) {
  for (const Operation operation : reductions)
    for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest}) {
      SCOPED_TRACE(testing::Message() << name_of(operation) << " " << name_of(verify));
      const Collective collective{operation, NodeId{2}};
      Summed summed({.collective = collective, .processors = 5});
      const auto verdict = [&](auto&& alter) {
        ProvingHost host({.collective = collective, .processors = 5, .verify = verify});
        std::vector<std::pair<Bytes, NodeId>> handed;
        for (std::uint64_t u = 0; u < 5; ++u)
          if (collective.expects(Origin{u}, NodeId{u}))
            handed.emplace_back(summed.result(NodeId{u}), NodeId{u});
        alter(handed);
        DeliveryTally tally;
        for (const auto& [bytes, node] : handed) {
          const Delivery delivery{bytes.data(), node, node};
          host.accept(std::span(&delivery, 1), tally);
        }
        return host.judge(tally);
      };
      EXPECT_TRUE(verdict([](auto&) {}).complete());
      EXPECT_EQ(verdict([](auto& all) { all.pop_back(); }).missing, 1U);
      EXPECT_EQ(verdict([](auto& all) { all.push_back(all.front()); }).tally.duplicated, 1U);
      const DeliveryVerdict altered =
          verdict([](auto& all) { all.front().first[3] ^= std::byte{1}; });
      EXPECT_EQ(altered.tally.corrupted, 1U);
      EXPECT_EQ(altered.missing, 1U);
    }
}

}  // namespace
}  // namespace lockstep::test
