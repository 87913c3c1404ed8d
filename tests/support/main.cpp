// SPDX-License-Identifier: Apache-2.0

/// main() of every test program. A program holds the tests of one folder; ctest runs them file by
/// file:
///
///     unit_core --file=unit/core/cycles_test      # fails if that file has no test
///     unit_cli --file=unit/cli/transcripts_test/run   # of that file, the tests named run
///     unit_core --gtest_filter='Cycles*'          # or as GoogleTest says

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view option = "--file=";

/// Calls visit(test) for every test of the program.
template <class Visit>
void for_each_test(const Visit& visit) {
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) visit(*suite.GetTestInfo(t));
  }
}

/// The name of a test without what stands before its last "/": the parameter, where it has one.
[[nodiscard]] std::string_view last_name(const testing::TestInfo& test) {
  const std::string_view name = test.name();
  return name.substr(name.rfind('/') + 1);
}

/// GoogleTest's filter for the tests written in tests/FILE.cpp, or for those of FILE/NAME; a "-" of
/// NAME is a "_" in a test's name. Empty if there are none.
[[nodiscard]] std::string filter_for(const std::string& wanted) {
  const std::size_t slash = wanted.rfind('/');
  std::string name = wanted.substr(slash + 1);
  std::replace(name.begin(), name.end(), '-', '_');
  const std::string file = "/tests/" + wanted + ".cpp";
  const std::string file_of_name = "/tests/" + wanted.substr(0, slash) + ".cpp";
  std::string filter;
  for_each_test([&](const testing::TestInfo& test) {
    const std::string_view source = test.file();
    if (source.ends_with(file) || (source.ends_with(file_of_name) && last_name(test) == name))
      filter.append(test.test_suite_name()).append(".").append(test.name()).append(":");
  });
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc == 1) return RUN_ALL_TESTS();
  const std::string_view argument = argv[1];
  if (argc > 2 || argument.substr(0, option.size()) != option) {
    std::cerr << argv[0] << ": allowed: --file=FOLDER/FILE[/NAME], or options of GoogleTest\n";
    return 2;
  }
  // A test that starts this program again to run alone (a death test) names itself.
  if (testing::GTEST_FLAG(filter) != "*") return RUN_ALL_TESTS();
  testing::GTEST_FLAG(filter) = filter_for(std::string(argument.substr(option.size())));
  if (testing::GTEST_FLAG(filter).empty()) {
    std::cerr << argv[0] << ": no tests in " << argument.substr(option.size()) << ".cpp\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
