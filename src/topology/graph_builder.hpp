// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Shared by all readers of graph files: names become numbers, and everything that is no network is
/// refused with the file and the line.
///
///     GraphBuilder graph("net.txt", {});
///     graph.add_link(graph.node("a", 1), graph.node("b", 1), 1);
///     graph.note_each("ignored", "weight", 1);
///     const FileNetwork network = graph.network("file:net.txt");

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/topology/network.hpp"
#include "topology/graph_file.hpp"
#include "topology/graph_links.hpp"

namespace lockstep {

/// As much of a word as an error message shows, without control characters.
[[nodiscard]] std::string shown(std::string_view word);

class GraphBuilder {
 public:
  using Number = std::uint32_t;
  static constexpr Number no_port = std::numeric_limits<Number>::max();

  GraphBuilder(std::string file, GraphReadOptions options)
      : file_(std::move(file)), options_(options) {}

  /// Names that are numbers below this are found in an array.
  void expect_numbers_below(std::size_t most) noexcept { most_value_ = most; }

  template <class... Arguments>
  [[noreturn]] void fail(std::size_t line, fmt::format_string<Arguments...> sentence,
                         Arguments&&... arguments) const {
    throw invalid("{}:{}: {}", file_, line,
                  fmt::format(sentence, std::forward<Arguments>(arguments)...));
  }

  /// Kept with the network, for the user: what the reader ignored, joined or dropped. A phrase that
  /// begins with a verb, such as "joined the two directions of 4 links".
  template <class... Arguments>
  void note(fmt::format_string<Arguments...> phrase, Arguments&&... arguments) {
    notes_.push_back(fmt::format(phrase, std::forward<Arguments>(arguments)...));
  }
  /// The same of many lines: one note, "ignored 12 weights (first in line 3)". `noun`: its plural
  /// ends in s.
  void note_each(std::string_view verb, std::string_view noun, std::size_t line);

  /// The node of that name, which is new where there was none.
  [[nodiscard]] Number node(std::string_view name, std::size_t line);
  [[nodiscard]] std::optional<Number> find(std::string_view name) const;
  /// A node that must be new.
  Number declare(std::string_view name, std::size_t line);
  /// New nodes of the names first, first + 1, ..
  void declare_numbers(std::uint64_t count, std::uint64_t first, std::size_t line);

  void set_switch(Number u) { nodes_[u].is_switch = true; }
  void set_label(Number u, std::string label, std::size_t line);
  /// The ports at u and at v, which all links have or none.
  using Ports = std::optional<std::array<Number, 2>>;
  /// Takes the ports at the lower and at the higher numbered end; refuses one without the other.
  [[nodiscard]] Ports ports_of(Number u, Number v, std::optional<Number> lower,
                               std::optional<Number> higher, std::size_t line) const;
  /// Refuses a self-loop, or drops it if the options say so. `is_arc`: from u to v; in the network
  /// each arc must have its reverse, unless the options say that arcs are links.
  void add_link(Number u, Number v, std::size_t line, const Ports& ports = {}, bool is_arc = false);

  /// The number of links that the file states; `noun` is its word for a link. Writers count a link
  /// once or in both directions, and list it once or in both directions.
  void expect_links(std::size_t line, std::uint64_t count, std::string_view noun) {
    expected_ = {line, count, noun};
  }
  /// All links, before and after, are arcs.
  void links_are_arcs();
  /// Lanes unless set.
  void set_repeats(Repeats repeats) noexcept { repeats_ = repeats; }
  /// Numbers nodes by their names, where all of these are different whole numbers.
  void order_by_number();

  [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
  /// Links as added: none is joined yet, and those that were dropped count.
  [[nodiscard]] std::size_t link_count() const noexcept { return all_.links.size() + dropped_; }
  [[nodiscard]] std::string shown_name(Number u) const { return shown(names_[u]); }

  /// Joins arcs and repeated links. Refuses what is not connected, and ports that do not fit.
  [[nodiscard]] FileNetwork network(std::string name);

 private:
  struct Node {
    std::uint32_t line;
    bool is_switch = false;
  };
  struct CountedNote {
    std::string verb;
    std::string noun;
    std::uint64_t count;
    std::size_t first_line;
  };

  struct ExpectedLinks {
    std::size_t line;
    std::uint64_t count;
    std::string_view noun;
  };

  void note_labels_that_are_ids();
  void check_count() const;
  /// `listed`: lines; `pairs`: of them, those that list a link in the other direction.
  void check_doubled_count(std::uint64_t listed, std::uint64_t pairs);
  void check_text(std::string_view text, std::size_t line) const;
  /// False: a self-loop, which was dropped.
  [[nodiscard]] bool keep_link(Number u, Number v, std::size_t line);
  [[nodiscard]] std::vector<std::string> all_notes() const;
  void check_connected() const;
  /// The number of every node in the network: processors first.
  [[nodiscard]] std::vector<Number> final_numbers() const;
  [[nodiscard]] NetworkTables tables(std::string name, const std::vector<Number>& numbers) const;
  /// The port that the file gives to the link at that side's end, which is number u of the tables.
  [[nodiscard]] Number free_port(const NetworkTables& tables, Number u, std::size_t link,
                                 std::size_t side) const;
  void fill(NetworkTables& tables, const std::vector<Number>& numbers) const;
  [[nodiscard]] std::shared_ptr<const NodeNames> names(const std::vector<Number>& numbers);

  std::string file_;
  GraphReadOptions options_;
  std::vector<std::string> notes_;
  std::vector<CountedNote> counted_notes_;
  std::optional<ExpectedLinks> expected_;
  Repeats repeats_ = Repeats::lanes;
  bool links_are_arcs_ = false;
  std::size_t dropped_ = 0;  // self-loops
  std::size_t most_value_ = 0;
  std::deque<std::string> names_;
  static constexpr Number none = std::numeric_limits<Number>::max();
  std::unordered_map<std::string_view, Number> number_of_;  // but of those in the next one
  std::vector<Number> number_of_value_;                     // of names that are small numbers
  std::unordered_map<Number, std::string> labels_;
  std::vector<Number> order_;  // order_[i]: the node that comes i-th; empty: as declared
  std::vector<Node> nodes_;
  FileLinks all_;
};

}  // namespace lockstep
