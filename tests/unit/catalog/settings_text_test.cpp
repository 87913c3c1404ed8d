// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using testing::HasSubstr;

[[nodiscard]] const Parameter& declared(std::string_view name) {
  const auto& all = parameter_catalog();
  return *std::find_if(all.begin(), all.end(),
                       [&](const Parameter& parameter) { return parameter.name == name; });
}

[[nodiscard]] Setting parsed(std::string_view name, const std::string& text,
                             const AnyTopology& topology = {}) {
  return parse_setting(declared(name), text, topology);
}

[[nodiscard]] std::string refusal(std::string_view name, const std::string& text,
                                  const AnyTopology& topology = {}) {
  try {
    (void)parsed(name, text, topology);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(ParameterCatalog, HoldsWhatTheAlgorithmsDeclareEachOnce) {
  for (const AlgorithmEntry& entry : algorithm_catalog())
    for (const Parameter& parameter : entry.info.parameters)
      EXPECT_EQ(std::count_if(parameter_catalog().begin(), parameter_catalog().end(),
                              [&](const Parameter& p) { return p.name == parameter.name; }),
                1)
          << entry.info.name << " " << parameter.name;
}

/// Two algorithms that name a parameter alike mean the same by it.
TEST(ParameterCatalog, OneNameOneMeaning) {
  for (const AlgorithmEntry& entry : algorithm_catalog())
    for (const Parameter& parameter : entry.info.parameters) {
      EXPECT_EQ(parameter.kind, declared(parameter.name).kind) << parameter.name;
      EXPECT_EQ(parameter.meaning, declared(parameter.name).meaning) << parameter.name;
      EXPECT_NE(parameter.phrase.find("{}"), std::string_view::npos) << parameter.name;
    }
}

TEST(ParseSetting, NodesByNumberFirstThenByLabel) {
  const auto root = [](const char* topology, const char* text) {
    return std::get<std::uint64_t>(parsed("root", text, topology));
  };
  EXPECT_EQ(root("ring:12", "11"), 11U);
  EXPECT_EQ(root("star:4", "0"), 0U);
  EXPECT_EQ(root("star:4", "23"), 23U);
  EXPECT_EQ(root("star:4", "1234"), root("star:4", "0"));
  EXPECT_EQ(root("hypercube:4", "11"), 11U);
  EXPECT_EQ(root("hypercube:4", "0011"), 3U);
  EXPECT_EQ(root("ej:3+4", "-rho^2"), 11U);
  EXPECT_EQ(root("ej:2+2", "7"), 7U);  // not the class of 7, which is node 1
  for (const char* wrong : {"", "37", "-1x", "x", "1.5", "18446744073709551616"})
    EXPECT_THAT(refusal("root", wrong, "ej:3+4"), HasSubstr("a node of ej:3+4")) << wrong;
}

TEST(ParseSetting, NumbersWithCommasBetween) {
  EXPECT_EQ(parsed("k", "3"), Setting(Numbers{3}));
  EXPECT_EQ(parsed("k", "4,3,2"), Setting(Numbers{4, 3, 2}));
  EXPECT_EQ(parsed("k", "2,3"), Setting(Numbers{2, 3}));  // judged by the algorithm
  for (const char* wrong : {"", ",", "3,", ",3", "3,,2", "-1", "3;2", "3 2", "all"})
    EXPECT_THAT(refusal("k", wrong), HasSubstr("is not valid; expected a packing factor such as 3"))
        << wrong;
}

TEST(ParseSetting, CountsAndTheWordsBesideThem) {
  EXPECT_EQ(parsed("batch", "auto"), Setting("auto"));
  EXPECT_EQ(parsed("batch", "1"), Setting(std::uint64_t{1}));
  EXPECT_EQ(parsed("batch", "720"), Setting(std::uint64_t{720}));
  for (const char* wrong : {"0", "", "-1", "Auto"})
    EXPECT_THAT(refusal("batch", wrong), HasSubstr("a whole number of at least 1, or auto"))
        << wrong;
}

TEST(ParseSetting, AWordThatLeavesACountOpen) {
  EXPECT_EQ(parsed("parts", "auto"), Setting("auto"));
  EXPECT_EQ(parsed("parts", "4"), Setting(std::uint64_t{4}));
  for (const char* wrong : {"0", "all", "Auto"})
    EXPECT_THAT(refusal("parts", wrong), HasSubstr("a whole number of at least 1, or auto"))
        << wrong;
  const Settings settings{{"parts", "auto"}, {"batch", "auto"}, {"root", std::uint64_t{2}}};
  const Settings given = without_open(parameter_catalog(), settings);
  EXPECT_EQ(given, (Settings{{"batch", "auto"}, {"root", std::uint64_t{2}}}));
}

/// By the least predicted time at the costs that are given.
TEST(ParseSetting, AutoIsTheSameAsNoNumberOfParts) {
  for (const char* const algorithm : {"", "pipelined-path", "pipelined-binary-tree"})
    for (const double t_s : {0.001, 1.0, 100.0}) {
      RunRequest request{.topology = "linear:16",
                         .operation = Operation::broadcast,
                         .algorithm = algorithm,
                         .costs = {.t_s = t_s},
                         .port_model = port_models::single_port,
                         .block_bytes = 4096};
      const RunForecast open = prepare(request)->forecast();
      request.settings["parts"] = "auto";
      const RunForecast automatic = prepare(request)->forecast();
      EXPECT_EQ(automatic.settings, open.settings);
      EXPECT_EQ(automatic.algorithm.name, open.algorithm.name);
      if (open.settings.find("parts") == nullptr) continue;
      for (const std::uint64_t parts : {1U, 2U, 8U, 32U, 128U}) {
        request.algorithm = open.algorithm.name;
        request.settings["parts"] = parts;
        EXPECT_FALSE(takes_less_time(*prepare(request)->forecast().predicted_charge(),
                                     *open.predicted_charge(), request.costs, 4096))
            << algorithm << ", " << parts;
      }
    }
}

TEST(ParseSetting, OnePartTwoParts) {
  const auto phrase = [](std::uint64_t parts) {
    return phrases_of(std::array{declared("parts")}, {{"parts", parts}});
  };
  EXPECT_EQ(phrase(1), ", blocks in 1 part");
  EXPECT_EQ(phrase(2), ", blocks in 2 parts");
}

TEST(ParseSetting, WordsAndNothingElse) {
  for (const std::string_view name : declared("discipline").words)
    EXPECT_EQ(parsed("discipline", std::string(name)), Setting(std::string(name)));
  EXPECT_THAT(refusal("discipline", "farthest-first"), HasSubstr("did you mean 'furthest-first'?"));
}

TEST(ParseSetting, FilesHaveANameAtLeast) {
  EXPECT_EQ(parsed("schedule", "mine.txt"), Setting("mine.txt"));
  EXPECT_THAT(refusal("schedule", ""), HasSubstr("the name of a file"));
}

/// The error of `prepare` for a setting of a many-to-all, a total exchange or a broadcast.
[[nodiscard]] std::string refusal_of_request(std::string_view name, const Setting& given) {
  RunRequest request{.topology = "torus:4x4", .operation = Operation::many_to_all};
  if (name == "root") request.operation = Operation::broadcast;
  if (name == "k" || name == "batch")
    request = {.topology = "star:4", .operation = Operation::total_exchange};
  request.settings[name] = given;
  try {
    (void)prepare(request);
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

/// A library's request is held to what a command line is held to, in the same words.
TEST(Settings, OfARequestAreCheckedAsThoseOfACommandLine) {
  const std::vector<std::pair<std::string_view, Setting>> wrong{
      {"parts", 0U},        {"batch", 0U},      {"batch", "Auto"},          {"h", 0U},
      {"packet", 0U},       {"k", Numbers{}},   {"confined", "maybe"},      {"trees", "3"},
      {"placement", ""},    {"root", 16U},      {"root", 1U << 31U},        {"root", "none"},
      {"messages", "many"}, {"messages", "-1"}, {"root", ~std::uint64_t{0}}};
  for (const auto& [name, given] : wrong) {
    const AnyTopology network(name == "k" || name == "batch" ? "star:4" : "torus:4x4");
    const std::string said = refusal(name, text_of(given), network);
    EXPECT_NE(said, "accepted") << name;
    EXPECT_EQ(refusal_of_request(name, given), said) << name << " " << text_of(given);
  }
}

/// A command line has no such values.
TEST(Settings, OfAnotherKindAreRefused) {
  EXPECT_THAT(refusal_of_request("k", 3U), HasSubstr("expected a list (lockstep::Numbers): "));
  EXPECT_THAT(refusal_of_request("k", "3"), HasSubstr("a packing factor such as 3"));
  EXPECT_THAT(refusal_of_request("parts", "2"), HasSubstr("a whole number of at least 1"));
  EXPECT_THAT(refusal_of_request("parts", Numbers{2}), HasSubstr("a whole number of at least 1"));
  EXPECT_THAT(refusal_of_request("batch", Numbers{}), HasSubstr("a whole number of at least 1"));
  EXPECT_THAT(refusal_of_request("placement", 5U), HasSubstr("the name of a file"));
  EXPECT_THAT(refusal_of_request("confined", 1U), HasSubstr("confined: '1' is not valid"));
  EXPECT_THAT(refusal_of_request("root", "3"), HasSubstr("a number from 0 to 15"));
  for (const std::string_view name : {"parts", "messages", "batch", "h"})
    EXPECT_NE(refusal_of_request(name, ~std::uint64_t{0}), "accepted") << name;
}

/// A file of the user's chooses the algorithm that reads it, and no other takes it.
TEST(Settings, AFileChoosesItsAlgorithm) {
  RunRequest request{.topology = "star:4", .operation = Operation::total_exchange};
  request.settings["schedule"] = "no such file";
  const auto problem = [&] {
    try {
      (void)prepare(request);
    } catch (const InvalidParameter& refused) {
      return std::string(refused.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(problem(), HasSubstr("no such file"));
  request.algorithm = "packing";
  EXPECT_EQ(problem(), "--schedule and --algorithm packing cannot be combined; omit one");
  request.settings = {{"discipine", "fifo"}};
  EXPECT_EQ(problem(), "algorithm 'packing' has no setting 'discipine'");
  request.settings = {{"root", std::uint64_t{1}}};
  EXPECT_EQ(problem(),
            "--root does not apply to algorithm 'packing'; only operations broadcast, "
            "gather, reduce, scatter accept it");
}

}  // namespace
}  // namespace lockstep
