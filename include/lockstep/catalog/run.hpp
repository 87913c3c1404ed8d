// SPDX-License-Identifier: Apache-2.0
#pragma once

/// run(): a program of one's own on any network, in one call. Host, channels, machine, record,
/// judgement and report are made from one set of facts, as `lockstep run` makes them for the
/// algorithms of the catalogue, by the same code:
///
///     const RunReport report = run(StarGraph{6}, FloodingBroadcast{}, {Operation::broadcast},
///                                  {.model = port_models::all_port});
///     std::cout << to_text(report);                       // or to_json, to_csv
///     return report.result.ok() ? 0 : 1;
///
/// It belongs to the layer `catalog`, because it constructs machine, judgement and report. The
/// machines of a program are compiled where run() is called.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/catalog/detail/machines_of.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/program/cost.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/report/run_report.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "lockstep/verify/detail/verdict.hpp"

namespace lockstep {

struct RunOptions {
  PortModel model = port_models::single_port;
  std::optional<std::size_t> block_bytes{};  ///< empty: as definite_block_bytes() says
  std::uint64_t seed = 1;                    ///< seed of the payload
  std::size_t workers = 0;                   ///< 0: one per usable core
  std::uint64_t processors_per_task = 0;     ///< 0: an equal share for each worker
  ExecutorKind executor = default_executor;
  ChannelKind channel = ChannelKind::automatic;
  VerifyKind verify = VerifyKind::automatic;
  bool keep_series = false;        ///< a line per step in the report
  std::uint64_t max_steps = 0;     ///< a longer run is interrupted; 0: no limit
  bool watch_in_flight = true;     ///< MachineOptions::watch_in_flight
  std::uint64_t memory_limit = 0;  ///< bytes; 0: what the host has available
  /// Your own payload (verify/delivery.hpp). It also defines the block size unless block_bytes
  /// does. RunResult::output holds what arrived. Empty: the payload is a formula of the seed.
  std::span<const std::byte> input{};
  /// The operator of a reduction of your own payload. The machine counts its combinations but
  /// cannot check them; first verify the program without it, which proves who contributes to each
  /// result.
  BlockOperation combine{};

  std::stop_token stop{};
  std::vector<StepObserver*> observers{};  ///< none of them null
  SendTrace* trace = nullptr;              ///< receives every message that crossed a link
  Executor* run_on = nullptr;              ///< in place of `executor` and `workers`

