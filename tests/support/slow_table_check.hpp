// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Whether an exchange table is valid, the slow and obvious way: arrangements as texts, distances
/// by breadth-first search, cells in a map. Shares no code with the library but the data structure.
///
///     EXPECT_EQ(is_valid_table(table), check_exchange_table(table).empty());

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algorithm/exchange_table/exchange_table.hpp"

namespace lockstep::test {

/// Symbols "0123..." as they lie; a port exchanges the first with another.
class Arrangements {
 public:
  explicit Arrangements(std::size_t n) : n_(n) {
    for (std::size_t i = 0; i < n; ++i) start_ += static_cast<char>('a' + i);
    distances_[start_] = 0;
    std::deque<std::string> queue{start_};
    for (; !queue.empty(); queue.pop_front())
      for (std::size_t a = 1; a < n; ++a) {
        std::string next = queue.front();
        std::swap(next[0], next[a]);
        if (distances_.emplace(next, distances_[queue.front()] + 1).second) queue.push_back(next);
      }
  }

  /// Built once per size.
  static const Arrangements& of(std::size_t n) {
    static std::map<std::size_t, Arrangements> all;
    return all.try_emplace(n, n).first->second;
  }

  [[nodiscard]] const std::string& start() const { return start_; }
  [[nodiscard]] const std::unordered_map<std::string, std::size_t>& distances() const {
    return distances_;
  }

  /// The end of the word; empty if it has a letter that is no port.
  [[nodiscard]] std::optional<std::string> end_of(const std::vector<Port>& word) const {
    std::string at = start_;
    for (const Port p : word) {
      if (index(p) + std::size_t{1} >= n_) return std::nullopt;
      std::swap(at[0], at[index(p) + std::size_t{1}]);
    }
    return at;
  }

  /// 1 -> 2 -> ... -> n-1 -> 1, of places and of symbols.
  [[nodiscard]] std::string turned(const std::string& arrangement) const {
    const auto turn = [this](std::size_t x) { return x == 0 ? 0 : x == n_ - 1 ? 1 : x + 1; };
    std::string result = arrangement;
    for (std::size_t i = 0; i < n_; ++i)
      result[turn(i)] =
          static_cast<char>('a' + turn(static_cast<std::size_t>(arrangement[i] - 'a')));
    return result;
  }

  [[nodiscard]] std::set<std::string> orbit(const std::string& arrangement) const {
    std::set<std::string> all;
    for (std::string at = arrangement; all.insert(at).second;) at = turned(at);
    return all;
  }

 private:
  std::size_t n_;
  std::string start_;
  std::unordered_map<std::string, std::size_t> distances_;
};

/// Destinations of the words; empty if a cell, a column or a word is wrong, or two words meet.
inline std::optional<std::set<std::string>> destinations_of(const ExchangeTable& table) {
  const Arrangements& nodes = Arrangements::of(table.symbols);
  std::set<std::pair<std::size_t, std::uint64_t>> cells;    // row, column
  std::set<std::pair<std::uint64_t, std::uint16_t>> sends;  // column, port
  std::set<std::string> found;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::uint64_t before = 0;
    for (const PlacedWord& word : table.rows[row]) {
      if (word.column < before) return std::nullopt;  // not in the order of the columns
      before = word.column;
      for (std::size_t i = 0; i < word.ports.size(); ++i) {
        if (word.column + i >= table.columns) return std::nullopt;
        if (!cells.insert({row, word.column + i}).second) return std::nullopt;
        if (!sends.insert({word.column + i, index(word.ports[i])}).second) return std::nullopt;
      }
      const std::optional<std::string> end = nodes.end_of(word.ports);
      if (!end || word.ports.empty() || nodes.distances().at(*end) != word.ports.size())
        return std::nullopt;
      if (!found.insert(*end).second) return std::nullopt;
    }
  }
  return found;
}

inline bool is_valid_table(const ExchangeTable& table) {
  if (table.rows.size() != table.symbols - 1) return false;
  const std::optional<std::set<std::string>> found = destinations_of(table);
  if (!found || found->count(Arrangements::of(table.symbols).start()) != 0) return false;
  const bool odd = table.kind == TableKind::odd || table.kind == TableKind::base_odd;
  const bool base = table.kind == TableKind::base_total || table.kind == TableKind::base_odd;
  const Arrangements& nodes = Arrangements::of(table.symbols);
  std::size_t wanted = 0;
  for (const auto& [node, distance] : nodes.distances()) {
    const bool there = found->count(node) != 0;
    if (distance == 0) continue;
    if (odd && distance % 2 == 0) {
      if (there) return false;
      continue;
    }
    ++wanted;
    if (!base && !there) return false;
    if (!base) continue;
    const std::set<std::string> orbit = nodes.orbit(node);
    const bool full = orbit.size() == table.symbols - 1;
    if (!full && !there) return false;
    if (full && there)
      for (const std::string& other : orbit)
        if (found->count(other) == 0) return false;
  }
  return base || found->size() == wanted;
}

}  // namespace lockstep::test
