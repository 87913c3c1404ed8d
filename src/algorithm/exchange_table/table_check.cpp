// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/table_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <utility>

#include "algorithm/exchange_table/words.hpp"
#include "lockstep/core/permutation.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep {
namespace {

struct Letter {
  std::uint64_t column;
  Port port;
  std::size_t row;

  friend auto operator<=>(const Letter&, const Letter&) = default;
};

/// A word that leads somewhere, and where.
struct Arrival {
  NodeId node;
  std::uint64_t column;
  std::size_t row;
  const Word* ports;

  friend auto operator<=>(const Arrival&, const Arrival&) = default;
};

class Check {
 public:
  explicit Check(const ExchangeTable& table) : table_(table), star_(table.symbols) {}

  [[nodiscard]] std::vector<TableFault> faults() {
    if (table_.rows.size() != ports())
      fault(fmt::format("{} rows; expected {}, one row per port of {}", table_.rows.size(), ports(),
                        star_.name()));
    for (std::size_t row = 0; row < table_.rows.size(); ++row) check_places(row);
    check_columns();
    for (std::size_t row = 0; row < table_.rows.size(); ++row)
      for (const PlacedWord& word : table_.rows[row]) follow(row, word);
    std::ranges::sort(arrivals_);
    check_destinations();
    if (is_base(table_.kind))
      check_base();
    else
      check_all_there();
    return std::move(faults_);
  }

 private:
  [[nodiscard]] std::size_t ports() const { return table_.symbols - 1; }

  void fault(std::string reason) { faults_.push_back({std::move(reason)}); }
  void fault(std::string reason, std::size_t row, std::uint64_t column) {
    faults_.push_back({std::move(reason), row, column});
  }
  void fault(std::string reason, const Arrival& arrival) {
    fault(std::move(reason), arrival.row, arrival.column);
  }

  /// Conditions 1 and 2, and what is needed for 3.
  void check_places(std::size_t row) {
    std::uint64_t end = 0;
    for (const PlacedWord& word : table_.rows[row]) {
      const std::string text = word_text(word.ports);
      const bool inside =
          word.column <= table_.columns && word.ports.size() <= table_.columns - word.column;
      if (!inside)
        fault(fmt::format("word {} extends beyond the {} columns", text, table_.columns), row,
              word.column);
      if (word.column < end)
        fault(fmt::format("word {} begins inside the previous word", text), row, word.column);
      check_letters(row, word);
      if (!inside) continue;
      for (std::size_t i = 0; i < word.ports.size(); ++i)
        letters_.push_back({word.column + i, word.ports[i], row});
      end = std::max(end, word.column + word.ports.size());
    }
  }

  void check_letters(std::size_t row, const PlacedWord& word) {
    for (std::size_t i = 0; i < word.ports.size(); ++i) {
      if (index(word.ports[i]) < ports()) continue;
      fault(fmt::format("word {}: letter {} is not a port of {}; allowed: 1..{}",
                        word_text(word.ports), index(word.ports[i]) + 1, star_.name(), ports()),
            row, word.column + i);
    }
  }

  /// Condition 3.
  void check_columns() {
    std::ranges::sort(letters_);
    for (std::size_t i = 1; i < letters_.size(); ++i) {
      const Letter& one = letters_[i - 1];
      const Letter& two = letters_[i];
      if (one.column == two.column && one.port == two.port)
        fault(fmt::format("letter {} occurs twice in the column, first in row {}",
                          index(two.port) + 1, one.row + 1),
              two.row, two.column);
    }
  }

  /// Condition 4.
  void follow(std::size_t row, const PlacedWord& word) {
    if (word.ports.empty()) return fault("empty word", row, word.column);
    NodeId node = star_.identity();
    for (const Port p : word.ports) {
      if (index(p) >= ports()) return;
      node = star_.neighbor(node, p);
    }
    const std::size_t distance = star_.distance(star_.identity(), node);
    if (distance == 0)
      return fault(fmt::format("word {} leads back to its start", word_text(word.ports)), row,
                   word.column);
    if (distance < word.ports.size())
      fault(fmt::format("word {} is longer than the distance {} of its destination; {} is as short",
                        word_text(word.ports), distance, word_of(node)),
            row, word.column);
    arrivals_.push_back({node, word.column, row, &word.ports});
  }

