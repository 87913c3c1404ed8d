// SPDX-License-Identifier: Apache-2.0
#include "core/edge_colouring.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "lockstep/core/expects.hpp"

namespace lockstep {
namespace {

using Colour = std::uint32_t;
using EdgeNumber = std::uint32_t;
using Vertex = std::uint32_t;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct Degrees {
  std::vector<std::uint32_t> left;
  std::vector<std::uint32_t> right;

  explicit Degrees(std::span<const BipartiteEdge> edges) {
    for (const auto& [u, v] : edges) {
      if (u >= left.size()) left.resize(std::size_t{u} + 1);
      if (v >= right.size()) right.resize(std::size_t{v} + 1);
      ++left[u];
      ++right[v];
    }
  }
  [[nodiscard]] std::uint32_t largest() const {
    return left.empty()
               ? 0
               : std::max(*std::ranges::max_element(left), *std::ranges::max_element(right));
  }
};

/// The few vertices of the smaller side: a table of all colours each, and which of them are free.
class Machines {
 public:
  Machines(std::size_t count, Colour colours)
      : colours_(colours),
        words_((colours + word_bits - 1) / word_bits),
        edges_(count * colours, none),
        free_(count * words_, ~std::uint64_t{0}),
        first_word_(count) {
    if (colours % word_bits == 0) return;
    for (std::size_t last = words_; last <= free_.size(); last += words_)
      free_[last - 1] = (std::uint64_t{1} << (colours % word_bits)) - 1;
  }

  [[nodiscard]] EdgeNumber at(Vertex v, Colour c) const noexcept { return edges_[place(v, c)]; }

  void set(Vertex v, Colour c, EdgeNumber edge) noexcept {
    edges_[place(v, c)] = edge;
    const std::size_t word = c / word_bits;
    const std::uint64_t bit = std::uint64_t{1} << (c % word_bits);
    if (edge == none) {
      free_[v * words_ + word] |= bit;
      first_word_[v] = std::min(first_word_[v], word);
    } else {
      free_[v * words_ + word] &= ~bit;
    }
  }

