// SPDX-License-Identifier: Apache-2.0
#include "topology/graph_builder.hpp"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/topology/build_network.hpp"
#include "topology/node_names.hpp"

namespace lockstep {
namespace {

[[nodiscard]] bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// nlohmann-json checks text that is not ASCII.
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

/// The number, if format() writes it as the name: equal numbers are equal names.
[[nodiscard]] std::optional<std::uint64_t> plain_number(std::string_view name) {
  if (name.empty() || name.size() > 9 || (name.size() > 1 && name.front() == '0')) return {};
  std::uint64_t number = 0;
  for (const char c : name) {
    if (c < '0' || c > '9') return {};
    number = 10 * number + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

}  // namespace

std::string shown(std::string_view word) {
  std::size_t most = 40;
  // Not within a character of several bytes.
  for (; word.size() > most && (static_cast<unsigned char>(word[most]) & 0xC0U) == 0x80; --most)
    if (most == 37) break;  // no UTF-8
  std::string text(word.substr(0, most));
  if (!is_utf8(text))
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  std::ranges::replace_if(text, is_control, '?');
  return word.size() > most ? text + ".." : text;
}

void GraphBuilder::note_each(std::string_view verb, std::string_view noun, std::size_t line) {
  for (CountedNote& note : counted_notes_)
    if (note.verb == verb && note.noun == noun) {
      ++note.count;
      return;
    }
  counted_notes_.push_back({std::string(verb), std::string(noun), 1, line});
}

std::vector<std::string> GraphBuilder::all_notes() const {
  std::vector<std::string> all = notes_;
  for (const CountedNote& note : counted_notes_)
    all.push_back(fmt::format("{} {} ({}line {})", note.verb, counted(note.count, note.noun),
                              note.count == 1 ? "" : "first in ", note.first_line));
  return all;
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
    fail(line, "more nodes than the {} allowed", Network::max_nodes - 1);
  const auto number = static_cast<Number>(nodes_.size());
  if (find(name)) fail(line, "node '{}' is declared twice", shown(name));
  const std::string& kept = names_.emplace_back(name);
  nodes_.push_back({static_cast<std::uint32_t>(line)});
  // Mostly names are the numbers from 0 or 1 on: an array, no larger than the file.
  const std::optional<std::uint64_t> value = plain_number(name);
  if (!value || *value >= std::max(most_value_, 2 * nodes_.size() + 64)) {
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
    fail(line, "node '{}': control characters in its name", shown(text));
  if (!is_utf8(text)) fail(line, "node '{}': its name is not valid UTF-8", shown(text));
}

void GraphBuilder::set_label(Number u, std::string label, std::size_t line) {
  check_text(label, line);
  labels_[u] = std::move(label);
}

bool GraphBuilder::keep_link(Number u, Number v, std::size_t line) {
  if (u != v) return true;
  if (!options_.drop_self_loops)
    fail(line,
         "self-loop at node '{}'; links join two different nodes; "
         "--drop-self-loops drops self-loops",
         shown(names_[u]));
  note_each("dropped", "self-loop", line);
  ++dropped_;
  return false;
}

GraphBuilder::Ports GraphBuilder::ports_of(Number u, Number v, std::optional<Number> lower,
                                           std::optional<Number> higher, std::size_t line) const {
  if (lower.has_value() != higher.has_value())
    fail(line, "lower_port without higher_port, or the other way round");
  if (!lower) return std::nullopt;
  return u < v ? std::array{*lower, *higher} : std::array{*higher, *lower};
}

void GraphBuilder::add_link(Number u, Number v, std::size_t line, const Ports& ports, bool is_arc) {
  if (!keep_link(u, v, line)) return;
  if (!ports && !all_.ports.empty()) fail(line, "a link without ports, but other links have ports");
  if (ports && all_.ports.size() != all_.links.size())
    fail(line, "a link with ports, but other links have none");
  all_.links.emplace_back(FileLink::Ends{u, v}, line, is_arc || links_are_arcs_);
  if (ports) all_.ports.push_back(*ports);
}

void GraphBuilder::links_are_arcs() {
  links_are_arcs_ = true;
  for (FileLink& link : all_.links) link.make_arc();
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

/// A file that was cut lists one half of the links: only arcs tell how many lines there must be.
void GraphBuilder::check_count() const {
  if (!expected_) return;
  const std::uint64_t listed = link_count();
  const std::uint64_t stated = expected_->count;
  if (stated != listed && 2 * stated != listed && (links_are_arcs_ || stated != 2 * listed))
    fail(expected_->line, "{} listed, but the file states {}", counted(listed, expected_->noun),
         grouped(stated));
}

void GraphBuilder::check_doubled_count(std::uint64_t listed, std::uint64_t pairs) {
  if (!expected_ || expected_->count == listed) return;
  const bool counts_both = expected_->count > listed;
  if (counts_both ? pairs > 0 : 2 * pairs != listed)
    fail(expected_->line, "{} listed, {} in both directions, but the file states {}",
         counted(listed, expected_->noun),
         2 * pairs == listed ? "all"
         : counts_both       ? "some"
                             : "not all",
         grouped(expected_->count));
  note("accepted {}, where the file states {}: it counts {}", counted(listed, expected_->noun),
       grouped(expected_->count), counts_both ? "both directions" : "one direction");
}

void GraphBuilder::check_connected() const {
  std::vector<Number> parents(nodes_.size());
  std::iota(parents.begin(), parents.end(), Number{0});
  std::vector<std::uint8_t> ranks(nodes_.size());
  boost::disjoint_sets sets(ranks.data(), parents.data());
  for (const FileLink& link : all_.links) sets.union_set(link.ends()[0], link.ends()[1]);
  for (Number u = 1; u < nodes_.size(); ++u)
    if (sets.find_set(u) != sets.find_set(Number{0}))
      fail(nodes_[u].line, "the network is not connected: no path from node '{}' to node '{}'",
           shown(names_[0]), shown(names_[u]));
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
  for (const FileLink& link : all_.links)
    for (const Number end : link.ends())
      if (++degrees[numbers[end]] > max_ports_of_a_node)
        fail(link.line(), "node '{}' has more than {} links, the allowed maximum",
             shown(names_[end]), max_ports_of_a_node);
  NetworkTables tables =
      build_network_detail::empty_tables(std::move(name), nodes_.size(), std::move(degrees));
  tables.reverse_ports.assign(build_network_detail::layout_of(tables).size(), 0);
  return tables;
}

GraphBuilder::Number GraphBuilder::free_port(const NetworkTables& tables, Number u,
                                             std::size_t link, std::size_t side) const {
  const Number given = all_.ports[link][side];
  const std::size_t degree = tables.degrees.empty() ? tables.max_degree : tables.degrees[u];
  const ArcLayout arcs = build_network_detail::layout_of(tables);
  if (given < degree &&
      tables.neighbors[arcs.index(NodeId{u}, Port{given})] == NetworkTables::no_node)
    return given;
  fail(all_.links[link].line(), "port {} of node '{}' is used twice or is not below {}, its links",
       given, shown(names_[all_.links[link].ends()[side]]), degree);
}

void GraphBuilder::fill(NetworkTables& tables, const std::vector<Number>& numbers) const {
  const ArcLayout arcs = build_network_detail::layout_of(tables);
  std::vector<Number> used(nodes_.size());
  // The ends of links are in no order: without this, every link waits for memory six times.
  constexpr std::size_t ahead = 12;
  const auto fetch = [&](const FileLink& link) {
    for (const Number end : link.ends()) {
      const Number u = numbers[end];
      const std::uint64_t place = arcs.index(NodeId{u}, Port{used[u]});
      __builtin_prefetch(tables.neighbors.data() + place, 1);
      __builtin_prefetch(tables.reverse_ports.data() + place, 1);
    }
  };
  for (std::size_t i = 0; i < all_.links.size(); ++i) {
    if (i + ahead < all_.links.size()) fetch(all_.links[i + ahead]);
    const FileLink::Ends& ends = all_.links[i].ends();
    std::array<Number, 2> ports{};
    for (const std::size_t side : {0U, 1U}) {
      const Number u = numbers[ends[side]];
      ports[side] = all_.ports.empty() ? used[u]++ : free_port(tables, u, i, side);
      tables.neighbors[arcs.index(NodeId{u}, Port{ports[side]})] = numbers[ends[1 - side]];
    }
    for (const std::size_t side : {0U, 1U})
      tables.reverse_ports[arcs.index(NodeId{numbers[ends[side]]}, Port{ports[side]})] =
          ports[1 - side];
  }
}

/// Null where every node is called by its number.
std::shared_ptr<const NodeNames> GraphBuilder::names(const std::vector<Number>& numbers) {
  std::vector<std::string> names(nodes_.size());
  std::vector<std::string> ids(labels_.empty() ? 0 : nodes_.size());
  bool all_numbers = true;
  for (Number u = 0; u < nodes_.size(); ++u) {
    const auto own = labels_.find(u);
    const bool has_label = own != labels_.end() && !own->second.empty();
    std::string& name = names[numbers[u]];
    if (!ids.empty()) ids[numbers[u]] = names_[u];
    name = has_label ? std::move(own->second) : std::move(names_[u]);
    const std::string number = fmt::format("{}", numbers[u]);
    all_numbers = all_numbers && name == number && (ids.empty() || ids[numbers[u]] == number);
  }
  if (all_numbers) return nullptr;
  return std::make_shared<const NodeNames>(std::move(names), std::move(ids));
}

/// Labels come before ids where a user names a node (node_names.hpp).
void GraphBuilder::note_labels_that_are_ids() {
  std::uint64_t count = 0;
  Number first = none;
  for (const auto& [u, label] : labels_)
    if (const std::optional<Number> other = find(label); other && *other != u) {
      ++count;
      first = std::min(first, u);
    }
  if (count == 0) return;
  note(
      "read '{}' as the label of the node with the id '{}', although it is the id of "
      "another node{}",
      shown(labels_.at(first)), shown(names_[first]),
      count == 1 ? "" : fmt::format(" (and {} alike)", counted(count - 1, "label")));
}

FileNetwork GraphBuilder::network(std::string name) {
  if (nodes_.empty()) fail(1, "a graph without nodes");
  check_count();
  const std::uint64_t listed = link_count();
  const JoinedLinks joined = join_links(*this, all_, repeats_, options_.undirected);
  check_doubled_count(listed, joined.pairs);
  check_connected();
  const std::vector<Number> numbers = final_numbers();
  const auto processors =
      static_cast<std::uint64_t>(std::ranges::count(nodes_, false, &Node::is_switch));
  if (processors == 0) fail(nodes_.front().line, "every node is a switch; one must be a processor");
  NetworkTables tables = this->tables(std::move(name), numbers);
  fill(tables, numbers);
  tables.processor_count = processors;
  note_labels_that_are_ids();
  number_of_.clear();  // refers to the names
  tables.names = names(numbers);
  return {Network{std::move(tables)},
          {.file = file_, .notes = all_notes(), .parallel_links = joined.parallel}};
}

}  // namespace lockstep
