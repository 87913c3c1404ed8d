// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"

namespace lockstep::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Parse>
[[nodiscard]] std::string refusal(Parse parse) {
  try {
    parse();
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
  return "accepted";
}

TEST(ParseCountTest, TheWholeTextAndWithinTheLimits) {
  EXPECT_EQ(parse_count("seed", "0"), 0U);
  EXPECT_EQ(parse_count("seed", "18446744073709551615"), 18'446'744'073'709'551'615U);
  EXPECT_EQ(parse_count("threads", "1024", 1, 1024), 1024U);
  for (const char* wrong : {"", " 1", "1 ", "+1", "-1", "1x", "0x1", "1.0", "18446744073709551616"})
    EXPECT_THROW((void)parse_count("seed", wrong), InvalidParameter) << wrong;
  EXPECT_EQ(refusal([] { (void)parse_count("threads", "0", 1, 1024); }),
            "--threads: '0' is not valid; expected a whole number from 1 to 1,024");
  EXPECT_EQ(refusal([] { (void)parse_count("seed", "x"); }),
            "--seed: 'x' is not valid; expected a whole number from 0 to 2^64 - 1");
}

TEST(ParseNumberTest, FiniteAndNotNegative) {
  EXPECT_EQ(parse_number("ts", "0"), 0);
  EXPECT_EQ(parse_number("ts", "0.1"), 0.1);
  EXPECT_EQ(parse_number("ts", "1e3"), 1000);
  for (const char* wrong : {"", "-1", "nan", "inf", "1e999", "1,5", "1 ", "x"})
    EXPECT_THROW((void)parse_number("ts", wrong), InvalidParameter) << wrong;
}

TEST(ParseBytesTest, SuffixesArePowersOfTwo) {
  EXPECT_EQ(parse_bytes("bytes", "0"), 0U);
  EXPECT_EQ(parse_bytes("bytes", "64"), 64U);
  EXPECT_EQ(parse_bytes("bytes", "4KiB"), 4'096U);
  EXPECT_EQ(parse_bytes("bytes", "1MiB"), 1'048'576U);
  EXPECT_EQ(parse_bytes("bytes", "2GiB"), 2'147'483'648U);
  EXPECT_EQ(parse_bytes("bytes", "1kib"), 1'024U);
  EXPECT_EQ(parse_bytes("bytes", "3M"), 3U << 20U);
  EXPECT_EQ(parse_bytes("bytes", "1k", 1'024), 1'024U);
  EXPECT_EQ(parse_bytes("bytes", "16777215TiB"), 16'777'215ULL << 40U);
  EXPECT_EQ(parse_bytes("bytes", "9223372036854775808"), 1ULL << 63U);
  for (const char* wrong : {"", "KiB", "K", "1KB", "1kb", "1P", "1 KiB", "1KiB ", "-1", "1.5KiB",
                            "16777216TiB", "18446744073709551616"})
    EXPECT_THROW((void)parse_bytes("bytes", wrong), InvalidParameter) << wrong;
  EXPECT_THROW((void)parse_bytes("memory-limit", "0", 1), InvalidParameter);
}

TEST(ParseBlockBytesTest, AutoLeavesThemOpen) {
  EXPECT_EQ(parse_block_bytes("auto"), std::nullopt);
  EXPECT_EQ(parse_block_bytes("1"), 1U);
  EXPECT_THROW((void)parse_block_bytes("0"), InvalidParameter);
  EXPECT_EQ(parse_block_bytes("1KiB"), 1024U);
  for (const char* wrong : {"", "automatic", "-1", "8,8"})
    EXPECT_THROW((void)parse_block_bytes(wrong), InvalidParameter) << wrong;
}

TEST(SplitTest, PiecesBetweenCommas) {
  EXPECT_THAT(split("8,auto,1KiB"), ElementsAre("8", "auto", "1KiB"));
  EXPECT_THAT(split(""), ElementsAre(""));
  EXPECT_THAT(split("1;2,3", ';'), ElementsAre("1", "2,3"));
}

TEST(ParseNamesTest, KnownNamesAndNothingElse) {
  EXPECT_EQ(parse_channel("auto"), ChannelKind::automatic);
  EXPECT_EQ(parse_channel("mailbox"), ChannelKind::mailbox);
  EXPECT_EQ(parse_executor("thread"), ExecutorKind::thread);
  EXPECT_EQ(parse_verify("digest"), VerifyKind::digest);
  EXPECT_EQ(parse_format("csv"), Format::csv);
  for (const PortModel& model : port_models::all)
    EXPECT_EQ(parse_port_model(std::string(model.name)), model);
  EXPECT_THAT(refusal([] { (void)parse_channel("solt"); }), HasSubstr("did you mean 'slot'?"));
  EXPECT_THAT(refusal([] { (void)parse_port_model("singleport"); }),
              HasSubstr("did you mean 'single-port'?"));
  EXPECT_THAT(refusal([] { (void)parse_format("xml"); }), HasSubstr("allowed: text, json, csv"));
  EXPECT_THROW((void)parse_executor(""), InvalidParameter);
}

struct AllArguments {
  AlgorithmArguments algorithm{};
  MachineArguments machine{};
  CostArguments costs{};
  OutputArguments output{};

  void parse(std::vector<std::string> words) {
    CLI::App app;
    algorithm.add_to(app);
    machine.add_to(app, port_model_of_algorithm);
    costs.add_to(app);
    output.add_to(app);
    app.parse(std::vector(words.rbegin(), words.rend()));
  }
  [[nodiscard]] RunRequest request() const {
    RunRequest request;
    algorithm.apply_to(request);
    machine.apply_to(request);
    return request;
  }
};

TEST(ArgumentsTest, DefaultsAreThoseOfARequest) {
  AllArguments arguments;
  arguments.parse({});
  const RunRequest given = arguments.request();
  const RunRequest usual;
  EXPECT_EQ(given.algorithm, usual.algorithm);
  EXPECT_EQ(given.settings, usual.settings);
  EXPECT_EQ(given.port_model, usual.port_model);
  EXPECT_EQ(given.block_bytes, usual.block_bytes);
  EXPECT_EQ(given.seed, usual.seed);
  EXPECT_EQ(given.workers, usual.workers);
  EXPECT_EQ(given.processors_per_task, usual.processors_per_task);
  EXPECT_EQ(given.channel, usual.channel);
  EXPECT_EQ(given.executor, usual.executor);
  EXPECT_EQ(given.verify, usual.verify);
  EXPECT_EQ(given.memory_limit, usual.memory_limit);
  EXPECT_EQ(given.max_hours, usual.max_hours);
  EXPECT_EQ(arguments.costs.parameters().t_s, 100);
  EXPECT_EQ(arguments.costs.parameters().t_m, 1);
  EXPECT_EQ(arguments.costs.parameters().t_w, std::nullopt);
  EXPECT_FALSE(arguments.output.file.has_value());
}

TEST(ArgumentsTest, EveryOptionArrives) {
  AllArguments arguments;
  arguments.parse({"--algorithm", "packing", "--k",        "4,3",    "--batch",        "2",
                   "--bytes",     "1KiB",    "--threads",  "3",      "--block",        "7",
                   "--channel",   "spsc",    "--executor", "serial", "--verify",       "exact",
                   "--seed",      "9",       "--ts",       "0.5",    "--memory-limit", "1GiB",
                   "--max-hours", "1.5",     "--tm",       "2",      "--port-model",   "all-port",
                   "--format",    "json",    "--output",   "f",      "--tw",           "0.25",
                   "--quiet"});
  const RunRequest request = arguments.request();
  EXPECT_EQ(request.algorithm, "packing");
  EXPECT_THAT(request.settings.numbers("k"), ElementsAre(4, 3));
  EXPECT_EQ(request.settings.number("batch"), 2U);
  EXPECT_EQ(request.block_bytes, 1024U);
  EXPECT_EQ(request.workers, 3U);
  EXPECT_EQ(request.processors_per_task, 7U);
  EXPECT_EQ(request.channel, ChannelKind::spsc);
  EXPECT_EQ(request.executor, ExecutorKind::serial);
  EXPECT_EQ(request.verify, VerifyKind::exact);
  EXPECT_EQ(request.seed, 9U);
  EXPECT_EQ(request.memory_limit, 1ULL << 30U);
  EXPECT_EQ(request.max_hours, 1.5);
  EXPECT_EQ(request.port_model, port_models::all_port);
  EXPECT_EQ(arguments.costs.parameters().t_s, 0.5);
  EXPECT_EQ(arguments.costs.parameters().t_m, 2);
  EXPECT_EQ(arguments.costs.parameters().t_w, 0.25);
  EXPECT_EQ(parse_format(arguments.output.format), Format::json);
  EXPECT_EQ(arguments.output.file, "f");
  EXPECT_TRUE(arguments.output.quiet);
}

TEST(ArgumentsTest, EveryParameterOfTheCatalogueIsAnOption) {
  AllArguments arguments;
  arguments.parse({"--schedule", "mine.txt", "--discipline", "closest-first"});
  EXPECT_EQ(arguments.request().settings.text("schedule"), "mine.txt");
  EXPECT_EQ(arguments.request().settings.text("discipline"), "closest-first");
  CLI::App app;
  arguments.algorithm.add_to(app);
  for (const Parameter& parameter : parameter_catalog())
    EXPECT_NO_THROW((void)app.get_option("--" + std::string(parameter.name))) << parameter.name;
}

TEST(ArgumentsTest, AnEmptyValueIsNotADefault) {
  for (const char* option : {"--k", "--threads", "--block", "--memory-limit", "--port-model",
                             "--algorithm", "--bytes", "--seed", "--discipline", "--schedule"}) {
    AllArguments arguments;
    arguments.parse({option, ""});
    EXPECT_THROW((void)arguments.request(), InvalidParameter) << option;
  }
}

}  // namespace
}  // namespace lockstep::cli
