// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One reader per format of graph files (graph_file.hpp). Each adds the nodes and links of a text
/// to a builder, and refuses what it does not understand with its line.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/words.hpp"
#include "topology/graph_builder.hpp"

namespace lockstep::graph_readers {

[[nodiscard]] std::string lower_case(std::string_view word);
/// A line, trimmed, that begins with '#', '%' or "//".
[[nodiscard]] bool is_remark(std::string_view line);
/// "3", "-0.5", "1,5e-3", "nan"
[[nodiscard]] bool is_decimal(std::string_view word);

/// The lines of a text, one after the other, with their numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  /// False: there is none left.
  [[nodiscard]] bool next();
  [[nodiscard]] std::string_view line() const noexcept { return line_; }
  /// From 1.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  /// Words of the line, separated by blanks; kept until the next call.
  [[nodiscard]] const std::vector<std::string_view>& words();

 private:
  std::string_view rest_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::vector<std::string_view> words_;
};

[[nodiscard]] std::uint64_t number_in(const GraphBuilder& graph, std::string_view word,
                                      std::size_t line);
/// A file lists no more links than have place in it: checked before they take memory.
void check_room(const GraphBuilder& graph, std::string_view text, std::uint64_t links,
                std::size_t line);
/// Nodes 1..N, of which there can be no more than links and one where all are connected.
void declare_from_one(GraphBuilder& graph, std::string_view text, std::uint64_t nodes,
                      std::uint64_t links, std::size_t line);
/// A node by its number from 1.
[[nodiscard]] GraphBuilder::Number numbered(const GraphBuilder& graph, std::string_view word,
                                            std::size_t line);

/// A label in one line: white space becomes single blanks.
[[nodiscard]] std::string one_line(std::string_view text);

/// Attributes that networks do not have, such as weights and colours. They are counted for a note.
class IgnoredAttributes {
 public:
  enum class Owner : std::uint8_t { node, link };

  void add(Owner owner, std::string_view name);
  void note_in(GraphBuilder& graph) const;

 private:
  std::array<std::map<std::string, std::uint64_t, std::less<>>, 2> counts_;  // by owner
};

// A reader may alter the text.
void read_edges(GraphBuilder& graph, std::string& text);
void read_dimacs(GraphBuilder& graph, std::string& text);
void read_matrix(GraphBuilder& graph, std::string& text);
void read_graphml(GraphBuilder& graph, std::string& text);
void read_node_link(GraphBuilder& graph, std::string& text);

}  // namespace lockstep::graph_readers
