// SPDX-License-Identifier: Apache-2.0

/// Laws between operations: an operation that another one contains takes no more time than that
/// one; a network takes the same time under each of its names, and no more time than as a file of
/// its links, which says nothing of its structure. The best times of all algorithms that keep the
/// rules of a port model are compared.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "study/gap.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using study::gap_models;
using study::GapCell;
using study::NamedRatio;

constexpr std::array<NamedRatio, 3> law_ratios{{{"0.01", 1, 100}, {"1", 1, 1}, {"100", 100, 1}}};

/// Networks of all kinds: symmetric or not, regular or not, with and without switches.
constexpr std::array law_networks{"hypercube:5",
                                  "torus:5x5",
                                  "mesh:4x5",
                                  "ring:12",
                                  "linear:9",
                                  "complete:13",
                                  "star:4",
                                  "pancake:4",
                                  "ccc:3",
                                  "ej:2+3",
                                  "petersen",
                                  "generalized-hypercube:3x4",
                                  "fat-tree:2^4",
                                  "kary-tree:2^3",
                                  "random-regular:24,3,1",
                                  "product(ring:5,linear:4)"};

/// The best time of `less` is at most the sum of those of `more`.
struct OperationLaw {
  std::string_view text;
  Operation less;
  std::vector<Operation> more;
};
const std::vector<OperationLaw>& operation_laws() {
  using enum Operation;
  static const std::vector<OperationLaw> laws{
      {"gather <= all-gather", gather, {all_gather}},
      {"scatter <= total-exchange", scatter, {total_exchange}},
      {"gather <= total-exchange", gather, {total_exchange}},
      {"all-reduce <= all-gather", all_reduce, {all_gather}},
      {"scan <= all-gather", scan, {all_gather}},
      {"reduce-scatter <= total-exchange", reduce_scatter, {total_exchange}},
      {"many-to-all <= all-gather", many_to_all, {all_gather}},
      {"all-reduce <= reduce then broadcast", all_reduce, {reduce, broadcast}}};
  return laws;
}

/// Networks under several names. Nodes may have other numbers, except for a scan, which depends on
/// them.
const std::vector<std::vector<std::string>>& same_networks() {
  static const std::vector<std::vector<std::string>> all{
      {"hypercube:3", "torus:2x2x2", "generalized-hypercube:2x2x2", "mesh:2x2x2",
       "product(hypercube:2,linear:2)"},
      {"hypercube:4", "torus:4x4", "product(ring:4,ring:4)"},
      {"ring:9", "torus:9", "circulant:9,1", "extended-ring:9,1"},
      {"linear:9", "mesh:9"},
      {"complete:8", "generalized-hypercube:8", "circulant:8,1,2,3,4"},
      {"complete:7", "ej:1+2"},
      {"generalized-hypercube:3x3", "torus:3x3", "product(complete:3,complete:3)"},
      {"mesh:4x5", "product(linear:4,linear:5)"},
      {"torus:3x5", "product(ring:3,ring:5)", "circulant:15,3,5"},
      {"ring:6", "star:3", "pancake:3", "bubble-sort:3"},
      {"petersen", "generalized-petersen:5,2", "odd-graph:3"},
      {"kary-tree:2^3", "xgft:3;2,2,2;1,2,2"}};
  return all;
}

/// Infinite where there is no algorithm.
struct Best {
  double time = 0;
  std::string variant{};
};
/// By port model and ratio.
using Times = std::map<std::pair<std::string, std::string>, Best>;
using TimesOfOperations = std::map<Operation, Times>;

[[nodiscard]] Times best_times(const AnyTopology& network, Operation operation) {
  Times times;
  for (const GapCell& cell : study::gap_cells(network, operation, {.ratios = law_ratios}))
    times[{cell.port_model, std::string(cell.ratio.text)}] = {
        cell.variant.empty() ? std::numeric_limits<double>::infinity() : cell.time, cell.variant};
  return times;
}

/// Operations that every network has.
[[nodiscard]] TimesOfOperations all_best_times(const AnyTopology& network) {
  TimesOfOperations times;
  for (const OperationInfo& info : operation_catalog())
    if (info.operation != Operation::odd_distance_exchange &&
        !Collective{info.operation}.is_by_pairs())
      times[info.operation] = best_times(network, info.operation);
  return times;
}

struct BrokenLaw {
  std::string network;
  std::string law;
  std::string port_model;
  std::string ratio;

  friend auto operator<=>(const BrokenLaw&, const BrokenLaw&) = default;
};
[[nodiscard]] std::string described(const BrokenLaw& law) {
  return fmt::format("{}: {}, {}, t_s/t_m = {}", law.network, law.law, law.port_model, law.ratio);
}
/// Both times of each: "7.05 (tree) > 6.26 (doubling)".
using BrokenLaws = std::map<BrokenLaw, std::string>;

/// Beyond the rounding of sums.
[[nodiscard]] bool is_longer(double a, double b) { return a > b * (1 + 1e-9); }

void add_broken(BrokenLaws& broken, const std::string& network, const std::string& law,
                const Times& less, std::span<const Times> more) {
  for (const auto& [place, best] : less) {
    double allowed = 0;
    std::vector<std::string_view> by;
    for (const Times& part : more) {
      allowed += part.at(place).time;
      by.push_back(part.at(place).variant);
    }
    if (is_longer(best.time, allowed))
      broken[{network, law, place.first, place.second}] = fmt::format(
          "{:g} ({}) > {:g} ({})", best.time, best.variant, allowed, fmt::join(by, " then "));
  }
}

