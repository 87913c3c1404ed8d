// SPDX-License-Identifier: Apache-2.0

/// The one place where text becomes a topology. A family has one line in families() below: its
/// description, and how its argument, the text behind the colon, is read.

#include <fmt/format.h>

#include <array>
#include <cctype>

#include "catalog/topology_model.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/catalog.hpp"

namespace lockstep {
namespace {

using catalog::any_topology;

struct Family {
  TopologyInfo info;
  AnyTopology (*make)(const std::string& argument);

  [[nodiscard]] std::string_view name() const {
    return info.grammar.substr(0, info.grammar.find(':'));
  }
};

[[nodiscard]] std::uint64_t number(const std::string& argument) {
  const std::optional<std::uint64_t> value = catalog::whole_number(argument);
  if (value) return *value;
  if (argument.empty()) throw InvalidParameter("no size given");
  const bool digits = argument.find_first_not_of("0123456789") == std::string::npos;
  throw InvalidParameter(
      fmt::format("'{}' is {}", argument, digits ? "too large" : "not a whole number"));
}

/// A family with one number, whose constructor judges it.
template <class T>
[[nodiscard]] AnyTopology of_number(const std::string& argument) {
  return any_topology(T(number(argument)));
}

[[nodiscard]] const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {{"star:n", "star graph: n! nodes of degree n-1, 2 <= n <= 12", "star:4",
        "Akers, Harel, Krishnamurthy 1987"},
       of_number<StarGraph>},
      {{"ring:N", "ring of N >= 3 nodes", "ring:9", "textbook"}, of_number<Ring>},
      {{"linear:N", "linear array of N >= 1 nodes", "linear:9", "textbook"},
       of_number<LinearArray>},
      {{"hypercube:d", "binary d-cube: 2^d nodes of degree d, 0 <= d <= 40", "hypercube:4",
        "textbook"},
       of_number<Hypercube>},
      {{"complete:N", "complete graph of 1 <= N <= 65536 nodes", "complete:8", "textbook"},
       of_number<CompleteGraph>},
  };
  return all;
}

[[nodiscard]] const Family& family_of(const std::string& text) {
  const std::string given = text.substr(0, text.find(':'));
  std::vector<std::string_view> names;
  for (const Family& family : families()) {
    if (family.name() == given) return family;
    names.push_back(family.name());
  }
  throw InvalidParameter(fmt::format("'{}': {}", text, unknown("topology", given, names)));
}

/// Where in `text` a range of whole numbers "a..b" begins and ends.
struct Range {
  std::size_t begin;
  std::size_t end;
  std::string low;
  std::string high;
};

[[nodiscard]] std::optional<Range> find_range(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  std::size_t begin = dots;
  while (begin > 0 && digit(begin - 1)) --begin;
  std::size_t end = dots + 2;
  while (digit(end)) ++end;
  return Range{begin, end, text.substr(begin, dots - begin), text.substr(dots + 2, end - dots - 2)};
}

}  // namespace

AnyTopology make_topology(const std::string& text) {
  const Family& family = family_of(text);
  const std::size_t colon = text.find(':');
  try {
    return family.make(colon == std::string::npos ? "" : text.substr(colon + 1));
  } catch (const InvalidParameter& problem) {
    // The constructors name the topology themselves, the parsers of its argument do not.
    const std::string what = problem.what();
    if (what.rfind(std::string(family.name()) + ":", 0) == 0) throw;
    throw InvalidParameter(fmt::format("'{}': {}, allowed {} ({})", text, what, family.info.grammar,
                                       family.info.meaning));
  }
}

const std::vector<TopologyInfo>& topology_catalog() {
  static const std::vector<TopologyInfo> all = [] {
    std::vector<TopologyInfo> infos;
    for (const Family& family : families()) infos.push_back(family.info);
    return infos;
  }();
  return all;
}

std::vector<std::string> expand_topologies(const std::string& text) {
  constexpr std::uint64_t most = 1000;
  const std::optional<Range> range = find_range(text);
  if (!range) return {make_topology(text).name()};
  const auto low = catalog::whole_number(range->low);
  const auto high = catalog::whole_number(range->high);
  if (!low || !high || *low > *high || *high - *low >= most)
    throw InvalidParameter(fmt::format(
        "'{}': '{}' is not a range, allowed a..b with whole numbers a <= b, at most {} sizes", text,
        text.substr(range->begin, range->end - range->begin), most));
  std::vector<std::string> names;
  for (std::uint64_t size = *low; size <= *high; ++size) {
    const std::string one =
        fmt::format("{}{}{}", text.substr(0, range->begin), size, text.substr(range->end));
    for (std::string& name : expand_topologies(one)) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace lockstep
