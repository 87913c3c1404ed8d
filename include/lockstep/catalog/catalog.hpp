// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The catalogue: the one place where names become topologies and algorithms, and where the machine
/// is instantiated for them (src/catalog). Commands, tests and benchmarks run algorithms through
/// it.
///
///     RunRequest request{.topology = "star:5", .operation = Operation::total_exchange};
///     request.settings["k"] = Numbers{3};
///     const auto run = prepare(request);       // throws InvalidParameter, ResourceExhausted
///     const RunForecast& before = run->forecast();
///     const RunResult after = run->execute();
///     assert(after.ok());

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/machine/channel.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/processes.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/program/algorithm.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/report/run_result.hpp"
#include "lockstep/topology/supported_networks.hpp"
#include "lockstep/verify/detail/verdict.hpp"

namespace lockstep {

struct RunRequest {
  AnyTopology topology{};  ///< or its name: "star:7"
  Operation operation = Operation::total_exchange;
  std::string algorithm{};  ///< empty: the one with the least predicted time that the port model
                            ///< allows; for a total exchange at assumed costs, one made for the
                            ///< family of the network, if there is any
  Settings settings{};      ///< values of the algorithm's parameters
  /// The pattern that fixed_pattern() derived from the settings; empty: the settings define it.
  Pattern pattern{};
  CostParameters costs{.t_s = 100, .assumed = true};  ///< used to select algorithm and parameters
  std::optional<PortModel> port_model{};  ///< empty: the one that the algorithm needs; without
                                          ///< an algorithm, that of the first one in the catalogue
  std::optional<std::size_t> block_bytes{};  ///< empty: as definite_block_bytes() says
  std::uint64_t seed = 1;
  std::size_t workers = 0;  ///< 0: one per usable core
  std::uint64_t processors_per_task = 0;
  ChannelKind channel = ChannelKind::automatic;
  ExecutorKind executor = default_executor;
  VerifyKind verify = VerifyKind::automatic;
  bool keep_series = false;
  std::uint64_t memory_limit = 0;     ///< bytes; 0: what the host has available
  std::size_t processes = 1;          ///< that will share the run: memory is predicted for each
  std::uint64_t available_bytes = 0;  ///< that each process may use; 0: what the host has
  double max_hours = 24;              ///< a longer estimate is refused
  /// The user's own bytes (verify/delivery.hpp), which outlive the run; none: a formula.
  std::span<const std::byte> input{};
  BlockOperation combine{};  ///< of a reduction of own bytes

  // Stress only.
  Fault fault{};
  std::function<void(std::uint64_t, std::size_t)> disturb{};
  bool stop_at_violation = true;
};

/// The block size of a request that does not give one: 64 bytes, or 1 byte on networks of more than
/// 2^24 processors, where blocks take most of the memory. Throws InvalidParameter if the network
/// does not exist.
[[nodiscard]] std::size_t definite_block_bytes(const RunRequest& request);

/// Empty, or the reason why the algorithm is not compared, and selected by default only if no other
/// is possible: with an operator of the user's own, blocks are no multiple of the parts that it
/// makes.
[[nodiscard]] std::string unfilled_parts(const AlgorithmInfo& algorithm, const RunRequest& request);

/// For a display that runs beside the run.
struct RunControl {
  std::stop_token stop{};
  std::vector<StepObserver*> observers{};  ///< none of them null
  SendTrace* trace = nullptr;      ///< receives every message that crossed a link: slow, and long
  Executor* run_on = nullptr;      ///< used instead of an executor made for this run
  std::uint64_t max_steps = 0;     ///< a longer run is interrupted; 0: no limit
  bool watch_in_flight = true;     ///< MachineOptions::watch_in_flight
  Processes* processes = nullptr;  ///< MachineOptions::processes
};

/// A run that is known to be possible and fits the host.
class PreparedRun {
 public:
  PreparedRun() = default;
  PreparedRun(const PreparedRun&) = delete;
  PreparedRun& operator=(const PreparedRun&) = delete;
  virtual ~PreparedRun() = default;

  [[nodiscard]] virtual const RunForecast& forecast() const noexcept = 0;
  /// Throws ResourceExhausted, with what is needed and what is available.
  virtual void check_resources() const = 0;
  /// The variants of this algorithm that `compare` runs.
  [[nodiscard]] virtual Variants variants() const = 0;
  /// May be called several times; the plan is built once.
  [[nodiscard]] virtual RunResult execute(const RunControl& control = {}) = 0;
  /// Sets up the run and executes steps, at least one, until about `seconds` have passed in total.
  /// Then extrapolates to the whole run.
  [[nodiscard]] virtual Probe probe(double seconds, const std::stop_token& stop = {}) = 0;
  /// The program that execute() runs, for use on other machines.
  [[nodiscard]] virtual const ErasedProgram& program() = 0;
};

/// Throws InvalidParameter, with the nearest name, for unknown names and values that do not fit
/// together, and ResourceExhausted for runs that are too large for this host. Dry runs, and callers
/// that call PreparedRun::check_resources() later, set `check_resources` to false.
[[nodiscard]] std::unique_ptr<PreparedRun> prepare(const RunRequest& request,
                                                   bool check_resources = true);

/// The pattern of a request whose settings can be read only once, such as a pipe. It serves all
/// runs of one problem and is usually empty. Throws InvalidParameter.
[[nodiscard]] Pattern fixed_pattern(const RunRequest& request);

struct TopologyInfo {
  std::string_view grammar;  ///< "star:n"
  std::string_view meaning;  ///< "star graph, 2 <= n <= 12, n! nodes"
  std::string_view example;  ///< "star:4"
  std::string_view source;
};
[[nodiscard]] const std::vector<TopologyInfo>& topology_catalog();

struct OperationInfo {
  Operation operation;
  std::string_view meaning;
  std::string_view other_names;  ///< of the papers and of MPI
};
[[nodiscard]] const std::vector<OperationInfo>& operation_catalog();

struct AlgorithmEntry {
  AlgorithmInfo info;
  SupportedNetworks networks;
};
[[nodiscard]] const std::vector<AlgorithmEntry>& algorithm_catalog();

/// Algorithms for this topology and operation, in the order of the catalogue, without those that
/// need a file. A default run uses the port model of the first one.
[[nodiscard]] std::vector<AlgorithmInfo> algorithms_for(const AnyTopology& topology,
                                                        Operation operation);

/// The channels that RunRequest::channel may name for the algorithm of the request, apart from
/// `automatic`; empty if the algorithm does not exist.
[[nodiscard]] std::vector<ChannelKind> channels_for(const RunRequest& request);

/// All parameters of all algorithms, each once, in the order of the catalogue.
[[nodiscard]] const std::vector<Parameter>& parameter_catalog();

/// Parses the value of a parameter. A node may be given by its label on the network. Throws
/// InvalidParameter.
[[nodiscard]] Setting parse_setting(const Parameter& parameter, const std::string& text,
                                    const AnyTopology& topology);

/// Every name and synonym of the papers and of MPI ("alltoall"). Throws InvalidParameter.
[[nodiscard]] Operation parse_operation(const std::string& text);

/// "star:4..7" -> star:4, star:5, star:6, star:7; each is checked. Throws InvalidParameter.
[[nodiscard]] std::vector<AnyTopology> expand_topologies(const std::string& text);

}  // namespace lockstep
