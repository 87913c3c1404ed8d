// SPDX-License-Identifier: Apache-2.0
#include "lockstep/topology/cyclic_networks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/arc_classes.hpp"

namespace lockstep {

void CyclicProduct::add_jumps(std::size_t dimension, std::span<const std::uint64_t> lengths) {
  const std::uint64_t size = coordinates_.size(dimension);
  std::map<std::uint64_t, Port> port_of;
  for (const std::uint64_t length : lengths)
    port_of.emplace(length, port(moves_.size() + port_of.size()));
  expects(port_of.size() == lengths.size(), "the jumps of a cyclic product differ");
  for (const std::uint64_t length : lengths) {
    const auto back = port_of.find(size - length);
    expects(back != port_of.end(), "every jump of a cyclic product has its inverse");
    moves_.push_back({dimension, length, back->second});
  }
}

void CyclicProduct::add_both_ways(std::size_t dimension, std::vector<std::uint64_t> lengths) {
  const std::uint64_t size = coordinates_.size(dimension);
  const std::size_t upwards = lengths.size();
  for (std::size_t i = 0; i < upwards; ++i)
    if (size - lengths[i] != lengths[i]) lengths.push_back(size - lengths[i]);
  add_jumps(dimension, lengths);
}

std::optional<NodeId> CyclicProduct::find(const std::string& label) const {
  const std::optional<std::uint64_t> number = coordinates_.number(label);
  return number ? std::optional(NodeId{*number}) : std::nullopt;
}

std::string CyclicProduct::port_label(NodeId, Port p) const {
  const Move& move = moves_[index(p)];
  const std::uint64_t size = coordinates_.size(move.dimension);
  const std::string jump = move.length * 2 <= size ? fmt::format("+{}", move.length)
                                                   : fmt::format("-{}", size - move.length);
  if (coordinates_.digits() == 1) return "jump " + jump;
  return fmt::format("dimension {}, {}", move.dimension + 1, jump);
}

NodeId CyclicProduct::product_by_digits(NodeId u, NodeId v) const noexcept {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < coordinates_.digits(); ++i) {
    const std::uint64_t size = coordinates_.size(i);
    const std::uint64_t sum = coordinates_.digit(index(u), i) + coordinates_.digit(index(v), i);
    result += (sum >= size ? sum - size : sum) * coordinates_.stride(i);
  }
  return NodeId{result};
}

/// Every digit replaced by what is left of its size: 0 - u.
NodeId CyclicProduct::inverse(NodeId u) const noexcept {
  std::uint64_t result = 0;
  for (std::size_t i = 0; i < coordinates_.digits(); ++i) {
    const std::uint64_t digit = coordinates_.digit(index(u), i);
    result += (digit == 0 ? 0 : coordinates_.size(i) - digit) * coordinates_.stride(i);
  }
  return NodeId{result};
}

std::string product_name(std::string_view family, std::span<const std::uint64_t> sizes) {
  std::string name = fmt::format("{}:{}", family, sizes_text(sizes));
  if (sizes.empty()) throw InvalidParameter(name + ": no size given; expected one or more");
  const std::uint64_t least = *std::ranges::min_element(sizes);
  if (least < 2) throw invalid("{}: size {}; allowed: 2 or more", name, least);
  if (!product_at_most(sizes, CyclicProduct::max_nodes))
    throw invalid("{}: more than {} nodes, the allowed maximum", name,
                  grouped(CyclicProduct::max_nodes));
  return name;
}

namespace {

/// The numbers 1..last.
[[nodiscard]] std::vector<std::uint64_t> numbers_to(std::uint64_t last) {
  std::vector<std::uint64_t> numbers(last);
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{1});
  return numbers;
}

[[nodiscard]] std::vector<std::uint64_t> halves(std::span<const std::uint64_t> sizes) {
  std::vector<std::uint64_t> halves;
  for (const std::uint64_t size : sizes) halves.push_back(size / 2);
  return halves;
}

void check_nodes(const std::string& name, std::uint64_t node_count, std::uint64_t least,
                 std::uint64_t most) {
  if (node_count < least || node_count > most)
    throw invalid("{}: {}; allowed: {}..{}", name, counted(node_count, "node"), least,
                  grouped(most));
}

