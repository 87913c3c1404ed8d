// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/supported_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/topology/network_shapes.hpp"
#include "topology/prime_form.hpp"

namespace lockstep {
namespace {

using Kind = NetworkLimit::Kind;

[[nodiscard]] std::string article(std::string_view noun) {
  return fmt::format("{} {}",
                     std::string_view("aeiou").find(noun.front()) == noun.npos ? "a" : "an", noun);
}

/// All limits of a quantity.
struct Range {
  const NetworkQuantity* quantity;
  std::optional<std::uint64_t> least{};
  std::optional<std::uint64_t> most{};
  std::string_view parity{};  // "an even number of "
};

[[nodiscard]] std::vector<Range> ranges_of(const std::vector<NetworkLimit>& limits) {
  std::vector<Range> ranges;
  for (const NetworkLimit& limit : limits) {
    auto range = std::ranges::find(ranges, limit.quantity, &Range::quantity);
    if (range == ranges.end()) range = ranges.insert(ranges.end(), {limit.quantity});
    if (limit.kind == Kind::at_most) range->most = limit.bound;
    if (limit.kind == Kind::at_least) range->least = limit.bound;
    if (limit.kind == Kind::even) range->parity = "an even number of ";
    if (limit.kind == Kind::odd) range->parity = "an odd number of ";
  }
  return ranges;
}

/// "3 to 512", "at least 3", "up to 512"; empty where only the parity is limited.
[[nodiscard]] std::string bounds_text(const Range& range) {
  if (range.least && range.most)
    return fmt::format("{} to {}", grouped(*range.least), grouped(*range.most));
  if (range.most) return "up to " + grouped(*range.most);
  return range.least ? "at least " + grouped(*range.least) : "";
}

/// "up to 64 ports", "sides of at least 3", "processors x nodes <= 262,144".
[[nodiscard]] std::string text_of(const Range& range) {
  const NetworkQuantity& quantity = *range.quantity;
  if (quantity.kind == NetworkQuantity::Kind::formula)
    return fmt::format("{} {} {}{}", quantity.name, range.most ? "<=" : ">=",
                       grouped(range.most.value_or(range.least.value_or(0))), quantity.exception);
  const std::string bounds = bounds_text(range);
  if (quantity.kind == NetworkQuantity::Kind::each)
    return fmt::format("{}s of {}{}{}{}", quantity.name, range.parity, bounds, quantity.unit,
                       quantity.exception);
  const bool one = range.most.value_or(range.least.value_or(0)) == 1;
  return fmt::format("{}{}{}{}{}{}{}", range.parity, bounds, bounds.empty() ? "" : " ",
                     quantity.name, one ? "" : "s", quantity.unit, quantity.exception);
}

/// "99 ports", "a side of 2", "processors x nodes = 25,401,600".
[[nodiscard]] std::string value_text(const NetworkQuantity& quantity,
                                     std::optional<std::uint64_t> value) {
  const std::string number = value ? grouped(*value) : "2^64 or more";
  switch (quantity.kind) {
    case NetworkQuantity::Kind::formula:
      return fmt::format("{} {} {}", quantity.name, value ? "=" : "of", number);
    case NetworkQuantity::Kind::each:
      return fmt::format("{} of {}{}", article(quantity.name), number, quantity.unit);
    case NetworkQuantity::Kind::count:
      break;
  }
  return fmt::format(
      "{}{}",
      value ? counted(*value, quantity.name) : number + " " + std::string(quantity.name) + "s",
      quantity.unit);
}

// NOLINTNEXTLINE(misc-no-recursion): a few shapes deep
[[nodiscard]] bool is_within(const NetworkShape& shape, const NetworkShape& wider) {
  if (shape.is == wider.is && shape.text == wider.text) return true;
  return shape.wider != nullptr && is_within(*shape.wider, wider);
}

/// As far as this is known without a search.
// NOLINTNEXTLINE(misc-no-recursion): a few shapes deep
[[nodiscard]] bool may_be(const NetworkShape& shape, const ErasedTopology& network) {
  if (shape.wider != nullptr && !may_be(*shape.wider, network)) return false;
  return shape.searched || shape.holds(network);
}

// NOLINTNEXTLINE(misc-no-recursion): a few shapes deep
[[nodiscard]] std::string_view family_of(const NetworkShape& shape) {
  if (!shape.family.empty()) return shape.family;
  return shape.wider == nullptr ? shape.text : family_of(*shape.wider);
}

}  // namespace

bool NetworkLimit::holds(const ErasedTopology& network) const {
  if (quantity->of == nullptr) return true;
  const std::optional<std::uint64_t> value = quantity->of(network);
  switch (kind) {
    case Kind::at_most:
      return value && *value <= bound;
    case Kind::at_least:
      return !value || *value >= bound;
    case Kind::even:
      return value && *value % 2 == 0;
    case Kind::odd:
      break;
  }
  return value && *value % 2 == 1;
}

SupportedNetworks NetworkShape::up_to_nodes(std::uint64_t nodes) const {
  return SupportedNetworks(*this).up_to_nodes(nodes);
}
SupportedNetworks NetworkShape::with(NetworkLimit further) const {
  return SupportedNetworks(*this).with(further);
}

SupportedNetworks NetworkShape::or_else(const SupportedNetworks& others) const {
  return SupportedNetworks(*this).or_else(others);
}

void SupportedNetworks::Alternative::add(const NetworkShape& shape) {
  if (std::ranges::any_of(shapes, [&](const auto& own) { return is_within(own, shape); })) return;
  std::erase_if(shapes, [&](const auto& own) { return is_within(shape, own); });
  shapes.push_back(shape);
}

void SupportedNetworks::Alternative::add(NetworkLimit limit) {
  for (NetworkLimit& own : limits) {
    if (own.quantity != limit.quantity || own.kind != limit.kind) continue;
    if (limit.kind == Kind::at_most) own.bound = std::min(own.bound, limit.bound);
    if (limit.kind == Kind::at_least) own.bound = std::max(own.bound, limit.bound);
    return;
  }
  limits.push_back(limit);
}

const NetworkLimit* SupportedNetworks::Alternative::exceeded(const ErasedTopology& network) const {
  for (const bool of_nodes : {true, false})  // first what is known at once
    for (const NetworkLimit& limit : limits)
      if ((limit.quantity == &quantities::nodes) == of_nodes && !limit.holds(network))
        return &limit;
  return nullptr;
}

bool SupportedNetworks::Alternative::may_admit(const ErasedTopology& network) const {
  return std::ranges::all_of(shapes,
                             [&](const NetworkShape& shape) { return may_be(shape, network); });
}

bool SupportedNetworks::Alternative::admits(const ErasedTopology& network) const {
  if (admits_as_numbered(network)) return true;
  const PrimeForm* const form = in_any_numbering ? network.prime_form() : nullptr;
  return form != nullptr && admits_as_numbered(form->network);
}

bool SupportedNetworks::Alternative::admits_as_numbered(const ErasedTopology& network) const {
  return may_admit(network) && exceeded(network) == nullptr &&
         std::ranges::all_of(
             shapes,
             [&](const NetworkShape& shape) { return !shape.searched || shape.holds(network); }) &&
         (!test || test(network));
}

std::string SupportedNetworks::Alternative::behind_shape(
    const std::vector<NetworkLimit>& some_limits) const {
  std::string text;
  std::vector<std::string> others;
  for (const Range& range : ranges_of(some_limits))
    if (range.quantity == &quantities::nodes)
      text = " of " + text_of(range);
    else
      others.push_back(text_of(range));
  text += shapes.front().clause;
  for (std::size_t i = 1; i < shapes.size(); ++i)
    if (shapes[i].adjective.empty())
      text.append(" among ").append(shapes[i].plural).append(shapes[i].clause);
  const std::string_view first = shapes.front().clause.starts_with(" with ") ? " and " : " with ";
  for (std::size_t i = 0; i < others.size(); ++i)
    text.append(i == 0 ? first : i + 1 < others.size() ? ", " : " and ").append(others[i]);
  return text;
}

std::string SupportedNetworks::Alternative::with_adjectives(std::string_view shape) const {
  std::string text(shape);
  const std::size_t noun = shape.starts_with("any other ") ? 10 : shape.starts_with("any ") ? 4 : 0;
  for (std::size_t i = 1; i < shapes.size(); ++i)
    if (!shapes[i].adjective.empty()) text.insert(noun, std::string(shapes[i].adjective) + " ");
  return text;
}

SupportedNetworks::SupportedNetworks(const NetworkShape& shape) {
  alternatives_.push_back({.shapes = {shape}});
  if (shape.limit != nullptr) alternatives_.back().add(*shape.limit);
}

SupportedNetworks::SupportedNetworks(std::string_view text,
                                     std::function<bool(const ErasedTopology&)> test) {
  alternatives_.push_back({.shapes = {{.text = text, .plural = text}}, .test = std::move(test)});
}

SupportedNetworks SupportedNetworks::with(NetworkLimit limit) const {
  SupportedNetworks fewer = *this;
  for (Alternative& alternative : fewer.alternatives_) alternative.add(limit);
  return fewer;
}

SupportedNetworks SupportedNetworks::up_to_nodes(std::uint64_t nodes) const {
  return with(at_most(quantities::nodes, nodes));
}

SupportedNetworks SupportedNetworks::or_else(const SupportedNetworks& others) const {
  SupportedNetworks more = *this;
  more.alternatives_.insert(more.alternatives_.end(), others.alternatives_.begin(),
                            others.alternatives_.end());
  return more;
}

SupportedNetworks SupportedNetworks::in_any_numbering() const {
  SupportedNetworks more = *this;
  for (Alternative& alternative : more.alternatives_) alternative.in_any_numbering = true;
  return more;
}

SupportedNetworks SupportedNetworks::both(const SupportedNetworks& others) const {
  SupportedNetworks common;
  for (const Alternative& own : alternatives_)
    for (const Alternative& other : others.alternatives_) {
      Alternative joint = own;
      for (const NetworkShape& shape : other.shapes) joint.add(shape);
      for (const NetworkLimit& limit : other.limits) joint.add(limit);
      joint.in_any_numbering = own.in_any_numbering || other.in_any_numbering;
      if (own.test && other.test)
        joint.test = [first = own.test, second = other.test](const ErasedTopology& network) {
          return first(network) && second(network);
        };
      else if (other.test)
        joint.test = other.test;
      common.alternatives_.push_back(std::move(joint));
    }
  return common;
}

bool SupportedNetworks::admits(const ErasedTopology& network) const {
  return std::ranges::any_of(
      alternatives_, [&](const Alternative& alternative) { return alternative.admits(network); });
}

bool SupportedNetworks::is_general() const {
  return std::ranges::any_of(alternatives_, [](const Alternative& alternative) {
    return std::ranges::all_of(alternative.shapes, &NetworkShape::general);
  });
}

std::string SupportedNetworks::text() const {
  std::string text;
  std::string before;  // the alternative before
  for (const Alternative& alternative : alternatives_) {
    std::string name = alternative.with_adjectives(alternative.shapes.front().text);
    if (!text.empty()) text += ", or";
    if (name != before) text.append(text.empty() ? "" : " ").append(name);
    text += alternative.behind_shape(alternative.limits);
    if (alternative.in_any_numbering) text += ", in any numbering";
    before = std::move(name);
  }
  return text;
}

std::vector<std::string_view> SupportedNetworks::families() const {
  std::vector<std::string_view> names;
  for (const Alternative& alternative : alternatives_) {
    const std::string_view family = family_of(alternative.shapes.back());
    if (family == shapes::any_network.family) return {family};
    if (std::ranges::find(names, family) == names.end()) names.push_back(family);
  }
  return names;
}

std::string SupportedNetworks::reason_against(const ErasedTopology& network) const {
  std::vector<std::string> shapes;
  std::vector<std::string> limits;
  std::vector<std::string> values;
  const auto add = [](std::vector<std::string>& texts, std::string text) {
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  };
  for (const Alternative& alternative : alternatives_) {
    const NetworkLimit* const limit =
        alternative.may_admit(network) ? alternative.exceeded(network) : nullptr;
    const std::string plural = alternative.with_adjectives(alternative.shapes.front().plural);
    if (limit == nullptr) {
      add(shapes, plural + alternative.behind_shape(alternative.limits));
    } else {
      add(limits, plural + alternative.behind_shape({*limit}));
      add(values, value_text(*limit->quantity, limit->quantity->of(network)));
    }
  }
  if (alternatives_.empty()) return "supports no network";
  if (limits.empty()) return fmt::format("supports only {}", joined(shapes, ", or "));
  return fmt::format("supports {}; {} has {}", joined(limits, ", or "), network.name(),
                     joined(values, ", "));
}

}  // namespace lockstep
