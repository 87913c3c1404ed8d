// SPDX-License-Identifier: Apache-2.0

/// The registration of Y.-S. Chen, C.-Y. Chen, "Multinode broadcasting in a wormhole-routed 2-D
/// torus using an aggregation-then-distribution strategy": its errata, and the runs that its claims
/// and our tables are held against. Its figures are lost.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "papers/torus/torus.hpp"
#include "report/quantities.hpp"

namespace lockstep::papers {
namespace torus {
namespace {

constexpr std::array parts{
    Part{"Table 1", table1},
    Part{"claims",
         [] {
           PaperRows rows = partition_claims();
           for (PaperRows more : {aggregation_claims(), distribution_claims(), lemma_claims()})
             append(rows, std::move(more));
           return rows;
         }},
    Part{"crossovers", crossovers}, Part{"best h", best_subtori}};

constexpr std::array errata{
    Erratum{1, "Places count from 0: neighbours modulo n, P(0,0) and a, k = 0.. need it."},
    Erratum{
        2,
        "Blocks DCN(a,b) have a = 0..n1/h - 1, and are what slicing gives; a DDN and a DCN meet "
        "in exactly one node."},
    Erratum{3, "j' = j h. Both agree only where n = h^2."},
    Erratum{
        4,
        "Inside a block one step is impossible: a message for every link into the diagonal, and "
        "some are left. Over the borders of blocks it works."},
    Erratum{5, "Not needed: it works for every h that divides n, in ceil(log5 h) steps."},
    Erratum{6,
            "The sum goes up to ceil(log5 h). The closed form is exact where h is a power of 5 and "
            "no node has two messages; else it is too high, or, where a node has several, too "
            "low."},
    Erratum{
        7,
        "Five values for four receivers: they get c', c'+a, c'+a+b+c and c'+a+b+c+d, the centre "
        "keeps c'+a+b. P(k-2,k+2) is not on the diagonal."},
    Erratum{8,
            "A level takes two steps, and the way onto the main diagonal and back is left out: "
            "4 ceil(log5 n) + 2 ceil(log5 (n/h))."},
    Erratum{9, "alpha..alpha+beta-1, alpha the exclusive prefix from 0, as the example has it."},
    Erratum{10, "Offsets below -h/2 need h more; else they are no moves of the pattern."},
    Erratum{11, "Within one message: ceil(s/h) or floor(s/h)."},
    Erratum{12,
            "A node that holds h messages gives h - 1 away over four links, at least "
            "ceil((h-1)/4) message times. The number of steps is right."},
    Erratum{13, "Aggregation and tuning cross the borders of blocks, without congestion."},
    Erratum{14,
            "The end of an open row reaches (3^t-1)/2 others in t steps: ceil(log3(2h-1)). Round "
            "the whole row of the torus ceil(log3 h) are enough."},
    Erratum{15, "Packet M_k is that of DDN_k."},
    Erratum{16, "T_c belongs to the bracket of m, and one word to the control term."},
    Erratum{17,
            "The control term is lemma 2's, 4 ceil(log5 n) + 2 ceil(log5 (n/h)); the O-form drops "
            "h - 1 start-ups, which table 1 has."},
    Erratum{18,
            "The column ring alone sends (h-1) sm/h. A node takes in four messages at a time, so "
            "that nothing below s/4 is possible: the order is s (1 + log5(n/h)/h)."},
    Erratum{
        19,
        "In one piece, without the gathering. In packets of one block spanning trees take about "
        "s/2 message times, at as many start-ups."},
    Erratum{20, "Four of arcs; of links there are two."},
    Erratum{21, "Message times fall with h, start-ups rise."},
    Erratum{22, "An upper bound; evenly spread messages take less."},
    Erratum{23, "h divides n by definition."},
    Erratum{24, "True of shortest dimension-ordered routes."},
    Erratum{25, "Its wording is garbled, the pattern is valid."},
    Erratum{26, "Dimension 1 changes the row: messages travel along a column."},
    Erratum{27, "True for n = 3..30 and 50, where tables show it; not known for others."},
    Erratum{28, "True if aggregation, tuning and alignment move, and the other phases copy."}};

/// All phases of all runs are there.
[[nodiscard]] std::string full_cost(const Cost& cost, std::uint64_t steps) {
  return fmt::format("{} steps, {} message times, {} control words", report::count_text(steps),
                     report::count_text(cost.message_times),
                     report::count_text(cost.control_words));
}

void add_run(std::vector<PaperRun>& runs, Broadcast broadcast, std::string name) {
  const auto run = prepare(request_of(broadcast), false);
  const RunEstimate& estimate = run->estimate();
  broadcast.settings["messages"] = broadcast.messages;
  broadcast.settings["placement"] = broadcast.placement;
  runs.push_back({.topology = network_of(broadcast.n),
                  .operation = Operation::many_to_all,
                  .algorithm = broadcast.algorithm,
                  .n = broadcast.n,
                  .settings = broadcast.settings,
                  .block_bytes = 8,
                  .quantity = fmt::format("{}, {} messages", name, broadcast.messages),
                  .closed_form = full_cost(estimate.predicted.value(), estimate.footprint.steps),
                  .counted = [](const RunResult& result) {
                    return full_cost(result.cost, result.record.steps);
                  }});
}

}  // namespace

std::string network_of(std::size_t n) { return fmt::format("torus:{0}x{0}", n); }

RunRequest request_of(const Broadcast& broadcast) {
  RunRequest request{.topology = network_of(broadcast.n),
                     .operation = Operation::many_to_all,
                     .algorithm = broadcast.algorithm,
                     .settings = broadcast.settings,
                     .block_bytes = 1,
                     .workers = 1,
                     .executor = ExecutorKind::serial};
  request.settings["messages"] = broadcast.messages;
  request.settings["placement"] = broadcast.placement;
  return request;
}

const RunResult& result_of(const Broadcast& broadcast) {
  static std::map<std::string, RunResult> known;
  std::string name = fmt::format("{} {} {} {}", broadcast.algorithm, broadcast.n,
                                 broadcast.messages, broadcast.placement);
  for (const auto& [parameter, value] : broadcast.settings)
    name += fmt::format(" {} {}", parameter, text_of(value));
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(std::move(name), prepare(request_of(broadcast))->execute()).first->second;
}

Counted count_of(const RunRecord& record, std::initializer_list<std::string_view> names) {
  Counted sum;
  for (const PhaseRecord& phase : record.phases) {
    if (std::none_of(names.begin(), names.end(),
                     [&](std::string_view name) { return phase.name.starts_with(name); }))
      continue;
    sum.steps += phase.steps;
    sum.message_times += phase.message_times;
    sum.control_words += phase.control_words;
  }
  return sum;
}

std::vector<PaperRun> runs() {
  std::vector<PaperRun> all;
  for (const std::uint64_t n : {5U, 10U, 15U, 25U, 30U, 50U})
    for (const std::uint64_t messages : {n, n * n / 4, n * n}) {
      for (const char* const name : {"aggregation", "aggregation-plus"})
        for (const std::uint64_t h : std::set<std::uint64_t>{5, n})
          if (has_algorithm(name))
            add_run(all, {n, messages, {{"h", h}}, "perm", name},
                    fmt::format("{}, h = {}", name, h));
      add_run(all, {n, messages, {{"packet", std::string("bulk")}}, "perm", "edst"},
              "edst in bulk");
      add_run(all, {n, messages, {{"packet", std::uint64_t{1}}}, "perm", "edst"},
              "edst, packets of 1");
      add_run(all, {n, messages, {}, "perm", "ring2d"}, "ring2d");
    }
  return all;
}

}  // namespace torus

extern const Paper torus_paper;
const Paper torus_paper{
    .name = "torus",
    .title =
        "Chen, Chen: Multinode broadcasting in a wormhole-routed 2-D torus using an "
        "aggregation-then-distribution strategy",
    .network = torus::network_of,
    .parts = torus::parts,
    .errata = torus::errata,
    .runs = torus::runs,
    .partition = torus::partition_of};

}  // namespace lockstep::papers
