// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Network files as other programs write them, for tests of the readers. The writers share no code
/// with the readers. Each format has a list of habits of its writers, and says of each habit
/// whether the readers must read such a file.
///
///     const FileFormat& format = file_formats()[0];
///     const std::string text = format.write(known_networks()[3], {"comma", "weights"}, random);

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reference/random.hpp"

namespace lockstep::test {

struct KnownNetwork {
  std::vector<std::string> names;
  /// A repeated link is a lane.
  std::vector<std::array<std::size_t, 2>> links;
  std::set<std::size_t> switches;
};

/// Forty connected networks: names are numbers from 0 or 1, or words; some have lanes or switches.
[[nodiscard]] const std::vector<KnownNetwork>& known_networks();
/// The same with the names 1, 2, .., without lanes and switches: what DIMACS and Matrix Market
/// hold.
[[nodiscard]] KnownNetwork numbered(const KnownNetwork& network);

enum class Verdict {
  read,           ///< must be read
  either,         ///< may be refused
  read_if_words,  ///< may be refused if the names of nodes are numbers
  counts,         ///< must be read if it is clear that the first line holds counts
  undirected,     ///< must be refused, and read with --undirected
  loops           ///< must be refused, and read with --drop-self-loops
};

struct Habit {
  std::string_view name;
  Verdict verdict = Verdict::read;
  /// Habits of the same group exclude each other.
  std::string_view group = {};
};

using Habits = std::set<std::string_view>;

struct FileFormat {
  std::string_view name;
  std::vector<Habit> habits;
  bool is_numbered;  ///< numbered() networks only
  std::string (*write)(const KnownNetwork&, const Habits&, reference::Random&);
  /// The ending of the file's name.
  std::string_view (*ending)(const Habits&);
};

[[nodiscard]] const std::vector<FileFormat>& file_formats();

// One writer per format, called through file_formats().
[[nodiscard]] std::string edge_list(const KnownNetwork&, const Habits&, reference::Random&);
[[nodiscard]] std::string dimacs_col(const KnownNetwork&, const Habits&, reference::Random&);
[[nodiscard]] std::string dimacs_gr(const KnownNetwork&, const Habits&, reference::Random&);
[[nodiscard]] std::string matrix_market(const KnownNetwork&, const Habits&, reference::Random&);
[[nodiscard]] std::string graphml(const KnownNetwork&, const Habits&, reference::Random&);
[[nodiscard]] std::string node_link_json(const KnownNetwork&, const Habits&, reference::Random&);

}  // namespace lockstep::test
