// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The machines that run one program, with their types forgotten: what is compiled once carries out
/// runs of any program. catalog/machines_of.hpp makes them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/sent_slots.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::catalog {

/// Where a node's blocks of a region begin, where nodes differ.
inline constexpr std::size_t first_slot_bytes = sizeof(std::uint64_t);

/// What is known of a program by its type; of uneven ones, that they have one region.
struct ProgramFacts {
  std::uint64_t variables_bytes = 0;  ///< of a processor, beside its blocks
  bool receives_once = false;         ///< SingleReceptionProgram
  bool takes_routes = false;          ///< RoutingProgram
  bool every_channel = true;          ///< machines_of.hpp: not only the fastest is compiled
  std::size_t label_bytes = 0;        ///< of a block: LabelledProgram
  std::string_view reads{};           ///< what of messages: ReadingProgram
  std::size_t kept_bytes = 0;         ///< of a processor: what is in flight, where its blocks begin
  // Slots of memory, of all nodes together; none: as the footprint says.
  std::uint64_t block_slots = 0;
  std::uint64_t word_slots = 0;  ///< of control words
};

/// "labels, control words", ..
[[nodiscard]] constexpr std::string_view what_is_read(bool labels, bool words,
                                                      bool bytes) noexcept {
  constexpr std::array<std::string_view, 8> all{
      "",      "labels",        "control words",        "labels, control words",
      "bytes", "labels, bytes", "control words, bytes", "labels, control words, bytes"};
  return all[(labels ? 1U : 0U) + (words ? 2U : 0U) + (bytes ? 4U : 0U)];
}

template <Program Prog, bool every_channel = true>
[[nodiscard]] constexpr ProgramFacts facts_of() noexcept {
  using Memory = typename Prog::Memory;
  constexpr std::size_t first_slots = UnevenProgram<Prog> ? first_slot_bytes : 0;
  return {
      .variables_bytes = std::is_empty_v<Memory> ? 0 : sizeof(Memory),
      .receives_once = SingleReceptionProgram<Prog>,
      .takes_routes = RoutingProgram<Prog>,
      .every_channel = every_channel,
      .label_bytes = LabelledProgram<Prog> ? word_bytes : 0,
      .reads = what_is_read(LabelledProgram<Prog>, ControlProgram<Prog>, ByteReadingProgram<Prog>),
      .kept_bytes = first_slots + (MakesSameMoves<Prog> ? 0 : sizeof(detail::KeptSlots<Prog>))};
}

/// A machine with its types forgotten.
class AnyMachine {
 public:
  AnyMachine() = default;
  AnyMachine(const AnyMachine&) = delete;
  AnyMachine& operator=(const AnyMachine&) = delete;
  virtual ~AnyMachine() = default;

  [[nodiscard]] virtual RunRecord run(Executor& executor) = 0;
};

class ProgramMachines {
 public:
  ProgramMachines() = default;
  ProgramMachines(const ProgramMachines&) = delete;
  ProgramMachines& operator=(const ProgramMachines&) = delete;
  virtual ~ProgramMachines() = default;

  /// On a table of the network. The arguments, and the program, outlive the machine.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> machine(ChannelKind channel,
                                                            const Network& network, Host& host,
                                                            MachineOptions options) const = 0;
  /// One box per node, on the network's formula. Precondition: a processor receives once.
  [[nodiscard]] virtual std::unique_ptr<AnyMachine> one_box_machine(
      Host& host, MachineOptions options) const = 0;
};

}  // namespace lockstep::catalog
