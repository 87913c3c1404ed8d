// SPDX-License-Identifier: Apache-2.0
#include "study/sweep_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"

namespace lockstep::study {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(ReadCsv, ReadsWhatCsvLineWrites) {
  const std::vector<CsvRow> rows{
      {"a", "b"},     {"", ""}, {"1,5", "two words"}, {"say \"a\"", ""}, {"line\nbreak", "x\r\ny"},
      {"\"", ",\"\n"}};
  std::string text;
  for (const CsvRow& row : rows) text += report::csv_line(row);
  const CsvRows found = read_csv(text);
  EXPECT_EQ(found.rows, rows);
  EXPECT_EQ(found.whole, text.size());
}

TEST(ReadCsv, TakesLineEndsOfBothKinds) {
  EXPECT_THAT(read_csv("a,b\r\nc,d\r\n").rows, ElementsAre(CsvRow{"a", "b"}, CsvRow{"c", "d"}));
}

TEST(ReadCsv, LeavesACutOffLineOut) {
  EXPECT_THAT(read_csv("").rows, IsEmpty());
  EXPECT_EQ(read_csv("").whole, 0U);
  for (const std::string cut : {"c", "c,d", "\"c\n", "\"c\nd\",e"}) {
    const CsvRows found = read_csv("a,b\n" + cut);
    EXPECT_THAT(found.rows, ElementsAre(CsvRow{"a", "b"})) << cut;
    EXPECT_EQ(found.whole, 4U) << cut;
  }
}

class SweepFileTest : public testing::Test {
 protected:
  SweepFileTest()
      : folder_(fs::path(testing::TempDir()) / ("sweep_file_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~SweepFileTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path() const { return (folder_ / "grid.csv").string(); }
  [[nodiscard]] std::string content() const {
    std::ifstream file(path());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  void write(const std::string& text) const { std::ofstream(path()) << text; }

  /// Two columns name a run, one is its result. The runs of the sweep are those of the tests.
  [[nodiscard]] SweepFile open(bool resume) const {
    return {{.path = path(), .resume = resume},
            {.columns = {"n", "k", "cost"},
             .key = {"n", "k"},
             .runs = {{"5", "3"}, {"5", "4"}, {"5", "4,3"}, {"6", "3"}, {"6", "3"}}}};
  }
  /// A sweep over n with a status.
  [[nodiscard]] std::string refusal_with_status() const {
    try {
      const SweepFile file({.path = path(), .resume = true}, {.columns = {"n", "status"},
                                                              .key = {"n"},
                                                              .runs = {{"5"}, {"6"}},
                                                              .statuses = {"ok", "refused"}});
    } catch (const InvalidParameter& refused) {
      return refused.what();
    }
    return "accepted";
  }
  [[nodiscard]] std::string refusal_to_resume() const {
    try {
      (void)open(true);
    } catch (const InvalidParameter& refused) {
      return refused.what();
    }
    return "accepted";
  }

  fs::path folder_;
};

TEST_F(SweepFileTest, ARowIsOnDiskWhenAddReturns) {
  SweepFile file = open(false);
  EXPECT_EQ(content(), "n,k,cost\n");
  file.add({"5", "4,3", "229"});
  EXPECT_EQ(content(), "n,k,cost\n5,\"4,3\",229\n");
  EXPECT_THAT(file.earlier(), IsEmpty());
}

TEST_F(SweepFileTest, ReplacesRowsOnlyIfItIsTold) {
  write("n,k,cost\n5,3,229\n6,3,1514\n");
  try {
    (void)open(false);
    ADD_FAILURE() << "two rows replaced, unasked";
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("already holds 2 rows; use --resume to continue "
                                          "or --overwrite"));
  }
  EXPECT_EQ(content(), "n,k,cost\n5,3,229\n6,3,1514\n");
  {
    SweepFile file({.path = path(), .overwrite = true},
                   {.columns = {"n", "k", "cost"}, .key = {"n", "k"}});
    EXPECT_EQ(content(), "n,k,cost\n");
    EXPECT_FALSE(file.pass_over({"5", "3"}));
  }
  write("n,k,cost\n");
  EXPECT_NO_THROW((void)open(false));
  write("a heading alone\n");
  EXPECT_THROW((void)open(false), InvalidParameter);
  EXPECT_EQ(content(), "a heading alone\n");
}

TEST_F(SweepFileTest, KnowsTheRowsThatAreThere) {
  write("n,k,cost\n5,3,229\n5,\"4,3\",152\n");
  SweepFile file = open(true);
  EXPECT_TRUE(file.pass_over({"5", "3"}));
  EXPECT_TRUE(file.pass_over({"5", "4,3"}));
  EXPECT_FALSE(file.pass_over({"5", "4"}));
  EXPECT_FALSE(file.pass_over({"5", "229"}));
  EXPECT_THAT(file.earlier(), ElementsAre(CsvRow{"5", "3", "229"}, CsvRow{"5", "4,3", "152"}));
  file.add({"6", "3", "1"});
  EXPECT_EQ(content(), "n,k,cost\n5,3,229\n5,\"4,3\",152\n6,3,1\n");
}

/// Columns that came later may name the run, too.
TEST_F(SweepFileTest, ColumnsOfTheKeyNeedNotBeTheFirst) {
  write("n,cost,k\n5,229,3\n");
  SweepFile file({.path = path(), .resume = true},
                 {.columns = {"n", "cost", "k"}, .key = {"n", "k"}, .runs = {{"5", "3"}}});
  EXPECT_TRUE(file.pass_over({"5", "3"}));
  EXPECT_FALSE(file.pass_over({"5", "229"}));
}

TEST_F(SweepFileTest, ARowThatWasCutOffIsRunAgain) {
  write("n,k,cost\n5,3,229\n5,4,2");
  SweepFile file = open(true);
  EXPECT_TRUE(file.pass_over({"5", "3"}));
  EXPECT_FALSE(file.pass_over({"5", "4"}));
  file.add({"5", "4", "251"});
  EXPECT_EQ(content(), "n,k,cost\n5,3,229\n5,4,251\n");
}

TEST_F(SweepFileTest, ResumesWhatHasNotBegun) {
  {
    SweepFile file = open(true);
    file.add({"5", "3", "229"});
  }
  EXPECT_EQ(content(), "n,k,cost\n5,3,229\n");
  write("");
  { const SweepFile file = open(true); }
  EXPECT_EQ(content(), "n,k,cost\n");
}

TEST_F(SweepFileTest, AnotherTableIsLeftAsItIs) {
  write("n,k,price\n5,3,229\n");
  EXPECT_THAT(refusal_to_resume(), HasSubstr("column 3 is 'price'; expected 'cost'"));
  EXPECT_EQ(content(), "n,k,price\n5,3,229\n");

  write("n,k\n");
  EXPECT_THAT(refusal_to_resume(), HasSubstr("column 3 is none; expected 'cost'"));

  write("n,k,cost,more\n");
  EXPECT_THAT(refusal_to_resume(), HasSubstr("column 4 is 'more'; expected none"));

  write("n,k,cost\n5,3\n");
  EXPECT_THAT(refusal_to_resume(), HasSubstr("line 2: 2 cells; expected 3"));
  EXPECT_EQ(content(), "n,k,cost\n5,3\n");

  write("some text");
  EXPECT_THAT(refusal_to_resume(), HasSubstr("column 1 is none; expected 'n'"));
  EXPECT_EQ(content(), "some text");
}

/// A row that this sweep would not have written is refused with its line, and the file stays as it
/// is.
TEST_F(SweepFileTest, TrustsNoRow) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"n,k,cost\n5,3,229\n5,4,251\n5,3,229\n", "line 4: the same run as in line 2"},
      {"n,k,cost\n6,3,1\n6,3,1\n6,3,1\n", "line 4: the same run as in line 3"},
      {"n,k,cost\n5,3,229\nn,k,cost\n5,4,251\n", "line 3: a second heading"},
      {"n,k,cost\n9,3,229\n", "line 2: n '9' belongs to no run of this sweep"},
      {"n,k,cost\n5,3,229\n6,9,1\n", "line 3: k '9' belongs to no run of this sweep"},
      {"n,k,cost\n6,4,1\n", "line 2: these options belong to no run of this sweep: 6,4"},
      {"n,k,cost\n\n5,3,229\n", "line 2: 1 cells; expected 3"},
      {"n,k,cost\n5,3,\"two\nlines\"\n7,3,1\n", "line 4: n '7'"},
      {"n,k,cost\n5,3,229\n5,4,\"251\n6,3,1\n6,3,1", "line 3: a quote is not closed"},
      {"n,k,cost\r\n5,3,229\r\n9,3,1\r\n", "line 3: n '9'"},
  };
  for (const auto& [text, why] : cases) {
    SCOPED_TRACE(text);
    write(text);
    EXPECT_THAT(refusal_to_resume(), HasSubstr("'" + path() + "', " + why));
    EXPECT_THAT(refusal_to_resume(), HasSubstr("; the file was left as it is"));
    EXPECT_EQ(content(), text);
  }
}