  /// The first free colour that `wanted` admits.
  template <class Wanted>
  [[nodiscard]] std::optional<Colour> first_free(Vertex v, Wanted wanted) {
    const std::uint64_t* const words = free_.data() + v * words_;
    std::size_t& first = first_word_[v];
    while (first < words_ && words[first] == 0) ++first;
    for (std::size_t word = first; word < words_; ++word) {
      for (std::uint64_t rest = words[word]; rest != 0; rest &= rest - 1) {
        const auto colour =
            static_cast<Colour>(word * word_bits + static_cast<unsigned>(std::countr_zero(rest)));
        if (wanted(colour)) return colour;
      }
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t word_bits = 64;

  [[nodiscard]] std::size_t place(Vertex v, Colour c) const noexcept {
    return std::size_t{v} * colours_ + c;
  }

  std::size_t colours_;
  std::size_t words_;
  std::vector<EdgeNumber> edges_;  ///< by vertex and colour
  std::vector<std::uint64_t> free_;
  std::vector<std::size_t> first_word_;  ///< none is free in those before
};

/// The many vertices of the larger side: each has a list of its coloured edges.
class Jobs {
 public:
  explicit Jobs(const std::vector<std::uint32_t>& degrees)
      : begin_(degrees.size()), used_(degrees.size()) {
    std::size_t total = 0;
    for (std::size_t v = 0; v < degrees.size(); ++v) {
      begin_[v] = total;
      total += degrees[v];
    }
    entries_.resize(total);
  }

  [[nodiscard]] EdgeNumber at(Vertex v, Colour c) const noexcept {
    for (const Entry& entry : list(v))
      if (entry.colour == c) return entry.edge;
    return none;
  }
  void add(Vertex v, Colour c, EdgeNumber edge) noexcept {
    entries_[begin_[v] + used_[v]++] = {c, edge};
  }
  void recolour(Vertex v, EdgeNumber edge, Colour to) noexcept {
    for (std::size_t i = begin_[v]; i < begin_[v] + used_[v]; ++i)
      if (entries_[i].edge == edge) entries_[i].colour = to;
  }

  /// The free colour that is nearest to `c`, below it if there are two; one of `colours` is free.
  [[nodiscard]] Colour nearest_free(Vertex v, Colour c, Colour colours) const {
    for (Colour away = 1; away < colours; ++away) {
      if (away <= c && at(v, c - away) == none) return c - away;
      if (away < colours - c && at(v, c + away) == none) return c + away;
    }
    invariant_failed("a vertex has no more edges than there are colours");
  }

 private:
  struct Entry {
    Colour colour;
    EdgeNumber edge;
  };
  [[nodiscard]] std::span<const Entry> list(Vertex v) const noexcept {
    return {entries_.data() + begin_[v], used_[v]};
  }

  std::vector<std::size_t> begin_;
  std::vector<std::uint32_t> used_;
  std::vector<Entry> entries_;
};

class Painter {
 public:
  Painter(std::span<const BipartiteEdge> edges, const Degrees& degrees)
      : edges_(edges),
        left_are_jobs_(degrees.left.size() >= degrees.right.size()),
        count_(degrees.largest()),
        machines_(left_are_jobs_ ? degrees.right.size() : degrees.left.size(), count_),
        jobs_(left_are_jobs_ ? degrees.left : degrees.right) {}

  [[nodiscard]] std::vector<Colour> colours() {
    expects(edges_.size() < none, "edges are numbered in 32 bits");
    colours_.reserve(edges_.size());
    for (EdgeNumber edge = 0; edge < edges_.size(); ++edge) paint(edge);
    return std::move(colours_);
  }

 private:
  [[nodiscard]] Vertex job(EdgeNumber edge) const noexcept {
    return left_are_jobs_ ? edges_[edge].left : edges_[edge].right;
  }
  [[nodiscard]] Vertex machine(EdgeNumber edge) const noexcept {
    return left_are_jobs_ ? edges_[edge].right : edges_[edge].left;
  }

  void paint(EdgeNumber edge) {
    const Vertex here = job(edge);
    const Vertex there = machine(edge);
    std::optional<Colour> colour =
        machines_.first_free(there, [&](Colour c) { return jobs_.at(here, c) == none; });
    if (!colour) {
      colour = machines_.first_free(there, [](Colour) { return true; });
      expects(colour.has_value(), "a vertex has no more edges than there are colours");
      exchange(here, *colour, jobs_.nearest_free(here, *colour, count_));
    }
    colours_.push_back(*colour);
    jobs_.add(here, *colour, edge);
    machines_.set(there, *colour, edge);
  }

  /// The path of edges in turn `used` and `other` that begins with `used` at a job: each takes the
  /// colour of its neighbours. It comes to machines by `used` only, so that it does not meet one
  /// where that is free; `other` must be free where it begins.
  void exchange(Vertex begin, Colour used, Colour other) {
    std::vector<EdgeNumber> path;
    for (Vertex at = begin;;) {
      const EdgeNumber out = jobs_.at(at, used);
      if (out == none) break;
      path.push_back(out);
      const EdgeNumber back = machines_.at(machine(out), other);
      if (back == none) break;
      path.push_back(back);
      at = job(back);
    }
    for (const EdgeNumber edge : path) machines_.set(machine(edge), colours_[edge], none);
    for (const EdgeNumber edge : path) {
      const Colour to = colours_[edge] == used ? other : used;
      colours_[edge] = to;
      jobs_.recolour(job(edge), edge, to);
      machines_.set(machine(edge), to, edge);
    }
  }

  std::span<const BipartiteEdge> edges_;
  bool left_are_jobs_;
  Colour count_;
  Machines machines_;
  Jobs jobs_;
  std::vector<Colour> colours_;  ///< of the edges so far
};

}  // namespace

std::uint32_t colours_needed(std::span<const BipartiteEdge> edges) {
  return Degrees(edges).largest();
}

std::vector<std::uint32_t> edge_colouring(std::span<const BipartiteEdge> edges) {
  return Painter(edges, Degrees(edges)).colours();
}

}  // namespace lockstep
