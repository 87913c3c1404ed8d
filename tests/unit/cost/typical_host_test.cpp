// SPDX-License-Identifier: Apache-2.0
#include "cost/typical_host.hpp"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(TypicalHost, HasARateForEveryKindOfWork) {
  const HostModel& typical = typical_host();
  for (std::size_t k = 0; k < host_kinds; ++k) {
    EXPECT_GT(typical.rates.all.at(k).seconds, 0) << info_of(static_cast<HostKind>(k)).name;
    EXPECT_LT(typical.rates.all.at(k).seconds, 1e-5);
  }
  EXPECT_GT(typical.cached_bytes, 0U);
}

TEST(TypicalHost, TakesAsLongForWorkThatTwoWorkersShareWithoutGain) {
  HostWork work{.parallelism = 2};
  work.alone[HostKind::step] = 1;
  work.alone[HostKind::barrier] = work.alone[HostKind::handover] = 1;
  work.shared[HostKind::message] = 10;
  HostWork alone = work;
  alone.parallelism = 1;
  EXPECT_EQ(typical_host().seconds(work), typical_host().seconds(alone));
}

}  // namespace
}  // namespace lockstep
