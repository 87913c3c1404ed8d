// SPDX-License-Identifier: Apache-2.0
// Laws of every collective algorithm of the star graph, for every n it admits and that a test
// can run: delivered, legal, what it promised, and never less than is possible.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "algorithm/star_levelwise_reduce.hpp"
#include "algorithm/total_exchange/star_packing.hpp"
#include "core/instrumented.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/verify/judgement.hpp"
#include "lockstep/verify/lower_bounds.hpp"
#include "support/jobs.hpp"
#include "support/outcome_checks.hpp"
#include "support/planned_class.hpp"
#include "support/star_algorithm_checks.hpp"
#include "topology/star_distances.hpp"

namespace lockstep {
namespace {

/// An algorithm with its parameters, for n = least..most.
template <class A, std::size_t least_symbols, std::size_t most_symbols = 6>
struct Plain {
  static constexpr std::size_t least = least_symbols;
  static constexpr std::size_t most = most_symbols;
  static A make(std::size_t n) { return A(StarGraph{n}, {}); }
};

template <std::size_t least_symbols, std::uint64_t batch_size, std::size_t... factors>
struct Packing {
  static constexpr std::size_t least = least_symbols;
  static constexpr std::size_t most = 6;
  static StarPacking make(std::size_t n) {
    Settings settings{{"batch", batch_size}};
    if constexpr (sizeof...(factors) != 0) settings["k"] = Numbers{factors...};
    return {StarGraph{n}, settings};
  }
};

template <const PlannedAlgorithm& algorithm>
using PlannedOnStars = Plain<test::PlannedClass<algorithm, StarGraph>, 2>;

template <class Case>
class CollectiveLaws : public testing::Test {
 protected:
  using Algorithm = decltype(Case::make(Case::least));
  static constexpr std::size_t medium = std::max(Case::least, Case::most - 1);
  static constexpr std::size_t most = slowness == 1 ? Case::most : medium;

  /// Every size once, judged by all laws.
  static void SetUpTestSuite() {
    for (std::size_t n = Case::least; n <= most; ++n)
      outcomes_.push_back(run(n, test::job_of(Case::make(n))));
  }
  static void TearDownTestSuite() { outcomes_.clear(); }

  static test::RunOutcome run(std::size_t n, const test::Job& job,
                              const test::Conditions& conditions = {}) {
    return test::run(build_network(StarGraph{n}), Case::make(n).program(), job, conditions);
  }

  /// check(algorithm, star, outcome)
  template <class Check>
  static void for_every_size(Check check) {
    for (std::size_t n = Case::least; n <= most; ++n) {
      SCOPED_TRACE(StarGraph{n}.name());
      check(Case::make(n), StarGraph{n}, outcomes_.at(n - Case::least));
    }
  }

  /// Total exchange: the blocks of a node go n! l(n,1) links, as far as their destinations are
  /// away. All-gather, and backwards reduce-scatter: n! - 1 blocks come to every node. All-reduce:
  /// a block comes to it.
  static std::uint64_t least_blocks_per_node(const StarGraph& star) {
    if (Algorithm::info.operation == Operation::all_reduce) return 1;
    return Algorithm::info.operation == Operation::total_exchange
               ? star_distance_sum(star.symbols(), 1)
               : star.node_count() - 1;
  }

 private:
  static inline std::vector<test::RunOutcome> outcomes_;
};

using Cases =
    testing::Types<Packing<2, 1>, Packing<2, 1, 1>, Packing<3, 1, 2>, Packing<4, 1, 3>,
                   Packing<5, 1, 4>, Packing<4, 1, 3, 2>, Packing<5, 1, 4, 3, 2>,
                   Packing<6, 1, 5, 3>, Packing<3, 2, 2>, Packing<4, 4, 3>, Packing<5, 5, 4>,
                   PlannedOnStars<star_total_exchange>, PlannedOnStars<star_all_gather>,
                   Plain<StarMesh, 3>, Plain<StarHamiltonianRing, 3>, Plain<StarLevelwiseReduce, 2>,
                   PlannedOnStars<star_reduce_scatter>>;

TYPED_TEST_SUITE(CollectiveLaws, Cases, );

TYPED_TEST(CollectiveLaws, DeliversEveryBlockOnceWithinTheRulesForWhatItPromised) {
  this->for_every_size(
      [](const auto& algorithm, const StarGraph& star, const test::RunOutcome& outcome) {
        test::expect_whole(outcome, algorithm, star);
      });
}

TYPED_TEST(CollectiveLaws, IsNeverBelowTheLowerBound) {
  this->for_every_size(
      [](const auto& algorithm, const StarGraph& star, const test::RunOutcome& outcome) {
        const BoundInputs figures{.processors = star.node_count(),
                                  .degree = star.max_degree(),
                                  .diameter = star.diameter(),
                                  .distance_sum = star_distance_sum(star.symbols(), 1)};
        const test::Job job = test::job_of(algorithm);
        const auto bound = lower_bound(job.collective, figures, job.model);
        ASSERT_TRUE(bound.has_value());
        EXPECT_TRUE(judge_promises(outcome.record, cost_of(outcome.record, 1),
                                   {.promise = test::promise_of(algorithm, star),
                                    .footprint = algorithm.footprint(),
                                    .bound = bound->undivided})
                        .kept());
        EXPECT_GE(outcome.record.message_times, TestFixture::least_blocks_per_node(star));
      });
}

/// All messages that are sent are received, and no fewer blocks move than must.
TYPED_TEST(CollectiveLaws, LosesAndInventsNothing) {
  this->for_every_size([](const auto&, const StarGraph& star, const test::RunOutcome& outcome) {
    const RunRecord& record = outcome.record;
    EXPECT_EQ(record.senders, record.messages_sent);
    EXPECT_EQ(record.receivers, record.messages_sent);
    std::uint64_t blocks = 0;
    for (const StepRecord& step : record.series) {
      EXPECT_EQ(step.senders, step.receivers);
      EXPECT_LE(step.blocks, step.messages * step.largest_message_blocks);
      blocks += step.blocks;
    }
    EXPECT_EQ(record.blocks_moved, blocks);
    EXPECT_EQ(record.bytes_moved(), 8 * blocks);
    EXPECT_GE(blocks, star.node_count() * TestFixture::least_blocks_per_node(star));
  });
}

TYPED_TEST(CollectiveLaws, IsProvedByTheLedgerOfConstantSizeToo) {
  const auto algorithm = TypeParam::make(TestFixture::medium);
  test::Job job = test::job_of(algorithm, 3);
  job.verify = VerifyKind::digest;
  test::expect_whole(this->run(TestFixture::medium, job), algorithm,
                     StarGraph{TestFixture::medium});
}

/// One thread, no channels.
TYPED_TEST(CollectiveLaws, HasTheRecordOfTheReferenceMachine) {
  if (slowness != 1 && TestFixture::medium > 5) GTEST_SKIP() << "720 processors take half a minute";
  const StarGraph star{TestFixture::medium};
  const auto algorithm = TypeParam::make(star.symbols());
  const test::Job job = test::job_of(algorithm);
  test::expect_same(
      this->run(star.symbols(), job,
                {.channel = ChannelKind::mailbox, .workers = 3, .processors_per_task = 7}),
      test::run_reference(build_network(star), algorithm.program(), job));
}

}  // namespace
}  // namespace lockstep
