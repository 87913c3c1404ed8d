// SPDX-License-Identifier: Apache-2.0
#include "algorithm/exchange_table/star_table_exchange.hpp"

#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include "algorithm/exchange_table/table_check.hpp"
#include "algorithm/exchange_table/table_file.hpp"
#include "algorithm/exchange_table/words.hpp"
#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "lockstep/topology/detail/permutation_translations.hpp"

namespace lockstep {
namespace {

void check(const StarGraph& star, const ExchangeTable& table) {
  if (table.symbols != star.symbols() || is_base(table.kind))
    throw invalid("table: table of kind {} for star:{} given; expected a full table for {}",
                  name(table.kind), table.symbols, star.name());
  const std::vector<TableFault> faults = check_exchange_table(table);
  if (!faults.empty())
    throw invalid("table: {} ({} in total; see `lockstep table check`)", faults.front().reason,
                  faults.size());
}

/// Writes words into a schedule, letter by letter, in the order of the steps.
class Writer {
 public:
  Writer(const StarGraph& star, std::size_t rows) : star_(star), schedule_(star) {
    for (std::size_t r = 0; r < rows; ++r)
      places_.push_back({schedule_.add_region(1), schedule_.add_region(1)});
  }

  /// Sends letter `position` of the word of `row` in this step.
  void send(std::size_t row, const PlacedWord& word, std::size_t position) {
    const Blocks from = place(row, 0);
    if (position == 0) schedule_.load(from, one(destination_of(word)));
    schedule_.send(word.ports[position], from);
    sent_.push_back({row, &word, position});
  }

  /// Ends the step: what was sent is received, and lies where the next step sends from.
  void next_step() {
    schedule_.next_step();
    for (const Sent& sent : sent_) {
      const Port port = sent.word->ports[sent.position];
      if (sent.position + 1 == sent.word->ports.size())
        schedule_.take_deliver(port, one(star_.inverse(destination_of(*sent.word))));
      else
        schedule_.take_store(port, place(sent.row, 1));
    }
    sent_.clear();
    ++step_;
  }

  [[nodiscard]] Schedule schedule() {
    schedule_.close();
    return std::move(schedule_);
  }

 private:
  struct Sent {
    std::size_t row;
    const PlacedWord* word;
    std::size_t position;
  };

  /// The next step still reads what a step sends, so the two places of a row take turns.
  [[nodiscard]] Blocks place(std::size_t row, std::size_t ahead) const {
    return {places_[row][(step_ + ahead) % 2], 0, 1};
  }
  [[nodiscard]] NodeId destination_of(const PlacedWord& word) const {
    return star_.node(destination(star_.symbols(), word.ports));
  }
  [[nodiscard]] Elements one(NodeId node) { return schedule_.add_elements({&node, 1}); }

  const StarGraph& star_;
  Schedule schedule_;
  std::vector<std::array<Region, 2>> places_;
  std::vector<Sent> sent_;
  std::uint64_t step_ = 0;
};

}  // namespace

std::shared_ptr<const ExchangeTable> chosen_table(const StarGraph& star, TableKind kind,
                                                  const Settings& settings) {
  const std::string file = settings.text("table");
  if (file.empty()) {
    if (!has_optimal_exchange_table(star.symbols(), kind))
      throw invalid(
          "table on {}: no built-in table; allowed: star:3..8, or a table file "
          "(--table FILE; see `lockstep table search`)",
          star.name());
    return std::make_shared<const ExchangeTable>(optimal_exchange_table(star.symbols(), kind));
  }
  std::istringstream in(input_text(file, max_exchange_table_bytes));
  ExchangeTable table = read_exchange_table(in, file);
  if (table.symbols != star.symbols() || table.kind != kind)
    throw invalid("{}: table of kind {} for star:{} given; expected {} for {}", file,
                  name(table.kind), table.symbols, name(kind), star.name());
  return std::make_shared<const ExchangeTable>(std::move(table));
}

Schedule table_schedule(const StarGraph& star, const ExchangeTable& table) {
  check(star, table);
  Writer writer(star, table.rows.size());
  std::vector<std::size_t> next(table.rows.size());  // word of each row
  for (std::uint64_t column = 0; column < table.columns; ++column) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const std::vector<PlacedWord>& words = table.rows[row];
      if (next[row] == words.size() || words[next[row]].column > column) continue;
      const PlacedWord& word = words[next[row]];
      const auto position = static_cast<std::size_t>(column - word.column);
      writer.send(row, word, position);
      if (position + 1 == word.ports.size()) ++next[row];
    }
    writer.next_step();
  }
  return writer.schedule();
}

Schedule one_word_at_a_time(const StarGraph& star, const ExchangeTable& table) {
  check(star, table);
  Writer writer(star, 1);
  for (const std::vector<PlacedWord>& row : table.rows)
    for (const PlacedWord& word : row)
      for (std::size_t position = 0; position < word.ports.size(); ++position) {
        writer.send(0, word, position);
        writer.next_step();
      }
  return writer.schedule();
}

std::uint64_t table_schedule_bytes(const StarGraph& star, const ExchangeTable& table,
                                   bool in_turns) {
  const std::uint64_t letters = letter_count(table);
  const std::uint64_t words = word_count(table);
  constexpr std::uint64_t of_a_step = sizeof(Schedule::Turn) + 3 * sizeof(std::uint32_t);
  const std::uint64_t once = (2 * letters + words) * sizeof(Action) + (letters + 1) * of_a_step +
                             2 * words * sizeof(std::uint32_t);
  const std::uint64_t classes = in_turns ? once + 2 * star.node_count() * sizeof(std::uint32_t) : 0;
  return once + classes + Translations<StarGraph>::bytes(star, 2 * words);
}

}  // namespace lockstep
