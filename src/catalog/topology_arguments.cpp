// SPDX-License-Identifier: Apache-2.0
#include "catalog/topology_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"

namespace lockstep::catalog {
namespace {

constexpr std::string_view file_prefix = "file:";
constexpr std::size_t max_file_bytes = 1 << 20;

/// One generator, and where it stands: "file: line 3 of 'group.txt'", or all that was typed.
struct GeneratorText {
  std::string text;
  std::string where;
};

[[nodiscard]] std::vector<GeneratorText> generators_in_file(const std::string& path) {
  std::vector<GeneratorText> generators;
  std::size_t number = 0;
  const std::string all = input_text(path, max_file_bytes);
  for (const std::string_view line : pieces_of(all, '\n')) {
    ++number;
    std::string text(line.substr(0, line.find('#')));
    text.erase(text.find_last_not_of(" \t\r") + 1);
    text.erase(0, text.find_first_not_of(" \t"));
    if (!text.empty())
      generators.push_back({text, fmt::format("file: line {} of '{}'", number, path)});
  }
  if (generators.empty())
    throw invalid("cayley:file: '{}' holds no generator; expected one per line", path);
  return generators;
}

[[nodiscard]] std::vector<GeneratorText> generators_in(const std::string& argument) {
  if (argument.rfind(file_prefix, 0) == 0)
    return generators_in_file(argument.substr(file_prefix.size()));
  std::vector<GeneratorText> generators;
  for (const std::string_view piece : pieces_of(argument, ';'))
    generators.push_back({std::string(piece), argument});
  return generators;
}

/// Every level of nesting is a few function calls deep.
constexpr std::size_t max_nesting = 64;

[[nodiscard]] bool begins_factor(const std::string& text, std::size_t i) {
  i = text.find_first_not_of(' ', i);
  return i != std::string::npos && std::isalpha(static_cast<unsigned char>(text[i])) != 0;
}

[[nodiscard]] std::string factor_at(const std::string& text, std::size_t begin, std::size_t end) {
  begin = std::min(text.find_first_not_of(' ', begin), end);
  return text.substr(begin, end - begin);
}

}  // namespace

std::uint64_t number_argument(std::string_view argument) {
  const std::optional<std::uint64_t> value = whole_number(argument);
  if (value) return *value;
  if (argument.empty()) throw InvalidParameter("no size given");
  const bool digits = argument.find_first_not_of("0123456789") == std::string_view::npos;
  throw invalid("'{}' is {}", argument, digits ? "too large" : "not a whole number");
}

std::vector<std::uint64_t> number_arguments(std::string_view argument, char separator) {
  if (argument.empty()) throw InvalidParameter("no size given");
  std::vector<std::uint64_t> numbers;
  for (const std::string_view piece : pieces_of(argument, separator)) {
    if (piece.empty()) throw invalid("number {} is missing", numbers.size() + 1);
    numbers.push_back(number_argument(piece));
  }
  return numbers;
}

std::vector<std::uint64_t> level_arguments(const std::string& name, const std::string& shape) {
  constexpr std::uint64_t most_levels = 62;  // of arity 2: as many processors as may be
  const std::size_t power = shape.find('^');
  const std::vector<std::uint64_t> arity = number_arguments(shape.substr(0, power), 'x');
  if (arity.size() != 1 || power == std::string::npos)
    throw invalid("'{}' is not of the form k^h", shape);
  const std::uint64_t height = number_argument(shape.substr(power + 1));
  if (height == 0 || height > most_levels)
    throw invalid("{}: height {}; allowed: 1..{}", name, height, most_levels);
  return std::vector(height, arity.front());
}

std::vector<PointImages> generator_arguments(const std::string& argument) {
  if (argument.empty()) throw InvalidParameter("no generator given");
  const std::vector<GeneratorText> texts = generators_in(argument);
  std::vector<PointImages> generators;
  for (const auto& [text, where] : texts) {
    try {
      generators.push_back(permutation_from_cycles(text));
    } catch (const InvalidParameter& problem) {
      throw invalid("cayley:{}: {}", where, problem.what());
    }
  }
  return generators;
}

std::vector<std::string> factor_arguments(const std::string& argument) {
  std::vector<std::string> factors;
  std::size_t depth = 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (argument[i] == '(' && ++depth > max_nesting)
      throw invalid("more than {} open parentheses", max_nesting);
    const bool closed = argument[i] == ')' && --depth == 0;
    const bool next = argument[i] == ',' && depth == 1 && begins_factor(argument, i + 1);
    if (!closed && !next) continue;
    factors.push_back(factor_at(argument, begin, i));
    begin = i + 1;
    if (!closed) continue;
    if (begin == argument.size()) return factors;
    throw invalid("unexpected '{}' after the closing parenthesis", argument.substr(begin));
  }
  throw InvalidParameter("the closing parenthesis is missing");
}

}  // namespace lockstep::catalog
