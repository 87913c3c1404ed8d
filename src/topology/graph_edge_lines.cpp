// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_edge_lines.hpp"

namespace lockstep::graph_readers {
namespace {

enum class Sign : std::uint8_t { ordinary, blank, tab, hash, special };

/// The meaning of each character outside of quotation marks.
[[nodiscard]] constexpr std::array<Sign, 256> signs_of_characters() {
  std::array<Sign, 256> signs{};
  for (const char c : blank_characters) signs[static_cast<unsigned char>(c)] = Sign::blank;
  signs['\t'] = Sign::tab;
  signs['#'] = Sign::hash;
  for (const char c : std::string_view(",;\"(){}[]<>"))
    signs[static_cast<unsigned char>(c)] = Sign::special;
  return signs;
}
constexpr std::array<Sign, 256> sign_table = signs_of_characters();

[[nodiscard]] Sign sign(char c) noexcept { return sign_table[static_cast<unsigned char>(c)]; }
[[nodiscard]] bool is_blank(char c) noexcept {
  return sign(c) == Sign::blank || sign(c) == Sign::tab;
}

}  // namespace

const EdgeWords::Words& EdgeWords::split(std::string_view line, std::size_t number) {
  words_.clear();
  if (separator_.value_or(' ') == ' ' && split_at_blanks(line, number)) return words_;
  words_.clear();
  kept_.clear();
  split_with_care(line, number);
  return words_;
}

/// False: the line has other signs.
bool EdgeWords::split_at_blanks(std::string_view line, std::size_t number) {
  bool tabs = false;
  bool blanks = false;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t before = at;
    bool tab = false;
    for (; at < line.size() && is_blank(line[at]); ++at) tab |= sign(line[at]) == Sign::tab;
    if (at == line.size() || (line[at] == '#' && at > before)) break;
    if (at > before) (tab ? tabs : blanks) = true;
    const std::size_t begin = at;
    for (; at < line.size() && !is_blank(line[at]); ++at)
      if (sign(line[at]) == Sign::special) return false;
    words_.push_back(line.substr(begin, at - begin));
  }
  if (tabs && blanks && !std::ranges::all_of(words_, is_decimal))
    graph_->fail(number,
                 "'{}' has both tabs and blanks; use one of them, or put names "
                 "that hold blanks in quotation marks",
                 shown(line));
  return true;
}

void EdgeWords::split_with_care(std::string_view line, std::size_t number) {
  const char own = separator_in(line, number);
  if (!separator_ && own != ' ') separator_ = own;
  const char separator = separator_.value_or(' ');
  if (own != ' ' && own != separator && separator == ' ') separator_ = own;
  bool expects_word = true;  // after a separator
  for (std::size_t at = 0; at < line.size();) {
    const bool behind_blank = at > 0 && is_blank(line[at - 1]);
    if (is_blank(line[at])) {
      ++at;
    } else if (line[at] == '#' && behind_blank) {
      break;
    } else if (line[at] == separator) {
      if (std::exchange(expects_word, true)) words_.push_back({});
      ++at;
    } else {
      if (!expects_word && separator != ' ' && line[at] != '{')
        graph_->fail(number, "'{}': unexpected text after '{}'", shown(line), shown(words_.back()));
      at = add_word(line, at, number);
      expects_word = false;
    }
  }
  if (expects_word && separator != ' ' && !words_.empty()) words_.push_back({});
}

/// The first comma or semicolon outside of groups; a semicolon counts more. ' ': none.
char EdgeWords::separator_in(std::string_view line, std::size_t number) const {
  char found = ' ';
  for (std::size_t at = 0; at < line.size();) {
    const bool begins =
        at == 0 || is_blank(line[at - 1]) || line[at - 1] == ',' || line[at - 1] == ';';
    if (line[at] == '#' && at > 0 && is_blank(line[at - 1])) break;
    if (begins && (line[at] == '"' || line[at] == '(' || line[at] == '{')) {
      at = end_of_group(line, at, number);
      continue;
    }
    if (line[at] == ';') return ';';
    if (line[at] == ',') found = ',';
    ++at;
  }
  return found;
}

