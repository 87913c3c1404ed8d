// SPDX-License-Identifier: Apache-2.0

/// Saved schedules of every operation and users' schedules of version 1 are altered at random:
/// words swapped and replaced, numbers changed, lines removed, repeated and inserted. A
/// schedule that is accepted and ok must deliver everything by a simulator that shares no code with
/// reader, machine or proof. A schedule that is refused is refused with file and line.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "program/schedule_file.hpp"
#include "study/schedule_recorder.hpp"
#include "support/cases.hpp"
#include "support/schedule_simulator.hpp"

namespace lockstep {
namespace {

using test::Random;
using test::uniform;

struct Original {
  AnyTopology network;
  Operation operation;
  std::uint64_t root = 0;
  std::string text;
  std::vector<std::uint64_t> homes{};
};

[[nodiscard]] Original saved_original(const std::string& network, Operation operation,
                                      std::uint64_t root, const std::string& algorithm) {
  RunRequest request{.topology = AnyTopology{network},
                     .operation = operation,
                     .algorithm = algorithm,
                     .executor = ExecutorKind::serial};
  if (has_root(operation)) request.settings["root"] = root;
  if (operation == Operation::many_to_all) request.settings["messages"] = std::uint64_t{4};
  const auto run = prepare(request);
  const RunResult result = run->execute();
  const ScheduleFile saved = study::saved_schedule(request, *run, result.record);
  Original original{request.topology, operation, root, text_of(saved)};
  for (const NodeId home : saved.homes) original.homes.push_back(index(home));
  return original;
}

[[nodiscard]] std::vector<Original> mutated_originals() {
  std::vector<Original> all;
  const auto add = [&](const std::string& network, Operation operation, std::uint64_t root = 0,
                       const std::string& algorithm = "") {
    all.push_back(saved_original(network, operation, root, algorithm));
  };
  for (const char* const network : {"linear:3", "ring:4", "fat-tree:2"})
    for (const OperationInfo& info : operation_catalog())
      if (!Collective{info.operation}.is_by_pairs() &&
          info.operation != Operation::odd_distance_exchange &&
          info.operation != Operation::many_to_all)
        add(network, info.operation, 1);
  add("star:3", Operation::odd_distance_exchange);
  add("ring:4", Operation::many_to_all);
  add("torus:3x3", Operation::many_to_all, 0, "aggregation");
  add("hypercube:2", Operation::all_reduce, 0, "halving-doubling");
  add("kary-tree:2^2", Operation::all_reduce);
  add("hypercube:2", Operation::total_exchange);
  const std::string head = "lockstep-schedule 1\ntopology ring:5\noperation ";
  all.push_back({AnyTopology{std::string("ring:5")}, Operation::total_exchange, 0,
                 head + "total-exchange\n0: 1\n0: 2\n0: 2\n1: 4\n1: 3\n1: /1/1\n"});
  all.push_back({AnyTopology{std::string("ring:5")}, Operation::all_gather, 0,
                 head + "all-gather\n0: 0\n0: 4\n1: 0\n1: 1\n"});
  return all;
}

/// Words and the blanks and signs between them.
[[nodiscard]] std::vector<std::string> pieces_of(const std::string& text) {
  std::vector<std::string> pieces;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n;:,-/>", begin), text.size());
    if (end != begin) pieces.push_back(text.substr(begin, end - begin));
    if (end != text.size()) pieces.push_back(text.substr(end, 1));
    begin = end + 1;
  }
  return pieces;
}

[[nodiscard]] std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line + "\n");
  return lines;
}

