// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A plan as transfers: which block moves over which arc in which step (design, section 3). A
/// planner says nothing about slots, messages, loads and deliveries: program/plan/lower.hpp derives
/// them.
///
///     Transfers plan = all_one_class(ring.node_count());   // the nodes of a group move alike
///     plan.move(0, 0, 2, 0, 1);                            // step 0: the block of 0 for 2, 0 to 1
///     plan.move(1, 0, 2, 1, 2);
///     plan.steps = 2;
///
/// All transfers of one arc and step travel as one message, unless one begins another. A block for
/// `everyone` is delivered at each processor that it reaches, so that it may leave a node several
/// times; a block for one destination moves along a path. Blocks may be cut into `parts`, which
/// move on their own.
///
/// Sums. A block of source `everyone` is a sum of contributions: every node on its way has one sum
/// of that name, which begins with its own contribution. A transfer sends what the sender's sum is
/// in that step; the receiver adds it to its own, or, without `combine`, replaces its own by it.
/// The result at a processor is its sum at the end. The destination names the sum: that of a
/// processor, or of everyone, is a result; others are auxiliary (alone(), auxiliary()). A node may
/// add one of its sums to another.
///
/// Nodes of a class move alike: a translation of the group leads from one to the other and takes
/// transfers to transfers. The plan then lists the blocks of one node of each class only, its
/// representative. On networks without translations every node is a class.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/topology/detail/erased_topology.hpp"

namespace lockstep {

/// The destination of a block that all processors receive.
inline constexpr std::uint32_t everyone = std::numeric_limits<std::uint32_t>::max();
/// The first port that leads to the receiver.
inline constexpr Port first_port_there{std::numeric_limits<std::uint32_t>::max()};

/// How the receiver adds a sum: behind its own or before it, which matters to operators that are
/// not commutative; or not at all.
enum class Combine : std::uint8_t { none, behind, before };

struct Transfer {
  std::uint32_t step = 0;
  std::uint32_t source = 0;       ///< the maker of the block, a representative; or `everyone`, or
                                  ///< the number of the block (Transfers::makers)
  std::uint32_t destination = 0;  ///< of the block; or `everyone`
  std::uint32_t from = 0;
  std::uint32_t to = 0;  ///< a neighbour of `from`
  Port port = first_port_there;
  std::uint16_t part = 0;  ///< of the block
  Combine combine = Combine::none;
  /// A second message of the same arc and step begins here, which no port model allows.
  bool begins_message = false;

  /// The values that all transfers of a block share.
  [[nodiscard]] auto block() const noexcept { return std::tuple(source, destination, part); }
};

/// A transfer names its part in 16 bits.
inline constexpr std::uint32_t most_parts = 0xFFFF;

/// A node adds one of its sums to another: after it received, and before it sends in this step.
struct Addition {
  std::uint32_t step = 0;
  std::uint32_t node = 0;
  std::uint32_t what = 0;  ///< the destinations that name the sums
  std::uint32_t into = 0;
  std::uint16_t part = 0;
  Combine combine = Combine::behind;  ///< none: `into` becomes `what`
};

struct Transfers {
  std::uint64_t steps = 0;
  std::vector<std::uint32_t> class_of{};  ///< of every node
  std::vector<std::uint32_t>
      representatives{};         ///< a node of each class; of one class: the identity
  std::vector<Transfer> list{};  ///< those of a block in the order of their steps
  std::uint32_t parts = 1;       ///< of a block
  std::vector<Addition> additions{};
  /// The makers of the blocks, if processors make any number of blocks and the source of a transfer
  /// is the number of a block. Empty: each makes one, of its own number.
  std::vector<std::uint32_t> makers{};
  std::vector<Phase> phases{};     ///< of plans of one class; others forget them
  std::uint64_t search_bytes = 0;  ///< memory that a search for the plan took, if much

