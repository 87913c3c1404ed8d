// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One worker's descents (rules: algorithm/exchange_table/table_search.hpp).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "algorithm/exchange_table/search_problem.hpp"

namespace lockstep::table_search {

class Descent {
 public:
  /// `stopped` is asked now and then.
  Descent(const Problem& problem, const std::mt19937_64& random, std::function<bool()> stopped);

  /// One descent with noise of its own; whether it arrived.
  [[nodiscard]] bool arrives();

  /// The block, after a descent that arrived.
  [[nodiscard]] ExchangeTable table() const;

  /// The most columns that were full at the left, of all descents.
  [[nodiscard]] std::uint64_t full_columns() const noexcept { return full_columns_; }

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

    void add(const Choice& choice);
  };

  void restart();
  [[nodiscard]] double noise(double most);
  [[nodiscard]] Window window(std::uint64_t column) const;
  [[nodiscard]] bool given_up();
  [[nodiscard]] bool fits(std::uint32_t candidate, const Window& used) const;
  template <class Visit>
  void for_each_fitting(std::size_t letter, const Window& used, Visit visit) const;
  [[nodiscard]] std::size_t scarcest_letter(std::uint64_t column, const Window& used) const;
  [[nodiscard]] Choices choices(std::size_t letter, const Window& used);
  [[nodiscard]] bool fill();
  [[nodiscard]] bool fill_with(const Choice& choice, std::size_t row);
  [[nodiscard]] bool fill_with_blank(std::size_t letter, std::size_t row);
  void toggle(const Choice& choice, std::uint64_t column);
  void count_doubled(LetterSet doubled, std::uint64_t change);

  const Problem& problem_;
  std::mt19937_64 random_;
  std::function<bool()> stopped_;
  std::vector<double> noise_of_node_;
  std::vector<std::uint8_t> placed_;  // by node
  std::vector<std::uint64_t> ends_;   // of the rows
  std::vector<LetterSet> used_;       // by column; those behind the block are full
  std::vector<std::uint64_t> quota_;  // left, by letter
  LetterSet no_more_doubled_ = 0;     // letters without quota
  std::uint64_t blanks_ = 0;          // left
  std::vector<Placed> words_;         // in the order of placing
  std::uint64_t tried_ = 0;           // words in this descent
  bool out_of_time_ = false;
  std::uint64_t full_columns_ = 0;
};

}  // namespace lockstep::table_search
