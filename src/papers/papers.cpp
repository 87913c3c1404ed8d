// SPDX-License-Identifier: Apache-2.0

/// The papers, and what is the same for all of them.

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers {

extern const Paper star_paper;
extern const Paper tables_paper;
extern const Paper ej_paper;
extern const Paper torus_paper;
extern const Paper fat_trees_paper;

std::span<const Paper* const> all_papers() {
  static constexpr std::array papers{&star_paper, &tables_paper, &ej_paper, &torus_paper,
                                     &fat_trees_paper};
  return papers;
}

std::string drawing_of(const AnyTopology& topology) {
  for (const Paper* const paper : all_papers())
    if (paper->drawing != nullptr)
      if (std::optional<std::string> svg = paper->drawing(topology)) return *std::move(svg);
  if (std::optional<std::string> svg = drawing_of_levels(topology)) return *std::move(svg);
  throw InvalidParameter(fmt::format(
      "{}: no drawing of this network; use --format text, json or dot", topology.name()));
}

Partition partition_of(const AnyTopology& topology, std::string_view how) {
  for (const Paper* const paper : all_papers())
    if (paper->partition != nullptr)
      if (std::optional<Partition> cut = paper->partition(topology, how)) return *std::move(cut);
  throw InvalidParameter(
      fmt::format("{}: no partition of this network; expected a torus", topology.name()));
}

void append(PaperRows& rows, PaperRows more) {
  rows.insert(rows.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
}

std::string cost_text(const Cost& cost) {
  return fmt::format("{} t_s + {} t_m", cost.startups, to_string(cost.message_times));
}

std::string counted_cost(const RunResult& result) { return cost_text(result.cost); }

}  // namespace lockstep::papers
