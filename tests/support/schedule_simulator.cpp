// SPDX-License-Identifier: Apache-2.0
#include "support/schedule_simulator.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "lockstep/topology/any_cayley.hpp"

namespace lockstep::test {
namespace {

using Number = std::uint64_t;
using Tag = std::tuple<Number, Number, Number>;  // origin, destination, part
using Contents = std::vector<Tag>;               // sorted: addition commutes
using Words = std::vector<std::string>;

const Contents stale{{~Number{0}, 0, 0}};

[[nodiscard]] Words split(const std::string& text, const std::string& separators) {
  Words pieces;
  std::string piece;
  for (const char c : text + separators.front())
    if (separators.find(c) == std::string::npos)
      piece += c;
    else if (!piece.empty())
      pieces.push_back(std::exchange(piece, {}));
  return pieces;
}

[[nodiscard]] std::vector<Number> numbers(const std::string& list) {
  std::vector<Number> all;
  for (const std::string& range : split(list, ",")) {
    const Words ends = split(range, "-");
    for (Number n = std::stoull(ends.front()); n <= std::stoull(ends.back()); ++n) all.push_back(n);
  }
  return all;
}

struct Line {
  Number step = 0;
  std::string head;
  std::string rest;
};

/// Lines without remarks; those of steps have ':' after a number.
[[nodiscard]] std::vector<Line> lines_of(const std::string& text) {
  std::vector<Line> lines;
  std::istringstream in(text);
  Number step = 0;
  for (std::string line; std::getline(in, line);) {
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1))
      if (at == 0 || std::string(" \t\r\v\f;:").find(line[at - 1]) != std::string::npos) {
        line.resize(at);
        break;
      }
    const Words words = split(line, " \t\r\v\f");
    if (words.empty()) continue;
    if (words.front() == "step") step = std::stoull(words.back());
    const std::size_t colon = line.find(':');
    const bool acts = words.front().front() >= '0' && words.front().front() <= '9';
    if (acts && colon != std::string::npos)
      lines.push_back(
          {step, split(line.substr(0, colon), " \t\r\v\f").front(), line.substr(colon + 1)});
    else
      lines.push_back(
          {step, words.front(), line.substr(line.find(words.front()) + words.front().size())});
  }
  return lines;
}

/// Blocks that hosts received, by (origin, destination).
using Deliveries = std::map<std::pair<Number, Number>, std::vector<std::vector<Contents>>>;

[[nodiscard]] std::vector<Number> distances_from(const ErasedTopology& network, Number source) {
  std::vector<Number> distance(network.node_count(), ~Number{0});
  std::queue<Number> open({source});
  distance[source] = 0;
  for (; !open.empty(); open.pop())
    for (std::size_t p = 0; p < network.degree(NodeId{open.front()}); ++p) {
      const Number next = index(network.neighbor(NodeId{open.front()}, port(p)));
      if (distance[next] != ~Number{0}) continue;
      distance[next] = distance[open.front()] + 1;
      open.push(next);
    }
  return distance;
}

/// By definition: for each expected (origin, destination), the contributions.
class Definition {
 public:
  Definition(const ErasedTopology& network, const SimulatedProblem& problem)
      : problem_(problem), processors_(network.processor_count()) {
    const std::string& o = problem.operation;
    for (Number from = 0; from < origins(); ++from) {
      const std::vector<Number> distance =
          o == "odd-distance-exchange" ? distances_from(network, from) : std::vector<Number>{};
      for (Number to = 0; to < processors_; ++to)
        if (expects(from, to, distance.empty() ? 0 : distance[to])) add(from, to);
    }
  }