  // Words of the report about the program. They must outlive the report; usually they are literals.
  std::string_view name = "own program";
  std::string_view source{};         ///< "[paper], theorem 2"; empty: none is named
  std::optional<Cost> predicted{};   ///< closed form; a run with other counts is NOT AS PREDICTED
  CostParameters costs{.t_s = 100};  ///< of the modelled times
  std::string_view command_line{};   ///< as reports quote it
};

namespace catalog {

/// A type-erased user program.
struct OwnProgram {
  ProgramFacts facts{};
  MachineSize size{};
  std::uint64_t steps = 0;
  bool steps_known = false;
  const ProgramMachines& machines;
};

[[nodiscard]] RunReport run_own(const AnyTopology& topology, const OwnProgram& program,
                                const Collective& collective, const RunOptions& options);

template <Topology Net>
[[nodiscard]] AnyTopology any_topology(const Net& network) {
  if constexpr (std::is_base_of_v<ErasedTopology, Net>)
    return AnyTopology(network);
  else
    return AnyTopology(topology_model(network));
}

/// The return value of run() after a static_assert has failed. Never defined.
[[nodiscard]] RunReport no_report();

/// The view that a machine hands to the rule of such a program.
template <Program Prog>
using RuleView = StepView<lockstep::detail::Pass<
    Network, Prog, std::conditional_t<RoutingProgram<Prog>, WormholeChannels, SlotChannels>,
    false>>;

/// Compilers instantiate the rule here, before run(), so that errors in it do not list the machine.
/// As an argument of a template: a comparison with nullptr is no constant where g++ instruments
/// pointers (-fsanitize=undefined).
template <auto rule>
inline constexpr bool is_instantiated = true;
template <class View, class Prog>
[[nodiscard]] constexpr bool refers_to_rule_for() noexcept {
  using Rule = void (Prog::*)(View&) const;
  if constexpr (requires { static_cast<Rule>(&Prog::operator()); })
    return is_instantiated<static_cast<Rule>(&Prog::operator())>;
  return false;
}
template <class Net, class Prog>
[[nodiscard]] constexpr bool refers_to_rule() noexcept {
  if constexpr (lockstep::detail::mistake_in<Prog>() != lockstep::detail::Mistake::none ||
                lockstep::detail::mistaken_trait<Prog>() != Traits::none)
    return false;  // run() reports the mistake
  else if constexpr (ReceiveOnceProgram<Prog> && Topology<Net>)
    return refers_to_rule_for<ReceiveOnceView<lockstep::detail::ReceiveOncePass<Net, Prog>>,
                              Prog>();
  else
    return refers_to_rule_for<RuleView<Prog>, Prog>();
}

template <bool keeps_memories, Topology Net, Program Prog>
[[nodiscard]] RunReport run_typed(const Net& network, const Prog& program,
                                  const Collective& collective, const RunOptions& options,
                                  std::vector<typename Prog::Memory>* memories) {
  const MachinesOf<Net, Prog, keeps_memories> machines(network, program, memories);
  OwnProgram own{
      .facts = facts_of<Prog>(), .size = size_of(network, program), .machines = machines};
  if (keeps_memories) own.facts.variables_bytes += sizeof(typename Prog::Memory);
  if constexpr (CountedProgram<Prog>) {
    own.steps = step_count_of(program);
    own.steps_known = true;
  }
  return run_own(any_topology(network), own, collective, options);
}

}  // namespace catalog

/// Before building anything, throws InvalidParameter if network, program, collective and options do
/// not fit together, and ResourceExhausted, with both numbers, if the memory is not available.
template <class Net, class Prog, bool = catalog::refers_to_rule<Net, Prog>()>
[[nodiscard]] RunReport run(const Net& network, const Prog& program, const Collective& collective,
                            const RunOptions& options = {}) {
  // One check after the other, so that the first mistake is reported in a few lines.
  constexpr bool is_topology = Topology<Net>;
  static_assert(is_topology, "network: not a topology; see lockstep/topology/topology.hpp");
  if constexpr (!is_topology) {
    return catalog::no_report();
  } else if constexpr (!lockstep::detail::KnowledgeCheck<Net>::passed) {
    return catalog::no_report();
  } else if constexpr (!ProgramCheck<Prog>::passed) {
    return catalog::no_report();
  } else {
    return catalog::run_typed<false>(network, program, collective, options, nullptr);
  }
}

/// The same; afterwards `memories` holds the variables of every node in the order of the nodes.
template <class Net, class Prog, bool = catalog::refers_to_rule<Net, Prog>()>
[[nodiscard]] RunReport run(const Net& network, const Prog& program, const Collective& collective,
                            const RunOptions& options,
                            std::vector<typename Prog::Memory>& memories) {
  constexpr bool is_topology = Topology<Net>;
  static_assert(is_topology, "network: not a topology; see lockstep/topology/topology.hpp");
  constexpr bool is_copyable = std::is_copy_constructible_v<typename Prog::Memory>;
  static_assert(is_copyable, "memories: the Memory of the program must be copyable");
  if constexpr (!is_topology || !is_copyable) {
    return catalog::no_report();
  } else if constexpr (!lockstep::detail::KnowledgeCheck<Net>::passed) {
    return catalog::no_report();
  } else if constexpr (!ProgramCheck<Prog>::passed) {
    return catalog::no_report();
  } else {
    memories.clear();
    return catalog::run_typed<true>(network, program, collective, options, &memories);
  }
}

}  // namespace lockstep
