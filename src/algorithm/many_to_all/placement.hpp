// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Who makes the blocks of a many-to-all in a two-dimensional torus: a number of them, and a rule
/// or a file. Block j of the rules, on P(i,j) = node i n2 + j of V = n1 n2:
///
///   perm         node (a j + 5) mod V, a the first of 7, 11, 13, 17 coprime to V: no two on one
///                node while j < V
///   quad         node (7 j^2 + 3 j) mod V: several on some nodes
///   onedcn       P(j mod h, floor(j / h) mod h): all in one block of h x h nodes, of the h that is
///                given, else of the shorter side: an h that is chosen changes nothing
///   onenode      P(2, 1)
///   diag         P(j mod n1, j mod n2)
///   row          node (n2 + j) mod V: row 1, then row 2
///   random:SEED  any node, each as likely as another
///   FILE         a line each: the node's number
///
///     const Pattern homes = homes_of(settings, {.rows = 5, .columns = 5, .block = 5});

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lockstep/collective/pattern.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/program/settings.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network_shapes.hpp"

namespace lockstep {

/// A run's homes have to fit memory before anything else is known of it.
inline constexpr std::uint64_t max_messages = std::uint64_t{1} << 24U;

inline constexpr Parameter messages_parameter{
    .name = "messages",
    .kind = Parameter::Kind::count,
    .placeholder = "S",
    .meaning = "Total number of messages of a many-to-all",
    .noun = "number of messages",
    .phrase = ", {} messages",
    .usual = "one per node, or one per line of the --placement file",
    .defines_problem = true};

/// Beside random:SEED and files.
inline constexpr std::array<std::string_view, 6> placement_rules{"perm",    "quad", "onedcn",
                                                                 "onenode", "diag", "row"};

inline constexpr Parameter placement_parameter{
    .name = "placement",
    .kind = Parameter::Kind::file,
    .placeholder = "random:SEED|FILE",
    .meaning =
        "Placement of the messages: perm, quad, onedcn, onenode, diag, row (see `lockstep list "
        "terms`), random:SEED, or a file with one node per line, as in --root",
    .noun = "placement",
    .phrase = ", placement {}",
    .words = placement_rules,
    .fallback = "perm",
    .defines_problem = true};

inline constexpr Parameter parts_parameter{
    .name = "parts",
    .kind = Parameter::Kind::count,
    .placeholder = "P|auto",
    .meaning =
        "Number of equal parts of a block, padded and sent separately; they balance the load of a "
        "many-to-all of few messages. auto: the number with the least predicted time, as without "
        "this option; 1 for a many-to-all, and for --algorithm without --ts and --tm",
    .noun = "parts of a block",
    .phrase = ", blocks in {} part(s)",
    .least = 1,
    .open_word = "auto",
    .usual = "auto",
    .defines_problem = true};

inline constexpr std::array placement_parameters{messages_parameter, placement_parameter,
                                                 parts_parameter};

/// The torus, and the side of the blocks that `onedcn` fills one of where no h is given.
struct PlacementGrid {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t block;
};

/// Its sides, and as `block` the shorter one. Throws InvalidParameter, in the algorithm's name,
/// unless there are two, both 3 or more.
[[nodiscard]] PlacementGrid grid_of(const Torus& torus, std::string_view algorithm);

/// Which node makes which block; where blocks are cut in parts, which part. `fixed`: what
/// fixed_homes() made of the settings before anything was chosen. Throws InvalidParameter for more
/// than 2^24 of them, a rule there is not, a file that cannot be read or holds anything but nodes.
/// `network`: for their names; none: a file holds numbers.
[[nodiscard]] Pattern homes_of(const Settings& settings, PlacementGrid grid,
                               const Pattern& fixed = {}, const ErasedTopology& network = {});

/// Before anything is chosen, the homes that would not be the same for every choice: of a file, as
/// a pipe can be read only once, and of `onedcn`, whose h a choice adds. No pattern elsewhere.
/// Throws as homes_of() and grid_of() do.
[[nodiscard]] Pattern fixed_homes(const Torus& torus, const Settings& settings,
                                  const ErasedTopology& network = {});

/// The same on any network: a torus of two sides of 3 or more is that grid, any other network a row
/// of its processors, 1 x P.
[[nodiscard]] Pattern homes_on(const ErasedTopology& network, const Settings& settings,
                               const Pattern& fixed);
[[nodiscard]] Pattern fixed_homes_on(const ErasedTopology& network, const Settings& settings);

/// The number of the user's messages, as Algorithm::chosen() says it; empty without homes.
[[nodiscard]] Settings messages_of(const Pattern& pattern);

/// Who makes which block, both ways round.
class Makers {
 public:
  /// Without homes every processor makes one block. Nodes from `processors` on are switches.
  Makers(Pattern pattern, std::uint64_t processors, std::uint64_t nodes);

  [[nodiscard]] const Pattern& pattern() const noexcept { return pattern_; }
  [[nodiscard]] std::uint32_t blocks() const noexcept { return begin_.back(); }
  /// The messages that the user counts.
  [[nodiscard]] std::uint64_t messages() const noexcept {
    return blocks() / pattern_.parts_per_block();
  }
  [[nodiscard]] NodeId home(std::uint32_t block) const noexcept {
    return pattern_.home(Origin{block});
  }
  /// By rising number.
  [[nodiscard]] std::span<const std::uint32_t> made_by(NodeId node) const noexcept {
    return std::span(made_).subspan(begin_[index(node)], count_of(node));
  }
  [[nodiscard]] std::uint32_t count_of(NodeId node) const noexcept {
    return begin_[index(node) + 1] - begin_[index(node)];
  }
  /// The blocks of made_by(), as a schedule loads them.
  [[nodiscard]] std::vector<LoadedBlock> loads_of(NodeId node) const;

  /// For programs whose labels hold the block's number in their lower half: delivers what arrived
  /// from others. A label may have been lost on the way, and then be any number.
  void deliver(auto& here, const auto& arrival) const {
    for (std::uint32_t i = 0; i < arrival.blocks(); ++i)
      if (const auto block = static_cast<std::uint32_t>(arrival.word(i));
          is_foreign(here.node(), block))
        here.deliver(arrival, i, Origin{block});
  }
  [[nodiscard]] bool is_foreign(NodeId node, std::uint32_t block) const noexcept {
    return block >= blocks() || home(block) != node;
  }
  /// Throws InvalidParameter where the largest region of a node does not hold so many blocks.
  void check_room(std::string_view algorithm, std::uint64_t blocks_of_a_node) const;
  [[nodiscard]] std::uint64_t bytes() const noexcept {
    return blocks() * (sizeof(NodeId) + sizeof(std::uint32_t)) +
           begin_.size() * sizeof(std::uint32_t);
  }

 private:
  Pattern pattern_;
  std::vector<std::uint32_t> made_;
  std::vector<std::uint32_t> begin_;
};

/// A torus of two dimensions; the shorter of their sides.
extern const NetworkShape plane_torus;
extern const NetworkQuantity torus_side;
inline constexpr std::uint64_t least_torus_side = 3;

/// Base of the many-to-all algorithms for two-dimensional tori.
class TorusManyToAll : public Algorithm {
 public:
  using TopologyType = Torus;
  [[nodiscard]] static SupportedNetworks networks();
  /// The pattern that has to be made before anything is chosen.
  [[nodiscard]] static Pattern fixed_pattern(const Torus& torus, const Settings& settings) {
    return fixed_homes(torus, settings);
  }
};

}  // namespace lockstep