  [[nodiscard]] Number home(Number origin) const {
    return problem_.operation == "many-to-all" ? problem_.homes.at(origin) : origin;
  }
  [[nodiscard]] Number origins() const {
    return problem_.operation == "many-to-all" ? problem_.homes.size() : processors_;
  }
  [[nodiscard]] Number destination(Number node) const {
    static const std::set<std::string> personal{"scatter", "gather", "total-exchange",
                                                "odd-distance-exchange", "reduce-scatter"};
    return personal.contains(problem_.operation) ? node : 0;
  }
  /// Parts that hold no byte of the block are nobody's.
  [[nodiscard]] bool are_met_by(const Deliveries& deliveries, Number parts) const {
    const Number part_bytes = (problem_.block_bytes + parts - 1) / parts;
    const Number filled = (problem_.block_bytes + part_bytes - 1) / part_bytes;
    if (deliveries.size() != expected_.size()) return false;
    for (const auto& [pair, sources] : expected_) {
      const auto found = deliveries.find(pair);
      if (found == deliveries.end() || found->second.size() != 1) return false;
      for (Number part = 0; part < filled; ++part) {
        Contents right;
        for (const Number source : sources)
          right.emplace_back(source, destination(pair.second), part);
        if (found->second.front().at(part) != right) return false;
      }
    }
    return true;
  }

 private:
  [[nodiscard]] bool expects(Number from, Number to, Number distance) const {
    const std::string& o = problem_.operation;
    if (o == "broadcast" || o == "scatter") return from == problem_.root && to != from;
    if (o == "gather") return to == problem_.root && to != from;
    if (o == "all-gather" || o == "total-exchange") return from != to;
    if (o == "odd-distance-exchange") return distance % 2 == 1;
    if (o == "many-to-all") return home(from) != to;
    if (o == "reduce") return from == problem_.root && to == from;
    return from == to;  // the other reductions name results by their processors
  }
  void add(Number from, Number to) {
    const std::string& o = problem_.operation;
    std::vector<Number>& sources = expected_[{from, to}];
    const bool sums = o == "reduce" || o == "all-reduce" || o == "reduce-scatter" || o == "scan";
    if (!sums) return sources.push_back(from);
    for (Number u = 0; u < (o == "scan" ? to + 1 : processors_); ++u) sources.push_back(u);
  }

  const SimulatedProblem& problem_;
  Number processors_;
  std::map<std::pair<Number, Number>, std::vector<Number>> expected_;
};

class ByNode {
 public:
  ByNode(const ErasedTopology& network, const Definition& definition, Number parts)
      : network_(network), definition_(definition), parts_(parts) {}

  /// Whether every message that was used had arrived in that length, and all were used.
  [[nodiscard]] bool run(const std::vector<Line>& lines) {
    Number step = 0;
    for (const Line& line : lines) {
      if (line.head.front() < '0' || line.head.front() > '9') continue;
      for (; step < line.step; ++step) {
        sound_ = sound_ && arrived_.empty();
        arrived_ = std::exchange(sent_, {});
      }
      node_ = std::stoull(line.head);
      taken_.clear();
      for (const std::string& action : split(line.rest, ";")) act(split(action, " \t\r\v\f"));
      for (const Number through : taken_) arrived_.erase({node_, through});
    }
    return sound_ && arrived_.empty() && sent_.empty();
  }
  [[nodiscard]] const Deliveries& deliveries() const { return deliveries_; }

 private:
  using Slots = std::vector<std::pair<Number, Number>>;  // region, slot

  [[nodiscard]] static Slots slots(const std::string& place) {
    const Words pieces = split(place, "/");
    Slots all;
    for (const Number slot : numbers(pieces.back()))
      all.emplace_back(std::stoull(pieces.front()), slot);
    return all;
  }
  [[nodiscard]] Contents& at(std::pair<Number, Number> slot) {
    return memory_.try_emplace({node_, slot.first, slot.second}, stale).first->second;
  }
  [[nodiscard]] std::vector<Contents> all_at(const Slots& places) {
    std::vector<Contents> contents;
    for (const auto& slot : places) contents.push_back(at(slot));
    return contents;
  }
  [[nodiscard]] static Contents combined(const Contents& one, const Contents& other) {
    Contents both = one;
    both.insert(both.end(), other.begin(), other.end());
    std::sort(both.begin(), both.end());
    return both;
  }
  void keep(const Slots& places, const std::vector<Contents>& contents) {
    for (std::size_t i = 0; i < places.size(); ++i) at(places[i]) = contents[i];
  }

