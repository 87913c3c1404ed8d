// SPDX-License-Identifier: Apache-2.0
#include "lockstep/core/detail/cycles.hpp"

#include <fmt/format.h>

#include <charconv>

#include "core/invalid.hpp"

namespace lockstep {
namespace {

class CycleParser {
 public:
  explicit CycleParser(std::string_view text) : text_(text), rest_(text) {}

  [[nodiscard]] PointImages parse() {
    skip(" ");
    if (rest_.empty()) refuse("no cycle given");
    while (!rest_.empty()) {
      if (rest_.front() != '(') refuse(fmt::format("'{}' is outside a cycle", rest_.front()));
      rest_.remove_prefix(1);
      read_cycle();
      skip(" ");
    }
    return images_;
  }

 private:
  void read_cycle() {
    std::vector<std::uint8_t> cycle;
    for (skip(" ,"); !rest_.empty() && rest_.front() != ')'; skip(" ,"))
      cycle.push_back(read_point());
    if (rest_.empty()) refuse("')' is missing");
    rest_.remove_prefix(1);
    for (std::size_t i = 0; i < cycle.size(); ++i)
      images_[cycle[i]] = cycle[(i + 1) % cycle.size()];
  }

  [[nodiscard]] std::uint8_t read_point() {
    std::size_t number = 0;
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const std::size_t length = static_cast<std::size_t>(read.ptr - rest_.data());
    if (length == 0) refuse(fmt::format("'{}' is not a point", rest_.front()));
    if (read.ec != std::errc{} || number < 1 || number > max_points)
      refuse(fmt::format("point {} is out of range", rest_.substr(0, length)));
    rest_.remove_prefix(length);
    while (images_.size() < number) {
      images_.push_back(static_cast<std::uint8_t>(images_.size()));
      named_.push_back(0);
    }
    if (named_[number - 1] != 0) refuse(fmt::format("point {} occurs twice", number));
    named_[number - 1] = 1;
    return static_cast<std::uint8_t>(number - 1);
  }

  void skip(std::string_view separators) {
    const std::size_t end = rest_.find_first_not_of(separators);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw invalid(
        "generator '{}': {}; expected cycles of different points 1..{} such as (1 2)(3 4)", text_,
        what, max_points);
  }

  std::string_view text_;
  std::string_view rest_;
  PointImages images_;
  std::vector<std::uint8_t> named_;
};

}  // namespace

PointImages permutation_from_cycles(std::string_view text) { return CycleParser(text).parse(); }

std::string to_cycles(std::span<const std::uint8_t> images) {
  std::string text;
  std::vector<std::uint8_t> written(images.size(), 0);
  for (std::size_t start = 0; start < images.size(); ++start) {
    if (written[start] != 0 || images[start] == start) continue;
    char before = '(';
    for (std::size_t at = start; written[at] == 0; at = images[at]) {
      written[at] = 1;
      text += fmt::format("{}{}", before, at + 1);
      before = ' ';
    }
    text += ')';
  }
  return text.empty() ? "()" : text;
}

PointImages inverse(std::span<const std::uint8_t> images) {
  PointImages result(images.size());
  for (std::size_t i = 0; i < images.size(); ++i) result[images[i]] = static_cast<std::uint8_t>(i);
  return result;
}

}  // namespace lockstep
