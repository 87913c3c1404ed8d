// SPDX-License-Identifier: Apache-2.0

/// Network files of every format with the habits of its writers, single ones and pairs: the reader
/// gives the network that was written, or refuses the file in one line. It never gives another one.
///
///     LOCKSTEP_SEED=7 LOCKSTEP_FILES=20000 tests/property --file=property/network_files_test

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "property/network_file_writers.hpp"
#include "support/cases.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {
namespace {

using test::FileFormat;
using test::Habit;
using test::Habits;
using test::KnownNetwork;
using test::Verdict;

/// Names, and links by the names of their ends.
struct NamedGraph {
  std::multiset<std::array<std::string, 2>> links;
  std::set<std::string> names;
  std::set<std::string> switches;
  friend bool operator==(const NamedGraph&, const NamedGraph&) = default;
};

[[nodiscard]] std::array<std::string, 2> sorted_ends(std::string u, std::string v) {
  return u < v ? std::array{u, v} : std::array{v, u};
}

[[nodiscard]] NamedGraph named_graph(const KnownNetwork& network) {
  NamedGraph graph{
      .links = {}, .names = {network.names.begin(), network.names.end()}, .switches = {}};
  for (const auto& [u, v] : network.links)
    graph.links.insert(sorted_ends(network.names[u], network.names[v]));
  for (const std::size_t u : network.switches) graph.switches.insert(network.names[u]);
  return graph;
}

[[nodiscard]] NamedGraph named_graph(const Network& network) {
  NamedGraph graph;
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    graph.names.insert(network.label(NodeId{u}));
    if (u >= network.processor_count()) graph.switches.insert(network.label(NodeId{u}));
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p) {
      const NodeId v = network.neighbor(NodeId{u}, port(p));
      if (index(v) > u) graph.links.insert(sorted_ends(network.label(NodeId{u}), network.label(v)));
    }
  }
  return graph;
}

/// The habits of files of any format, applied to a text.
[[nodiscard]] std::string with_common_habits(const std::string& text, const Habits& habits,
                                             test::Random& random) {
  const bool blank_lines = habits.contains("blank lines");
  const std::string_view end = habits.contains("CRLF") ? "\r\n" : "\n";
  std::string changed = habits.contains("byte-order mark") ? "\xEF\xBB\xBF" : "";
  for (const char c : text) {
    if (c != '\n') {
      changed += c;
      continue;
    }
    if (habits.contains("trailing blanks")) changed += random.happens(50) ? " " : " \t";
    changed += end;
    if (blank_lines && random.happens(30)) changed += end;
  }
  if (habits.contains("no newline at the end")) changed.erase(changed.find_last_not_of("\r\n") + 1);
  return changed;
}

[[nodiscard]] std::vector<Habit> habits_of(const FileFormat& format) {
  std::vector<Habit> all{{"byte-order mark", Verdict::read, "encoding"},
                         {"CRLF"},
                         {"gzip"},
                         {"no newline at the end"},
                         {"trailing blanks"},
                         {"blank lines"}};
  all.insert(all.end(), format.habits.begin(), format.habits.end());
  return all;
}

struct FileCase {
  const FileFormat* format;
  std::vector<Habit> habits;
};

/// No habit, each habit, and each pair of habits that can go together, of every format.
[[nodiscard]] const std::vector<FileCase>& all_cases() {
  static const std::vector<FileCase> all = [] {
    std::vector<FileCase> cases;
    for (const FileFormat& format : test::file_formats()) {
      const std::vector<Habit> habits = habits_of(format);
      cases.push_back({&format, {}});
      for (std::size_t i = 0; i < habits.size(); ++i) {
        cases.push_back({&format, {habits[i]}});
        for (std::size_t j = 0; j < i; ++j)
          if (habits[i].group.empty() || habits[i].group != habits[j].group)
            cases.push_back({&format, {habits[j], habits[i]}});
      }
    }
    return cases;
  }();
  return all;
}

class NetworkFiles : public testing::Test {
 protected:
  ~NetworkFiles() override { std::filesystem::remove_all(folder_); }

  void SetUp() override { std::filesystem::create_directories(folder_); }

  [[nodiscard]] std::string write(const std::string& text, std::string_view ending, bool packed) {
    const std::string path = fmt::format("{}/{}{}", folder_.string(), files_++, ending);
    if (!packed) {
      std::ofstream(path) << text;
      return path;
    }
    gzFile file = gzopen((path + ".gz").c_str(), "wb1");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path + ".gz";
  }