TEST_F(SweepFileTest, TrustsNoStatusThatThereIsNot) {
  write("n,status\n5,ok\n6,nk\n");
  EXPECT_THAT(refusal_with_status(),
              HasSubstr("line 3: status 'nk' is not valid; expected ok, refused;"));
  EXPECT_EQ(content(), "n,status\n5,ok\n6,nk\n");
  write("n,status\n5,ok\n6,refused\n");
  EXPECT_EQ(refusal_with_status(), "accepted");
}

/// Two runs of a sweep may be the same: each has its row.
TEST_F(SweepFileTest, EveryRowStandsForOneRun) {
  write("n,k,cost\n6,3,1\n");
  SweepFile file = open(true);
  EXPECT_TRUE(file.pass_over({"6", "3"}));
  EXPECT_FALSE(file.pass_over({"6", "3"}));
}

/// The sweep may know more of its rows than their columns.
TEST_F(SweepFileTest, AFaultOfARowIsNamedWithItsLine) {
  write("n,cost\n5,1\n6,2\n");
  try {
    const SweepFile file({.path = path(), .resume = true},
                         {.columns = {"n", "cost"},
                          .key = {"n"},
                          .runs = {{"4"}, {"5"}, {"6"}},
                          .fault = [](std::size_t run, const CsvRow& row) {
                            return run == 2 ? "cost '" + row[1] + "'; expected 3" : std::string();
                          }});
    ADD_FAILURE() << "accepted";
  } catch (const InvalidParameter& refused) {
    EXPECT_THAT(refused.what(), HasSubstr("line 3: cost '2'; expected 3; delete the line to "
                                          "repeat its run; the file was left as it is"));
  }
}

