// SPDX-License-Identifier: Apache-2.0

/// Collectives in a Cayley graph under one port, one generator after another: in a step all nodes
/// send through the port of one generator. A block is then at the products of the generators used
/// so far, each or not, and has to reach all nodes; the shortest sequence is searched for. On a
/// hypercube this is recursive doubling, with d generators.
///     all-gather      every node passes on what its neighbour does not have.
///     total exchange  a block takes the fewest steps of the sequence that lead to its destination.
/// Source: Lockstep; for hypercubes Johnsson, Ho 1989.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithm/family_shapes.hpp"
#include "algorithm/planned_algorithms.hpp"
#include "lockstep/topology/any_cayley.hpp"
#include "topology/known_searches.hpp"

namespace lockstep {
namespace {

/// Generators in the order in which they are used, as ports of the identity.
using GeneratorSequence = std::vector<std::uint32_t>;

/// The neighbour of each node through each generator.
class GeneratorTable {
 public:
  explicit GeneratorTable(const AnyCayley& group)
      : nodes_(group.node_count()), identity_(index(group.identity())) {
    for (std::size_t p = 0; p < group.max_degree(); ++p)
      for (std::uint64_t u = 0; u < nodes_; ++u)
        after_.push_back(static_cast<std::uint32_t>(index(group.neighbor(NodeId{u}, port(p)))));
  }

  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }
  [[nodiscard]] std::uint64_t identity() const noexcept { return identity_; }
  [[nodiscard]] std::uint32_t generators() const noexcept {
    return static_cast<std::uint32_t>(after_.size() / nodes_);
  }
  [[nodiscard]] std::uint32_t after(std::uint32_t generator, std::uint64_t node) const {
    return after_[generator * nodes_ + node];
  }

 private:
  std::uint64_t nodes_;
  std::uint64_t identity_;
  std::vector<std::uint32_t> after_;  // by generator, then by node
};

/// A beam search: of the sequences of each length it keeps those that reach most nodes. Each
/// node has a random number, and two sets of nodes with the same XOR of their numbers count as one
/// set. Should the sets differ, a candidate is lost; the sequence found is correct.
class SequenceSearch {
 public:
  explicit SequenceSearch(const GeneratorTable& table) : table_(table), numbers_(table.nodes()) {
    std::ranges::generate(numbers_, std::mt19937_64());
    Reached begin{.has = std::vector<std::uint8_t>(table.nodes())};
    begin.add(static_cast<std::uint32_t>(table.identity()), numbers_);
    beam_.push_back(std::move(begin));
  }

  [[nodiscard]] GeneratorSequence shortest() {
    while (beam_.front().nodes.size() < table_.nodes()) advance();
    return beam_.front().sequence;
  }

 private:
  struct Reached {
    std::vector<std::uint32_t> nodes{};
    std::vector<std::uint8_t> has{};  // of each node: 1 if it is one of them
    std::uint64_t number = 0;         // of the set
    GeneratorSequence sequence{};

    void add(std::uint32_t node, const std::vector<std::uint64_t>& numbers) {
      nodes.push_back(node);
      has[node] = 1;
      number ^= numbers[node];
    }
  };
  /// A sequence of the beam and one more generator.
  struct Extension {
    const Reached* before;
    std::uint32_t generator;
    std::uint64_t count;
    std::uint64_t number;
  };

  void advance() {
    // So many nodes are looked at in a step, until there were many steps.
    constexpr std::uint64_t most_looks_of_step = std::uint64_t{1} << 19U;
    constexpr std::uint64_t most_looks = std::uint64_t{1} << 27U;  // a tenth of a second
    const std::uint64_t looks_of_one = table_.nodes() * table_.generators();
    looks_ += beam_.size() * looks_of_one;
    const std::uint64_t width =
        looks_ > most_looks ? 1 : std::max<std::uint64_t>(most_looks_of_step / looks_of_one, 1);
    std::vector<Extension> extensions;
    for (const Reached& before : beam_)
      for (std::uint32_t generator = 0; generator < table_.generators(); ++generator)
        extensions.push_back(extension(before, generator));
    std::ranges::stable_sort(extensions, std::ranges::greater(), &Extension::count);
    std::vector<Reached> next;
    std::set<std::uint64_t> known;
    for (const Extension& one : extensions) {
      if (next.size() == width) break;
      if (known.insert(one.number).second) next.push_back(extended(one));
    }
    beam_ = std::move(next);
  }
  /// Generators are permutations: each of the nodes leads to another one.
  [[nodiscard]] Extension extension(const Reached& before, std::uint32_t generator) const {
    Extension made{&before, generator, before.nodes.size(), before.number};
    for (const std::uint32_t u : before.nodes) {
      const std::uint32_t there = table_.after(generator, u);
      const bool is_new = before.has[there] == 0;
      made.count += is_new ? 1 : 0;
      made.number ^= is_new ? numbers_[there] : 0;
    }
    return made;
  }
  [[nodiscard]] Reached extended(const Extension& by) const {
    Reached after = *by.before;
    after.sequence.push_back(by.generator);
    for (const std::uint32_t u : by.before->nodes)
      if (const std::uint32_t there = table_.after(by.generator, u); by.before->has[there] == 0)
        after.add(there, numbers_);
    return after;
  }