/// The offset after the sign that closes the group that begins there.
std::size_t EdgeWords::end_of_group(std::string_view line, std::size_t begin,
                                    std::size_t number) const {
  const char closing = line[begin] == '(' ? ')' : line[begin] == '{' ? '}' : '"';
  if (closing == '}') {  // data may hold braces
    const std::size_t end = line.rfind('}');
    if (end != line.npos && end > begin) return end + 1;
  } else {
    for (std::size_t at = begin + 1; at < line.size(); ++at) {
      if (line[at] != closing) continue;
      if (closing == ')' || at + 1 == line.size() || line[at + 1] != '"') return at + 1;
      ++at;  // "" is a quotation mark
    }
  }
  graph_->fail(number, "'{}': the closing {} is missing", shown(line), closing);
}

/// Returns the offset after the word.
std::size_t EdgeWords::add_word(std::string_view line, std::size_t begin, std::size_t number) {
  const char separator = separator_.value_or(' ');
  std::size_t end = begin;
  if (line[begin] == '{' && words_.size() < 2 && !blanks_allowed_)
    graph_->fail(number, "'{}': braces in place of a name", shown(line));
  if (line[begin] == '"' || line[begin] == '(' || line[begin] == '{') {
    end = end_of_group(line, begin, number);
    const std::string_view word = line.substr(begin, end - begin);
    if (end < line.size() && !is_blank(line[end]) && line[end] != separator && line[begin] == '"')
      graph_->fail(number, "'{}': unexpected text after {}", shown(line), shown(word));
    if (line[begin] == '"' || line[begin] == '{') {
      words_.push_back(line[begin] == '"' ? unquoted(word) : word);
      return end;
    }
  }
  if (separator == ' ') {
    while (end < line.size() && !is_blank(line[end])) ++end;
  } else {
    const std::size_t next = std::min(line.find(separator, end), line.size());
    end = std::min({line.find(" #", end), line.find("\t#", end), next});
  }
  const std::string_view word = trimmed(line.substr(begin, end - begin));
  if (line[begin] != '(') check_word(word, number);
  words_.push_back(word);
  return end;
}

std::string_view EdgeWords::unquoted(std::string_view word) {
  word = word.substr(1, word.size() - 2);
  if (word.find('"') == word.npos) return word;
  std::string& kept = kept_.emplace_back(word);
  for (std::size_t at = kept.find("\"\""); at != kept.npos; at = kept.find("\"\"", at + 1))
    kept.erase(at, 1);
  return kept;
}

/// The separator in 'New York,Boston' may be the blank or the comma.
void EdgeWords::check_word(std::string_view word, std::size_t number) const {
  const bool by_blanks = separator_.value_or(' ') == ' ';
  const bool unclear = by_blanks ? word.find_first_of(",;") != word.npos
                                 : !blanks_allowed_ && std::ranges::any_of(word, is_blank);
  if (!blanks_allowed_ && words_.size() < 2) {
    refuse_sign(*graph_, word, number);
    refuse_half_bracket(*graph_, word, number);
  }
  if (unclear)
    graph_->fail(number,
                 "'{}' has both blanks and commas or semicolons; use one "
                 "separator, or put names that hold another in quotation marks",
                 shown(word));
}

void refuse_sign(const GraphBuilder& graph, std::string_view word, std::size_t line) {
  if (!word.empty() && word.find_first_not_of("-=<>:|~") == word.npos)
    graph.fail(line, "'{}' in place of a name; write each link as 'u v'", shown(word));
}

void refuse_half_bracket(const GraphBuilder& graph, std::string_view word, std::size_t line) {
  if (word.empty()) return;
  for (const std::string_view pair : {"()", "[]", "{}", "<>"})
    if ((word.front() == pair[0] || word.back() == pair[1]) &&
        std::ranges::count(word, pair[0]) != std::ranges::count(word, pair[1]))
      graph.fail(line,
                 "'{}': only one of the brackets {}; write each link as 'u v', or "
                 "put the name in quotation marks",
                 shown(word), pair);
}

bool next_link_line(Lines& lines, std::string_view& line) {
  while (lines.next()) {
    line = trimmed(lines.line());
    if (!line.empty() && !is_remark(line)) return true;
  }
  return false;
}

}  // namespace lockstep::graph_readers