[[nodiscard]] std::string joined_again(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

class Mutator {
 public:
  explicit Mutator(Random& random) : random_(random) {}

  [[nodiscard]] std::string mutated(std::string text) {
    for (std::uint64_t times = uniform(random_, 1, 2); times > 0; --times) text = once(text);
    return text;
  }

 private:
  [[nodiscard]] std::string once(const std::string& text) {
    if (text.empty()) return "\n";
    // Other numbers most often: what they make is more often accepted.
    const std::uint64_t kind =
        uniform(random_, 0, 1) == 0 ? uniform(random_, 3, 4) : uniform(random_, 0, 9);
    if (kind < 5) return of_words(pieces_of(text), kind);
    if (kind == 9) return of_letters(text);
    return of_lines(lines_in(text), kind);
  }

  [[nodiscard]] std::string of_words(std::vector<std::string> pieces, std::uint64_t kind) {
    std::string& one = any(pieces);
    if (kind == 0) std::swap(one, any(pieces));
    if (kind == 1) one = any(pieces);
    if (kind == 2) one = any(words_);
    if (kind >= 3) {
      std::string& number = number_in(pieces);
      if (number.find_first_not_of("0123456789") == std::string::npos)
        number = kind == 3 ? any(numbers_) : std::to_string(near(number));
    }
    return joined_again(pieces);
  }
  [[nodiscard]] std::string of_lines(std::vector<std::string> lines, std::uint64_t kind) {
    const auto place =
        lines.begin() + static_cast<std::ptrdiff_t>(uniform(random_, 0, lines.size() - 1));
    if (kind == 5) lines.erase(place);
    if (kind == 6) lines.insert(place, std::string(any(lines)));
    if (kind == 7) std::swap(*place, any(lines));
    if (kind == 8)
      lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(
                                       uniform(random_, 1, std::min<std::size_t>(5, lines.size()))),
                   std::string(any(headers_)) + "\n");
    return joined_again(lines);
  }
  [[nodiscard]] std::string of_letters(std::string text) {
    const std::size_t at = uniform(random_, 0, text.size() - 1);
    if (uniform(random_, 0, 1) == 0)
      text.erase(at, uniform(random_, 1, 3));
    else
      text[at] = static_cast<char>(uniform(random_, 0, 127));
    return text;
  }

  template <class T>
  [[nodiscard]] T& any(std::vector<T>& list) {
    return list[uniform(random_, 0, list.size() - 1)];
  }
  template <class T, std::size_t size>
  [[nodiscard]] const T& any(const T (&list)[size]) {
    return list[uniform(random_, 0, size - 1)];
  }
  /// The next number from any place on.
  [[nodiscard]] std::string& number_in(std::vector<std::string>& pieces) {
    std::size_t at = uniform(random_, 0, pieces.size() - 1);
    for (std::size_t i = 0; i < pieces.size(); ++i, at = (at + 1) % pieces.size())
      if (pieces[at].find_first_not_of("0123456789") == std::string::npos) break;
    return pieces[at];
  }
  [[nodiscard]] std::uint64_t near(const std::string& number) {
    const std::uint64_t value = number.size() > 6 ? 0 : std::stoull(number);
    return value == 0 || uniform(random_, 0, 1) == 0 ? value + 1 : value - 1;
  }

  static constexpr const char* words_[] = {"take",
                                           "store",
                                           "deliver",
                                           "combine",
                                           "into",
                                           "with",
                                           "copy",
                                           "load",
                                           "send",
                                           "of",
                                           "for",
                                           "step",
                                           "0/0",
                                           "0/0-1",
                                           "1",
                                           "0,1",
                                           "1,0",
                                           "0-2",
                                           "arrived-first",
                                           "all-port",
                                           "1/0",
                                           "0>1",
                                           ";",
                                           "\n",
                                           "#",
                                           "-",
                                           "/"};
  static constexpr const char* numbers_[] = {"0", "1", "2", "3", "4", "5", "7", "9", "24", "100"};
  static constexpr const char* headers_[] = {"origins 0 1 1 3",
                                             "origins 0 0 0",
                                             "origins 1 0 2 3",
                                             "origins",
                                             "control 0",
                                             "control 1",
                                             "parts 2",
                                             "parts 3",
                                             "parts 64",
                                             "root 0",
                                             "root 2",
                                             "memory-of 0 0",
                                             "memory-of 1 1",
                                             "memory-of 1 2",
                                             "phase 0 x",
                                             "phase 1 y",
                                             "port-model all-port",
                                             "port-model single-port-wormhole",
                                             "steps 3",
                                             "memory 3",
                                             "memory 1 1",
                                             "operation all-gather",
                                             "operation gather"};
  Random& random_;
};

