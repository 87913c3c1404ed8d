// SPDX-License-Identifier: Apache-2.0

/// Attributes of nodes and links, which GraphML and node-link JSON have.

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "core/joined.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "topology/graph_readers.hpp"

namespace lockstep::graph_readers {

std::string one_line(std::string_view text) {
  std::vector<std::string_view> words;
  append_words(text, words, " \t\r\n\v\f");
  return joined(words, " ");
}

void IgnoredAttributes::add(Owner owner, std::string_view name) {
  auto& counts = counts_[static_cast<std::size_t>(owner)];
  const auto found = counts.find(name);
  if (found == counts.end())
    counts.emplace(name, 1);
  else
    ++found->second;
}

void IgnoredAttributes::note_in(GraphBuilder& graph) const {
  constexpr std::size_t most_names = 6;
  std::string names;
  std::size_t count = 0;
  for (const Owner owner : {Owner::link, Owner::node})
    for (const auto& [name, values] : counts_[static_cast<std::size_t>(owner)])
      if (++count <= most_names)
        names += fmt::format("{}'{}' of {}", count == 1 ? "" : ", ", shown(name),
                             counted(values, owner == Owner::link ? "link" : "node"));
  if (count == 0) return;
  if (count > most_names) names += fmt::format(" and {} more", count - most_names);
  graph.note("ignored {} {}", count == 1 ? "the attribute" : "the attributes", names);
}

}  // namespace lockstep::graph_readers
