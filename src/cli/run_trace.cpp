// SPDX-License-Identifier: Apache-2.0
#include "cli/run_trace.hpp"

#include <fmt/format.h>

#include <string>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/fraction.hpp"
#include "report/fields.hpp"
#include "topology/node_names.hpp"

namespace lockstep::cli {
namespace {

/// The machine counts the parts in which blocks travel as blocks of its own. In networks with
/// names, there are two more columns.
[[nodiscard]] std::string trace_csv(const SendTrace& trace, std::uint64_t parts_per_block,
                                    const ErasedTopology& network) {
  const bool named = has_names(network);
  std::string text =
      "step,node,port,receiver,receiver_port,blocks,parts,parts_per_block,control_words,hops";
  text += named ? ",node_name,receiver_name\n" : "\n";
  for (const SendEvent& send : trace) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}", send.step, index(send.sender),
                        index(send.port), index(send.receiver), index(send.receiver_port),
                        Fraction(send.blocks, parts_per_block).value(), send.blocks,
                        parts_per_block, send.words, 1 + send.further.size());
    text += named
                ? "," + report::csv_line({network.label(send.sender), network.label(send.receiver)})
                : "\n";
  }
  return text;
}

}  // namespace

void check_trace(const RunPlan& plan) {
  constexpr std::uint64_t most = 10'000'000;
  if (plan.footprint.hops > most)
    throw invalid("trace: the run sends {} messages over links; allowed: up to {}",
                  grouped(plan.footprint.hops), grouped(most));
}

void write_trace(RunTrace& trace, const ErasedTopology& network, const Provenance& provenance,
                 bool quiet, Processes* processes) {
  if (trace.timeline) {
    const std::string text = trace.timeline->json(provenance, processes);
    if (!trace.place) return;
    trace.place->write(text);
    if (const std::uint64_t stride = trace.timeline->stride(); stride > 1 && !quiet)
      print_note(fmt::format("trace: one of {} steps only; a complete trace would exceed {} slices",
                             stride, grouped(study::Timeline::most_slices)));
  } else if (trace.place && trace.messages) {
    trace.place->write(trace_csv(*trace.messages, trace.parts_per_block, network));
  }
}

}  // namespace lockstep::cli
