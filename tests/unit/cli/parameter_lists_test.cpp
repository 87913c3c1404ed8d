// SPDX-License-Identifier: Apache-2.0

/// The values of a parameter that a sweep runs through: cli/options.hpp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/options.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

[[nodiscard]] std::vector<Setting> values(std::string_view name, const std::string& text,
                                          const char* topology = "star:5") {
  const RunRequest request{
      .topology = topology, .operation = Operation::total_exchange, .algorithm = "packing"};
  const auto& all = parameter_catalog();
  const auto parameter =
      std::find_if(all.begin(), all.end(), [&](const Parameter& p) { return p.name == name; });
  return values_of(*parameter, text, request);
}

TEST(ParameterLists, AllNumbersAreThoseThatTheNetworkTakes) {
  EXPECT_THAT(values("k", "all"), ElementsAre(Setting(Numbers{1}), Setting(Numbers{2}),
                                              Setting(Numbers{3}), Setting(Numbers{4})));
  EXPECT_THAT(values("k", "all", "star:2"), ElementsAre(Setting(Numbers{1})));
}

TEST(ParameterLists, SeparatorsLeaveCommasToTheValues) {
  EXPECT_THAT(values("k", "3;4,3,2;1"),
              ElementsAre(Setting(Numbers{3}), Setting(Numbers{4, 3, 2}), Setting(Numbers{1})));
  EXPECT_THAT(values("batch", "1,auto"), ElementsAre(Setting(std::uint64_t{1}), Setting("auto")));
  EXPECT_THAT(values("discipline", "all"), SizeIs(4));
  EXPECT_THAT(values("root", "0;21345"), ElementsAre(Setting(std::uint64_t{0}), testing::_));
  for (const char* wrong : {"", "3;", "3,;2"})
    EXPECT_THROW((void)values("k", wrong), InvalidParameter) << wrong;
  EXPECT_THROW((void)values("batch", "all"), InvalidParameter);
}

}  // namespace
}  // namespace lockstep::cli
