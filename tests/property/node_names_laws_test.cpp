// SPDX-License-Identifier: Apache-2.0

/// Random networks in two files: one whose names are the numbers of the nodes, one with shuffled
/// integers as names. A node that is given by its name in the second is the node of its number in
/// the first, wherever a node is read: roots, placements, schedules.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catalog/check_setting.hpp"
#include "core/notes.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "program/schedule_file.hpp"
#include "study/schedule_recorder.hpp"
#include "study/stress_jobs.hpp"
#include "support/cases.hpp"
#include "topology/graph_file.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

constexpr auto named_pairs = static_cast<unsigned>(test::cases_here(12));

/// The same links, with other names.
struct NamedPair {
  std::vector<std::string> names;
  AnyTopology plain;
  AnyTopology named;
};

[[nodiscard]] AnyTopology written(const std::vector<std::string>& names,
                                  const std::vector<std::pair<std::size_t, std::size_t>>& links) {
  std::string text = "{\"nodes\": [";
  for (std::size_t u = 0; u < names.size(); ++u)
    text += fmt::format("{}{{\"id\": \"{}\"}}", u == 0 ? "" : ", ", names[u]);
  text += "], \"links\": [";
  for (std::size_t i = 0; i < links.size(); ++i)
    text += fmt::format("{}{{\"source\": \"{}\", \"target\": \"{}\"}}", i == 0 ? "" : ", ",
                        names[links[i].first], names[links[i].second]);
  return AnyTopology(ErasedTopology(
      topology_model(read_graph_text("file:net", "net", text + "]}", GraphFormat::node_link))));
}

[[nodiscard]] NamedPair random_pair(std::mt19937& random) {
  const std::size_t nodes = 4 + random() % 7;
  std::vector<std::pair<std::size_t, std::size_t>> links;
  for (std::size_t u = 1; u < nodes; ++u) links.emplace_back(random() % u, u);
  for (std::size_t i = 0; i < nodes / 2; ++i)
    if (const std::size_t u = random() % nodes, v = random() % nodes; u != v)
      links.emplace_back(std::min(u, v), std::max(u, v));
  std::vector<std::string> numbers;
  std::vector<std::string> names;
  for (std::size_t u = 0; u < 2 * nodes; ++u) names.push_back(std::to_string(u));
  numbers.assign(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(nodes));
  std::shuffle(names.begin(), names.end(), random);
  names.resize(nodes);
  return {names, written(numbers, links), written(names, links)};
}

class NodeNamesLaws : public testing::TestWithParam<unsigned> {
 protected:
  NodeNamesLaws()
      : file_(std::filesystem::path(testing::TempDir()) /
              fmt::format("node_names_{}_{}", getpid(), GetParam())) {
    set_note_handler([this](const std::string& text) { notes_.push_back(text); });
  }
  ~NodeNamesLaws() override {
    set_note_handler({});
    std::filesystem::remove(file_);
  }

  [[nodiscard]] RunResult result_of(const AnyTopology& network, Operation operation,
                                    const char* parameter, const std::string& text) const {
    RunRequest request{
        .topology = network, .operation = operation, .executor = ExecutorKind::serial};
    request.settings[parameter] =
        parse_setting(*parameter_of(parameter_catalog(), parameter), text, network);
    return prepare(request)->execute();
  }
  static void expect_same(const RunResult& plain, const RunResult& named) {
    EXPECT_TRUE(plain.ok()) << plain.judgement.sentence;
    EXPECT_EQ(study::differences(named.record, plain.record), std::vector<std::string>{});
    EXPECT_EQ(named.forecast.settings.number("root"), plain.forecast.settings.number("root"));
  }
  [[nodiscard]] std::string in_file(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return file_.string();
  }

  std::filesystem::path file_;
  std::vector<std::string> notes_;
};

