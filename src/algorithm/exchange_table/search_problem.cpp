// SPDX-License-Identifier: Apache-2.0

/// The problem of a search for an exchange table: nodes, their candidate words, and how often a
/// letter may be doubled.

#include <array>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithm/exchange_table/table_search.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "topology/star_distances.hpp"

namespace lockstep::table_search {
namespace {

constexpr std::size_t most_words_of_node = 400;
constexpr std::uint64_t most_filler_nodes = 100'000;

void check_fillers(std::size_t symbols, TableKind kind, const std::vector<std::size_t>& fillers) {
  const std::vector<std::uint64_t> levels = star_level_sizes(symbols);
  std::uint64_t nodes = 0;
  std::set<std::size_t> seen;
  for (const std::size_t distance : fillers) {
    const bool fits = distance >= 1 && distance < levels.size() &&
                      (!is_odd(kind) || distance % 2 == 1) && seen.insert(distance).second;
    if (fits) nodes += levels[distance];
    if (!fits || nodes > most_filler_nodes) {
      throw InvalidParameter("fillers: distance " + std::to_string(distance) +
                             " is not valid; expected different" + (is_odd(kind) ? " odd" : "") +
                             " distances in 1.." + std::to_string(levels.size() - 1) +
                             " with at most " + grouped(most_filler_nodes) + " nodes");
    }
  }
}

/// The nodes at a distance: those next to them that lie nearer, one port further.
[[nodiscard]] std::vector<Permutation> nodes_at(std::size_t symbols, std::size_t distance) {
  const StarGraph star{symbols};
  std::vector<NodeId> level{star.identity()};
  for (std::size_t d = 1; d <= distance; ++d) {
    std::set<NodeId> next;
    for (const NodeId u : level)
      for (std::size_t p = 0; p < star.max_degree(); ++p)
        if (const NodeId v = star.neighbor(u, port(p)); star.distance(star.identity(), v) == d)
          next.insert(v);
    level.assign(next.begin(), next.end());
  }
  std::vector<Permutation> nodes;
  for (const NodeId u : level) nodes.push_back(star.permutation(u));
  return nodes;
}

[[nodiscard]] std::vector<Permutation> nodes_to_pack(std::size_t symbols, TableKind kind,
                                                     std::vector<std::size_t> fillers) {
  std::vector<Permutation> nodes;
  for (const Permutation r : exceptional_nodes(symbols))
    if (!is_odd(kind) || star_detail::distance_from_identity(r) % 2 == 1) nodes.push_back(r);
  if (fillers.empty() && !nodes.empty())
    fillers = is_odd(kind) ? std::vector<std::size_t>{1, 3} : std::vector<std::size_t>{1, 2};
  for (const std::size_t distance : fillers)
    for (const Permutation r : nodes_at(symbols, distance))
      if (!is_exceptional(r)) nodes.push_back(r);
  return nodes;
}

/// All, or some where there are too many; in lexicographic order.
[[nodiscard]] std::vector<Word> candidate_words(Permutation node, std::mt19937_64& random) {
  std::vector<Word> all = minimal_words(node, most_words_of_node + 1);
  if (all.size() <= most_words_of_node) return all;
  std::set<Word> words;
  while (words.size() < most_words_of_node) words.insert(random_minimal_word(node, random));
  return {words.begin(), words.end()};
}

[[nodiscard]] Candidate candidate(Word word) {
  std::array<LetterSet, window_columns> cells{};
  LetterSet seen = 0;
  LetterSet doubled = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    cells[i] = static_cast<LetterSet>(1U << index(word[i]));
    doubled = static_cast<LetterSet>(doubled | (seen & cells[i]));
    seen = static_cast<LetterSet>(seen | cells[i]);
  }
  Candidate result{{}, doubled, std::move(word)};
  std::memcpy(result.letters.data(), cells.data(), sizeof cells);
  return result;
}

/// A letter stands once in the word of a node that moves it, or twice; what the columns hold beyond
/// once is what may be doubled.
[[nodiscard]] std::vector<std::uint64_t> doubling_quota(const Problem& problem) {
  std::vector<std::uint64_t> quota(problem.ports(), problem.columns);
  for (const Permutation node : problem.nodes)
    for (std::size_t a = 1; a < problem.symbols; ++a)
      if (node[a] != a && quota[a - 1] > 0) --quota[a - 1];
  return quota;
}

}  // namespace

Problem make_problem(std::size_t symbols, TableKind kind, const std::vector<std::size_t>& fillers,
                     std::mt19937_64& random) {
  check_fillers(symbols, kind, fillers);
  Problem problem;
  problem.symbols = symbols;
  problem.kind = base_of(kind);
  problem.nodes = nodes_to_pack(symbols, kind, fillers);
  std::uint64_t letters = 0;
  for (const Permutation node : problem.nodes) letters += star_detail::distance_from_identity(node);
  problem.columns = (letters + problem.ports() - 1) / problem.ports();
  problem.blanks = problem.columns * problem.ports() - letters;
  problem.quota = doubling_quota(problem);
  problem.groups.resize(problem.ports());
  for (std::uint32_t node = 0; node < problem.nodes.size(); ++node) {
    for (Word& word : candidate_words(problem.nodes[node], random)) {
      std::vector<Group>& groups = problem.groups[index(word.front())];
      const auto at = static_cast<std::uint32_t>(problem.candidates.size());
      if (groups.empty() || groups.back().node != node) groups.push_back({node, at, at});
      ++groups.back().last;
      problem.candidates.push_back(candidate(std::move(word)));
    }
  }
  return problem;
}

}  // namespace lockstep::table_search
