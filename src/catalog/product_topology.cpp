// SPDX-License-Identifier: Apache-2.0
#include "catalog/product_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "catalog/topology_model.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/metrics.hpp"

namespace lockstep::catalog {
namespace {

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

template <Topology Factor>
std::optional<std::uint64_t> NamedProduct<Factor>::diameter() const {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < this->dimensions(); ++d) {
    const std::optional<std::uint64_t> own = this->factor(d).diameter();
    if (!own) return std::nullopt;
    sum += *own;
  }
  return sum;
}

template <Topology Factor>
std::vector<std::uint64_t> NamedProduct<Factor>::level_sizes(NodeId from) const {
  std::vector<std::uint64_t> levels{1};
  for (std::size_t d = 0; d < this->dimensions(); ++d) {
    const std::vector<std::uint64_t> own = this->factor(d).level_sizes(this->coordinate(from, d));
    if (own.empty() || levels.size() + own.size() > max_levels) return {};
    levels = product_level_sizes(levels, own);
  }
  return levels;
}

template class NamedProduct<AnyTopology>;
template class NamedProduct<AnyGroup>;

std::vector<std::string> factor_arguments(const std::string& argument) {
  std::vector<std::string> factors;
  std::size_t depth = 1;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < argument.size(); ++i) {
    if (argument[i] == '(' && ++depth > max_nesting)
      throw InvalidParameter(fmt::format("more than {} parentheses are open", max_nesting));
    const bool closed = argument[i] == ')' && --depth == 0;
    const bool next = argument[i] == ',' && depth == 1 && begins_factor(argument, i + 1);
    if (!closed && !next) continue;
    factors.push_back(factor_at(argument, begin, i));
    begin = i + 1;
    if (!closed) continue;
    if (begin == argument.size()) return factors;
    throw InvalidParameter(
        fmt::format("'{}' stands behind the closing parenthesis", argument.substr(begin)));
  }
  throw InvalidParameter("the closing parenthesis is missing");
}

AnyTopology product_of(std::vector<AnyTopology> factors) {
  std::vector<AnyGroup> groups;
  for (const AnyTopology& factor : factors)
    if (const std::optional<AnyCayley> group = factor.cayley()) groups.emplace_back(factor, *group);
  if (groups.size() == factors.size())
    return any_topology(NamedProduct<AnyGroup>(std::move(groups)));
  return any_topology(NamedProduct<AnyTopology>(std::move(factors)));
}

}  // namespace lockstep::catalog
