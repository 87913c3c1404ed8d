// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/detail/digit_translations.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>

namespace lockstep {
namespace {

constexpr std::uint64_t most_values_of_a_digit = 256;
/// Digits share a table up to so many values, whose rows of 256 bytes stay in the nearest cache.
constexpr std::uint64_t most_values_of_a_part = 64;

/// The terms that single digits of a node add to a product.
class DigitProducts {
 public:
  explicit DigitProducts(const DigitTables::Group& group)
      : group_(group), known_(group.digits.digits()) {}

  /// For each value of the node's digit d, if the element has this one.
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::size_t d, std::uint64_t element) {
    std::vector<std::uint32_t>& row = known_[d][element];
    if (!row.empty()) return row;
    // The other digits are those of the identity.
    const std::uint64_t stride = group_.digits.stride(d);
    const std::uint64_t others =
        index(group_.identity) - group_.digits.digit(index(group_.identity), d) * stride;
    for (std::uint64_t node = 0; node < group_.digits.size(d); ++node) {
      const NodeId product =
          group_.product(NodeId{others + node * stride}, NodeId{others + element * stride});
      row.push_back(static_cast<std::uint32_t>(index(product) - others));
    }
    return row;
  }

 private:
  const DigitTables::Group& group_;
  std::vector<std::map<std::uint64_t, std::vector<std::uint32_t>>> known_;
};

}  // namespace

std::vector<DigitTables::Part> DigitTables::parts_of(const MixedRadix& digits) {
  if (digits.digits() < 2) return {};
  std::vector<std::size_t> order(digits.digits());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t d) { return digits.stride(d); });
  std::vector<Part> parts;
  for (const std::size_t d : order) {
    const std::uint64_t size = digits.size(d);
    if (size > most_values_of_a_digit || digits.count() > std::numeric_limits<std::uint32_t>::max())
      return {};
    if (!parts.empty() && parts.back().size * size <= most_values_of_a_part) {
      parts.back().digits.push_back(d);
      parts.back().size *= size;
      parts.back().by_size = Divisor(parts.back().size);
    } else {
      parts.push_back({{d}, size, digits.stride(d), Divisor(size)});
    }
  }
  return parts;
}

DigitTables::DigitTables(const Group& group, std::span<const NodeId> elements)
    : parts_(parts_of(group.digits)), rows_(elements.size() * parts_.size()) {
  DigitProducts products(group);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const Part& part = parts_[p];
    std::map<std::uint64_t, std::uint32_t> rows;  // where they begin, by the element's value
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto [row, is_new] = rows.emplace(index(elements[i]) / part.stride % part.size,
                                              static_cast<std::uint32_t>(terms_.size()));
      rows_[i * parts_.size() + p] = row->second;
      if (!is_new) continue;
      std::vector<std::uint32_t> sums{0};
      for (const std::size_t d : part.digits) {
        const std::size_t lower = sums.size();
        for (const std::uint32_t term : products.of(d, group.digits.digit(index(elements[i]), d)))
          for (std::size_t k = 0; k < lower; ++k) sums.push_back(sums[k] + term);
        sums.erase(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(lower));
      }
      terms_.insert(terms_.end(), sums.begin(), sums.end());
    }
  }
  terms_.shrink_to_fit();
}

bool DigitTables::are_useful(const MixedRadix& digits) { return !parts_of(digits).empty(); }

std::uint64_t DigitTables::bytes(const MixedRadix& digits, std::uint64_t elements) {
  std::uint64_t entries = 0;
  for (const Part& part : parts_of(digits))
    entries += elements + std::min(part.size, elements) * part.size;
  return entries * sizeof(std::uint32_t);
}

/// The terms of all parts but the first. `rest` is the number of the node, divided by the size of
/// the first part.
std::uint32_t DigitTables::product_above(std::uint64_t rest,
                                         const std::uint32_t* rows) const noexcept {
  std::uint32_t sum = 0;
  for (std::size_t p = 1; p < parts_.size(); ++p) {
    const std::uint64_t above = parts_[p].by_size.quotient(rest);
    sum += terms_[rows[p] + (rest - above * parts_[p].size)];
    rest = above;
  }
  return sum;
}

std::uint32_t DigitTables::product(std::uint32_t node, std::uint32_t i) const noexcept {
  const std::uint32_t* const rows = rows_.data() + i * parts_.size();
  const std::uint64_t above = parts_[0].by_size.quotient(node);
  return terms_[rows[0] + (node - above * parts_[0].size)] + product_above(above, rows);
}

void DigitTables::multiply(std::uint32_t first, std::uint32_t i,
                           std::span<std::uint32_t> products) const noexcept {
  const std::uint32_t* const rows = rows_.data() + i * parts_.size();
  const std::uint64_t size = parts_[0].size;
  std::uint64_t above = parts_[0].by_size.quotient(first);
  std::uint64_t digit = first - above * size;
  std::uint32_t* __restrict out = products.data();
  for (std::size_t left = products.size(); left != 0; digit = 0, ++above) {
    const std::size_t count = std::min<std::size_t>(size - digit, left);
    const std::uint32_t others = product_above(above, rows);
    const std::uint32_t* const terms = terms_.data() + rows[0] + digit;
    for (std::size_t k = 0; k < count; ++k) out[k] = others + terms[k];
    out += count;
    left -= count;
  }
}

void DigitTables::multiply(std::span<const std::uint32_t> nodes, std::uint32_t i,
                           std::span<std::uint32_t> products) const noexcept {
  for (std::size_t k = 0; k < nodes.size(); ++k) products[k] = product(nodes[k], i);
}

}  // namespace lockstep