void check_jumps(const std::string& name, std::uint64_t node_count,
                 const std::vector<std::uint64_t>& jumps) {
  std::map<std::uint64_t, std::uint64_t> shortest;  // a jump the shorter way round -> as given
  for (const std::uint64_t jump : jumps) {
    if (jump < 1 || jump >= node_count)
      throw invalid("{}: jump {}; allowed: 1..{}", name, jump, node_count - 1);
    const auto [other, added] = shortest.emplace(std::min(jump, node_count - jump), jump);
    if (!added)
      throw invalid("{}: jumps {} and {} lead to the same nodes modulo {}; write one of them", name,
                    other->second, jump, node_count);
  }
  const std::uint64_t divisor =
      std::accumulate(jumps.begin(), jumps.end(), node_count,
                      [](std::uint64_t one, std::uint64_t other) { return std::gcd(one, other); });
  if (divisor != 1)
    throw invalid(
        "{} is not connected: {} divides the number of nodes and every jump; the greatest common "
        "divisor of all jumps and {} must be 1",
        name, divisor, node_count);
}

void check_port_count(const std::string& name, std::uint64_t ports) {
  if (ports > CyclicProduct::max_ports)
    throw invalid("{}: {} per node; allowed: 1..{}", name, counted(ports, "port"),
                  grouped(CyclicProduct::max_ports));
}

[[nodiscard]] std::string checked_circulant(std::uint64_t node_count,
                                            const std::vector<std::uint64_t>& jumps) {
  std::string name =
      fmt::format("circulant:{}{}{}", node_count, jumps.empty() ? "" : ",", joined(jumps, ","));
  check_nodes(name, node_count, Circulant::min_nodes, Circulant::max_nodes);
  if (jumps.empty() || jumps.size() > Circulant::max_jumps)
    throw invalid("circulant:{}: {}; allowed: 1..{}; expected circulant:N,s1,s2,..", node_count,
                  counted(jumps.size(), "jump"), grouped(Circulant::max_jumps));
  check_jumps(name, node_count, jumps);
  return name;
}

[[nodiscard]] std::string checked_extended_ring(std::uint64_t node_count, std::uint64_t reach) {
  std::string name = fmt::format("extended-ring:{},{}", node_count, reach);
  check_nodes(name, node_count, ExtendedRing::min_nodes, ExtendedRing::max_nodes);
  const std::uint64_t most = std::min(node_count / 2, ExtendedRing::max_reach);
  if (reach < 1 || reach > most)
    throw invalid("{}: reach {}; allowed: 1..{}", name, reach, grouped(most));
  return name;
}

[[nodiscard]] std::string checked_complete_graph(std::uint64_t node_count) {
  std::string name = fmt::format("complete:{}", node_count);
  check_nodes(name, node_count, 1, CompleteGraph::max_nodes);
  return name;
}

[[nodiscard]] std::string checked_hypercube(const std::vector<std::uint64_t>& sizes) {
  std::string name = product_name("generalized-hypercube", sizes);
  check_port_count(name,
                   std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0}) - sizes.size());
  return name;
}

template <std::uint64_t Hypercycle::Dimension::*Member>
[[nodiscard]] std::vector<std::uint64_t> numbers_of(
    const std::vector<Hypercycle::Dimension>& dimensions) {
  std::vector<std::uint64_t> numbers;
  for (const Hypercycle::Dimension& dimension : dimensions) numbers.push_back(dimension.*Member);
  return numbers;
}

[[nodiscard]] std::string checked_hypercycle(const std::vector<Hypercycle::Dimension>& dimensions) {
  std::vector<std::string> texts;
  std::uint64_t ports = 0;
  for (const auto& [size, reach] : dimensions) {
    texts.push_back(fmt::format("{},{}", size, reach));
    ports += std::min(2 * reach, size - 1);
  }
  std::string name = fmt::format("hypercycle:{}", joined(texts, "x"));
  (void)product_name("hypercycle", numbers_of<&Hypercycle::Dimension::size>(dimensions));
  for (const auto& [size, reach] : dimensions)
    if (reach < 1 || reach > size / 2)
      throw invalid("{}: reach {}; allowed: 1..{}", name, reach, grouped(size / 2));
  check_port_count(name, ports);
  return name;
}

}  // namespace

Circulant::Circulant(std::uint64_t node_count, const std::vector<std::uint64_t>& jumps)
    : CyclicProduct(checked_circulant(node_count, jumps), {node_count}) {
  add_both_ways(0, jumps);
}

