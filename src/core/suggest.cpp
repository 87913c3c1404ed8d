// SPDX-License-Identifier: Apache-2.0
#include "core/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/joined.hpp"

namespace lockstep {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows i-2, i-1, i of the table of distances between beginnings of a and b.
  std::vector<std::size_t> older(b.size() + 1);
  std::vector<std::size_t> old(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    older.swap(old);
    old.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = old[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({old[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return row[b.size()];
}

namespace {

/// The letters that count: as small ones, without the dashes of an option.
[[nodiscard]] std::string core_of(std::string_view word) {
  std::string core(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  for (char& c : core)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return core;
}

}  // namespace

std::string_view nearest(std::string_view given, const std::vector<std::string_view>& names) {
  const std::string wanted = core_of(given);
  if (wanted.empty()) return {};
  std::string_view best;
  std::size_t least = std::string_view::npos;
  for (const std::string_view name : names) {
    const std::string core = core_of(name);
    const bool begins = wanted.size() >= 2 && core.compare(0, wanted.size(), wanted) == 0;
    const std::size_t distance = begins && core != wanted ? 1 : edit_distance(wanted, core);
    if (distance != 0 && wanted.size() < 3 && !begins && !wanted.starts_with(core))
      continue;  // any short word is near
    if (distance >= least || (!begins && distance * 3 > std::max(core.size(), std::size_t{3})))
      continue;
    best = name;
    least = distance;
  }
  return best;
}

std::string unknown(std::string_view what, std::string_view given,
                    const std::vector<std::string_view>& names, std::string_view meant) {
  const std::string guess =
      meant.empty() ? "; allowed" : fmt::format("; did you mean '{}'? Allowed", meant);
  return fmt::format("unknown {} '{}'{}: {}", what, given, guess, joined(names, ", "));
}

std::string unknown(std::string_view what, std::string_view given,
                    const std::vector<std::string_view>& names) {
  return unknown(what, given, names, nearest(given, names));
}

}  // namespace lockstep
