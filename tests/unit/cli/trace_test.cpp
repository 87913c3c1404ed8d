// SPDX-License-Identifier: Apache-2.0

/// The figures of a report follow from the messages of its trace, whatever the operation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "support/child_program.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// Figures that a reader of the file recomputes; message times and blocks in blocks of the user.
struct Recomputed {
  std::uint64_t startups = 0;
  double message_times = 0;
  std::uint64_t control_words = 0;
  std::uint64_t messages = 0;
  std::uint64_t hops = 0;
  double blocks = 0;
  std::uint64_t parts = 0;
  std::uint64_t parts_per_block = 1;
};

[[nodiscard]] Recomputed recomputed(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(
      line,
      "step,node,port,receiver,receiver_port,blocks,parts,parts_per_block,control_words,hops");
  struct Step {
    double blocks = 0;
    std::uint64_t words = 0;
  };
  std::map<std::uint64_t, Step> steps;
  Recomputed all;
  while (std::getline(lines, line)) {
    const Words cells = cli::split(line);
    if (cells.size() != 10) {
      ADD_FAILURE() << line;
      break;
    }
    const double blocks = std::stod(cells[5]);
    const std::uint64_t words = std::stoull(cells[8]);
    Step& step = steps[std::stoull(cells[0])];
    step.blocks = std::max(step.blocks, blocks);
    step.words = std::max(step.words, words);
    all.blocks += blocks;
    all.parts += std::stoull(cells[6]);
    all.parts_per_block = std::stoull(cells[7]);
    EXPECT_NEAR(blocks * std::stod(cells[7]), std::stod(cells[6]), 1e-9);
    all.hops += std::stoull(cells[9]);
    ++all.messages;
  }
  all.startups = steps.size();
  for (const auto& [number, step] : steps) {
    all.message_times += step.blocks;
    all.control_words += step.words;
  }
  return all;
}

class Trace : public testing::Test {
 protected:
  /// Empty where the program refuses the run.
  [[nodiscard]] nlohmann::json run(Words words, Recomputed& trace) {
    words.insert(words.begin(), "run");
    words.insert(words.end(),
                 {"--format", "json", "--trace", (child_.folder() / "t.csv").string()});
    child_.start(words);
    const int exit = child_.exit_code();
    if (exit == 2) return {};
    EXPECT_LE(exit, 1) << testing::PrintToString(words) << child_.content("err");
    trace = recomputed(child_.content("t.csv"));
    return nlohmann::json::parse(child_.content("out"));
  }

  void expect_equal_figures(const Words& words) {
    SCOPED_TRACE(testing::PrintToString(words));
    Recomputed trace;
    const nlohmann::json report = run(words, trace);
    if (report.is_null()) return;
    ++compared_;
    EXPECT_EQ(report["startups"], trace.startups);
    EXPECT_NEAR(report["message_times"].get<double>(), trace.message_times, 1e-9);
    EXPECT_EQ(report["control_words"], trace.control_words);
    EXPECT_EQ(report["messages_sent"], trace.messages);
    EXPECT_EQ(report["hops"], trace.hops);
    EXPECT_EQ(report["bytes_moved"].get<std::uint64_t>() * trace.parts_per_block,
              trace.parts * report["padded_bytes"].get<std::uint64_t>());
    if (trace.hops > trace.messages) ++over_routes_;
    if (trace.parts_per_block > 1) ++in_parts_;
  }

  test::ChildProgram child_;
  std::size_t compared_ = 0;
  std::size_t over_routes_ = 0;
  std::size_t in_parts_ = 0;
};

TEST_F(Trace, GivesTheFiguresOfTheReport) {
  for (const std::string network : {"hypercube:3", "torus:4x4", "star:4", "fat-tree:2^2"})
    for (const OperationInfo& operation : operation_catalog())
      for (const AlgorithmInfo& algorithm :
           algorithms_for(make_topology(network), operation.operation)) {
        Words words{network,       std::string(name_of(operation.operation)),
                    "--algorithm", std::string(algorithm.name),
                    "--bytes",     "48"};
        if (operation.operation == Operation::many_to_all)
          words.insert(words.end(), {"--messages", "3"});
        expect_equal_figures(words);
      }
  EXPECT_GE(compared_, 60U);
  EXPECT_GE(over_routes_, 2U);
  EXPECT_GE(in_parts_, 2U);
}

TEST_F(Trace, CountsBlocksInBlocks) {
  Recomputed trace;
  (void)run({"hypercube:3", "all-reduce", "--algorithm", "halving-doubling"}, trace);
  EXPECT_THAT(child_.content("t.csv").substr(child_.content("t.csv").find('\n') + 1),
              StartsWith("0,0,0,1,0,0.5,4,8,0,1\n"));
}

/// Three messages: one over the route 0, 1, 2, 3 and two over one link each.
TEST_F(Trace, HopsAreLinks) {
  const std::string schedule = (child_.folder() / "schedule").string();
  std::ofstream(schedule) << "lockstep-schedule 2\n"
                             "topology linear:4\n"
                             "operation broadcast\n"
                             "port-model single-port-wormhole\n"
                             "memory 1\n"
                             "steps 2\n"
                             "step 0\n"
                             "0: load 0/0 of 0 for 0; send 0>1>1 0/0\n"
                             "step 1\n"
                             "0: send 0 0/0\n"
                             "3: take 0 store 0/0; take 0 deliver 0 of 0; send 0 0/0\n"
                             "step 2\n"
                             "1: take 0 deliver 0 of 0\n"
                             "2: take 1 deliver 0 of 0\n";
  Recomputed trace;
  const nlohmann::json report =
      run({"linear:4", "broadcast", "--schedule", schedule, "--bytes", "64"}, trace);
  ASSERT_FALSE(report.is_null()) << child_.content("err");
  EXPECT_EQ(report["messages_sent"], 3);
  EXPECT_EQ(report["hops"], 5);
  EXPECT_EQ(report["bytes_moved"], 3 * 64);
  EXPECT_EQ(trace.hops, 5U);
  child_.start({"run", "linear:4", "broadcast", "--schedule", schedule});
  EXPECT_EQ(child_.exit_code(), 0);
  EXPECT_THAT(child_.content("out"), HasSubstr("moved        3 messages over 5 links (hops), "));
}

}  // namespace
}  // namespace lockstep
