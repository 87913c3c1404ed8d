// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What readers of graph files have in common: names become numbers, and everything that is no
/// network is refused with the file and the line.
///
///     GraphBuilder graph("net.txt");
///     graph.add_link(graph.node("a", 1), graph.node("b", 1), 1);
///     const Network network = graph.network("file:net.txt");

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lockstep/topology/network.hpp"

namespace lockstep {

/// As much of a word as an error message shows, without control characters.
[[nodiscard]] std::string shown(std::string_view word);

class GraphBuilder {
 public:
  using Number = std::uint32_t;
  static constexpr Number no_port = std::numeric_limits<Number>::max();

  explicit GraphBuilder(std::string file) : file_(std::move(file)) {}

  [[noreturn]] void fail(std::size_t line, const std::string& what) const;

  /// The node of that name, which is new where there was none.
  [[nodiscard]] Number node(std::string_view name, std::size_t line);
  [[nodiscard]] std::optional<Number> find(std::string_view name) const;
  /// A node that must be new.
  Number declare(std::string_view name, std::size_t line);
  /// New nodes of the names first, first + 1, ..
  void declare_numbers(std::uint64_t count, std::uint64_t first, std::size_t line);

  void set_switch(Number u) { nodes_[u].is_switch = true; }
  void set_label(Number u, std::string label, std::size_t line);
  /// Refuses a self-loop.
  void add_link(Number u, Number v, std::size_t line);
  /// With the port of either end; for all links or for none.
  void add_link(Number u, Number v, std::array<Number, 2> ports, std::size_t line);
  /// With the port at the lower and at the higher numbered end; refuses one without the other.
  void add_link(Number u, Number v, std::optional<Number> lower, std::optional<Number> higher,
                std::size_t line);

  /// Links were arcs: each arc and one back become one link. Refuses an arc without an arc back.
  void pair_arcs();
  /// The same, where every link was listed in both directions; otherwise nothing changes.
  void pair_arcs_if_all_are_listed_twice();
  /// Numbers nodes by their names, where all of these are different whole numbers.
  void order_by_number();

  [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::size_t link_count() const noexcept { return links_.size(); }

  /// Refuses what is not connected, and ports that do not fit.
  [[nodiscard]] Network network(std::string name);

 private:
  struct Node {
    std::size_t line;
    bool is_switch = false;
  };
  struct LineLink {
    std::array<Number, 2> ends;
    std::uint32_t line;
  };

  void check_text(std::string_view text, std::size_t line) const;
  [[nodiscard]] std::optional<std::size_t> arc_without_back(std::vector<LineLink>& paired) const;
  void check_connected() const;
  /// The number of every node in the network: processors first.
  [[nodiscard]] std::vector<Number> final_numbers() const;
  [[nodiscard]] NetworkTables tables(std::string name, const std::vector<Number>& numbers) const;
  void fill(NetworkTables& tables, const std::vector<Number>& numbers) const;
  [[nodiscard]] std::vector<std::string> labels(const std::vector<Number>& numbers);

  std::string file_;
  std::deque<std::string> names_;
  static constexpr Number none = std::numeric_limits<Number>::max();
  std::unordered_map<std::string_view, Number> number_of_;  // but of those in the next one
  std::vector<Number> number_of_value_;                     // of names that are small numbers
  std::unordered_map<Number, std::string> labels_;
  std::vector<Number> order_;  // order_[i]: the node that comes i-th; empty: as declared
  std::vector<Node> nodes_;
  std::vector<LineLink> links_;
  std::vector<std::array<Number, 2>> ports_;  // of links_; empty: in the order of the links
};

}  // namespace lockstep