  /// None: refused, in one line.
  [[nodiscard]] std::optional<NamedGraph> read(const std::string& path, GraphReadOptions options) {
    try {
      refusal_ = "";
      return named_graph(
          read_graph_file("file:" + path, {.path = path, .format = {}, .options = options}));
    } catch (const InvalidParameter& problem) {
      refusal_ = problem.what();
      EXPECT_EQ(refusal_.find('\n'), std::string::npos) << refusal_;
      EXPECT_NE(refusal_.find(path), std::string::npos) << refusal_;
      EXPECT_LT(refusal_.size(), 400U) << refusal_;
      return {};
    }
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("lockstep_files_" + std::to_string(getpid()));
  std::size_t files_ = 0;
  std::string refusal_;
};

/// The expected treatment of the file.
struct Wanted {
  bool may_be_refused = false;
  bool must_be_refused = false;  // without these options
  GraphReadOptions options{};
};

/// A first line "4 3" above a list of edges may be a link, or counts of nodes and links.
[[nodiscard]] bool first_link_may_be_counts(const KnownNetwork& network) {
  const std::size_t other_links = network.links.size() - 1;
  const auto is_count = [&](std::size_t u) {
    return network.names[u] == std::to_string(other_links) ||
           network.names[u] == std::to_string(2 * other_links + 1);
  };
  return std::ranges::any_of(network.links.front(), is_count);
}

[[nodiscard]] bool has_name(const KnownNetwork& network, std::size_t number) {
  return std::ranges::find(network.names, std::to_string(number)) != network.names.end();
}

[[nodiscard]] Wanted wanted(const FileCase& file, const KnownNetwork& network) {
  const bool numbers =
      std::ranges::all_of(network.names.front(), [](char c) { return c >= '0' && c <= '9'; });
  const bool clear_counts = numbers && !(has_name(network, network.names.size()) &&
                                         has_name(network, network.links.size()));
  Wanted all;
  all.may_be_refused = file.format->name == "edge list" && first_link_may_be_counts(network);
  for (const Habit& habit : file.habits) {
    all.may_be_refused = all.may_be_refused || habit.verdict == Verdict::either ||
                         (habit.verdict == Verdict::read_if_words && numbers) ||
                         (habit.verdict == Verdict::counts && !clear_counts);
    all.options.undirected |= habit.verdict == Verdict::undirected;
    all.options.drop_self_loops |= habit.verdict == Verdict::loops;
  }
  all.must_be_refused = all.options.undirected || all.options.drop_self_loops;
  return all;
}

TEST_F(NetworkFiles, AreReadAsWrittenOrRefused) {
  const char* const given = std::getenv("LOCKSTEP_FILES");
  const std::size_t files = given != nullptr ? std::stoull(given) : test::cases_here(2'400);
  std::map<std::string_view, std::size_t> read_of_format;
  std::map<std::string_view, std::size_t> files_of_format;
  std::size_t number = test::base_seed();
  test::for_all(
      files, [](test::Random& random) { return random; },
      [&](test::Random random) {
        const FileCase& file = all_cases()[number++ % all_cases().size()];
        KnownNetwork network = random.one_of(test::known_networks());
        if (file.format->is_numbered) network = numbered(network);
        Habits habits;
        std::string trace(file.format->name);
        for (const Habit& habit : file.habits) {
          habits.insert(habit.name);
          trace += " + " + std::string(habit.name);
        }
        const std::string text =
            with_common_habits(file.format->write(network, habits, random), habits, random);
        SCOPED_TRACE(trace + "\n" + text);
        const std::string path = write(text, file.format->ending(habits), habits.contains("gzip"));
        const Wanted want = wanted(file, network);
        const NamedGraph expected = named_graph(network);
        if (want.must_be_refused) {
          ASSERT_EQ(read(path, {}), std::nullopt);
        }
        const std::optional<NamedGraph> answer = read(path, want.options);
        ASSERT_TRUE(answer.has_value() || want.may_be_refused) << refusal_;
        if (answer) {
          ASSERT_EQ(*answer, expected);
        }
        files_of_format[file.format->name] += 1;
        read_of_format[file.format->name] += answer.has_value() ? 1U : 0U;
      });
  for (const auto& [format, count] : files_of_format)
    EXPECT_GT(read_of_format[format] * 4, count * 3) << format;
}

/// The comparison sees a wrong name, a wrong link, a lost lane and a lost switch.
TEST_F(NetworkFiles, AnotherNetworkIsNoticed) {
  const auto graph = [&](const std::string& text) { return *read(write(text, ".txt", false), {}); };
  const NamedGraph right = graph("a b\na b\nb c\n# switches c\n");
  EXPECT_EQ(graph("b c\na b\na b\n# switches c\n"), right);
  for (const char* const wrong :
       {"a b\na b\nb d\n# switches d\n", "a b\na b\na c\n# switches c\n",
        "a b\nb c\n# switches c\n", "a b\na b\nb c\n", "a b\na b\nb c\n# switches a\n"})
    EXPECT_NE(graph(wrong), right) << wrong;
}

}  // namespace
}  // namespace lockstep
