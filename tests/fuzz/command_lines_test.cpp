// SPDX-License-Identifier: Apache-2.0

/// Random command lines (fuzz/command_grammar.hpp) through the program. Each has an exit code that
/// the manual knows, one line on stderr if it is refused, JSON that parses and agrees with the exit
/// code, and no cost below a bound. Each run has the same record whatever the number of workers,
/// channel and executor.
///
///     LOCKSTEP_FUZZ_CASES=20000 LOCKSTEP_FUZZ_SEED=1 tests/fuzz --file=fuzz/command_lines_test

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/command_grammar.hpp"
#include "lockstep/machine/executor.hpp"
#include "report/quantities.hpp"
#include "support/program.hpp"

namespace lockstep::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// LOCKSTEP_FUZZ_CASES, LOCKSTEP_FUZZ_SEED where they are set.
[[nodiscard]] std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const given = std::getenv(variable);
  return given == nullptr ? otherwise : std::stoull(given);
}

struct Answer {
  int code = -1;  // 128 + signal where one ended it
  std::string out;
  std::string err;

  [[nodiscard]] bool ran() const { return code == 0 || code == 1 || code == 3; }
};

[[nodiscard]] std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

[[nodiscard]] std::string line_of(const Words& words) {
  std::string line = "lockstep";
  for (const std::string& word : words) line += " '" + word + "'";
  return line;
}

/// A folder of its own, and the program in it.
class Sandbox {
 public:
  Sandbox()
      : folder_(fs::path(testing::TempDir()) / ("fuzz_" + std::to_string(getpid()))),
        work_(folder_ / "work") {
    clear();
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox() { fs::remove_all(folder_); }

  void clear() const {
    fs::remove_all(folder_);
    fs::create_directories(work_);
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(work_ / name, std::ios::binary) << content;
  }

  [[nodiscard]] Answer run(const Words& words) const {
    const pid_t child = fork();
    if (child == 0) become(words);
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, content_of(folder_ / "out"), content_of(folder_ / "err")};
  }

 private:
  static constexpr unsigned most_seconds = 120;  // then SIGALRM ends it: a hang

  [[noreturn]] void become(const Words& words) const {
    const std::string program = program_path();
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};  // NOLINT: as execv has it
    for (const std::string& word : words)
      arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT
    arguments.push_back(nullptr);
    const auto redirect = [&](const char* name, int to) {
      const int file = open((folder_ / name).c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
      dup2(file, to);
    };
    redirect("out", STDOUT_FILENO);
    redirect("err", STDERR_FILENO);
    if (chdir(work_.c_str()) != 0) _exit(127);
    alarm(most_seconds);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }

  fs::path folder_;
  fs::path work_;
};

/// Keys that may differ between two runs of one record: who ran it, when and how fast.
[[nodiscard]] bool is_of_the_host(const std::string& key) {
  constexpr std::array names{"command",    "host",   "threads", "executor", "channel",
                             "block_size", "memory", "wall",    "picked",   "workers_per_step"};
  return key.find("seconds") != std::string::npos || key.find("per_second") != std::string::npos ||
         std::find(names.begin(), names.end(), key) != names.end();
}

[[nodiscard]] Json record_of(const Json& json) {
  if (json.is_array()) {
    Json kept = Json::array();
    for (const Json& item : json) kept.push_back(record_of(item));
    return kept;
  }
  if (!json.is_object()) return json;
  Json kept = Json::object();
  for (const auto& [key, value] : json.items())
    if (!is_of_the_host(key)) kept[key] = record_of(value);
  return kept;
}

/// At any depth, objects for `visit`.
template <class Visit>
void for_each_object(const Json& json, const Visit& visit) {
  if (json.is_object()) visit(json);
  if (json.is_structured())
    for (const Json& item : json) for_each_object(item, visit);
}

[[nodiscard]] std::optional<double> number_at(const Json& object, const char* pointer) {
  const Json::json_pointer place(pointer);
  if (!object.contains(place) || !object.at(place).is_number()) return std::nullopt;
  return object.at(place).get<double>();
}

/// Empty where nothing was run.
[[nodiscard]] std::optional<bool> ok_of(const Json& object) {
  if (!object.contains("ok") || !object["ok"].is_boolean()) return std::nullopt;
  return object["ok"].get<bool>();
}

struct Bound {
  const char* counted;
  const char* bound;
};
/// Keys of a run, and of a row of a sweep or comparison.
constexpr std::array bounds{Bound{"/startups", "/lower_bound/startups"},
                            Bound{"/message_times", "/lower_bound/message_times"},
                            Bound{"/model/time", "/model/lower_bound"},
                            Bound{"/startups", "/lower_bound_startups"},
                            Bound{"/message_times", "/lower_bound_message_times"},
                            Bound{"/time", "/time_lower_bound"}};

class CommandLines : public testing::Test {
 protected:
  void try_case(std::uint64_t seed) {
    reference::Random random(seed);
    const FuzzedCommand command = CommandGrammar(random).command();
    SCOPED_TRACE("to repeat: LOCKSTEP_FUZZ_CASES=1 LOCKSTEP_FUZZ_SEED=" + std::to_string(seed));
    const Answer answer = answer_to(command, command.words);
    if (answer.ran() && command.repeatable) try_otherwise(random, command, answer);
  }

