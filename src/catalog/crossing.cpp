// SPDX-License-Identifier: Apache-2.0
#include "catalog/crossing.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

#include "catalog/broadcast_paths.hpp"
#include "catalog/host_work.hpp"
#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/processes.hpp"

namespace lockstep::catalog {
namespace {

/// A message has them beside its blocks.
constexpr double header_bytes = sizeof(detail::SentAway) + sizeof(bool);

[[nodiscard]] double part_of(double some, double all) { return all > 0 ? some / all : 0; }

/// 2^64 - 1 where it is more.
[[nodiscard]] std::uint64_t bounded_count(double number) {
  constexpr double least_too_many = 0x1p64;
  return number < least_too_many ? static_cast<std::uint64_t>(number)
                                 : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

/// The arcs of the nodes that are visited, process by process.
class CrossingArcs::Count {
 public:
  Count(const AnyTopology& network, std::size_t ports) : network_(network), ports_(ports) {}

  void add(NodeId node, const NodeRange& own) {
    for (std::size_t p = 0; p < network_.degree(node); ++p) {
      ++ports_[p].all;
      if (!own.holds(network_.neighbor(node, port(p)))) ++ports_[p].of_process;
    }
  }
  void end_process() {
    std::uint64_t total = 0;
    for (OfPort& of_port : ports_) {
      total += of_port.of_process;
      of_port.most = std::max(of_port.most, of_port.of_process);
      of_port.crossing += std::exchange(of_port.of_process, 0);
    }
    most_ = std::max(most_, total);
  }
  /// If nodes were drawn, the processes are taken to be alike: none has the most.
  void finish(CrossingArcs& arcs, bool drawn) const {
    std::uint64_t all = 0;
    std::uint64_t crossing = 0;
    const auto parts_of = [&](std::uint64_t some, std::uint64_t most, std::uint64_t of) {
      const double part = part_of(static_cast<double>(some), static_cast<double>(of));
      return Parts{part, drawn ? part / static_cast<double>(arcs.processes_)
                               : part_of(static_cast<double>(most), static_cast<double>(of))};
    };
    for (const OfPort& of_port : ports_) {
      arcs.parts_.push_back(parts_of(of_port.crossing, of_port.most, of_port.all));
      all += of_port.all;
      crossing += of_port.crossing;
    }
    arcs.all_ = parts_of(crossing, most_, all);
  }

 private:
  struct OfPort {
    std::uint64_t all = 0;
    std::uint64_t crossing = 0;
    std::uint64_t of_process = 0;
    std::uint64_t most = 0;
  };
  const AnyTopology& network_;
  std::vector<OfPort> ports_;
  std::uint64_t most_ = 0;
};

CrossingArcs::CrossingArcs(const AnyTopology& network, std::size_t processes)
    : processes_(processes) {
  constexpr std::uint64_t most_arcs = std::uint64_t{1} << 26U;
  constexpr std::uint64_t drawn_arcs = std::uint64_t{1} << 22U;
  const std::uint64_t nodes = network.node_count();
  const std::uint64_t degree = std::max<std::uint64_t>(network.max_degree(), 1);
  const bool drawn = nodes > most_arcs / degree;
  detail::check_processes(processes, nodes);
  Count count(network, network.max_degree());
  if (!drawn) {
    for (std::size_t p = 0; p < processes; ++p) {
      const NodeRange own = nodes_of(p, processes, nodes);
      for (std::uint64_t u = own.first; u < own.last; ++u) count.add(NodeId{u}, own);
      count.end_process();
    }
  } else {
    std::mt19937_64 random{1};
    for (std::uint64_t i = 0; i < drawn_arcs / degree + 1; ++i) {
      const NodeId node{random() % nodes};
      count.add(node, nodes_of(process_of(node, processes, nodes), processes, nodes));
    }
    count.end_process();
  }
  count.finish(*this, drawn);
}

/// A process sends once per step, and once more to end the run; twice where a message of another
/// process may break a rule when it arrives.
std::uint64_t exchanges_of(const RunForecast& run, bool receives_once) {
  const bool twice =
      receives_once || run.channel == ChannelKind::mailbox || run.channel == ChannelKind::wormhole;
  return (twice ? 2 : 1) * (run.footprint.steps + 1);
}

/// As the machine decides it: steps that stay inside every process share an exchange, up to 64 of
/// them. A port none of whose drawn arcs crosses counts as inside.
std::optional<CrossingForecast> crossing_by_plan(const AnyProgram& program, const RunForecast& run,
                                                 const CrossingArcs& arcs) {
  constexpr std::uint64_t most_steps_apart = 64;
  if (!run.loop.starts_with("groups")) return std::nullopt;
  const auto nodes = static_cast<double>(run.nodes);
  CrossingForecast sums{.source = CrossingForecast::Source::plan};
  double messages = 0;
  double blocks = 0;
  double most_messages = 0;
  double most_bytes = 0;
  std::uint64_t inside = 0;
  for (std::uint64_t step = 0; step < run.footprint.steps; ++step) {
    bool crosses = false;
    const auto add = [&](Port port, std::uint64_t count) {
      const auto size = static_cast<double>(count);
      messages += 1;
      blocks += size;
      sums.messages += arcs.part(port);
      sums.bytes += arcs.part(port) * size;
      most_messages += arcs.most(port) * nodes;
      most_bytes +=
          arcs.most(port) * nodes * (header_bytes + size * static_cast<double>(run.part_bytes()));
      crosses = crosses || arcs.part(port) > 0;
    };
    if (!program.visit_sends(step, add)) return std::nullopt;
    inside = crosses || inside == most_steps_apart ? 0 : inside + 1;
    if (inside == 0) ++sums.exchanges;
  }
  ++sums.exchanges;  // at the end
  sums.messages = part_of(sums.messages, messages);
  sums.bytes = part_of(sums.bytes, blocks);
  sums.most_messages = bounded_count(most_messages);
  sums.most_bytes = bounded_count(most_bytes);
  return sums;
}

CrossingForecast crossing_by_paths(const ErasedProgram& program, const AnyTopology& network,
                                   const RunForecast& run, std::size_t processes,
                                   std::uint64_t exchanges) {
  const auto crosses = [&](NodeId from, NodeId to) {
    return process_of(from, processes, run.nodes) != process_of(to, processes, run.nodes);
  };
  const auto all = static_cast<double>(run.expected_messages());
  const double crossing =
      std::min(all, estimated_messages(program, network, run.footprint.steps, crosses));
  const double bytes = crossing * (header_bytes + static_cast<double>(run.part_bytes()));
  return {.source = CrossingForecast::Source::paths,
          .messages = part_of(crossing, all),
          .bytes = part_of(crossing, all),
          .exchanges = exchanges,
          .most_messages = bounded_count(crossing),
          .most_bytes = bounded_count(bytes)};
}

CrossingForecast crossing_by_links(const RunForecast& run, const CrossingArcs& arcs,
                                   std::uint64_t exchanges) {
  const auto steps = static_cast<double>(run.footprint.steps);
  const double messages = run.footprint.hops != 0 ? static_cast<double>(run.footprint.hops)
                                                  : steps * static_cast<double>(run.processors);
  const double length = std::max(1.0, predicted_length(run));
  return {
      .source = CrossingForecast::Source::links,
      .messages = arcs.part(),
      .bytes = arcs.part(),
      .exchanges = exchanges,
      .most_messages = bounded_count(arcs.most() * messages),
      .most_bytes = bounded_count(arcs.most() * messages *
                                  (header_bytes + length * static_cast<double>(run.part_bytes())))};
}

CrossingCount::CrossingCount(const RunForecast& run, std::size_t processes, StopAfter& end,
                             double seconds)
    : run_(run), end_(end), seconds_(seconds), sent_(processes), received_(processes) {
  sums_.source = CrossingForecast::Source::trial;
}

void CrossingCount::on_step(const StepRecord&) {
  ++steps_;
  count_events();
}

/// The messages of a step may come before and after the record of the step before.
void CrossingCount::count_events() {
  for (const SendEvent& event : trace_) {
    if (event.step != step_) end_step();
    step_ = event.step;
    const double bytes = static_cast<double>(event.blocks) * static_cast<double>(run_.part_bytes());
    const double packed = header_bytes + bytes + static_cast<double>(event.words * word_bytes);
    messages_ += 1;
    bytes_ += bytes;
    const std::size_t from = process_of(event.sender, sent_.size(), run_.nodes);
    const std::size_t to = process_of(event.receiver, sent_.size(), run_.nodes);
    if (from == to) continue;
    sums_.messages += 1;
    sums_.bytes += bytes;
    for (Moved* const moved : {&sent_[from], &received_[to]}) {
      moved->messages += 1;
      moved->bytes += packed;
    }
  }
  trace_.clear();
}

void CrossingCount::end_step() {
  Moved most;
  for (std::vector<Moved>* const all : {&sent_, &received_})
    for (Moved& moved : *all) {
      most.messages = std::max(most.messages, moved.messages);
      most.bytes = std::max(most.bytes, moved.bytes);
      moved = {};
    }
  most_.messages += most.messages;
  most_.bytes += most.bytes;
}

std::optional<CrossingForecast> CrossingCount::result(std::uint64_t exchanges) {
  count_events();
  end_step();
  if (messages_ == 0) return std::nullopt;
  CrossingForecast whole = sums_;
  whole.tried_steps = steps_;
  whole.messages = part_of(sums_.messages, messages_);
  whole.bytes = part_of(sums_.bytes, bytes_);
  whole.exchanges = exchanges;
  const double rest = steps_ < run_.footprint.steps  // it is like what was seen
                          ? std::max(static_cast<double>(run_.footprint.hops) / messages_, 1.0)
                          : 1;
  whole.most_messages = bounded_count(rest * most_.messages);
  whole.most_bytes = bounded_count(rest * most_.bytes);
  return whole;
}

}  // namespace lockstep::catalog
