// SPDX-License-Identifier: Apache-2.0

/// Every output format, read by the standard reader of another language (support/read_formats.py).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "support/child_program.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FormatsTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_ / name; }

  /// With a configuration of its own: a calibration changes what other runs report.
  void run(std::vector<std::string> words) {
    child_.start(std::move(words), [&] {
      (void)::setenv("XDG_CONFIG_HOME", (child_.folder() / "configuration").c_str(), 1);
    });
    ASSERT_EQ(child_.exit_code(), 0) << child_.content("err");
  }

  /// The output of python3 for every file; each is one that a run wrote.
  [[nodiscard]] std::string read_all() {
    const fs::path script =
        fs::path(test::golden_folder()).parent_path() / "support" / "read_formats.py";
    const std::string said = (child_.folder() / "said").string();
    const int status = std::system(
        ("python3 '" + script.string() + "' '" + folder_.string() + "' > '" + said + "' 2>&1")
            .c_str());
    const std::string text = child_.content("said");
    EXPECT_EQ(status, 0) << text;
    return text;
  }

  test::ChildProgram child_;
  const fs::path folder_ = child_.folder() / "formats";
};

TEST_F(FormatsTest, OfARun) {
  run({"run", "star:4", "total-exchange", "--k", "2", "--report", file("run.html"), "--plot",
       file("run.svg"), "--trace", file("trace.json"), "--format", "json", "--output",
       file("run.json")});
  run({"run", "fat-tree:2^3", "total-exchange", "--repeat", "2", "--report", file("queues.html"),
       "--format", "csv", "--output", file("run.csv")});
  run({"run", "torus:4x4", "many-to-all", "--algorithm", "aggregation", "--messages", "4",
       "--report", file("phases.html"), "--series", "--format", "csv", "--output",
       file("series.csv")});
  const std::string said = read_all();
  EXPECT_THAT(said, HasSubstr("run.json: lockstep.run/"));
  EXPECT_THAT(child_.content("formats/queues.html"), HasSubstr("Longest queues by level"));
  EXPECT_THAT(child_.content("formats/queues.html"), HasSubstr("Wall time of the repetitions"));
  EXPECT_THAT(child_.content("formats/phases.html"), HasSubstr("Cost by phase"));
  EXPECT_THAT(child_.content("formats/run.html"), HasSubstr("Residuals: measured over modelled"));
  EXPECT_EQ(child_.content("formats/run.json").find("\"series\": ["), std::string::npos);
}

TEST_F(FormatsTest, OfASweep) {
  const std::vector<std::string> sweep{
      "sweep", "star:3..4", "total-exchange", "--k", "all", "-b", "8", "-e", "64", "-f", "8"};
  for (const std::string format : {"csv", "json", "ndjson"}) {
    std::vector<std::string> words = sweep;
    words.insert(words.end(), {"--format", format, "--output", file("sweep." + format)});
    if (format == "csv") words.insert(words.end(), {"--report", file("sweep.html")});
    run(words);
  }
  const std::string said = read_all();
  EXPECT_THAT(said, HasSubstr("sweep.csv: 10 rows"));
  EXPECT_THAT(said, HasSubstr("sweep.ndjson: 10 rows"));
  const std::string html = child_.content("formats/sweep.html");
  for (const char* const plot :
       {"Wall time of the steps against block length", "ETI against packing factor",
        "ETI against network", "Cheapest choice by t_s/t_m",
        "Measured wall time against the model"})
    EXPECT_THAT(html, HasSubstr(plot));

  std::vector<std::string> resumed = sweep;
  resumed.insert(resumed.end(), {"--format", "csv", "--output", file("sweep.csv"), "--resume",
                                 "--report", file("resumed.html")});
  run(resumed);
  const std::string again = child_.content("formats/resumed.html");
  EXPECT_THAT(again, HasSubstr("ETI against packing factor"));
}

TEST_F(FormatsTest, OfAComparisonAndOfAPaper) {
  run({"compare", "star:4", "total-exchange", "--report", file("compare.html"), "--format", "csv",
       "--output", file("compare.csv")});
  run({"reproduce", "star", "--figure", "2,3,4,6", "--report", file("figures.html"), "--plot",
       file("figure.svg"), "--plot-number", "2", "--format", "json", "--output",
       file("paper.json")});
  run({"reproduce", "star", "--figure", "3", "--plot", file("figure.pdf")});
  run({"reproduce", "star", "--figure", "3", "--plot", file("figure.png")});
  EXPECT_THAT(read_all(), HasSubstr("figures.html: 4 plots"));
}

TEST_F(FormatsTest, OfTuningAndCalibration) {
  run({"tune", "star:5", "total-exchange", "--map", "--report", file("map.html"), "--format", "csv",
       "--output", file("map.csv")});
  run({"tune", "star:5", "total-exchange", "--report", file("tune.html"), "--format", "json",
       "--output", file("tune.json")});
  run({"calibrate", "--quick", "--seconds", "2", "--report", file("calibrate.html"), "--format",
       "json", "--output", file("calibrate.json")});
  run({"tune", "star:4", "total-exchange", "--host", "--bytes", "8", "--report", file("host.html"),
       "--plot", file("host.svg")});
  const std::string said = read_all();
  EXPECT_THAT(said, HasSubstr("map.html: 2 plots"));
  EXPECT_THAT(said, HasSubstr("tune.json: lockstep.tune/2"));
  EXPECT_THAT(child_.content("formats/map.html"), HasSubstr("Best variant by t_s/t_m"));
  EXPECT_THAT(child_.content("formats/host.html"), HasSubstr("Predicted and measured wall time"));
  for (const char* const plot : {"Measured wall time against the model", "<h2>Rates</h2>",
                                 "kind of work, by its number in the table"})
    EXPECT_THAT(child_.content("formats/calibrate.html"), HasSubstr(plot));
}

TEST_F(FormatsTest, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  const auto refused = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"run", "star:4", "total-exchange"};
    words.insert(words.end(), more.begin(), more.end());
    child_.start(std::move(words));
    EXPECT_EQ(child_.exit_code(), 2);
    EXPECT_EQ(child_.content("out"), "");
    return child_.content("err");
  };
  EXPECT_THAT(refused({"--plot", file("a.gif")}), HasSubstr("expected .svg, .pdf or .png"));
  EXPECT_THAT(refused({"--report", file("a.html"), "--output", file("a.html")}),
              HasSubstr("the same file"));
  EXPECT_THAT(refused({"--report", file("a.html"), "--dry-run"}),
              HasSubstr("--report needs a run"));
}

}  // namespace
}  // namespace lockstep