  void act(const Words& words) {
    if (words.empty()) return;
    const std::string& verb = words.at(0);
    if (verb == "take") return take(words);
    if (verb == "send") return send(words.at(1), slots(words.at(2)));
    const Slots first = slots(words.at(1));
    if (verb == "copy") return keep(slots(words.at(3)), all_at(first));
    if (verb == "combine") {
      const Slots other = slots(words.at(3));
      const Slots into = slots(words.at(5));
      for (std::size_t i = 0; i < first.size(); ++i)  // one after the other, where they overlap
        at(into[i]) = combined(at(first[i]), at(other[i]));
      return;
    }
    const std::vector<Number> origins = numbers(words.at(3));
    for (std::size_t i = 0; i < first.size(); ++i)
      if (verb == "load")
        load(first[i], origins[i], numbers(words.at(5))[i]);
      else
        deliver(origins[i], all_at(parts_from(first[i])));
  }
  [[nodiscard]] Slots parts_from(std::pair<Number, Number> slot) const {
    Slots all;
    for (Number part = 0; part < parts_; ++part) all.emplace_back(slot.first, slot.second + part);
    return all;
  }
  void load(std::pair<Number, Number> slot, Number origin, Number destination) {
    for (Number part = 0; part < parts_; ++part)
      at({slot.first, slot.second + part}) =
          definition_.home(origin) == node_
              ? Contents{{origin, definition_.destination(destination), part}}
              : stale;
  }
  void deliver(Number origin, std::vector<Contents> parts) {
    deliveries_[{origin, node_}].push_back(std::move(parts));
  }

  void take(const Words& words) {
    const Number through = std::stoull(words.at(1));
    const auto found = arrived_.find({node_, through});
    const bool any = found != arrived_.end();
    taken_.insert(through);
    if (words.size() == 2) return;
    if (!any) return void(sound_ = false);
    const std::vector<Contents>& message = found->second;
    if (words.at(2) == "deliver") {
      const std::vector<Number> blocks = numbers(words.at(3));
      const std::vector<Number> origins = numbers(words.at(5));
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i] + parts_ > message.size()) return void(sound_ = false);
        const auto begin = message.begin() + static_cast<std::ptrdiff_t>(blocks[i]);
        deliver(origins[i], {begin, begin + static_cast<std::ptrdiff_t>(parts_)});
      }
      return;
    }
    const Slots own = slots(words.at(3));
    if (message.size() != own.size()) return void(sound_ = false);
    if (words.at(2) == "store") return keep(own, message);
    const bool elsewhere = words.size() > 4 && words.at(4) == "into";
    const Slots into = elsewhere ? slots(words.at(5)) : own;
    for (std::size_t i = 0; i < own.size(); ++i) at(into[i]) = combined(at(own[i]), message[i]);
  }

  void send(const std::string& ports, const Slots& places) {
    NodeId at = NodeId{node_};
    Port back{};
    for (const std::string& through : split(ports, ">")) {
      const Port out = port(std::stoull(through));
      back = network_.reverse_port(at, out);
      at = network_.neighbor(at, out);
    }
    if (!sent_.emplace(std::pair(index(at), index(back)), all_at(places)).second) sound_ = false;
  }

  const ErasedTopology& network_;
  const Definition& definition_;
  Number parts_;
  Number node_ = 0;
  bool sound_ = true;
  std::map<std::tuple<Number, Number, Number>, Contents> memory_;
  std::map<std::pair<Number, Number>, std::vector<Contents>> arrived_;
  std::map<std::pair<Number, Number>, std::vector<Contents>> sent_;
  std::set<Number> taken_;
  Deliveries deliveries_;
};

