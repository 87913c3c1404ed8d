// SPDX-License-Identifier: Apache-2.0
#include "catalog/open_variants.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

#include "lockstep/core/errors.hpp"

namespace lockstep::catalog {
namespace {

[[nodiscard]] bool is_accepted(const CatalogLine& line, const RunRequest& request,
                               const Settings& chosen) try {
  (void)line.make(request.topology, with(request.settings, chosen), request.pattern);
  return true;
} catch (const InvalidParameter&) {
  return false;
}

/// Appends the settings with such counts of the parameter.
void add_counts(std::vector<Settings>& list, const Settings& settings, const Parameter& parameter,
                const CatalogLine& line, const RunRequest& request) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  const auto with_count = [&](std::uint64_t count) {
    return with(settings, {{std::string(parameter.name), count}});
  };
  const auto accepts = [&](std::uint64_t count) {
    return is_accepted(line, request, with_count(count));
  };
  std::uint64_t low = 0;
  std::uint64_t next = std::max<std::uint64_t>(parameter.least, 1);
  for (; next <= most && accepts(next); next *= 2) {
    list.push_back(with_count(next));
    low = next;
  }
  if (low == 0 || next > most) return;
  std::uint64_t high = next;  // low is accepted, high is not
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (accepts(middle) ? low : high) = middle;
  }
  if (2 * low != next) list.push_back(with_count(low));
}

[[nodiscard]] bool is_count_by_word(const Parameter& parameter, const Settings& settings) {
  const Setting* const given = settings.find(parameter.name);
  return given != nullptr && parameter.kind == Parameter::Kind::count &&
         !parameter.defines_problem && std::holds_alternative<std::string>(*given);
}

}  // namespace

Settings with(Settings settings, const Settings& chosen) {
  for (const auto& [name, value] : chosen) settings[name] = value;
  return settings;
}

std::vector<Settings> in_one_list(Variants variants) {
  std::vector<Settings> list = std::move(variants.all);
  for (std::vector<Settings>& some : variants.cheapest_of)
    std::ranges::move(some, std::back_inserter(list));
  return list;
}

Variants variants_of(const Algorithm& algorithm, std::span<const Parameter> parameters) {
  if (std::optional<Variants> own = algorithm.variants()) return std::move(*own);
  Variants variants{.all = {{}}, .cheapest_of = {}};
  for (const Parameter& parameter : parameters) {
    if (parameter.kind != Parameter::Kind::word) continue;
    const std::vector<Settings> before = std::exchange(variants.all, {});
    for (const Settings& settings : before)
      for (const std::string_view word : parameter.words) {
        variants.all.push_back(settings);
        variants.all.back()[parameter.name] = std::string(word);
      }
  }
  return variants;
}

Variants open_variants(const CatalogLine& line, const Algorithm& algorithm,
                       const RunRequest& request) {
  Variants variants = variants_of(algorithm, line.entry.info.parameters);
  for (std::vector<Settings>& list : variants.cheapest_of) {
    const std::vector<Settings> before = std::exchange(list, {});
    for (const Settings& settings : before) {
      list.push_back(settings);
      for (const Parameter& parameter : line.entry.info.parameters)
        if (is_count_by_word(parameter, settings))
          add_counts(list, settings, parameter, line, request);
    }
  }
  return variants;
}

}  // namespace lockstep::catalog
