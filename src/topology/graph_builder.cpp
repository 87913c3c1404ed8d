// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/topology/build_network.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// What is not ASCII alone, as a JSON text that refuses it.
[[nodiscard]] bool is_utf8(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return true;
  try {
    (void)nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

/// What format() writes of a number, so that equal numbers are equal names.
[[nodiscard]] std::optional<std::uint64_t> plain_number(std::string_view name) {
  if (name.empty() || name.size() > 9 || (name.size() > 1 && name.front() == '0')) return {};
  return whole_number(name);
}

}  // namespace

std::string shown(std::string_view word) {
  constexpr std::size_t most = 40;
  std::string text(word.substr(0, most));
  if (!is_utf8(text))
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  std::ranges::replace_if(text, is_control, '?');
  return word.size() > most ? text + ".." : text;
}

void GraphBuilder::fail(std::size_t line, const std::string& what) const {
  throw InvalidParameter(fmt::format("{}:{}: {}", file_, line, what));
}

std::optional<GraphBuilder::Number> GraphBuilder::find(std::string_view name) const {
  if (const std::optional<std::uint64_t> value = plain_number(name))
    if (*value < number_of_value_.size() && number_of_value_[*value] != none)
      return number_of_value_[*value];
  const auto found = number_of_.find(name);
  return found == number_of_.end() ? std::nullopt : std::optional(found->second);
}

GraphBuilder::Number GraphBuilder::declare(std::string_view name, std::size_t line) {
  if (name.empty()) fail(line, "a node without a name");
  check_text(name, line);
  if (nodes_.size() + 1 >= Network::max_nodes)
    fail(line, fmt::format("more nodes than the {} allowed", Network::max_nodes - 1));
  const auto number = static_cast<Number>(nodes_.size());
  if (find(name)) fail(line, fmt::format("node '{}' is declared twice", shown(name)));
  const std::string& kept = names_.emplace_back(name);
  nodes_.push_back({line});
  // Mostly names are the numbers from 0 or 1 on: an array, no larger than the list of nodes.
  const std::optional<std::uint64_t> value = plain_number(name);
  if (!value || *value >= 2 * nodes_.size() + 64) {
    number_of_.emplace(kept, number);
  } else {
    if (*value >= number_of_value_.size()) number_of_value_.resize(2 * *value + 1, none);
    number_of_value_[*value] = number;
  }
  return number;
}

GraphBuilder::Number GraphBuilder::node(std::string_view name, std::size_t line) {
  const std::optional<Number> known = find(name);
  return known ? *known : declare(name, line);
}

void GraphBuilder::declare_numbers(std::uint64_t count, std::uint64_t first, std::size_t line) {
  nodes_.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) declare(fmt::format("{}", first + i), line);
}

/// Names are printed and written to JSON.
void GraphBuilder::check_text(std::string_view text, std::size_t line) const {
  if (std::ranges::any_of(text, is_control))
    fail(line, fmt::format("node '{}': control characters in its name", shown(text)));
  if (!is_utf8(text)) fail(line, fmt::format("node '{}': its name is no UTF-8", shown(text)));
}

void GraphBuilder::set_label(Number u, std::string label, std::size_t line) {
  check_text(label, line);
  labels_[u] = std::move(label);
}

void GraphBuilder::add_link(Number u, Number v, std::size_t line) {
  if (u == v)
    fail(line,
         fmt::format("self-loop at node '{}'; links join two different nodes", shown(names_[u])));
  if (!ports_.empty()) fail(line, "a link without ports, but other links have ports");
  links_.push_back({{u, v}, static_cast<std::uint32_t>(line)});
}

void GraphBuilder::add_link(Number u, Number v, std::array<Number, 2> ports, std::size_t line) {
  if (ports_.size() != links_.size()) fail(line, "a link with ports, but other links have none");
  std::vector<std::array<Number, 2>> kept = std::exchange(ports_, {});
  add_link(u, v, line);
  ports_ = std::move(kept);
  ports_.push_back(ports);
}

void GraphBuilder::add_link(Number u, Number v, std::optional<Number> lower,
                            std::optional<Number> higher, std::size_t line) {
  if (lower.has_value() != higher.has_value())
    fail(line, "lower_port without higher_port, or the other way round");
  if (!lower) return add_link(u, v, line);
  add_link(u, v, u < v ? std::array{*lower, *higher} : std::array{*higher, *lower}, line);
}

/// Both directions of the same ends, sorted: as many one way as the other. Fills `paired` with one
/// link for each two arcs, in the order of the file.
std::optional<std::size_t> GraphBuilder::arc_without_back(std::vector<LineLink>& paired) const {
  std::vector<std::uint32_t> by_ends(links_.size());
  std::iota(by_ends.begin(), by_ends.end(), 0U);
  const auto key = [&](std::uint32_t i) {
    const auto& [u, v] = links_[i].ends;
    return std::tuple(std::min(u, v), std::max(u, v), u > v, i);
  };
  std::ranges::sort(by_ends, {}, key);
  std::optional<std::size_t> alone;
  std::vector<std::uint32_t> kept;
  for (std::size_t begin = 0; begin < by_ends.size();) {
    const auto [low, high, back, number] = key(by_ends[begin]);
    std::size_t there = begin;
    while (there < by_ends.size() && links_[by_ends[there]].ends == std::array{low, high}) ++there;
    std::size_t end = there;
    while (end < by_ends.size() && links_[by_ends[end]].ends == std::array{high, low}) ++end;
    const std::size_t pairs = std::min(there - begin, end - there);
    const std::size_t first = begin + pairs < there ? begin + pairs : there + pairs;
    if (first < end) alone = std::min<std::size_t>(alone.value_or(links_.size()), by_ends[first]);
    for (std::size_t i = 0; i < pairs; ++i)
      kept.push_back(std::min(by_ends[begin + i], by_ends[there + i]));
    begin = end;
  }
  std::ranges::sort(kept);
  for (const std::uint32_t i : kept) paired.push_back(links_[i]);
  return alone;
}

