// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "algorithm/torus_rings.hpp"
#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "topology/graph_builder.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

constexpr std::string_view random_prefix = "random:";
constexpr std::uint64_t most_grid_nodes = std::uint64_t{1} << 28U;

/// The nodes of a file, a line each.
[[nodiscard]] std::vector<NodeId> homes_in_file(const std::string& name,
                                                const ErasedTopology& network,
                                                std::uint64_t processors) {
  if (!std::filesystem::is_regular_file(name) && !std::filesystem::is_fifo(name))
    throw invalid("placement: '{}' is not valid; expected {}, random:SEED or a readable file", name,
                  joined(placement_rules, ", "));
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;
  std::istringstream file(input_text(name, most_bytes));
  std::vector<NodeId> homes;
  bool is_noted = false;  // once for the file: its other numbers are read in the same way
  for (std::string word; std::getline(file, word);) {
    if (word.ends_with('\r')) word.pop_back();  // of a file from another system
    const auto place = [&] { return fmt::format("{}:{}", name, homes.size() + 1); };
    std::optional<ReadNode> read;
    if (network)
      read = read_node(network, word);
    else if (const auto number = whole_number(word))
      read = ReadNode{NodeId{*number}};
    if (!read || index(read->node) >= processors)
      throw invalid("{}: '{}' is not valid; expected {}", place(), shown(word),
                    has_names(network) ? "a processor: " + words_for_nodes(network, processors)
                                       : fmt::format("a node number, 0..{}", processors - 1));
    if (read->is_number && !std::exchange(is_noted, true))
      note_number(network, read->node, place());
    homes.push_back(read->node);
    if (homes.size() > max_messages)
      throw invalid("{}: more than {} lines, the allowed maximum", name, max_messages);
  }
  return homes;
}

[[nodiscard]] std::vector<NodeId> random_homes(const std::string& rule, std::uint64_t messages,
                                               std::uint64_t nodes) {
  const auto seed = whole_number(std::string_view(rule).substr(random_prefix.size()));
  if (!seed)
    throw invalid("placement: '{}' is not valid; expected random: followed by a whole number",
                  rule);
  std::mt19937_64 random(*seed);
  std::vector<NodeId> homes(messages);
  // Whole ranges of the generator only: every node is as likely, on every platform.
  const std::uint64_t last = ~std::uint64_t{0} - ~std::uint64_t{0} % nodes;
  for (NodeId& home : homes) {
    std::uint64_t drawn = random();
    while (drawn >= last) drawn = random();
    home = NodeId{drawn % nodes};
  }
  return homes;
}

[[nodiscard]] std::uint64_t multiplier(std::uint64_t nodes) {
  for (const std::uint64_t a : {7U, 11U, 13U, 17U})
    if (std::gcd(a, nodes) == 1) return a;
  return 1;  // only where all four divide it
}

/// Empty where there is no such rule.
[[nodiscard]] std::optional<NodeId> ruled_home(std::string_view rule, std::uint64_t j,
                                               const PlacementGrid& grid) {
  const std::uint64_t nodes = grid.rows * grid.columns;
  const auto at = [&](std::uint64_t row, std::uint64_t column) {
    return NodeId{(row * grid.columns + column) % nodes};
  };
  if (rule == "perm") return NodeId{(multiplier(nodes) * j + 5) % nodes};
  if (rule == "quad") return NodeId{(7 * j * j + 3 * j) % nodes};
  if (rule == "onedcn") return at(j % grid.block, j / grid.block % grid.block);
  if (rule == "onenode") return at(2, 1);
  if (rule == "diag") return at(j % grid.rows, j % grid.columns);
  if (rule == "row") return NodeId{(grid.columns + j) % nodes};
  return std::nullopt;
}

[[nodiscard]] std::vector<NodeId> homes_of_blocks(const Settings& settings, PlacementGrid grid,
                                                  const ErasedTopology& network) {
  // The algorithm refuses any other h.
  if (const std::uint64_t h = settings.number("h"); h != 0) grid.block = h;
  const std::uint64_t nodes = grid.rows * grid.columns;
  const bool counted = settings.find(messages_parameter.name) != nullptr;
  const std::uint64_t messages = settings.number(messages_parameter.name, nodes);
  if (messages > max_messages)
    throw invalid("messages: {} is not valid; expected 0..{}", messages, grouped(max_messages));
  const std::string rule = settings.text(placement_parameter.name, placement_parameter.fallback);
  if (rule.starts_with(random_prefix)) return random_homes(rule, messages, nodes);
  if (!ruled_home(rule, 0, grid)) {
    std::vector<NodeId> homes = homes_in_file(rule, network, nodes);
    if (counted && homes.size() != messages)
      throw invalid("messages: {} is not valid; expected {}, the number of lines of '{}'", messages,
                    homes.size(), rule);
    return homes;
  }
  std::vector<NodeId> homes(messages);
  for (std::uint64_t j = 0; j < messages; ++j) homes[j] = *ruled_home(rule, j, grid);
  return homes;
}

[[nodiscard]] bool is_placement_file(const Settings& settings) {
  const std::string rule = settings.text(placement_parameter.name, placement_parameter.fallback);
  return !rule.starts_with(random_prefix) &&
         std::ranges::find(placement_rules, rule) == placement_rules.end();
}

