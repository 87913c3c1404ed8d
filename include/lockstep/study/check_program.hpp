// SPDX-License-Identifier: Apache-2.0
#pragma once

/// check_program(): runs a program on every kind of channel, with 1 to 8 workers, task sizes from 1
/// to 1,024 processors and every executor, and compares each run field by field with the reference
/// machine, a slow second implementation of the same rules. Link with lockstep::command_line.
///
///     const ProgramCheckResult checked =
///         check_program(Ring{16}, MyProgram{}, {Operation::broadcast}, {.model = all_port});
///     for (const std::string& line : checked.differences) std::cerr << line << '\n';
///
/// A difference means that the program shares data between processors, that it depends on the order
/// in which they run, or that Lockstep has an error. Whether the program delivers what it should,
/// run() says (lockstep/catalog/run.hpp). For networks of up to some hundred nodes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/catalog/detail/machines_of.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/machine/spsc_channels.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

struct CheckOptions {
  PortModel model = port_models::single_port;
  std::size_t block_bytes = 8;
};

struct ProgramCheckResult {
  std::uint64_t runs = 0;                  ///< compared with the reference machine
  std::vector<std::string> differences{};  ///< of the first run that differs, each field a line

  [[nodiscard]] bool ok() const noexcept { return differences.empty(); }
};

namespace detail {

template <class Prog>
struct OnEveryChannel : Prog {
  static constexpr CompiledChannels compiled_channels = CompiledChannels::every;
};

struct CheckedProgram {
  const Network& network;
  const ErasedProgram& program;
  const catalog::ProgramMachines& machines;
  bool routes = false;
  bool receives_once = false;
  bool makes_same_moves = false;
};

[[nodiscard]] ProgramCheckResult check_program(const CheckedProgram& checked,
                                               const Collective& collective,
                                               const CheckOptions& options);

}  // namespace detail

/// Throws what the program and run() throw.
template <class Net, class Prog>
[[nodiscard]] ProgramCheckResult check_program(const Net& network, const Prog& program,
                                               const Collective& collective,
                                               const CheckOptions& options = {}) {
  static_assert(Topology<Net>, "network: a topology, as lockstep/topology/topology.hpp says");
  static_assert(sizeof(ProgramCheck<Prog>) != 0);
  if constexpr (Topology<Net> && Program<Prog>) {
    using Everywhere = detail::OnEveryChannel<Prog>;
    const Network table = build_network(network);
    const Everywhere everywhere{program};
    const catalog::MachinesOf<Network, Everywhere> machines(table, everywhere);
    const ErasedProgramOf<Prog> erased(program);
    return detail::check_program({.network = table,
                                  .program = erased,
                                  .machines = machines,
                                  .routes = RoutingProgram<Prog>,
                                  .receives_once = ReceiveOnceProgram<Prog>,
                                  .makes_same_moves = MakesSameMoves<Prog>},
                                 collective, options);
  } else {
    return {};
  }
}

}  // namespace lockstep