  /// Condition 5, and the parity of 6.
  void check_destinations() {
    for (std::size_t i = 0; i < arrivals_.size(); ++i) {
      const Arrival& arrival = arrivals_[i];
      if (i > 0 && arrivals_[i - 1].node == arrival.node) {
        const Arrival& one = arrivals_[i - 1];
        fault(fmt::format("word {} has the destination of {} in row {}, column {}",
                          word_text(*arrival.ports), word_text(*one.ports), one.row + 1,
                          one.column + 1),
              arrival);
      }
      if (is_odd(table_.kind) && arrival.ports->size() % 2 == 0)
        fault(fmt::format("word {} leads to a node at even distance in a table of kind {}",
                          word_text(*arrival.ports), name(table_.kind)),
              arrival);
    }
    arrivals_.erase(
        std::unique(arrivals_.begin(), arrivals_.end(),
                    [](const Arrival& a, const Arrival& b) { return a.node == b.node; }),
        arrivals_.end());
  }

  [[nodiscard]] bool wanted(NodeId u) const {
    const std::size_t distance = star_.distance(star_.identity(), u);
    return distance != 0 && (!is_odd(table_.kind) || distance % 2 == 1);
  }

  [[nodiscard]] bool has_word(NodeId u) const {
    const auto at = std::ranges::lower_bound(arrivals_, Arrival{u, 0, 0, nullptr});
    return at != arrivals_.end() && at->node == u;
  }

  [[nodiscard]] std::string word_of(NodeId u) const {
    return word_text(standard_word(star_.permutation(u)));
  }

  /// Condition 6 of a full table.
  void check_all_there() {
    const std::uint64_t needed =
        is_odd(table_.kind) ? star_.node_count() / 2 : star_.node_count() - 1;
    const auto there = static_cast<std::uint64_t>(std::ranges::count_if(
        arrivals_, [&](const Arrival& arrival) { return wanted(arrival.node); }));
    if (there == needed) return;
    NodeId missing = star_.identity();  // one of the first there + 1 wanted nodes, so soon found
    while (!wanted(missing) || has_word(missing)) missing = NodeId{index(missing) + 1};
    fault(fmt::format("{} of {} destinations without a word; the first missing word is {}",
                      needed - there, needed, word_of(missing)));
  }

  /// Condition 6 of a base block.
  void check_base() {
    for (const Permutation r : exceptional_nodes(table_.symbols)) {
      const NodeId u = star_.node(r);
      if (wanted(u) && !has_word(u))
        fault(fmt::format("the exceptional destination of {} has no word", word_of(u)));
    }
    for (const Arrival& arrival : arrivals_) check_orbit(arrival);
  }

  /// Reported at the member with the least number.
  void check_orbit(const Arrival& arrival) {
    const Permutation r = star_.permutation(arrival.node);
    if (is_exceptional(r)) return;
    std::size_t there = 1;
    NodeId missing = arrival.node;
    for (Permutation other = rotated(r); other != r; other = rotated(other)) {
      const NodeId u = star_.node(other);
      if (!has_word(u)) {
        missing = u;
        continue;
      }
      if (u < arrival.node) return;
      ++there;
    }
    if (there != ports())
      fault(fmt::format("the orbit of word {} has {} of its {} words; {} is missing",
                        word_text(*arrival.ports), there, ports(), word_of(missing)),
            arrival);
  }

  const ExchangeTable& table_;
  StarGraph star_;
  std::vector<Letter> letters_;
  std::vector<Arrival> arrivals_;  // by node, each once
  std::vector<TableFault> faults_;
};

}  // namespace

std::string fault_text(const TableFault& fault, const std::string& file_name) {
  std::string text = file_name;
  if (fault.line) text += fmt::format(":{}", *fault.line);
  text += ": ";
  if (fault.row) text += fmt::format("row {}{}", *fault.row + 1, fault.column ? ", " : ": ");
  if (fault.column) text += fmt::format("column {}: ", *fault.column + 1);
  return text + fault.reason;
}

std::vector<TableFault> check_exchange_table(const ExchangeTable& table) {
  if (table.symbols < min_table_symbols || table.symbols > max_table_symbols)
    return {{fmt::format("{} symbols; allowed: {}..{}", table.symbols, min_table_symbols,
                         max_table_symbols)}};
  return Check(table).faults();
}

std::vector<TableFault> check_optimality(const ExchangeTable& table) {
  const std::uint64_t bound = lower_bound_columns(table.symbols, table.kind);
  std::uint64_t columns = table.columns;
  std::string what = fmt::format("{} columns", columns);
  if (is_base(table.kind)) {
    const std::uint64_t left =
        (letters_of_full_table(table.symbols, table.kind) - letter_count(table)) /
        (table.symbols - 1);
    columns += left;
    what += fmt::format(" and {} of orbit blocks", left);
  }
  if (columns == bound) return {};
  return {{fmt::format("not optimal: {}; the lower bound is {}", what, bound)}};
}

}  // namespace lockstep
