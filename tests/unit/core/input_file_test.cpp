// SPDX-License-Identifier: Apache-2.0
#include "core/input_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>

#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

using ::testing::HasSubstr;
using namespace std::string_view_literals;

class InputFileTest : public ::testing::Test {
 protected:
  InputFileTest()
      : folder_(std::filesystem::temp_directory_path() / fmt::format("input-{}", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~InputFileTest() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(std::string_view name) const { return folder_ / name; }
  [[nodiscard]] std::string file(std::string_view bytes) const {
    std::ofstream(path("plain"), std::ios::binary) << bytes;
    return path("plain");
  }
  [[nodiscard]] std::string compressed(std::string_view bytes, const char* mode = "wb") const {
    gzFile out = gzopen(path("packed.gz").c_str(), mode);
    gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(out);
    return path("packed.gz");
  }

  std::filesystem::path folder_;
};

[[nodiscard]] std::string refusal_of_input(const std::string& path, std::uint64_t most = 100) {
  try {
    (void)input_text(path, most);
    return "accepted";
  } catch (const InvalidParameter& problem) {
    return problem.what();
  }
}

TEST_F(InputFileTest, ReadsPlainAndCompressedFilesAlike) {
  for (const std::string_view text : {""sv, "a b\n"sv, "\0\n\r\n\xFF\xFA"sv}) {
    EXPECT_EQ(input_text(file(text), 100), text);
    EXPECT_EQ(input_text(compressed(text), 100), text);
  }
  (void)compressed("first\n");
  EXPECT_EQ(input_text(compressed("second\n", "ab"), 100), "first\nsecond\n");  // two members
}

TEST_F(InputFileTest, RefusesDataAfterTheEndOfAGzipFile) {
  for (const std::string_view behind : {"c d\n"sv, "\x1F"sv, "\0\0c d\n"sv}) {
    const std::string name = compressed("a b\n");
    std::ofstream(name, std::ios::binary | std::ios::app) << behind;
    EXPECT_THAT(refusal_of_input(name),
                testing::AnyOf(HasSubstr("other data after its end"), HasSubstr("is damaged")));
  }
  const std::string name = compressed("a b\n");
  std::ofstream(name, std::ios::binary | std::ios::app) << "\0\0\0"sv;  // padding
  EXPECT_EQ(input_text(name, 100), "a b\n");
  EXPECT_EQ(input_text(compressed(std::string(3'000'000, 'a')), 3'000'000).size(), 3'000'000U);
}

TEST_F(InputFileTest, RemovesAByteOrderMark) {
  EXPECT_EQ(input_text(file("\xEF\xBB\xBF"
                            "a b"),
                       100),
            "a b");
  EXPECT_EQ(input_text(compressed("\xEF\xBB\xBF"
                                  "a b"),
                       100),
            "a b");
  EXPECT_EQ(input_text(file("a \xEF\xBB\xBF b"), 100), "a \xEF\xBB\xBF b");
  for (const std::string_view text : {"\xFF\xFE\x61\0"sv, "\xFE\xFF\0\x61"sv, "\0\0\xFE\xFF"sv})
    EXPECT_THAT(refusal_of_input(file(text)), HasSubstr("save it as UTF-8"));
}

TEST_F(InputFileTest, AcceptsTheLimitAndNothingBeyond) {
  EXPECT_EQ(input_text(file(std::string(100, 'x')), 100).size(), 100U);
  EXPECT_THAT(refusal_of_input(file(std::string(101, 'x'))),
              HasSubstr("larger than the allowed 100 bytes"));
  EXPECT_THAT(refusal_of_input(compressed(std::string(101, 'x'))), HasSubstr("larger than"));
}

TEST_F(InputFileTest, RefusesWhatIsNoFile) {
  EXPECT_THAT(refusal_of_input(path("missing")), HasSubstr("No such file or directory"));
  EXPECT_THAT(refusal_of_input(folder_), HasSubstr("it is a directory"));
  for (const char* device : {"/dev/zero", "/dev/null"})
    EXPECT_THAT(refusal_of_input(device), HasSubstr("it is a device")) << device;
}

TEST_F(InputFileTest, RefusesADamagedArchive) {
  const std::string name = compressed(std::string(80, 'x'));
  std::filesystem::resize_file(name, std::filesystem::file_size(name) - 9);
  EXPECT_THAT(refusal_of_input(name), HasSubstr("the gzip file is damaged"));
  std::fstream middle(compressed("some text that is long enough"),
                      std::ios::in | std::ios::out | std::ios::binary);
  middle.seekp(20).put('~').put('~');
  middle.close();
  EXPECT_THAT(refusal_of_input(path("packed.gz")), HasSubstr("the gzip file is damaged"));
}

TEST_F(InputFileTest, ReadsAPipe) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path("pipe")) << "a b\n"; });
  EXPECT_EQ(input_text(path("pipe"), 100), "a b\n");
  writer.join();
}

}  // namespace
}  // namespace lockstep
