// SPDX-License-Identifier: Apache-2.0
/// Reductions of the star graph that run in groups: as promised, the same whatever runs them, and
/// noticed where anything goes wrong.

#include <gtest/gtest.h>

#include "algorithm/planned_algorithms.hpp"
#include "algorithm/star_levelwise_reduce.hpp"
#include "support/planned_class.hpp"
#include "support/star_algorithm_checks.hpp"

namespace lockstep {
namespace {

template <class A>
class StarReductions : public testing::Test {};

using Algorithms =
    testing::Types<StarLevelwiseReduce, test::PlannedClass<star_reduce_scatter, StarGraph>>;
TYPED_TEST_SUITE(StarReductions, Algorithms, );

TYPED_TEST(StarReductions, CombineEveryContributionAsPromised) {
  for (const std::size_t n : {2U, 3U, 4U, 5U, 6U})
    test::expect_as_promised(TypeParam(StarGraph{n}), StarGraph{n});
}

TYPED_TEST(StarReductions, CombineBlocksOfAnySize) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_as_promised_with_all_block_sizes(TypeParam(StarGraph{n}), StarGraph{n});
}

TYPED_TEST(StarReductions, HaveOneRecordWhateverRunsThem) {
  for (const std::size_t n : {2U, 3U, 5U})
    test::expect_one_record(TypeParam(StarGraph{n}), StarGraph{n});
}

TYPED_TEST(StarReductions, AreDeliveredOnlyIfNothingGoesWrong) {
  test::expect_every_mistake_found(TypeParam(StarGraph{3}), StarGraph{3});
  test::expect_every_mistake_found(TypeParam(StarGraph{4}), StarGraph{4}, 5);
}

}  // namespace
}  // namespace lockstep