  const GeneratorTable& table_;
  std::vector<std::uint64_t> numbers_;  // of each node
  std::vector<Reached> beam_;
  std::uint64_t looks_ = 0;  // at nodes
};

[[nodiscard]] GeneratorSequence shortest_sequence(const ErasedTopology& network,
                                                  const GeneratorTable& table) {
  static KnownSearches<std::uint64_t, GeneratorSequence> known;
  return known.of(network, table.identity(), [&] { return SequenceSearch(table).shortest(); });
}

[[nodiscard]] Transfer move_of(std::uint32_t destination, std::uint64_t from, std::uint32_t to,
                               std::uint32_t generator) {
  return {.destination = destination,
          .from = static_cast<std::uint32_t>(from),
          .to = to,
          .port = port(generator)};
}

[[nodiscard]] Transfers gather_by_sequence(const PlanRequest& asked) {
  Transfers plan = all_one_class(asked.network.node_count());
  const GeneratorTable table(*asked.network.cayley());
  std::vector<std::uint8_t> reached(table.nodes());
  reached[table.identity()] = 1;
  const GeneratorSequence sequence = shortest_sequence(asked.network, table);
  for (std::size_t step = 0; step < sequence.size(); ++step) {
    std::vector<std::uint32_t> now;
    for (std::uint64_t u = 0; u < table.nodes(); ++u) {
      const std::uint32_t there = table.after(sequence[step], u);
      if (reached[u] == 0 || reached[there] != 0) continue;
      plan.move_part(step, move_of(everyone, u, there, sequence[step]));
      now.push_back(there);
    }
    for (const std::uint32_t there : now) reached[there] = 1;
  }
  return plan;
}

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// By step of the sequence, then by node: from where the least moves within the first steps come to
/// the node in this one, if they do.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> least_moves(
    const GeneratorTable& table, const GeneratorSequence& sequence) {
  std::vector<std::vector<std::uint32_t>> all;
  std::vector<std::uint32_t> moves(table.nodes(), unreached);
  moves[table.identity()] = 0;
  for (const std::uint32_t generator : sequence) {
    std::vector<std::uint32_t> next = moves;
    std::vector<std::uint32_t>& from = all.emplace_back(table.nodes(), unreached);
    for (std::uint64_t u = 0; u < table.nodes(); ++u) {
      const std::uint32_t there = table.after(generator, u);
      if (moves[u] == unreached || moves[u] + 1 >= next[there]) continue;
      next[there] = moves[u] + 1;
      from[there] = static_cast<std::uint32_t>(u);
    }
    moves = std::move(next);
  }
  return all;
}

[[nodiscard]] Transfers exchange_by_sequence(const PlanRequest& asked) {
  Transfers plan = all_one_class(asked.network.node_count());
  const GeneratorTable table(*asked.network.cayley());
  const GeneratorSequence sequence = shortest_sequence(asked.network, table);
  const std::vector<std::vector<std::uint32_t>> moves = least_moves(table, sequence);
  for (std::uint32_t v = 1; v < table.nodes(); ++v) {
    const auto first = static_cast<std::ptrdiff_t>(plan.list.size());
    std::uint32_t at = v;
    for (std::size_t step = sequence.size(); step-- > 0;) {
      const std::uint32_t from = moves[step][at];
      if (from == unreached) continue;
      plan.move_part(step, move_of(v, from, at, sequence[step]));
      at = from;
    }
    std::reverse(plan.list.begin() + first, plan.list.end());
  }
  return plan;
}

[[nodiscard]] SupportedNetworks sequence_networks() {
  return group_from_node_0.up_to_nodes(4'096).with(at_most(quantities::ports, 64));
}

constexpr std::string_view sequence_source = "Lockstep; hypercubes: Johnsson, Ho 1989";

}  // namespace

const PlannedAlgorithm sequence_gather = in_any_numbering(
    {.info = {.name = "generator-sequence",
              .operation = Operation::all_gather,
              .model = port_models::single_port,
              .source = sequence_source,
              .costs = "length of the sequence in start-ups, at least log2 N; N - 1 message times",
              .claims = {.message_times = Among::all},
              .summary = "all nodes use the same generator in a step; shortest sequence found"},
     .networks = sequence_networks(),
     .plan = gather_by_sequence});

const PlannedAlgorithm sequence_exchange = in_any_numbering(
    {.info = {.name = "generator-sequence",
              .operation = Operation::total_exchange,
              .model = port_models::single_port,
              .source = sequence_source,
              .costs = "length of the sequence in start-ups; moves of all blocks of a node in "
                       "message times",
              .summary = "all nodes use the same generator in a step; long messages"},
     .networks = sequence_networks(),
     .plan = exchange_by_sequence});

}  // namespace lockstep