/// Version 1, without a word of its rules: the moves of every processor, one by one.
class ByIdentity {
 public:
  ByIdentity(const ErasedTopology& network, const Definition& definition, bool gathers)
      : network_(network), group_(*network.cayley()), definition_(definition), gathers_(gathers) {
    for (Number u = 0; u < network.node_count(); ++u) held_.insert({u, u});
  }

  /// Whether no one sends what it does not hold.
  [[nodiscard]] bool run(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      if (line.head.front() < '0' || line.head.front() > '9') continue;
      moves_.clear();
      for (const std::string& message : split(line.head + ":" + line.rest, ";")) {
        const std::size_t colon = message.find(':');
        const Port through = port(std::stoull(message.substr(0, colon)));
        for (const std::string& block : split(message.substr(colon + 1), " \t\r\v\f"))
          for (Number u = 0; u < network_.node_count(); ++u)
            move(NodeId{u}, through, address(block));
      }
      for (const auto& [block, to] : moves_) arrive(block, to);
    }
    return sound_;
  }
  [[nodiscard]] const Deliveries& deliveries() const { return deliveries_; }

 private:
  using Block = std::pair<Number, Number>;  // source, destination; of a gather: node, source

  [[nodiscard]] NodeId address(const std::string& block) const {
    if (block.front() != '/') return *network_.find(block);
    NodeId at = group_.identity();
    for (const std::string& through : split(block, "/"))
      at = network_.neighbor(at, port(std::stoull(through)));
    return at;
  }
  void move(NodeId at, Port through, NodeId name) {
    const Number to = index(network_.neighbor(at, through));
    if (gathers_) {
      const Block block{index(at), index(group_.product(at, name))};
      sound_ = sound_ && held_.contains(block);
      return moves_.push_back({block, to});
    }
    // The block here whose destination has that name at its source.
    for (Number source = 0; source < network_.node_count(); ++source) {
      const Number destination = index(group_.product(NodeId{source}, name));
      if (position(source, destination) == index(at)) {
        moves_.push_back({{source, destination}, to});
        return;
      }
    }
  }
  [[nodiscard]] Number position(Number source, Number destination) const {
    const auto moved = at_.find({source, destination});
    return moved == at_.end() ? source : moved->second;
  }
  void arrive(const Block& block, Number to) {
    if (gathers_) {
      held_.insert({to, block.second});
      deliver(block.second, to);
    } else {
      at_[block] = to;
      if (to == block.second) deliver(block.first, to);
    }
  }
  void deliver(Number source, Number to) {
    deliveries_[{source, to}].push_back({{{source, definition_.destination(to), 0}}});
  }

  const ErasedTopology& network_;
  AnyCayley group_;
  const Definition& definition_;
  bool gathers_;
  bool sound_ = true;
  std::set<Block> held_;        // of a gather
  std::map<Block, Number> at_;  // of blocks that have moved
  std::vector<std::pair<Block, Number>> moves_;
  Deliveries deliveries_;
};

}  // namespace

bool delivers_all(const std::string& text, const ErasedTopology& network,
                  const SimulatedProblem& problem) {
  const Definition definition(network, problem);
  const std::vector<Line> lines = lines_of(text);
  if (lines.front().rest.find('1') != std::string::npos) {
    ByIdentity run(network, definition, problem.operation == "all-gather");
    return run.run(lines) && definition.are_met_by(run.deliveries(), 1);
  }
  Number parts = 1;
  for (const Line& line : lines)
    if (line.head == "parts" && problem.operation != "many-to-all")
      parts = numbers(split(line.rest, " \t\r").front()).front();
  ByNode run(network, definition, parts);
  return run.run(lines) && definition.are_met_by(run.deliveries(), parts);
}

}  // namespace lockstep::test