void GraphBuilder::pair_arcs() {
  std::vector<LineLink> paired;
  if (const std::optional<std::size_t> alone = arc_without_back(paired)) {
    const auto& [u, v] = links_[*alone].ends;
    fail(links_[*alone].line,
         fmt::format("no arc back from '{}' to '{}': directed graphs are not supported",
                     shown(names_[v]), shown(names_[u])));
  }
  links_ = std::move(paired);
}

void GraphBuilder::pair_arcs_if_all_are_listed_twice() {
  std::vector<LineLink> paired;
  if (!arc_without_back(paired)) links_ = std::move(paired);
}

void GraphBuilder::order_by_number() {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(names_.size());
  for (const std::string& name : names_) {
    const std::optional<std::uint64_t> number = whole_number(name);
    if (!number || (name.size() > 1 && name.front() == '0')) return;
    numbers.push_back(*number);
  }
  order_.resize(names_.size());
  std::iota(order_.begin(), order_.end(), Number{0});
  std::ranges::sort(order_, {}, [&](Number u) { return numbers[u]; });
}

void GraphBuilder::check_connected() const {
  std::vector<Number> parents(nodes_.size());
  std::iota(parents.begin(), parents.end(), Number{0});
  std::vector<std::uint8_t> ranks(nodes_.size());
  boost::disjoint_sets sets(ranks.data(), parents.data());
  for (const LineLink& link : links_) sets.union_set(link.ends[0], link.ends[1]);
  for (Number u = 1; u < nodes_.size(); ++u)
    if (sets.find_set(u) != sets.find_set(Number{0}))
      fail(nodes_[u].line,
           fmt::format("the network is not connected: no path from node '{}' to node '{}'",
                       shown(names_[0]), shown(names_[u])));
}

std::vector<GraphBuilder::Number> GraphBuilder::final_numbers() const {
  std::vector<Number> numbers(nodes_.size());
  Number next = 0;
  for (const bool switches : {false, true})
    for (Number i = 0; i < nodes_.size(); ++i) {
      const Number u = order_.empty() ? i : order_[i];
      if (nodes_[u].is_switch == switches) numbers[u] = next++;
    }
  return numbers;
}

NetworkTables GraphBuilder::tables(std::string name, const std::vector<Number>& numbers) const {
  std::vector<std::uint32_t> degrees(nodes_.size());
  for (const LineLink& link : links_)
    for (const Number end : link.ends)
      if (++degrees[numbers[end]] > max_ports_of_a_node)
        fail(link.line, fmt::format("node '{}' has more than {} links, the allowed maximum",
                                    shown(names_[end]), max_ports_of_a_node));
  NetworkTables tables =
      build_network_detail::empty_tables(std::move(name), nodes_.size(), std::move(degrees));
  tables.reverse_ports.assign(build_network_detail::layout_of(tables).size(), 0);
  return tables;
}

void GraphBuilder::fill(NetworkTables& tables, const std::vector<Number>& numbers) const {
  const ArcLayout arcs = build_network_detail::layout_of(tables);
  std::vector<Number> used(nodes_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const auto& [ends, line] = links_[i];
    std::array<Number, 2> ports{};
    for (const std::size_t side : {0U, 1U}) {
      const Number u = numbers[ends[side]];
      ports[side] = ports_.empty() ? used[u]++ : ports_[i][side];
      const std::size_t degree = tables.degrees.empty() ? tables.max_degree : tables.degrees[u];
      if (ports[side] >= degree ||
          tables.neighbors[arcs.index(NodeId{u}, Port{ports[side]})] != NetworkTables::no_node)
        fail(line, fmt::format("port {} of node '{}' is used twice or is not below {}, its links",
                               ports[side], shown(names_[ends[side]]), degree));
      tables.neighbors[arcs.index(NodeId{u}, Port{ports[side]})] = numbers[ends[1 - side]];
    }
    for (const std::size_t side : {0U, 1U})
      tables.reverse_ports[arcs.index(NodeId{numbers[ends[side]]}, Port{ports[side]})] =
          ports[1 - side];
  }
}

/// None where every node is called by its number.
std::vector<std::string> GraphBuilder::labels(const std::vector<Number>& numbers) {
  std::vector<std::string> labels(nodes_.size());
  bool all_numbers = true;
  for (Number u = 0; u < nodes_.size(); ++u) {
    const auto own = labels_.find(u);
    std::string& label = labels[numbers[u]];
    label = own == labels_.end() ? std::move(names_[u]) : std::move(own->second);
    all_numbers = all_numbers && label == fmt::format("{}", numbers[u]);
  }
  if (all_numbers) labels.clear();
  return labels;
}

Network GraphBuilder::network(std::string name) {
  if (nodes_.empty()) fail(1, "a graph without nodes");
  check_connected();
  const std::vector<Number> numbers = final_numbers();
  const auto processors =
      static_cast<std::uint64_t>(std::ranges::count(nodes_, false, &Node::is_switch));
  if (processors == 0) fail(nodes_.front().line, "every node is a switch; one must be a processor");
  NetworkTables tables = this->tables(std::move(name), numbers);
  fill(tables, numbers);
  tables.processor_count = processors;
  number_of_.clear();  // refers to the names
  if (auto list = labels(numbers); !list.empty())
    tables.label = [all = std::make_shared<const std::vector<std::string>>(std::move(list))](
                       NodeId u) { return (*all)[index(u)]; };
  return Network{std::move(tables)};
}

}  // namespace lockstep
