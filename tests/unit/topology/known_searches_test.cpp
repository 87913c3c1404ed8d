// SPDX-License-Identifier: Apache-2.0
#include "topology/known_searches.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"

namespace lockstep {
namespace {

/// Counts how often it is searched.
class CountedSearch {
 public:
  explicit CountedSearch(std::size_t words = 1) : words_(words) {}

  void of(const char* network, int kind) {
    const std::vector<std::uint64_t> found = known_.of(AnyTopology(network), kind, [this, kind] {
      ++searches_;
      return std::vector<std::uint64_t>(words_, static_cast<std::uint64_t>(kind));
    });
    EXPECT_EQ(found, std::vector<std::uint64_t>(words_, static_cast<std::uint64_t>(kind)));
  }
  [[nodiscard]] int searches() const { return searches_; }

 private:
  std::size_t words_;
  KnownSearches<int, std::vector<std::uint64_t>> known_;
  int searches_ = 0;
};

TEST(KnownSearches, AreMadeOncePerKindAndLinks) {
  CountedSearch search;
  search.of("ring:6", 1);
  search.of("ring:6", 1);
  EXPECT_EQ(search.searches(), 1);
  search.of("ring:6", 2);
  search.of("linear:6", 1);
  search.of("ring:6", 1);
  EXPECT_EQ(search.searches(), 3);
}

TEST(KnownSearches, AreForgottenWhereTheyTakeTooMuch) {
  CountedSearch search(std::size_t{1} << 20U);  // 8 MB
  search.of("ring:6", 1);
  search.of("ring:6", 2);
  EXPECT_EQ(search.searches(), 2);
  search.of("ring:6", 2);
  EXPECT_EQ(search.searches(), 2);
  search.of("ring:6", 1);
  EXPECT_EQ(search.searches(), 3);
}

TEST(KnownSearches, AreNotKeptInLargeNetworks) {
  CountedSearch search;
  search.of("ring:4097", 1);
  search.of("ring:4097", 1);
  EXPECT_EQ(search.searches(), 2);
}

}  // namespace
}  // namespace lockstep
