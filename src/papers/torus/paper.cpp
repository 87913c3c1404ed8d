// SPDX-License-Identifier: Apache-2.0

/// Y.-S. Chen, C.-Y. Chen, "Multinode broadcasting in a wormhole-routed 2-D torus using an
/// aggregation-then-distribution strategy": torus.json has what it prints, this file what its
/// formulas ask the machine. Its figures are lost.

#include "papers/paper.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <sstream>
#include <utility>

#include "algorithm/many_to_all/aggregation_schedule.hpp"
#include "algorithm/many_to_all/edst_trees.hpp"
#include "core/joined.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "papers/torus/torus.hpp"

namespace lockstep::papers {

extern const std::string_view torus_json;

namespace torus {
namespace {

/// (.., n, messages, h), from that argument on; then perhaps a placement.
[[nodiscard]] Job aggregation(const Call& call, std::size_t first) {
  return many_to_all(call.number(first), call.number(first + 1), "aggregation",
                     {{"h", call.number(first + 2)}},
                     call.size() > first + 3 ? call.text(first + 3) : "perm");
}

/// (n, messages, packet): 'bulk', or blocks in a packet.
[[nodiscard]] Job spanning_trees(const Call& call) {
  const Value& packet = call.arguments.at(2);
  return many_to_all(
      call.number(0), call.number(1), "edst",
      {{"packet", packet.is_number() ? Setting(call.number(2)) : Setting(packet.text())}});
}

/// Over the phases whose names begin so: "A1", "D3".
[[nodiscard]] std::uint64_t sum_over(const Job& job, std::uint64_t PhaseRecord::*figure,
                                     std::string_view phases = "") {
  std::uint64_t sum = 0;
  for (const PhaseRecord& phase : result_of(job).record.phases)
    if (phase.name.starts_with(phases)) sum += phase.*figure;
  return sum;
}

template <std::uint64_t PhaseRecord::*Figure>
[[nodiscard]] Value of_aggregation(const Call& call) {
  return sum_over(aggregation(call, 1), Figure, call.text(0));
}

template <std::uint64_t PhaseRecord::*Figure>
[[nodiscard]] Value of_trees(const Call& call) {
  return sum_over(spanning_trees(call), Figure);
}

/// "P(i-1,j), P(i+1,j), ..": relative to it, the nodes that send to P(10,10) in the first step, of
/// 25 x 25 that make a block each, h = 5.
[[nodiscard]] std::string senders_to_the_middle() {
  constexpr std::int64_t side = 25;
  constexpr std::int64_t middle = 10;
  std::set<std::pair<std::int64_t, std::int64_t>> senders;  // rows apart, columns apart
  for (const SendEvent& event : trace_of(many_to_all(25, 625, "aggregation", {{"h", 5U}})))
    if (event.step == 0 && event.receiver == NodeId{middle * side + middle}) {
      const auto u = static_cast<std::int64_t>(index(event.sender));
      senders.emplace(u / side - middle, u % side - middle);
    }
  const auto place = [](char letter, std::int64_t apart) {
    return apart == 0 ? std::string(1, letter) : fmt::format("{}{:+}", letter, apart);
  };
  std::vector<std::string> names;
  for (const auto& [i, j] : senders)
    names.push_back(fmt::format("P({},{})", place('i', i), place('j', j)));
  return joined(names, ", ");
}

/// DDNs from DDN `own` to that of block number `rank`, the shorter way round.
[[nodiscard]] std::int64_t offset(std::int64_t rank, std::int64_t own, std::int64_t h) {
  const std::int64_t up = (rank % h + h - own) % h;
  return 2 * up > h ? up - h : up;
}

/// Divides the figure `counted` of the row by its figure `over`, for all n in its `sizes`.
[[nodiscard]] std::vector<double> ratios_of(const Call& call) {
  std::vector<double> ratios;
  std::istringstream sizes{call.text("sizes")};
  Scope scope = call.scope;
  for (std::uint64_t n = 0; sizes >> n;) {
    scope.names.insert_or_assign("n", n);
    const auto value = [&](std::string_view formula) {
      return static_cast<double>(evaluate(call.text(formula), scope).number());
    };
    ratios.push_back(value("counted") / value("over"));
  }
  return ratios;
}

/// Whether four trees are no higher than the diameter and two.
[[nodiscard]] bool trees_are_low() {
  bool holds = true;
  for (std::uint64_t n = 3; n <= 50; n += n == 30 ? 20 : 1)
    holds = holds && EdstTrees(Torus({n, n}), EdstTrees::Form::table).height() <= 2 * (n / 2) + 2;
  return holds;
}

/// 0 where h does not divide n.
[[nodiscard]] std::size_t schedule_steps(std::uint32_t n, std::uint32_t h) {
  if (n % h != 0) return 0;
  return AggregationSchedule({.rows = n, .columns = n, .h = h}).steps().size();
}

[[nodiscard]] Functions all_functions() {
  Functions all{
      {"steps", of_aggregation<&PhaseRecord::steps>},
      {"times", of_aggregation<&PhaseRecord::message_times>},
      {"words", of_aggregation<&PhaseRecord::control_words>},
      {"tree_steps", of_trees<&PhaseRecord::steps>},
      {"tree_times", of_trees<&PhaseRecord::message_times>},
      {"confined_steps",
       [](const std::string& phases, std::uint64_t h) {
         const Settings settings{{"h", h}, {"confined", std::string("yes")}};
         return sum_over(many_to_all(h, 1, "aggregation", settings), &PhaseRecord::steps, phases);
       }},
      {"is_verified", [](const Call& call) { return result_of(aggregation(call, 0)).ok(); }},
      {"senders_to_the_middle", senders_to_the_middle},
      {"offset", offset},
      {"growth",
       [](const Call& call) { return fmt::format("{:.3g}", fmt::join(ratios_of(call), ", ")); }},
      {"is_bounded",
       [](const Call& call) {
         const std::vector<double> ratios = ratios_of(call);
         return ratios.back() < 2 * ratios.front();  // does not double
       }},
      {"trees_are_low", trees_are_low},
      {"schedule_steps", schedule_steps},
      {"label",
       [](std::uint64_t n, std::uint64_t node) {
         return Torus({n, n}).label(NodeId{node});
       }},
      {"neighbour", [](std::uint64_t n, std::size_t p) {
         return index(Torus({n, n}).neighbor(NodeId{0}, port(p)));
       }}};
  all.merge(partition_functions());
  all.merge(choice_functions());
  return all;
}
const Functions functions = all_functions();

}  // namespace

Job many_to_all(std::uint64_t n, std::uint64_t messages, std::string algorithm, Settings settings,
                std::string placement) {
  Job job{fmt::format("torus:{0}x{0}", n), Operation::many_to_all, std::move(algorithm),
          std::move(settings)};
  job.settings["messages"] = messages;
  job.settings["placement"] = std::move(placement);
  return job;
}

}  // namespace torus

const Paper torus_paper{.name = "torus",
                        .data = data_from<torus_json, torus::functions>,
                        .partition = torus::partition_of};

}  // namespace lockstep::papers
