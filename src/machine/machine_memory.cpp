// SPDX-License-Identifier: Apache-2.0
#include "lockstep/machine/detail/machine_memory.hpp"

#include <algorithm>

#include "core/bytes.hpp"
#include "lockstep/machine/detail/channels.hpp"
#include "lockstep/machine/detail/pass.hpp"
#include "lockstep/machine/detail/port_ledger.hpp"
#include "lockstep/machine/detail/queue_ledger.hpp"
#include "lockstep/machine/detail/receive_once_boxes.hpp"
#include "lockstep/machine/detail/rejected_messages.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/spsc_channels.hpp"

namespace lockstep {
namespace {

/// Buffers of more than a huge page end at the end of one: a sixteenth more, 16 MiB at most.
[[nodiscard]] Bytes in_huge_pages(Bytes bytes) noexcept {
  constexpr std::uint64_t huge_page = std::uint64_t{1} << 21U;
  constexpr std::uint64_t most = std::uint64_t{16} << 20U;
  return bytes.value() < huge_page ? bytes : bytes + std::min(bytes.value() / 16, most);
}

}  // namespace

std::uint64_t channel_bytes(ChannelKind kind, const MachineSize& size) noexcept {
  const ArcLayout arcs(size.arcs, 1);
  switch (kind) {
    case ChannelKind::spsc:
      return SpscChannels::bytes(arcs);
    case ChannelKind::mailbox:
      return MailboxChannels::bytes({size.nodes, size.degree});
    case ChannelKind::wormhole:
      return WormholeChannels::bytes(arcs);
    default:
      return SlotChannels::bytes(arcs);
  }
}

std::uint64_t machine_bytes(ChannelKind channel, const ProgramFacts& program,
                            const MachineSize& size, const MachineOptions& options) noexcept {
  constexpr std::uint64_t growing = 2;  // an array that grows is copied into a larger one
  const bool one_message = channel == ChannelKind::mailbox;
  const std::uint64_t taken_bytes = one_message ? 1 : program.grouped ? 2 : 4;
  const std::uint64_t lowest_bytes = channel == ChannelKind::spsc ? sizeof(Port) : 0;
  const std::uint64_t series_bytes = options.keep_series ? sizeof(std::uint32_t) : 0;
  const std::uint64_t node_bytes = program.variables_bytes + taken_bytes + lowest_bytes +
                                   (options.watch_in_flight ? program.kept_bytes : 0) +
                                   series_bytes;
  const std::uint64_t beside_block =
      program.label_bytes + (options.watch_waits ? sizeof(std::uint32_t) : 0);
  const Bytes all_blocks = Bytes{size.block_slots} * (Bytes{options.block_bytes} + beside_block);
  const std::uint64_t per_node = size.nodes == 0 ? 0 : all_blocks.value() / size.nodes;
  const Bytes blocks =
      all_blocks +
      Bytes{program.uneven ? 0 : detail::padded_bytes_per_node(per_node) - per_node} * size.nodes;
  const Bytes first_slots =
      Bytes{program.uneven ? size.regions : 0} * (size.nodes + 1) * sizeof(std::uint64_t);
  const Bytes buffers = blocks + Bytes{size.word_slots} * word_bytes +
                        Bytes{size.nodes} * node_bytes + first_slots + channel_bytes(channel, size);
  const std::uint64_t queue_runs = options.queues != nullptr ? size.block_slots : size.queue_runs;
  const bool promises = program.receives_once && !program.takes_routes;
  const Bytes rest = Bytes{PortLedger::bytes(options.model, size.nodes, size.degree, size.arcs)} +
                     (program.sparse ? 2 * detail::ActiveSet::bytes(size.nodes) : 0) +
                     (promises ? detail::OncePromise::bytes(size.nodes) : 0) +
                     Bytes{queue_runs} * QueueLedger::run_bytes +
                     Bytes{options.keep_series ? size.steps : 0} * sizeof(StepRecord) * growing;
  return (in_huge_pages(buffers) + rest).value();
}

std::uint64_t receive_once_bytes(const ProgramFacts& program, std::uint64_t nodes,
                                 std::size_t block_bytes) noexcept {
  using Boxes = detail::ReceiveOnceBoxes;
  const Bytes boxes = Bytes{nodes} * Boxes::stride(block_bytes) +
                      Bytes{detail::NodeBits::bytes(nodes)} * Boxes::bits_per_node;
  const Bytes variables = Bytes{program.stateless ? 1 : nodes} * program.variables_bytes;
  return in_huge_pages(boxes + variables).value();
}

}  // namespace lockstep
