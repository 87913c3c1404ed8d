// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The words of a line of a schedule by node, which may name nodes, and errors that name the line.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/invalid.hpp"
#include "core/words.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "program/schedule_nodes.hpp"
#include "program/schedule_pieces.hpp"

namespace lockstep {

/// A list of a file, 3,0-2,7: its ranges. However many numbers a range has, it takes no more time.
class NumberRanges {
 public:
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };

  /// Joined with the range before it, where it follows.
  void add(Range range) {
    count_ += std::uint64_t{range.last} - range.first + 1;
    if (!all_.empty() && all_.back().last + std::uint64_t{1} == range.first)
      all_.back().last = range.last;
    else
      all_.push_back(range);
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  [[nodiscard]] std::uint32_t front() const noexcept { return all_.front().first; }
  [[nodiscard]] bool are_consecutive() const noexcept { return all_.size() == 1; }
  [[nodiscard]] auto begin() const noexcept { return all_.begin(); }
  [[nodiscard]] auto end() const noexcept { return all_.end(); }

 private:
  std::vector<Range> all_;
  std::uint64_t count_ = 0;
};

class ScheduleWords {
 protected:
  ScheduleWords(const std::string& file, const ErasedTopology& network)
      : network_(network), file_(file), nodes_(network, file) {}

  [[noreturn]] void fail(const std::string& what) const {
    const std::string step = step_ ? fmt::format("step {}: ", *step_) : std::string();
    throw invalid("{}:{}: {}{}", file_, std::max<std::size_t>(line_, 1), step, what);
  }

  [[nodiscard]] static std::vector<std::string_view> words(std::string_view text) {
    constexpr std::size_t usual = 8;
    std::vector<std::string_view> all;
    all.reserve(usual);
    append_words(text, all);
    return all;
  }
  std::string_view next(std::string_view what) {
    if (rest_.empty()) fail(fmt::format("{} is missing at the end of an action", what));
    const std::string_view word = rest_.front();
    rest_ = rest_.subspan(1);
    return word;
  }
  [[nodiscard]] bool accept(std::string_view word) {
    if (rest_.empty() || rest_.front() != word) return false;
    rest_ = rest_.subspan(1);
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word))
      fail(fmt::format("unexpected {}; expected '{}'",
                       rest_.empty() ? std::string("end of line") : quoted(rest_.front()), word));
  }

  [[nodiscard]] std::uint64_t number_in(std::string_view text, std::string_view what,
                                        std::uint64_t least, std::uint64_t most) const {
    const std::optional<std::uint64_t> number = whole_number(text);
    if (!number || *number < least || *number > most)
      fail(fmt::format("{} {} is not valid; expected {}..{}", what, quoted(text), least, most));
    return *number;
  }
  /// 3,0-2,7
  [[nodiscard]] NumberRanges read_list(std::string_view text) const {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    NumberRanges numbers;
    const std::string_view all = text;
    while (!text.empty()) {
      const std::string_view range = next_piece(text, ",");
      std::string_view last = range;
      const std::string_view first = next_piece(last, "-");
      const std::uint64_t from = number_in(first, "number", 0, most);
      const std::uint64_t to = last.empty() ? from : number_in(last, "number", 0, most);
      if (to < from)
        fail(fmt::format("{} is not valid; expected an ascending range such as '{}-{}'",
                         quoted(range), to, from));
      numbers.add({static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
      if (numbers.size() > max_region_blocks)
        fail(fmt::format("{} names more than {} numbers", quoted(all), max_region_blocks));
    }
    if (numbers.size() == 0) fail("a list of numbers is empty");
    return numbers;
  }
  void count_listed(std::uint64_t more) {
    constexpr std::uint64_t most = std::uint64_t{1} << 28U;
    listed_ += more;
    if (listed_ > most)
      fail(fmt::format("the lists of the file name more than {} numbers in total", most));
  }
  /// One by one. A short line may name many: there is a limit for all lines together.
  [[nodiscard]] std::vector<std::uint32_t> numbers_of(const NumberRanges& list) {
    count_listed(list.size());
    std::vector<std::uint32_t> numbers;
    numbers.reserve(list.size());
    for (const auto& [first, last] : list)
      for (std::uint64_t i = first; i <= last; ++i)
        numbers.push_back(static_cast<std::uint32_t>(i));
    return numbers;
  }

  [[nodiscard]] NodeId read_node(std::string_view text) {
    return read_node(text, "node", network_.node_count());
  }
  [[nodiscard]] NodeId read_processor(std::string_view text) {
    return read_node(text, "processor", network_.processor_count());
  }
  /// As read_list(), of processors, one by one. A range ends at the first number that is no node.
  [[nodiscard]] std::vector<std::uint32_t> read_processors(std::string_view text) {
    if (!nodes_.are_named()) return numbers_of(read_list(text));
    std::vector<std::uint32_t> numbers;
    const auto add = [&](std::string_view word) {
      numbers.push_back(static_cast<std::uint32_t>(index(read_processor(word))));
    };
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = next_piece(rest, ",");
      const auto range = ScheduleNodes::range(piece);
      if (range && nodes_.is_name(piece))
        fail(
            fmt::format("{} is both a range and the name of a node; write '%2D' for the '-' of a "
                        "name, or the nodes of the range one by one",
                        quoted(piece)));
      const std::uint64_t more = range ? range->last - range->first : 0;
      if (more >= max_region_blocks - numbers.size())
        fail(fmt::format("{} names more than {} nodes", quoted(text), max_region_blocks));
      count_listed(more + 1);
      if (!range) add(piece);
      for (std::uint64_t i = 0; range && i <= more; ++i) add(fmt::format("{}", range->first + i));
    }
    if (numbers.empty()) fail("a list of nodes is empty");
    return numbers;
  }

  const ErasedTopology& network_;
  std::size_t line_ = 0;  // counted from 1
  std::optional<std::uint64_t> step_;
  std::span<const std::string_view> rest_;  // words of the action that are still to be read

 private:
  [[nodiscard]] NodeId read_node(std::string_view text, std::string_view kind,
                                 std::uint64_t count) {
    const std::optional<NodeId> node = nodes_.find(text, line_);
    if (!node || index(*node) >= count)
      fail(fmt::format("{} {} is not valid; expected {}", kind, quoted(text),
                       nodes_.allowed(count)));
    return *node;
  }

  std::string file_;
  ScheduleNodes nodes_;
  std::uint64_t listed_ = 0;  // numbers of lists that were taken one by one
};

}  // namespace lockstep