void add_between_operations(BrokenLaws& broken, const std::string& network,
                            const TimesOfOperations& times) {
  for (const OperationLaw& law : operation_laws()) {
    std::vector<Times> more;
    for (const Operation operation : law.more) more.push_back(times.at(operation));
    add_broken(broken, network, std::string(law.text), times.at(law.less), more);
  }
}

/// The network with the same numbers of nodes and ports, without its structure.
[[nodiscard]] AnyTopology as_file(const std::string& name) {
  const std::string text = graph_text(AnyTopology(name), GraphFormat::edges);
  return AnyTopology(std::make_shared<TopologyModel<Network>>(
      read_graph_text("file:links", "links", text, GraphFormat::edges)));
}

/// Whether the same numbers are linked.
[[nodiscard]] bool have_same_numbers(const std::string& a, const std::string& b) {
  const auto links = [](const std::string& name) {
    const Network network = AnyTopology(name).network();
    std::set<std::pair<std::uint64_t, std::uint64_t>> all;
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        all.emplace(u, index(network.neighbor(NodeId{u}, port(p))));
    return all;
  };
  return links(a) == links(b);
}

/// No operation takes more time under this name than the other.
void add_between_names(BrokenLaws& broken, const std::string& name, const TimesOfOperations& times,
                       const std::string& other, const TimesOfOperations& others, bool with_scan) {
  for (const auto& [operation, own] : times)
    if (operation != Operation::scan || with_scan)
      add_broken(broken, name, fmt::format("{} <= as {}", name_of(operation), other), own,
                 std::span(&others.at(operation), 1));
}

[[nodiscard]] BrokenLaws broken_laws() {
  BrokenLaws broken;
  for (const std::string name : law_networks) {
    const TimesOfOperations times = all_best_times(name);
    add_between_operations(broken, name, times);
    add_between_names(broken, name, times, "a file", all_best_times(as_file(name)), true);
  }
  for (const std::vector<std::string>& names : same_networks()) {
    std::map<std::string, TimesOfOperations> times;
    for (const std::string& name : names) times[name] = all_best_times(name);
    for (const std::string& name : names)
      for (const std::string& other : names)
        if (name != other)
          add_between_names(broken, name, times[name], other, times[other],
                            have_same_numbers(name, other));
  }
  return broken;
}

TEST(OperationLaws, Hold) {
  for (const auto& [law, times] : broken_laws())
    ADD_FAILURE() << described(law) << " is broken: " << times;
}

TEST(OperationLaws, BrokenLawsAreFound) {
  const auto times = [](double time) { return Times{{{"all-port", "1"}, {time, "tree"}}}; };
  TimesOfOperations all;
  for (const OperationInfo& info : operation_catalog()) all[info.operation] = times(4);
  BrokenLaws broken;
  add_between_operations(broken, "ring:5", all);
  add_between_names(broken, "ring:5", all, "torus:5", all, true);
  EXPECT_TRUE(broken.empty());
  TimesOfOperations worse = all;
  worse[Operation::scan] = times(4.001);
  worse[Operation::all_reduce] = times(7.999);
  add_between_operations(broken, "ring:5", worse);
  add_between_names(broken, "ring:5", worse, "torus:5", all, false);
  const BrokenLaw scan{"ring:5", "scan <= all-gather", "all-port", "1"};
  const BrokenLaw sum{"ring:5", "all-reduce <= all-gather", "all-port", "1"};
  const BrokenLaw name{"ring:5", "all-reduce <= as torus:5", "all-port", "1"};
  EXPECT_EQ(broken, (BrokenLaws{{scan, "4.001 (tree) > 4 (tree)"},
                                {sum, "7.999 (tree) > 4 (tree)"},
                                {name, "7.999 (tree) > 4 (tree)"}}));
}

/// Blocks for odd distances take the ways that they take among all others.
TEST(OddDistances, CostAtMostTheTotalExchangeOfTheSameName) {
  std::size_t compared = 0;
  for (const char* const name : {"hypercube:4", "mesh:4x5", "torus:4x4", "star:4", "kary-tree:2^3"})
    for (const char* const algorithm :
         {"generator-sequence", "matched-rounds", "by-dimensions-in-turn", "rotated-dimensions"}) {
      SCOPED_TRACE(fmt::format("{} {}", name, algorithm));
      RunRequest request{.topology = AnyTopology(name),
                         .operation = Operation::odd_distance_exchange};
      request.algorithm = algorithm;
      const auto known = algorithms_for(request.topology, request.operation);
      if (std::ranges::find(known, algorithm, &AlgorithmInfo::name) == known.end()) continue;
      const Cost odd = *prepare(request)->forecast().predicted;
      request.operation = Operation::total_exchange;
      const Cost all = *prepare(request)->forecast().predicted;
      EXPECT_LE(odd.startups, all.startups);
      EXPECT_LT(odd.message_times, all.message_times);
      ++compared;
    }
  EXPECT_GE(compared, 12U);
}

}  // namespace
}  // namespace lockstep
