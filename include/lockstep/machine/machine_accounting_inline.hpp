// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Definitions of machine.hpp: what is checked, predicted and made before a run, what is counted
/// after each of its passes.

#include "lockstep/machine/machine.hpp"

namespace lockstep {

template <class Net, class Prog, class Chans>
Machine<Net, Prog, Chans>::Machine(const Net& network, const Prog& program, Host& host,
                                   MachineOptions options)
    : network_((check(network, program, host, options), network)),
      program_(program),
      host_(host),
      options_(std::move(options)),
      arcs_(arc_layout(network)),
      processors_(processor_count(network)),
      channels_(arcs_),
      ledger_(options_.model, arcs_),
      taken_(network.node_count()),
      lowest_taken_(queues ? network.node_count() : 0),
      sent_in_(options_.keep_series ? network.node_count() : 0) {
  variables_.reserve(network.node_count());
  for (std::uint64_t u = 0; u < network.node_count(); ++u)
    variables_.push_back(memory_of<Prog>(NodeId{u}));
  for (detail::RegionLayout layout : layouts(program, options_.block_bytes)) {
    const auto region = static_cast<Region>(regions_.size());
    const HugeBuffer& bytes =
        region_bytes_.emplace_back(slots_of(network, program, region) * layout.slot_bytes);
    detail::poison_bytes(bytes.data(), bytes.size());
    layout.bytes = bytes.data();
    if constexpr (UnevenProgram<Prog>) {
      std::vector<std::uint64_t>& first = first_slots_.emplace_back(1, 0);
      for (std::uint64_t u = 0; u < network.node_count(); ++u)
        first.push_back(first.back() +
                        static_cast<std::uint32_t>(program.blocks_of(NodeId{u}, region)));
      layout.first = first.data();
    }
    regions_.push_back(layout);
  }
  regions_.resize(std::size_t{1} << (8 * sizeof(Region)));  // one that is not there has no blocks
  if constexpr (in_groups)
    same_moves_.emplace(program.regions());
  else if (options_.watch_in_flight)
    sent_.resize(network.node_count());
  if (options_.watch_waits || options_.queues != nullptr)
    times_.emplace(network.node_count(),
                   options_.watch_waits ? program.regions() : std::vector<std::uint32_t>{},
                   options_.queues);
  regular_ = true;
  for (std::uint64_t u = 0; u < network.node_count() && regular_; ++u)
    regular_ = network.degree(NodeId{u}) == network.max_degree();
  groups_ = in_groups && regular_ && arcs_.is_rectangle() &&
            network.max_degree() <= max_group_ports && processors_ == network.node_count();
  if constexpr (sparse) {
    active_.emplace_back(network.node_count());
    active_.emplace_back(network.node_count());
    for (const NodeId node : program.starts()) start(node, 0);
  }
  note_made(bytes(network, program, options_));
}

template <class Net, class Prog, class Chans>
TaskPlan Machine<Net, Prog, Chans>::plan_tasks(std::size_t workers) {
  // Below this many processors a step is shorter than the wake-up of another worker.
  constexpr std::uint64_t worth_sharing = 512;
  const std::uint64_t nodes = network_.node_count();
  task_size_ = options_.processors_per_task;
  if (task_size_ == 0) task_size_ = nodes < worth_sharing ? nodes : (nodes + workers - 1) / workers;
  // Words of the active set belong to one task.
  if (sparse || options_.processors_per_task == 0) task_size_ = (task_size_ + 63) / 64 * 64;
  ranges_.resize((nodes + task_size_ - 1) / task_size_);
  return {.tasks = ranges_.size()};
}

template <class Net, class Prog, class Chans>
std::vector<detail::RegionLayout> Machine<Net, Prog, Chans>::layouts(const Prog& program,
                                                                     std::size_t block_bytes) {
  std::vector<detail::RegionLayout> all;
  for (const std::uint32_t blocks : program.regions())
    all.push_back(
        {.blocks = blocks, .slot_bytes = block_bytes + (LabelledProgram<Prog> ? word_bytes : 0)});
  if constexpr (ControlProgram<Prog>)
    for (const Region region : program.control_regions()) {
      if (index(region) >= all.size()) continue;  // check() says so
      all[index(region)].slot_bytes = word_bytes;
      all[index(region)].control = true;
    }
  for (detail::RegionLayout& layout : all) layout.stride = layout.blocks * layout.slot_bytes;
  return all;
}

/// Of all nodes.
template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::slots_of(const Net& network, const Prog& program,
                                                  Region region) {
  if constexpr (UnevenProgram<Prog>) {
    std::uint64_t slots = 0;
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      slots += static_cast<std::uint32_t>(program.blocks_of(NodeId{u}, region));
    return slots;
  }
  return network.node_count() * program.regions()[index(region)];
}

template <class Net, class Prog, class Chans>
void Machine<Net, Prog, Chans>::check(const Net& network, const Prog& program, const Host& host,
                                      const MachineOptions& options) {
  check_host(host, processor_count(network), options.block_bytes);
  const std::vector<std::uint32_t> regions = program.regions();
  if (regions.size() > max_regions)
    throw InvalidParameter("program: " + std::to_string(regions.size()) + " regions, allowed " +
                           std::to_string(max_regions));
  for (const std::uint32_t blocks : regions)
    if (blocks > max_region_blocks)
      throw InvalidParameter("program: a region of " + std::to_string(blocks) +
                             " blocks per processor, allowed " + std::to_string(max_region_blocks));
  (void)phases_of(program);  // checks them
  if constexpr (ControlProgram<Prog>)
    for (const Region region : program.control_regions())
      if (index(region) >= regions.size())
        throw InvalidParameter("program: control words in region " + std::to_string(index(region)) +
                               ", allowed 0.." + std::to_string(regions.size() - 1));
  if constexpr (UnevenProgram<Prog>)
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      for (std::size_t r = 0; r < regions.size(); ++r)
        if (const auto blocks =
                static_cast<std::uint32_t>(program.blocks_of(NodeId{u}, static_cast<Region>(r)));
            blocks > regions[r])
          throw InvalidParameter("program: node " + std::to_string(u) + " has " +
                                 std::to_string(blocks) + " blocks of region " + std::to_string(r) +
                                 ", allowed " + std::to_string(regions[r]));
  if (network.max_degree() > max_degree)
    throw InvalidParameter(std::string(Chans::name) + " channels: a node has " +
                           std::to_string(network.max_degree()) + " ports, allowed " +
                           std::to_string(max_degree));
  if (options.fault.kind != FaultKind::none && index(options.fault.sender) >= network.node_count())
    throw InvalidParameter("fault: no such sender");
  if (wormhole && options.model.duplex == Duplex::half)
    throw InvalidParameter("wormhole channels: half-duplex links, allowed full-duplex ones");
  if (wormhole && network.node_count() > WormholeChannels::max_nodes)
    throw InvalidParameter("wormhole channels: " + std::to_string(network.node_count()) +
                           " nodes, allowed " + std::to_string(WormholeChannels::max_nodes));
  if (wormhole &&
      (options.fault.kind == FaultKind::misroute || options.fault.kind == FaultKind::duplicate))
    throw InvalidParameter("fault: " + std::string(name_of(options.fault.kind)) +
                           " of a message on a route, allowed drop and corrupt");
  if (options.fault.kind == FaultKind::misroute &&
      index(options.fault.wrong_port) >= network.degree(options.fault.sender))
    throw InvalidParameter("fault: the sender has no such port");
  if (options.fault.kind == FaultKind::corrupt && options.block_bytes != 0 &&
      options.fault.corrupt_byte >= options.block_bytes)
    throw InvalidParameter("fault: the block has no such byte");
}

template <class Net, class Prog, class Chans>
std::uint64_t Machine<Net, Prog, Chans>::bytes(const Net& network, const Prog& program,
                                               const MachineOptions& options) {
  const std::uint64_t nodes = network.node_count();
  std::uint64_t per_node =
      sizeof(typename Prog::Memory) + sizeof(Taken) + (queues ? sizeof(Port) : 0) +
      (!in_groups && options.watch_in_flight ? sizeof(detail::KeptSlots<Prog>) : 0) +
      (options.keep_series ? sizeof(std::uint32_t) : 0);
  std::uint64_t memory = 0;
  const std::vector<detail::RegionLayout> regions = layouts(program, options.block_bytes);
  for (std::size_t r = 0; r < regions.size(); ++r)
    memory += slots_of(network, program, static_cast<Region>(r)) * regions[r].slot_bytes +
              (UnevenProgram<Prog> ? (nodes + 1) * sizeof(std::uint64_t) : 0);
  const ArcLayout arcs = arc_layout(network);
  std::uint64_t total = nodes * per_node + memory + Chans::bytes(arcs) +
                        PortLedger::bytes(options.model, nodes, network.max_degree(), arcs.size()) +
                        (sparse ? nodes / 4 : 0);
  if (options.watch_waits)
    for (const std::uint32_t blocks : program.regions())
      total += detail::ArrivalTimes::bytes(nodes, blocks);
  if constexpr (CountedProgram<Prog>)
    if (options.keep_series)
      total += static_cast<std::uint64_t>(program.step_count()) * sizeof(StepRecord);
  return total;
}

/// Whether a processor was active in the step before: it received, or it had sent.
template <class Net, class Prog, class Chans>
template <class Pass>
[[gnu::always_inline]] inline void Machine<Net, Prog, Chans>::note_activity(Pass& pass, NodeId node,
                                                                            bool sent,
                                                                            bool received) {
  const auto this_step = static_cast<std::uint32_t>(pass.step + 1);
  std::uint32_t& sent_in = sent_in_[index(node)];
  pass.counts.all.busy +=
      static_cast<std::uint64_t>(received && pass.step > 0 && sent_in == this_step - 1);
  if (sent) sent_in = this_step;
}

}  // namespace lockstep
