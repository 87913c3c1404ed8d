// SPDX-License-Identifier: Apache-2.0

/// main() of every test program. A program holds the tests of one folder; ctest runs them file by
/// file:
///
///     unit_core --file=unit/core/cycles_test      # fails if that file has no test
///     unit_core --gtest_filter='Cycles*'          # or as GoogleTest says

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

/// GoogleTest's filter for the tests written in tests/FILE.cpp, whatever their names; empty if
/// there are none.
[[nodiscard]] std::string filter_for(std::string_view file) {
  const std::string path = "/tests/" + std::string(file) + ".cpp";
  std::string filter;
  for_each_test([&](const testing::TestInfo& test) {
    const std::string_view source = test.file();
    if (source.size() < path.size() || source.substr(source.size() - path.size()) != path) return;
    filter.append(test.test_suite_name()).append(".").append(test.name()).append(":");
  });
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  if (argc == 1) return RUN_ALL_TESTS();
  const std::string_view argument = argv[1];
  if (argc > 2 || argument.substr(0, option.size()) != option ||
      testing::GTEST_FLAG(filter) != "*") {
    std::cerr << argv[0] << ": allowed: --file=FOLDER/FILE, or options of GoogleTest\n";
    return 2;
  }
  testing::GTEST_FLAG(filter) = filter_for(argument.substr(option.size()));
  if (testing::GTEST_FLAG(filter).empty()) {
    std::cerr << argv[0] << ": no tests in " << argument.substr(option.size()) << ".cpp\n";
    return 2;
  }
  return RUN_ALL_TESTS();
}