TEST_P(NodeNamesLaws, RootsAreFoundByName) {
  std::mt19937 random(GetParam());
  const NamedPair pair = random_pair(random);
  for (const Operation operation :
       {Operation::broadcast, Operation::scatter, Operation::gather, Operation::reduce})
    for (std::size_t u = 0; u < pair.names.size(); ++u) {
      SCOPED_TRACE(fmt::format("seed {}, node {} named {}", GetParam(), u, pair.names[u]));
      expect_same(result_of(pair.plain, operation, "root", std::to_string(u)),
                  result_of(pair.named, operation, "root", pair.names[u]));
    }
  EXPECT_TRUE(notes_.empty()) << notes_.front();
}

TEST_P(NodeNamesLaws, PlacementsHoldNames) {
  std::mt19937 random(GetParam());
  const NamedPair pair = random_pair(random);
  std::string numbers;
  std::string names;
  for (int block = 0; block < 9; ++block) {
    const std::size_t u = random() % pair.names.size();
    numbers += fmt::format("{}\n", u);
    names += pair.names[u] + "\n";
  }
  SCOPED_TRACE(fmt::format("seed {}", GetParam()));
  const RunResult plain =
      result_of(pair.plain, Operation::many_to_all, "placement", in_file(numbers));
  expect_same(plain, result_of(pair.named, Operation::many_to_all, "placement", in_file(names)));
  EXPECT_TRUE(notes_.empty()) << notes_.front();
}

/// A saved schedule has names, reads as the same schedule, and runs as the same run.
TEST_P(NodeNamesLaws, SchedulesHaveNames) {
  std::mt19937 random(GetParam());
  const NamedPair pair = random_pair(random);
  const std::uint64_t root = random() % pair.names.size();
  for (const Operation operation : {Operation::broadcast, Operation::scatter, Operation::all_gather,
                                    Operation::reduce, Operation::total_exchange}) {
    SCOPED_TRACE(fmt::format("seed {}, {}", GetParam(), name_of(operation)));
    const auto saved = [&](const AnyTopology& network) {
      RunRequest request{
          .topology = network, .operation = operation, .executor = ExecutorKind::serial};
      if (has_root(operation)) request.settings["root"] = root;
      const auto run = prepare(request);
      const RunResult result = run->execute();
      EXPECT_TRUE(result.ok());
      return text_of(study::saved_schedule(request, *run, result.record));
    };
    const std::string plain = saved(pair.plain);
    const std::string named = saved(pair.named);
    ScheduleFile read = parse_schedule("named", named, pair.named);
    EXPECT_EQ(text_of(read), named) << "reading and writing leave nothing out";
    read.network = {};
    EXPECT_EQ(text_of(read), plain) << "the numbers of the nodes";
    EXPECT_TRUE(notes_.empty()) << notes_.front();
    expect_same(result_of(pair.plain, operation, "schedule", in_file(plain)),
                result_of(pair.named, operation, "schedule", in_file(named)));
  }
}

/// The check fails where it should: a word that is read as a number finds another node.
TEST_P(NodeNamesLaws, NumbersThatAreNoNamesMakeANote) {
  std::mt19937 random(GetParam());
  const NamedPair pair = random_pair(random);
  for (std::size_t u = 0; u < pair.names.size(); ++u) {
    const std::string number = std::to_string(u);
    notes_.clear();
    set_note_handler([this](const std::string& text) { notes_.push_back(text); });
    const auto named = std::ranges::find(pair.names, number);
    const Setting found = parse_setting(root_parameter, number, pair.named);
    if (named != pair.names.end()) {
      EXPECT_EQ(found, Setting(static_cast<std::uint64_t>(named - pair.names.begin())));
      EXPECT_TRUE(notes_.empty());
    } else {
      EXPECT_EQ(found, Setting(std::uint64_t{u}));
      EXPECT_EQ(notes_, std::vector<std::string>{
                            fmt::format("file:net: no node is named '{}'; node number {} is '{}'",
                                        number, number, pair.names[u])});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NodeNamesLaws, testing::Range(1U, named_pairs + 1));

}  // namespace
}  // namespace lockstep
