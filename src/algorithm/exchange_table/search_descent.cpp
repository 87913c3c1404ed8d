// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "algorithm/exchange_table/table_search.hpp"

namespace lockstep::table_search {
namespace {

class Descent {
 public:
  Descent(const Problem& problem, std::mt19937_64& random, const std::function<bool()>& stopped,
          std::uint64_t& full_columns)
      : problem_(problem),
        random_(random),
        stopped_(stopped),
        placed_(problem.nodes.size()),
        ends_(problem.ports()),
        used_(problem.columns),
        quota_(problem.quota),
        blanks_(problem.blanks),
        full_columns_(full_columns) {
    used_.resize(problem_.columns + window_columns, std::numeric_limits<LetterSet>::max());
    for (std::size_t a = 0; a < quota_.size(); ++a)
      if (quota_[a] == 0) no_more_doubled_ |= static_cast<LetterSet>(1U << a);
    for (std::size_t i = 0; i < problem_.nodes.size(); ++i)
      noise_of_node_.push_back(noise(node_noise));
  }

  /// The block, if the descent arrives.
  [[nodiscard]] std::optional<ExchangeTable> block() {
    if (!fill()) return std::nullopt;
    ExchangeTable table{problem_.symbols, problem_.kind, problem_.columns, {}};
    table.rows.resize(problem_.ports());
    for (const Placed& word : words_)
      table.rows[word.row].push_back({word.column, problem_.candidates[word.candidate].ports});
    return table;
  }

 private:
  static constexpr std::size_t ways = 3;
  static constexpr std::uint64_t words_of_descent = 20'000;
  static constexpr std::uint64_t words_between_questions = 256;
  static constexpr double word_noise = 2.5;
  static constexpr double node_noise = 1.5;

  struct Placed {
    std::size_t row;
    std::uint64_t column;
    std::uint32_t candidate;
  };
  struct Choice {
    double score;
    std::uint32_t node;
    std::uint32_t candidate;
  };
  /// The best fitting words, best first.
  struct Choices {
    std::array<Choice, ways> best{};
    std::size_t count = 0;

    void add(const Choice& choice) {
      if (count == ways && choice.score <= best[ways - 1].score) return;
      if (count < ways) ++count;
      std::size_t at = count - 1;
      for (; at > 0 && best[at - 1].score < choice.score; --at) best[at] = best[at - 1];
      best[at] = choice;
    }
  };

  /// 0 <= noise < most. Not std::uniform_real_distribution: the same with every library.
  [[nodiscard]] double noise(double most) {
    constexpr double unit = 1.0 / static_cast<double>(std::uint64_t{1} << 53);
    return most * unit * static_cast<double>(random_() >> 11);
  }

  [[nodiscard]] Window window(std::uint64_t column) const {
    Window letters;
    std::memcpy(letters.data(), used_.data() + column, sizeof letters);
    return letters;
  }

  [[nodiscard]] bool given_up() {
    if (tried_ % words_between_questions == 0 && stopped_()) out_of_time_ = true;
    return out_of_time_ || tried_ >= words_of_descent;
  }

  [[nodiscard]] bool fits(std::uint32_t candidate, const Window& used) const {
    const Candidate& word = problem_.candidates[candidate];
    return (word.doubled & no_more_doubled_) == 0 && disjoint(word.letters, used);
  }

  /// Until `visit` returns false.
  void for_each_fitting(std::size_t letter, const Window& used, auto visit) const {
    for (const Group& group : problem_.groups[letter]) {
      if (placed_[group.node] != 0) continue;
      for (std::uint32_t i = group.first; i < group.last; ++i)
        if (fits(i, used) && !visit(group.node, i)) return;
    }
  }

  /// The letter that the fewest fitting words begin with, among the letters that the column lacks.
  [[nodiscard]] std::size_t scarcest_letter(std::uint64_t column, const Window& used) const {
    std::size_t scarcest = 0;
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t a = 0; a < problem_.ports(); ++a) {
      if (((used_[column] >> a) & 1U) != 0) continue;
      std::size_t count = 0;
      for_each_fitting(a, used, [&](std::uint32_t, std::uint32_t) { return ++count < fewest; });
      if (count < fewest) {
        fewest = count;
        scarcest = a;
      }
    }
    return scarcest;
  }