CyclicNeighbourhoods::CyclicNeighbourhoods(std::string name,
                                           const std::vector<std::uint64_t>& sizes,
                                           std::vector<std::uint64_t> reaches, Ports ports)
    : CyclicProduct(std::move(name), sizes), reaches_(std::move(reaches)), ports_(ports) {
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    if (ports == Ports::up_then_down)
      add_both_ways(i, numbers_to(reaches_[i]));
    else
      add_jumps(i, numbers_to(coordinates().size(i) - 1));
  }
}

std::uint64_t CyclicNeighbourhoods::diameter() const noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < reaches_.size(); ++i)
    if (reaches_[i] != 0) sum += (coordinates().size(i) / 2 + reaches_[i] - 1) / reaches_[i];
  return sum;
}

/// In one dimension: rho more on either side at every distance; what is left at the last.
std::vector<std::uint64_t> CyclicNeighbourhoods::levels_of(std::size_t dimension) const {
  std::vector<std::uint64_t> levels{1};
  for (std::uint64_t rest = coordinates().size(dimension) - 1; rest > 0; rest -= levels.back())
    levels.push_back(std::min(rest, 2 * reaches_[dimension]));
  return levels;
}

std::vector<std::uint64_t> CyclicNeighbourhoods::level_sizes() const {
  if (diameter() > max_levels) return {};
  std::vector<std::uint64_t> levels{1};
  for (std::size_t i = 0; i < reaches_.size(); ++i)
    levels = product_level_sizes(levels, levels_of(i));
  return levels;
}

std::vector<ArcClass> CyclicNeighbourhoods::arc_classes() const {
  if (diameter() > max_levels) return {};
  std::vector<ArcClass> classes;
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    const std::vector<std::uint64_t> levels = levels_of(i);
    const std::uint64_t degree = std::min(2 * reaches_[i], coordinates().size(i) - 1);
    add_copies(classes, class_of_all(levels, degree), node_count() / coordinates().size(i));
  }
  return classes;
}

std::vector<CyclicNeighbourhoods> CyclicNeighbourhoods::factors() const {
  std::vector<CyclicNeighbourhoods> factors;
  for (std::size_t i = 0; reaches_.size() > 1 && i < reaches_.size(); ++i) {
    const std::uint64_t size = coordinates().size(i);
    std::string name = 2 * reaches_[i] >= size - 1 ? fmt::format("complete:{}", size)
                       : reaches_[i] == 1          ? fmt::format("ring:{}", size)
                                          : fmt::format("extended-ring:{},{}", size, reaches_[i]);
    factors.push_back(CyclicNeighbourhoods(std::move(name), {size}, {reaches_[i]}, ports_));
  }
  return factors;
}

/// Half of a dimension lies on one side: jumps by s cross each end of it s times; all of those by
/// half the size cross both ends at once.
Cut CyclicNeighbourhoods::bisection() const {
  Cut best;
  for (std::size_t i = 0; i < reaches_.size(); ++i) {
    const std::uint64_t size = coordinates().size(i);
    const std::uint64_t reach = reaches_[i];
    const std::uint64_t links = reach * (reach + 1) - (2 * reach == size ? reach : 0);
    const Cut through = cut_of_copies({size / 2, links}, node_count() / size);
    best = narrower(best, through, node_count());
  }
  return best;
}

ExtendedRing::ExtendedRing(std::uint64_t node_count, std::uint64_t reach)
    : CyclicNeighbourhoods(checked_extended_ring(node_count, reach), {node_count}, {reach},
                           Ports::up_then_down) {}

CompleteGraph::CompleteGraph(std::uint64_t node_count)
    : CyclicNeighbourhoods(checked_complete_graph(node_count), {node_count}, {node_count / 2},
                           Ports::all_upwards) {}

Torus::Torus(const std::vector<std::uint64_t>& sizes)
    : CyclicNeighbourhoods(product_name("torus", sizes), sizes,
                           std::vector<std::uint64_t>(sizes.size(), 1), Ports::up_then_down) {}

Hypercycle::Hypercycle(const std::vector<Dimension>& dimensions)
    : CyclicNeighbourhoods(checked_hypercycle(dimensions), numbers_of<&Dimension::size>(dimensions),
                           numbers_of<&Dimension::reach>(dimensions), Ports::up_then_down) {}

GeneralizedHypercube::GeneralizedHypercube(const std::vector<std::uint64_t>& sizes)
    : CyclicNeighbourhoods(checked_hypercube(sizes), sizes, halves(sizes), Ports::all_upwards) {}

}  // namespace lockstep
