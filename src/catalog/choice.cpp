// SPDX-License-Identifier: Apache-2.0
#include "catalog/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "catalog/memory.hpp"
#include "core/invalid.hpp"
#include "core/usable_cores.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/verify/delivery.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {
namespace {

[[nodiscard]] std::size_t workers_of(const RunRequest& request) {
  if (request.executor == ExecutorKind::serial) return 1;
  const std::size_t workers = request.workers == 0 ? usable_cores() : request.workers;
  if (workers > max_workers)
    throw invalid("threads: {} is not valid; expected a number from 1 to {}", workers, max_workers);
  return workers;
}

/// Whether all processors make the same moves, so that the machine runs them in groups.
[[nodiscard]] bool runs_in_groups(const ProgramFacts& program, const AnyTopology& topology) {
  return program.grouped && !program.uneven && !program.sparse && program.reads.empty() &&
         topology.symmetric() && topology.processor_count() == topology.node_count() &&
         topology.max_degree() <= SlotChannels::max_row_ports;
}

/// One box per node is smallest and fastest if a processor receives once and nothing is harmed or
/// measured beyond that. Otherwise registers per arc are fastest; one per node is smallest if a
/// node receives one message in a step. Queues of switches are measured with registers.
[[nodiscard]] bool fits_one_box(const RunRequest& request, const ProgramFacts& program,
                                const AlgorithmInfo& info) {
  const AnyTopology& topology = request.topology;
  return program.receives_once && topology.processor_count() == topology.node_count() &&
         request.fault.kind == FaultKind::none && request.stop_at_violation && !info.unbuffered &&
         topology.max_degree() <= detail::ReceiveOnceBoxes::max_ports;
}

[[nodiscard]] bool receives_one(const ProgramFacts& program, const AlgorithmInfo& info) {
  return program.receives_once || info.model.receptions == 1;
}

/// Why channels of this kind cannot carry what such programs send, and which can; empty: they can.
[[nodiscard]] std::string refusal_of(ChannelKind kind, const RunRequest& request,
                                     const ProgramFacts& program, const AlgorithmInfo& info) {
  if (program.takes_routes)
    return kind == ChannelKind::wormhole
               ? ""
               : fmt::format(
                     "'{}' uses wormhole switching, which has a kind of channel of its own; "
                     "allowed: auto",
                     info.name);
  const bool has_rows = runs_in_groups(program, request.topology);
  const std::string per_arc =
      fmt::format("{}slot{}", has_rows ? "row, " : "",
                  is_compiled(program.channels, ChannelKind::spsc) ? ", spsc" : "");
  if (kind == ChannelKind::row)
    return has_rows
               ? ""
               : fmt::format("the processors of '{}' do not all make the same moves; allowed: {}",
                             info.name, per_arc);
  const std::uint64_t degree = request.topology.max_degree();
  if (kind == ChannelKind::wormhole)
    return fmt::format("'{}' sends to neighbours; allowed: {}", info.name, per_arc);
  if (kind == ChannelKind::mailbox && !receives_one(program, info))
    return fmt::format("'{}' receives several messages per step; allowed: {}", info.name, per_arc);
  if (kind == ChannelKind::mailbox && degree > MailboxChannels::max_ports)
    return fmt::format("a node of {} has {} ports, more than {}; allowed: {}",
                       request.topology.name(), degree, MailboxChannels::max_ports, per_arc);
  const bool mailboxes = fits_one_box(request, program, info) ||
                         (receives_one(program, info) && degree <= MailboxChannels::max_ports &&
                          is_compiled(program.channels, ChannelKind::mailbox));
  if (is_compiled(program.channels, kind) || (kind == ChannelKind::mailbox && mailboxes)) return "";
  return fmt::format("'{}' does not support this kind of channel; allowed: {}{}", info.name,
                     per_arc, mailboxes ? ", mailbox" : "");
}

[[nodiscard]] ChannelKind channel_of(const RunRequest& request, const ProgramFacts& program,
                                     const RunChoice& run) {
  check_channel(request, program, run.algorithm);
  if (program.takes_routes) return ChannelKind::wormhole;
  if (request.channel != ChannelKind::automatic) return request.channel;
  if (fits_one_box(request, program, run.algorithm)) return ChannelKind::mailbox;
  const bool carries = refusal_of(ChannelKind::mailbox, request, program, run.algorithm).empty();
  const std::uint64_t slots = channel_bytes(ChannelKind::slot, machine_size(run));
  if (carries && slots > run.available_bytes / 4) return ChannelKind::mailbox;
  return runs_in_groups(program, request.topology) ? ChannelKind::row : ChannelKind::slot;
}

[[nodiscard]] std::size_t block_bytes_of(const RunRequest& request, std::uint64_t processors) {
  constexpr std::uint64_t many_processors = std::uint64_t{1} << 24U;
  constexpr std::size_t usual = 64;
  if (request.block_bytes == 0U)
    throw InvalidParameter(
        "bytes: 0 is not valid; expected at least 1, because a block without bytes proves nothing");
  return request.block_bytes.value_or(processors > many_processors ? 1 : usual);
}

/// As Machine decides it. Blocks of groups are addressed relative to their node: by an addition, or
/// by the composition of permutations.
[[nodiscard]] std::string_view loop_of(const ProgramFacts& program, const AnyTopology& topology) {
  if (program.takes_routes) return "routes";
  if (program.sparse) return "active";
  if (!runs_in_groups(program, topology)) return "nodes";
  return topology.composes_permutations() ? "groups, permutations" : "groups";
}

/// Network and machine: what memory goes by.
void choose_machine(RunChoice& run, const ProgramFacts& program, const RunRequest& request) {
  const AnyTopology& topology = request.topology;
  run.nodes = topology.node_count();
  run.processors = topology.processor_count();
  run.links = topology.link_count();  // more than 64 bits count are more than memory holds
  run.degree = topology.max_degree();
  run.model = request.port_model.value_or(run.algorithm.model);
  run.available_bytes = available_bytes(request);
  run.channel = channel_of(request, program, run);
  run.receive_once =
      run.channel == ChannelKind::mailbox && fits_one_box(request, program, run.algorithm);
}

}  // namespace