  [[nodiscard]] Choices choices(std::size_t letter, const Window& used) {
    constexpr double last_of_all = -1000;
    Choices choices;
    for_each_fitting(letter, used, [&](std::uint32_t node, std::uint32_t candidate) {
      const std::size_t length = problem_.candidates[candidate].ports.size();
      const double score = length == 1 ? last_of_all : static_cast<double>(length);
      choices.add({score + noise_of_node_[node] + noise(word_noise), node, candidate});
      return true;
    });
    return choices;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are words to place, at most some thousands
  [[nodiscard]] bool fill() {
    const auto first_to_end = std::ranges::min_element(ends_);
    const std::uint64_t column = *first_to_end;
    full_columns_ = std::max(full_columns_, column);
    if (column == problem_.columns) return true;
    const auto row = static_cast<std::size_t>(first_to_end - ends_.begin());
    const Window used = window(column);
    const std::size_t letter = scarcest_letter(column, used);
    const Choices found = choices(letter, used);
    if (found.count == 0) return blanks_ > 0 && fill_with_blank(letter, row);
    for (std::size_t i = 0; i < found.count; ++i) {
      if (given_up()) return false;
      if (fill_with(found.best[i], row)) return true;
    }
    return false;
  }

  void count_doubled(LetterSet doubled, std::uint64_t change) {
    for (; doubled != 0; doubled &= static_cast<LetterSet>(doubled - 1U)) {
      const auto a = static_cast<std::size_t>(std::countr_zero(doubled));
      quota_[a] += change;
      const auto bit = static_cast<LetterSet>(1U << a);
      if (quota_[a] == 0)
        no_more_doubled_ |= bit;
      else
        no_more_doubled_ &= static_cast<LetterSet>(~bit);
    }
  }

  /// Marks or unmarks the letters of the word, and its node.
  void toggle(const Choice& choice, std::uint64_t column) {
    for (const Port p : problem_.candidates[choice.candidate].ports)
      used_[column++] ^= static_cast<LetterSet>(1U << index(p));
    placed_[choice.node] ^= 1U;
  }

  // NOLINTNEXTLINE(misc-no-recursion): see fill()
  [[nodiscard]] bool fill_with(const Choice& choice, std::size_t row) {
    ++tried_;
    const Candidate& word = problem_.candidates[choice.candidate];
    const std::uint64_t column = ends_[row];
    toggle(choice, column);
    count_doubled(word.doubled, ~std::uint64_t{0});  // - 1
    words_.push_back({row, column, choice.candidate});
    ends_[row] += word.ports.size();
    if (fill()) return true;
    ends_[row] = column;
    words_.pop_back();
    count_doubled(word.doubled, 1);
    toggle(choice, column);
    return false;
  }

  // NOLINTNEXTLINE(misc-no-recursion): see fill()
  [[nodiscard]] bool fill_with_blank(std::size_t letter, std::size_t row) {
    const std::uint64_t column = ends_[row];
    const auto bit = static_cast<LetterSet>(1U << letter);
    used_[column] ^= bit;
    ++ends_[row];
    --blanks_;
    if (fill()) return true;
    ++blanks_;
    --ends_[row];
    used_[column] ^= bit;
    return false;
  }

  const Problem& problem_;
  std::mt19937_64& random_;
  const std::function<bool()>& stopped_;
  std::vector<double> noise_of_node_;
  std::vector<std::uint8_t> placed_;  // by node
  std::vector<std::uint64_t> ends_;   // of the rows
  std::vector<LetterSet> used_;       // by column; those behind the block are full
  std::vector<std::uint64_t> quota_;  // left, by letter
  LetterSet no_more_doubled_ = 0;     // letters without quota
  std::uint64_t blanks_;              // left
  std::vector<Placed> words_;         // in the order of placing
  std::uint64_t tried_ = 0;           // words in this descent
  bool out_of_time_ = false;
  std::uint64_t& full_columns_;
};

}  // namespace

std::optional<ExchangeTable> descend(const Problem& problem, std::mt19937_64& random,
                                     const std::function<bool()>& stopped,
                                     std::uint64_t& full_columns) {
  return Descent(problem, random, stopped, full_columns).block();
}

}  // namespace lockstep::table_search
