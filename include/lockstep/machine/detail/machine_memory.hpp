// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How much memory a machine takes. Both the forecast, before plan and network table exist, and the
/// constructor of the machine use this function.
///
///     machine_bytes(ChannelKind::slot, facts_of<MyProgram>(), size_of(network, program), options)

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/detail/sent_slots.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

/// Facts of a program that follow from its type.
struct ProgramFacts {
  std::size_t variables_bytes = 0;  ///< variables of a processor
  std::size_t kept_bytes = 0;       ///< per processor, to watch blocks in flight
  std::size_t label_bytes = 0;      ///< per block: LabelledProgram
  std::string_view reads{};         ///< what the program reads of messages: ReadingProgram
  bool stateless = false;           ///< there are no variables
  bool receives_once = false;       ///< ReceiveOnceProgram
  bool takes_routes = false;        ///< RoutingProgram
  bool grouped = false;             ///< UniformProgram
  bool sparse = false;              ///< Activity::sparse
  bool uneven = false;              ///< UnevenProgram
  CompiledChannels channels = CompiledChannels::slot;  ///< compiled_channels_of
};

namespace detail {

/// If nodes were whole pages apart, they are a line further apart: otherwise one slot of all nodes
/// falls into one set of a cache.
[[nodiscard]] constexpr std::uint64_t padded_bytes_per_node(std::uint64_t bytes) noexcept {
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t line = 64;
  return bytes != 0 && bytes % page == 0 ? bytes + line : bytes;
}

}  // namespace detail

/// Whether packet-switched machines of such a program exist with channels of that kind.
[[nodiscard]] constexpr bool is_compiled(CompiledChannels channels, ChannelKind kind) noexcept {
  const auto has = [&](CompiledChannels one) {
    return (static_cast<unsigned>(channels) & static_cast<unsigned>(one)) != 0;
  };
  return kind == ChannelKind::slot || kind == ChannelKind::row ||
         (kind == ChannelKind::mailbox && has(CompiledChannels::mailbox)) ||
         (kind == ChannelKind::spsc && has(CompiledChannels::spsc));
}

/// "labels, control words", ..
[[nodiscard]] constexpr std::string_view what_is_read(bool labels, bool words,
                                                      bool bytes) noexcept {
  constexpr std::array<std::string_view, 8> all{
      "",      "labels",        "control words",        "labels, control words",
      "bytes", "labels, bytes", "control words, bytes", "labels, control words, bytes"};
  return all[(labels ? 1U : 0U) + (words ? 2U : 0U) + (bytes ? 4U : 0U)];
}

template <Program Prog>
[[nodiscard]] constexpr ProgramFacts facts_of() noexcept {
  using Memory = typename Prog::Memory;
  constexpr bool same_moves = MakesSameMoves<Prog> && !RoutingProgram<Prog>;
  return {
      .variables_bytes = sizeof(Memory),
      .kept_bytes = same_moves ? 0 : sizeof(detail::KeptSlots<Prog>),
      .label_bytes = LabelledProgram<Prog> ? word_bytes : 0,
      .reads = what_is_read(LabelledProgram<Prog>, ControlProgram<Prog>, ByteReadingProgram<Prog>),
      .stateless = std::is_empty_v<Memory>,
      .receives_once = ReceiveOnceProgram<Prog>,
      .takes_routes = RoutingProgram<Prog>,
      .grouped = UniformProgram<Prog>,
      .sparse = Prog::activity == Activity::sparse,
      .uneven = UnevenProgram<Prog>,
      .channels = compiled_channels_of<Prog>};
}

/// The sizes that machine, network and plan add up to.
struct MachineSize {
  std::uint64_t nodes = 0;
  std::uint64_t degree = 0;
  std::uint64_t arcs = 0;  ///< places for them: ArcLayout::size()
  std::uint64_t regions = 1;
  // Slots of memory, of all nodes together.
  std::uint64_t block_slots = 0;
  std::uint64_t word_slots = 0;  ///< of control words
  std::uint64_t steps = 0;       ///< 0: not known
  std::uint64_t queue_runs = 0;  ///< of slots, for MachineOptions::queues that is not there yet
};

template <Topology Net, Program Prog>
[[nodiscard]] MachineSize size_of(const Net& network, const Prog& program) {
  const std::vector<std::uint32_t> regions = program.regions();
  MachineSize size{.nodes = network.node_count(),
                   .degree = network.max_degree(),
                   .arcs = arc_layout(network).size(),
                   .regions = regions.size()};
  if constexpr (CountedProgram<Prog>) size.steps = step_count_of(program);
  std::vector<bool> words(regions.size());
  if constexpr (ControlProgram<Prog>)
    for (const Region region : program.control_regions())
      if (index(region) < words.size()) words[index(region)] = true;  // the machine says the others
  for (std::size_t r = 0; r < regions.size(); ++r) {
    std::uint64_t slots = size.nodes * regions[r];
    if constexpr (UnevenProgram<Prog>) {
      slots = 0;
      for (std::uint64_t u = 0; u < size.nodes; ++u)
        slots += blocks_of(program, NodeId{u}, static_cast<Region>(r), regions[r]);
    }
    (words[r] ? size.word_slots : size.block_slots) += slots;
  }
  return size;
}

/// The bytes of channels of that kind for so many places of arcs.
[[nodiscard]] std::uint64_t channel_bytes(ChannelKind kind, const MachineSize& size) noexcept;

/// The bytes of a Machine; 2^64 - 1 if it is more.
[[nodiscard]] std::uint64_t machine_bytes(ChannelKind channel, const ProgramFacts& program,
                                          const MachineSize& size,
                                          const MachineOptions& options) noexcept;

/// The bytes of a ReceiveOnceMachine; 2^64 - 1 if it is more.
[[nodiscard]] std::uint64_t receive_once_bytes(const ProgramFacts& program, std::uint64_t nodes,
                                               std::size_t block_bytes) noexcept;

}  // namespace lockstep