ArcLayout arcs_of(std::uint64_t nodes, std::uint64_t degree,
                  const std::optional<std::uint64_t>& links) {
  if (links && ArcLayout::is_better_listed(nodes, degree, 2 * *links)) return {2 * *links, 1};
  return {nodes, degree};
}

MachineSize machine_size(const RunChoice& run) {
  return {.nodes = run.nodes,
          .degree = run.degree,
          .arcs = arcs_of(run.nodes, run.degree, run.links).size()};
}

void check_channel(const RunRequest& request, const ProgramFacts& program,
                   const AlgorithmInfo& info) {
  if (request.channel == ChannelKind::automatic) return;
  const std::string reason = refusal_of(request.channel, request, program, info);
  if (!reason.empty())
    throw invalid("channel: {} is not possible because {}", report::channel_name(request.channel),
                  reason);
}

std::vector<ChannelKind> channels_for(const RunRequest& request, const ProgramFacts& program,
                                      const AlgorithmInfo& info) {
  std::vector<ChannelKind> kinds;
  for (const ChannelKind kind : {ChannelKind::row, ChannelKind::slot, ChannelKind::spsc,
                                 ChannelKind::mailbox, ChannelKind::wormhole})
    if (refusal_of(kind, request, program, info).empty()) kinds.push_back(kind);
  return kinds;
}

RunChoice least_choice(const AlgorithmInfo& algorithm, const ProgramFacts& program,
                       const RunRequest& request) {
  RunChoice run{
      .topology = request.topology.name(), .network = request.topology, .algorithm = algorithm};
  choose_machine(run, program, request);
  return run;
}

RunChoice choice_of(RunChoice run, const ProgramFacts& program, const RunRequest& request) {
  const AnyTopology& topology = request.topology;
  run.topology = topology.name();
  run.network = topology;
  run.block_bytes = block_bytes_of(request, topology.processor_count());
  run.workers = workers_of(request);
  run.processes = request.processes;
  choose_machine(run, program, request);
  run.diameter = topology.diameter();
  run.label_bytes = program.label_bytes;
  run.loop = loop_of(program, topology);
  run.reads = program.reads;
  run.seed = request.seed;
  run.executor = report::executor_name(request.executor);
  run.processors_per_task = std::min(request.processors_per_task, run.nodes);
  run.verify = ProvingHost::definite({.collective = run.collective,
                                      .processors = run.processors,
                                      .block_bytes = run.block_bytes,
                                      .verify = request.verify,
                                      .operation = request.combine});
  return run;
}

}  // namespace lockstep::catalog

namespace lockstep {

std::size_t definite_block_bytes(const RunRequest& request) {
  return catalog::block_bytes_of(request, request.topology.processor_count());
}

std::string unfilled_parts(const AlgorithmInfo& algorithm, const RunRequest& request) {
  const std::uint64_t parts = request.topology.processor_count();
  const std::size_t bytes = definite_block_bytes(request);
  if (!algorithm.whole_parts || !request.combine || bytes % parts == 0) return {};
  return fmt::format("divides blocks into {} parts; blocks of {} bytes are not a multiple",
                     grouped(parts), grouped(bytes));
}

}  // namespace lockstep