/// The grid of a torus with two sides of at least 3 and not too many nodes; empty for any other.
[[nodiscard]] std::optional<PlacementGrid> grid_in(const Torus& torus) {
  const std::vector<TorusRing> rings = rings_of(torus);
  if (rings.size() != 2 || torus.node_count() > most_grid_nodes) return std::nullopt;
  const PlacementGrid grid{rings[0].side, rings[1].side, std::min(rings[0].side, rings[1].side)};
  return grid.block >= least_torus_side ? std::optional(grid) : std::nullopt;
}

/// The torus of the papers' algorithms, on which the same words mean the same nodes.
[[nodiscard]] const Torus* grid_torus(const ErasedTopology& network) {
  const Torus* const torus = network.as<Torus>();
  return torus != nullptr && grid_in(*torus) ? torus : nullptr;
}

}  // namespace

PlacementGrid grid_of(const Torus& torus, std::string_view algorithm) {
  const std::optional<PlacementGrid> grid = grid_in(torus);
  if (!grid)
    throw invalid("{} on {}: expected a torus of two sides, both at least {}, with up to {} nodes",
                  algorithm, torus.name(), least_torus_side, grouped(most_grid_nodes));
  return *grid;
}

constinit const NetworkShape plane_torus{.text = "two-dimensional torus",
                                         .plural = "two-dimensional tori",
                                         .is =
                                             [](const ErasedTopology& network) {
                                               const Torus* const torus = network.as<Torus>();
                                               return torus != nullptr &&
                                                      rings_of(*torus).size() == 2;
                                             },
                                         .wider = &torus_or_ring};
constinit const NetworkQuantity torus_side{
    .name = "side",
    .kind = NetworkQuantity::Kind::each,
    .of = [](const ErasedTopology& network) -> std::optional<std::uint64_t> {
      std::uint64_t least = network.node_count();
      for (const TorusRing& ring : rings_of(*network.as<Torus>()))
        least = std::min(least, ring.side);
      return least;
    }};

SupportedNetworks TorusManyToAll::networks() {
  return plane_torus.up_to_nodes(most_grid_nodes).with(at_least(torus_side, least_torus_side));
}

Makers::Makers(Pattern pattern, std::uint64_t processors, std::uint64_t nodes)
    : pattern_(std::move(pattern)), made_(pattern_.origins(processors)), begin_(nodes + 1) {
  const auto count = static_cast<std::uint32_t>(made_.size());
  for (std::uint32_t block = 0; block < count; ++block) ++begin_[index(home(block)) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t block = 0; block < count; ++block) made_[next[index(home(block))]++] = block;
}

std::vector<LoadedBlock> Makers::loads_of(NodeId node) const {
  std::vector<LoadedBlock> all;
  for (const std::uint32_t block : made_by(node)) all.push_back({Origin{block}, node});
  return all;
}

void Makers::check_room(std::string_view algorithm, std::uint64_t blocks_of_a_node) const {
  if (blocks_of_a_node > max_region_blocks)
    throw invalid(
        "{} of {} messages: a node would store {} of them in one region; allowed: up to {}",
        algorithm, blocks(), blocks_of_a_node, max_region_blocks);
}

Pattern homes_of(const Settings& settings, PlacementGrid grid, const Pattern& fixed,
                 const ErasedTopology& network) {
  if (fixed.homes() != nullptr) return fixed;
  std::vector<NodeId> blocks = homes_of_blocks(settings, grid, network);
  const std::uint64_t parts = settings.number(parts_parameter.name, 1);
  if (parts == 1) return Pattern::many(std::move(blocks));
  if (parts > max_messages / std::max<std::uint64_t>(blocks.size(), 1))
    throw invalid("parts: {} is not valid; expected 1..{} for {} messages", parts,
                  max_messages / blocks.size(), blocks.size());
  std::vector<NodeId> homes;
  homes.reserve(blocks.size() * parts);
  for (const NodeId home : blocks) homes.insert(homes.end(), parts, home);
  return Pattern::many(std::move(homes), parts);
}

Pattern fixed_homes(const Torus& torus, const Settings& settings, const ErasedTopology& network) {
  const std::string rule = settings.text(placement_parameter.name, placement_parameter.fallback);
  if (!is_placement_file(settings) && rule != "onedcn") return {};
  return homes_of(settings, grid_of(torus, "many-to-all"), {}, network);
}

Pattern homes_on(const ErasedTopology& network, const Settings& settings, const Pattern& fixed) {
  if (const Torus* const torus = grid_torus(network))
    return homes_of(settings, grid_of(*torus, "many-to-all"), fixed, network);
  return homes_of(settings, {.rows = 1, .columns = network.processor_count(), .block = 1}, fixed,
                  network);
}

Pattern fixed_homes_on(const ErasedTopology& network, const Settings& settings) {
  if (const Torus* const torus = grid_torus(network)) return fixed_homes(*torus, settings, network);
  return is_placement_file(settings) ? homes_on(network, settings, {}) : Pattern();
}

Settings messages_of(const Pattern& pattern) {
  if (pattern.homes() == nullptr) return {};
  return {{"messages", pattern.homes()->size() / pattern.parts_per_block()}};
}

}  // namespace lockstep