/// A second writer would repeat the runs of the first one.
TEST_F(SweepFileTest, OneProcessWrites) {
  const auto refusal = [this](SweepFile::Target target) -> std::string {
    target.path = path();
    try {
      const SweepFile second(target, {.columns = {"n", "k", "cost"}, .key = {"n", "k"}});
    } catch (const InvalidParameter& refused) {
      return refused.what();
    }
    return "accepted";
  };
  {
    SweepFile first = open(false);
    first.add({"5", "3", "229"});
    for (const SweepFile::Target& target :
         {SweepFile::Target{}, {.resume = true}, {.overwrite = true}})
      EXPECT_THAT(refusal(target), HasSubstr("another process is writing rows to it"));
    EXPECT_EQ(content(), "n,k,cost\n5,3,229\n");
    first.add({"5", "4", "1"});
  }
  EXPECT_EQ(content(), "n,k,cost\n5,3,229\n5,4,1\n");
  EXPECT_TRUE(open(true).pass_over({"5", "4"}));
}

TEST_F(SweepFileTest, ContinuesAFileWithAByteOrderMark) {
  write("\xEF\xBB\xBFn,k,cost\n5,3,229\n5,4,25");
  {
    SweepFile file = open(true);
    EXPECT_TRUE(file.pass_over({"5", "3"}));
    file.add({"5", "4", "251"});
  }
  EXPECT_EQ(content(), "\xEF\xBB\xBFn,k,cost\n5,3,229\n5,4,251\n");
}

TEST_F(SweepFileTest, NoRowFollowsCompressedOnes) {
  const std::string gzip(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\xd3\xc9\xd6\x49\xce\x2f\x2e\xe1\x02"
      "\x00\x00\x00\x00\x00",
      24);
  write(gzip);
  EXPECT_NE(refusal_to_resume(), "accepted");
  EXPECT_EQ(content(), gzip);
}

TEST_F(SweepFileTest, ContinuesAFileOfAnotherSystemsLineEnds) {
  write("n,k,cost\r\n5,3,229\r\n5,4,25");
  SweepFile file = open(true);
  EXPECT_TRUE(file.pass_over({"5", "3"}));
  EXPECT_FALSE(file.pass_over({"5", "4"}));
  EXPECT_EQ(content(), "n,k,cost\r\n5,3,229\r\n");
}

TEST_F(SweepFileTest, WhatCannotBeWrittenIsSaidFirst) {
  const auto refusal = [](const std::string& path, bool resume) -> std::string {
    try {
      const SweepFile file({.path = path, .resume = resume}, {.columns = {"n"}, .key = {"n"}});
    } catch (const InvalidParameter& refused) {
      return refused.what();
    } catch (const ResourceExhausted& refused) {
      return refused.what();
    }
    return "accepted";
  };
  for (const bool resume : {false, true}) {
    EXPECT_THAT(refusal("", resume), HasSubstr("output: cannot write '': no name given"));
    EXPECT_THAT(refusal(folder_.string(), resume), HasSubstr("it is a directory"));
    EXPECT_THAT(refusal((folder_ / "no" / "grid.csv").string(), resume),
                HasSubstr("No such file or directory"));
  }
  EXPECT_THAT(refusal("/dev/full", false), HasSubstr("No space left on device"));
}

}  // namespace
}  // namespace lockstep::study