/// A file of its own; how the program ends with it.
class MutatedRuns {
 public:
  MutatedRuns()
      : file_(std::filesystem::path(testing::TempDir()) / ("mutant_" + std::to_string(getpid()))) {}
  MutatedRuns(const MutatedRuns&) = delete;
  MutatedRuns& operator=(const MutatedRuns&) = delete;
  ~MutatedRuns() { std::filesystem::remove(file_); }

  /// Empty where it was refused; then reason() says why.
  [[nodiscard]] std::optional<bool> is_ok(const Original& original, const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    RunRequest request{.topology = original.network,
                       .operation = original.operation,
                       .settings = {{"schedule", file_.string()}},
                       .executor = ExecutorKind::serial,
                       .memory_limit = std::uint64_t{256} << 20U};
    if (has_root(original.operation)) request.settings["root"] = original.root;
    if (original.operation == Operation::many_to_all)
      request.settings["messages"] = std::uint64_t{4};
    try {
      const auto run = prepare(request);
      if (run->forecast().footprint.steps > 10'000) return false;
      return run->execute().ok();
    } catch (const InvalidParameter& refusal) {
      reason_ = refusal.what();
    } catch (const ResourceExhausted&) {
      reason_ = file_.string();
    }
    return std::nullopt;
  }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::string name() const { return file_.string(); }

 private:
  std::filesystem::path file_;
  std::string reason_;
};

[[nodiscard]] bool simulated(const Original& original, const std::string& text) {
  return test::delivers_all(text, ErasedTopology(original.network),
                            {.operation = std::string(name_of(original.operation)),
                             .root = original.root,
                             .homes = original.homes});
}

TEST(MutatedSchedules, OriginalsAreOkAndDeliverBySimulation) {
  MutatedRuns runs;
  for (const Original& original : mutated_originals()) {
    EXPECT_EQ(runs.is_ok(original, original.text), true) << original.text << runs.reason();
    EXPECT_TRUE(simulated(original, original.text)) << original.text;
  }
}

/// The simulator misses every line that does something.
TEST(MutatedSchedules, WithoutALineTheyDoNotDeliverBySimulation) {
  for (const Original& original : mutated_originals()) {
    const std::vector<std::string> lines = lines_in(original.text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const bool acts = lines[i].find("deliver") != std::string::npos || lines[i].front() == '0';
      if (!acts) continue;
      std::vector<std::string> fewer = lines;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(simulated(original, joined_again(fewer))) << "without " << lines[i];
    }
  }
}

TEST(MutatedSchedules, OnesThatAreOkDeliverBySimulation) {
  constexpr std::uint64_t mutants = test::cases_here(20'000);
  const std::vector<Original> originals = mutated_originals();
  MutatedRuns runs;
  std::uint64_t ok = 0;
  std::uint64_t failed = 0;
  for (std::uint64_t i = 0; i < mutants; ++i) {
    const std::uint64_t seed = test::base_seed() + i;
    Random random{seed};
    const Original& original = originals[i % originals.size()];
    const std::string text = Mutator(random).mutated(original.text);
    SCOPED_TRACE("to repeat: LOCKSTEP_SEED=" + std::to_string(seed) + "\n" + text);
    const std::optional<bool> accepted = runs.is_ok(original, text);
    if (accepted == true) {
      ++ok;
      ASSERT_TRUE(simulated(original, text)) << "ok, but not delivered";
    } else if (accepted == false) {
      ++failed;
    } else {
      ASSERT_THAT(runs.reason(), testing::HasSubstr(runs.name()));
      ASSERT_EQ(runs.reason().find_first_of(std::string("\n\0\xff", 3)), std::string::npos)
          << runs.reason();
    }
  }
  std::printf("%llu ok, %llu failed\n", static_cast<unsigned long long>(ok),
              static_cast<unsigned long long>(failed));
  EXPECT_GT(ok, mutants / 50);
  EXPECT_GT(failed, mutants / 50);
}

}  // namespace
}  // namespace lockstep