  [[nodiscard]] Answer answer_to(const FuzzedCommand& command, const Words& words) {
    SCOPED_TRACE(line_of(words));
    sandbox_.clear();
    for (const auto& [name, content] : command.files) sandbox_.write(name, content);
    Answer answer = sandbox_.run(words);
    SCOPED_TRACE("exit code " + std::to_string(answer.code) + ", stderr: " + answer.err);
    ++codes_[answer.code];
    EXPECT_TRUE(answer.ran() || answer.code == 2 || answer.code == 4) << answer.out;
    if (answer.code == 2 || answer.code == 4) expect_reason(words.front(), answer);
    // Only a plan of the user's, or a table, may be wrong. The paper's three-phase is known to
    // leave blocks out, which a CSV has no column for.
    const bool known = answer.out.find("known") != std::string::npos || answer.out[0] == 't';
    EXPECT_TRUE(answer.code != 1 || !command.files.empty() || words.front() == "table" || known)
        << answer.out;
    if (answer.ran() && !answer.out.empty() && answer.out.front() == '{') expect_true(answer);
    return answer;
  }

  /// On one line, and nothing else; or in the report of a command that tries several things.
  static void expect_reason(const std::string& command, const Answer& answer) {
    const bool tries_several = command == "sweep" || command == "compare" || command == "table";
    if (tries_several && (!answer.out.empty() || answer.err.empty())) return;
    if (answer.code == 4 && !answer.out.empty()) return;  // a dry run: what there is not enough of
    EXPECT_EQ(answer.err.rfind("lockstep: ", 0), 0U);
    const auto lines = std::count(answer.err.begin(), answer.err.end(), '\n');
    EXPECT_TRUE(lines == 1 || (command == "table" && lines > 1)) << answer.err;  // one per file
    EXPECT_EQ(answer.out, "");
  }

  void expect_true(const Answer& answer) {
    const Json json = Json::parse(answer.out, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << answer.out;
    ++parsed_;
    const auto said = ok_of(json);
    EXPECT_EQ(said.value_or(answer.code == 0), answer.code == 0) << answer.out;
    for_each_object(json, [&](const Json& object) {
      if (!ok_of(object).value_or(false)) return;
      for (const Bound& pair : bounds) {
        const auto counted = number_at(object, pair.counted);
        const auto bound = number_at(object, pair.bound);
        if (!counted || !bound) continue;
        ++bounded_;
        EXPECT_GE(*counted, *bound * (1 - 1e-12)) << pair.counted << "\n" << object.dump();
      }
    });
  }

  /// The same record by 1 and 3 workers, on every channel that takes the run.
  void try_otherwise(reference::Random& random, const FuzzedCommand& command,
                     const Answer& answer) {
    constexpr std::array channels{"auto", "slot", "spsc", "mailbox"};
    Words words = command.words;
    const auto set = [&words](const char* option, std::string value) {
      for (const std::string& word : words)
        if (word.rfind(option, 0) == 0) return;  // the case has its own
      words.insert(words.end(), {option, std::move(value)});
    };
    set("--threads", random.happens(50) ? "3" : "1");
    set("--channel", random.one_of(channels));
    set("--executor", std::string(report::executor_name(random.one_of(executor_kinds))));
    set("--block", std::to_string(random.number(1, 9)));
    const Answer other = answer_to(command, words);
    if (other.code == 2 && other.err.find("channel") != std::string::npos) return;
    SCOPED_TRACE(line_of(command.words));
    SCOPED_TRACE(line_of(words));
    EXPECT_EQ(other.code, answer.code) << other.err;
    const Json one = Json::parse(answer.out, nullptr, false);
    const Json two = Json::parse(other.out, nullptr, false);
    if (one.is_discarded() || two.is_discarded()) return;
    // Which algorithm is the default depends on what the channel can carry.
    if (one.value("algorithm", "") != two.value("algorithm", "")) return;
    ++compared_;
    const Json difference = Json::diff(record_of(one), record_of(two));
    EXPECT_TRUE(difference.empty()) << difference.dump();
  }

  Sandbox sandbox_;
  std::map<int, std::uint64_t> codes_;
  std::uint64_t parsed_ = 0;
  std::uint64_t bounded_ = 0;
  std::uint64_t compared_ = 0;
};

constexpr std::uint64_t usual_cases = LOCKSTEP_USUAL_CASES;  // tests/CMakeLists.txt

TEST_F(CommandLines, AreCarriedOutOrRefused) {
  const std::uint64_t cases = number_from("LOCKSTEP_FUZZ_CASES", usual_cases);
  const std::uint64_t seed = number_from("LOCKSTEP_FUZZ_SEED", 1);
  for (std::uint64_t i = 0; i < cases; ++i) try_case(seed + i);
  std::cout << cases << " cases; exit codes";
  for (const auto& [code, count] : codes_) std::cout << " " << code << ": " << count;
  std::cout << "; " << parsed_ << " JSON documents, " << bounded_ << " bounds, " << compared_
            << " pairs of records\n";
  if (cases < usual_cases) return;
  // Else the checks above would not have been made.
  EXPECT_GT(codes_[0], cases / 4);
  EXPECT_GT(codes_[2], cases / 20);
  EXPECT_GT(bounded_, cases / 4);
  EXPECT_GT(compared_, cases / 20);
}

}  // namespace
}  // namespace lockstep::test
