// SPDX-License-Identifier: Apache-2.0

/// The reports of all commands, opened in headless Chromium (support/read_in_browser.py).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "study/calibration_document.hpp"
#include "support/child_program.hpp"
#include "support/golden.hpp"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BrowserTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }

  /// With --report NAME.html, and a configuration of its own.
  void report(const std::string& name, std::vector<std::string> words) {
    words.insert(words.end(), {"--report", folder_ / (name + ".html"), "--quiet"});
    child_.start(std::move(words), [&] {
      (void)::setenv("XDG_CONFIG_HOME", (child_.folder() / "configuration").c_str(), 1);
    });
    ASSERT_EQ(child_.exit_code(), 0) << child_.content("err");
  }

  /// The report of `calibrate --check`, whose runs take half a minute.
  void report_of_a_check() const {
    study::PredictionCheck check;
    for (int i = 1; i < 40; ++i)
      check.runs.push_back({{.run = i % 3 == 0 ? "star:6 total-exchange by packing, k = 3, 8 bytes"
                                               : "mesh:9x9 all-gather by tree, 8 bytes",
                             .seconds = 1e-6 * i * i},
                            1e-6 * i * (i + 1)});
    std::ofstream(folder_ / "check.html")
        << html_of(document_of(check, provenance("lockstep calibrate --check")));
  }

  /// The output of python3 for all reports; its exit code.
  [[nodiscard]] int open_all(std::string& said) {
    const fs::path script =
        fs::path(test::golden_folder()).parent_path() / "support" / "read_in_browser.py";
    const int status = std::system(("python3 '" + script.string() + "' '" + folder_.string() +
                                    "' > '" + (child_.folder() / "said").string() + "' 2>&1")
                                       .c_str());
    said = child_.content("said");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  test::ChildProgram child_;
  const fs::path folder_ = child_.folder() / "reports";
};

TEST_F(BrowserTest, EveryPlotOfEveryReportIsDrawn) {
  report("run", {"run", "star:4", "total-exchange", "--k", "2", "--repeat", "3"});
  report("queues", {"run", "fat-tree:2^3", "total-exchange"});
  report("phases", {"run", "torus:10x10", "many-to-all", "--algorithm", "aggregation"});
  report("sweep",
         {"sweep", "star:3..5", "total-exchange", "--k", "all", "-b", "8", "-e", "512", "-f", "8"});
  report("compare", {"compare", "star:5", "total-exchange"});
  report("calibrate", {"calibrate", "--quick", "--seconds", "2"});
  report_of_a_check();
  report("tune", {"tune", "star:6", "total-exchange", "--ts", "50", "--tm", "1"});
  report("map", {"tune", "star:6", "total-exchange", "--map"});
  report("host", {"tune", "star:4", "total-exchange", "--host", "--bytes", "8"});
  report("gap", {"list", "matrix", "ring:5", "--gap"});
  report("papers", {"reproduce", "all", "--dry-run"});  // the runs have no plots
  std::string said;
  const int code = open_all(said);
  constexpr int no_browser = 77;
  if (code == no_browser) GTEST_SKIP() << said << "install the Debian package chromium";
  EXPECT_EQ(code, 0) << said;
  for (const char* const line :
       {"run.html at 400: 7 plots", "queues.html at 1280: 7 plots", "phases.html at 400: 9 plots",
        "map.html at 1280: 2 plots", "papers.html at 400: 25 plots"})
    EXPECT_THAT(said, HasSubstr(line));
}

}  // namespace
}  // namespace lockstep
