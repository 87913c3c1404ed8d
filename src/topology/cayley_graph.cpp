// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cayley_graph.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {
namespace {

constexpr std::uint32_t free_slot = std::numeric_limits<std::uint32_t>::max();

/// a after b.
void compose(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b,
             std::span<std::uint8_t> result) noexcept {
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = a[b[i]];
}

[[nodiscard]] std::size_t hash(std::span<const std::uint8_t> element) noexcept {
  // Bytes may be looked at as characters.
  return std::hash<std::string_view>{}(
      {reinterpret_cast<const char*>(element.data()), element.size()});
}

/// All of the same length, no longer than the largest point that moves.
[[nodiscard]] std::vector<PointImages> trimmed(std::vector<PointImages> generators) {
  std::size_t points = 0;
  for (const PointImages& generator : generators)
    for (std::size_t i = 0; i < generator.size(); ++i)
      if (generator[i] != i) points = std::max(points, i + 1);
  for (PointImages& generator : generators) {
    const std::size_t given = std::min(generator.size(), points);
    generator.resize(points);
    std::iota(generator.begin() + static_cast<std::ptrdiff_t>(given), generator.end(),
              static_cast<std::uint8_t>(given));
  }
  return generators;
}

[[nodiscard]] std::string cayley_name(const std::vector<PointImages>& generators) {
  std::string name = "cayley:";
  for (const PointImages& generator : generators)
    name += (&generator == &generators.front() ? "" : ";") + to_cycles(generator);
  return name;
}

void check_generators(const std::vector<PointImages>& generators) {
  if (generators.empty() || generators.size() > CayleyGraph::max_generators)
    throw invalid("cayley: {}; allowed: 1..{}", counted(generators.size(), "generator"),
                  CayleyGraph::max_generators);
  const std::string name = cayley_name(generators);
  for (std::size_t p = 0; p < generators.size(); ++p) {
    if (to_cycles(generators[p]) == "()")
      throw invalid("{}: generator {} is the identity; expected a permutation that moves a point",
                    name, p + 1);
    for (std::size_t q = 0; q < p; ++q)
      if (generators[p] == generators[q])
        throw invalid("{}: generators {} and {} are both {}; write it once", name, q + 1, p + 1,
                      to_cycles(generators[p]));
  }
}

}  // namespace

std::size_t CayleyGraph::Tables::slot_of(std::span<const std::uint8_t> wanted) const noexcept {
  const std::size_t mask = slots.size() - 1;
  std::size_t slot = hash(wanted) & mask;
  while (slots[slot] != free_slot &&
         !std::equal(wanted.begin(), wanted.end(), element(slots[slot]).begin()))
    slot = (slot + 1) & mask;
  return slot;
}

/// Breadth-first search over the generators, from the identity.
class GroupEnumeration {
 public:
  explicit GroupEnumeration(std::vector<PointImages> generators)
      : generators_(std::move(generators)) {
    tables_.name = cayley_name(generators_);
    add_inverses();
    tables_.points = generators_.front().size();
    tables_.slots.assign(64, free_slot);
  }

  [[nodiscard]] std::shared_ptr<const CayleyGraph::Tables> tables() {
    PointImages next(tables_.points);
    std::iota(next.begin(), next.end(), std::uint8_t{0});
    (void)number_of(next);
    for (std::uint64_t u = 0; u < tables_.node_count; ++u) {
      for (const PointImages& generator : generators_) {
        compose(tables_.element(u), generator, next);
        tables_.neighbors.push_back(number_of(next));
      }
    }
    return std::make_shared<const CayleyGraph::Tables>(std::move(tables_));
  }

 private:
  void add_inverses() {
    const std::size_t given = generators_.size();
    for (std::size_t p = 0; p < given; ++p) {
      PointImages back = inverse(generators_[p]);
      if (find(back) == generators_.end()) generators_.push_back(std::move(back));
    }
    for (const PointImages& generator : generators_)
      tables_.reverse_ports.push_back(port(find(inverse(generator)) - generators_.begin()));
  }

  [[nodiscard]] std::vector<PointImages>::const_iterator find(const PointImages& generator) const {
    return std::ranges::find(generators_, generator);
  }

  /// The element's number, a new one if it is new.
  [[nodiscard]] std::uint32_t number_of(const PointImages& element) {
    std::size_t slot = tables_.slot_of(element);
    if (tables_.slots[slot] != free_slot) return tables_.slots[slot];
    if (tables_.node_count == CayleyGraph::max_nodes)
      throw invalid("{}: the group has more than {} elements, the allowed maximum", tables_.name,
                    grouped(CayleyGraph::max_nodes));
    if (2 * (tables_.node_count + 1) > tables_.slots.size()) {
      grow();
      slot = tables_.slot_of(element);
    }
    tables_.slots[slot] = static_cast<std::uint32_t>(tables_.node_count);
    tables_.images.insert(tables_.images.end(), element.begin(), element.end());
    return static_cast<std::uint32_t>(tables_.node_count++);
  }

  /// Twice the slots: at most half of them are ever taken.
  void grow() {
    tables_.slots.assign(2 * tables_.slots.size(), free_slot);
    for (std::uint64_t u = 0; u < tables_.node_count; ++u)
      tables_.slots[tables_.slot_of(tables_.element(u))] = static_cast<std::uint32_t>(u);
  }

  std::vector<PointImages> generators_;
  CayleyGraph::Tables tables_;
};

CayleyGraph::CayleyGraph(const std::vector<PointImages>& generators) {
  std::vector<PointImages> same_length = trimmed(generators);
  check_generators(same_length);
  tables_ = GroupEnumeration(std::move(same_length)).tables();
}

std::span<const std::uint8_t> CayleyGraph::permutation(NodeId u) const noexcept {
  return tables_->element(index(u));
}

std::optional<NodeId> CayleyGraph::find(const std::string& label) const {
  PointImages images;
  try {
    images = permutation_from_cycles(label);
  } catch (const InvalidParameter&) {
    return std::nullopt;
  }
  for (std::size_t i = tables_->points; i < images.size(); ++i)
    if (images[i] != i) return std::nullopt;
  while (images.size() < tables_->points)
    images.push_back(static_cast<std::uint8_t>(images.size()));
  images.resize(tables_->points);
  const std::uint32_t number = tables_->slots[tables_->slot_of(images)];
  if (number == free_slot) return std::nullopt;
  return NodeId{number};
}

std::string CayleyGraph::port_label(NodeId, Port p) const {
  return "generator " + label(neighbor(identity(), p));
}

NodeId CayleyGraph::product(NodeId u, NodeId v) const noexcept {
  std::array<std::uint8_t, max_points> images{};
  const std::span<std::uint8_t> result(images.data(), tables_->points);
  compose(permutation(u), permutation(v), result);
  return NodeId{tables_->slots[tables_->slot_of(result)]};
}

NodeId CayleyGraph::inverse(NodeId u) const noexcept {
  const std::span<const std::uint8_t> element = permutation(u);
  std::array<std::uint8_t, max_points> images{};
  for (std::size_t i = 0; i < element.size(); ++i)
    images[element[i]] = static_cast<std::uint8_t>(i);
  return NodeId{tables_->slots[tables_->slot_of({images.data(), element.size()})]};
}

}  // namespace lockstep