  void move(std::uint64_t step, std::uint64_t source, std::uint64_t destination, std::uint64_t from,
            std::uint64_t to, Port port = first_port_there) {
    const auto narrow = [](std::uint64_t n) { return static_cast<std::uint32_t>(n); };
    list.push_back(
        {narrow(step), narrow(source), narrow(destination), narrow(from), narrow(to), port});
  }
  /// The same of a part, and of a sum: `steps` follows.
  void move_part(std::uint64_t step, Transfer transfer) {
    transfer.step = static_cast<std::uint32_t>(step);
    list.push_back(transfer);
    steps = std::max(steps, step + 1);
  }
  /// The same, with the members of the transfer as arguments.
  void move_part(std::uint64_t step, std::uint64_t source, std::uint64_t destination,
                 std::uint64_t from, std::uint64_t to, std::uint64_t part = 0) {
    move(step, source, destination, from, to);
    list.back().part = static_cast<std::uint16_t>(part);
    steps = std::max(steps, step + 1);
  }
  /// The node adds one of its sums, or a part of it, to another.
  void add(std::uint64_t step, std::uint64_t node, std::uint32_t what, std::uint32_t into,
           Combine combine, std::uint64_t part = 0) {
    additions.push_back({static_cast<std::uint32_t>(step), static_cast<std::uint32_t>(node), what,
                         into, static_cast<std::uint16_t>(part), combine});
  }
  /// Puts the list in the order of the steps; transfers of one step keep theirs. O(transfers).
  void sort_by_step();
  [[nodiscard]] std::uint64_t nodes() const noexcept { return class_of.size(); }
  [[nodiscard]] std::uint32_t maker(std::uint32_t source) const {
    return makers.empty() ? source : makers[source];
  }
  [[nodiscard]] std::size_t bytes() const noexcept {
    return (class_of.size() + representatives.size() + makers.size()) * sizeof(std::uint32_t) +
           list.size() * sizeof(Transfer) + additions.size() * sizeof(Addition) +
           phases.size() * sizeof(Phase);
  }
  /// Whether nodes are too different to have translations.
  [[nodiscard]] bool by_node() const noexcept {
    return representatives.size() == class_of.size() && nodes() > 1;
  }
};

/// Without transfers: every node is a class; all are one, of a Cayley graph.
[[nodiscard]] Transfers every_node_a_class(std::uint64_t nodes);
[[nodiscard]] Transfers all_one_class(std::uint64_t nodes, NodeId identity = NodeId{});

/// Moves a transfer by a translation: translated(u) is where it takes u. Its port is forgotten.
template <class Translated>
void move_by(Transfer& transfer, const Translated& translated) {
  for (std::uint32_t* const node :
       {&transfer.source, &transfer.destination, &transfer.from, &transfer.to})
    if (*node != everyone) *node = static_cast<std::uint32_t>(translated(*node));
  transfer.port = first_port_there;
}

/// A plan of one class, listed for every node: translated(by, u) is where the translation that
/// takes node 0 to `by` takes u. Ports are forgotten.
[[nodiscard]] Transfers of_every_node(
    Transfers plan, const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& translated);

/// The same by the translations of the network. A plan by nodes stays as it is.
[[nodiscard]] Transfers of_every_node(Transfers plan, const ErasedTopology& network);

/// The name of the sum to which only this processor contributes, and of sums to which none does.
[[nodiscard]] constexpr std::uint32_t alone(std::uint64_t nodes, std::uint64_t processor) {
  return static_cast<std::uint32_t>(nodes + processor);
}
[[nodiscard]] constexpr std::uint32_t auxiliary(std::uint64_t nodes, std::uint64_t number) {
  return static_cast<std::uint32_t>(2 * nodes + number);
}

/// The plan in reverse time and direction: a scatter becomes a gather, a broadcast a reduction, an
/// all-gather a reduce-scatter. Precondition: every node is a class, every node receives every part
/// once, and there are no sums.
[[nodiscard]] Transfers reversed(const ErasedTopology& network, Transfers plan);

/// Start-ups and message times: the largest message of each step.
[[nodiscard]] Cost planned_cost(const Transfers& plan, const ErasedTopology& network);

/// More transfers are not planned: gigabytes.
inline constexpr std::uint64_t most_planned_transfers = std::uint64_t{1} << 23U;
inline constexpr std::uint64_t most_transfers_of_one_class = 2 * most_planned_transfers;

/// Throws InvalidParameter for more than `most`; `what` begins the message: "a2 on torus:9x9".
void check_planned_transfers(std::string_view what, std::uint64_t transfers,
                             std::uint64_t most = most_planned_transfers);

}  // namespace lockstep
