// SPDX-License-Identifier: Apache-2.0

/// run() of a program of one's own, but for what depends on its type.

#include <array>
#include <limits>
#include <optional>
#include <string>

#include "catalog/choice.hpp"
#include "catalog/forecast.hpp"
#include "catalog/memory.hpp"
#include "catalog/run_stage.hpp"
#include "core/invalid.hpp"
#include "lockstep/catalog/run.hpp"
#include "lockstep/collective/buffer_layout.hpp"

namespace lockstep::catalog {
namespace {

constexpr std::array root_only{root_parameter};

/// Empty where nothing says. Throws InvalidParameter where the input is no number of equal blocks.
[[nodiscard]] std::optional<std::size_t> block_bytes_of(const AnyTopology& topology,
                                                        const Collective& collective,
                                                        const RunOptions& options) {
  if (options.block_bytes || options.input.empty()) return options.block_bytes;
  const std::uint64_t blocks = BufferLayout(collective, topology.processor_count()).input_blocks();
  if (blocks == 0 || options.input.size() % blocks != 0)
    throw invalid("{}: {} bytes given; expected {} blocks of equal size",
                  name_of(collective.operation), options.input.size(), blocks);
  return options.input.size() / blocks;
}

[[nodiscard]] RunRequest request_of(const AnyTopology& topology, const Collective& collective,
                                    const RunOptions& options) {
  return {.topology = topology,
          .operation = collective.operation,
          .port_model = options.model,
          .block_bytes = block_bytes_of(topology, collective, options),
          .seed = options.seed,
          .workers = options.run_on == nullptr ? options.workers : options.run_on->worker_count(),
          .processors_per_task = options.processors_per_task,
          .channel = options.channel,
          .executor = options.run_on == nullptr ? options.executor : ExecutorKind::thread,
          .verify = options.verify,
          .keep_series = options.keep_series,
          .memory_limit = options.memory_limit,
          .max_hours = std::numeric_limits<double>::infinity(),
          .input = options.input,
          .combine = options.combine};
}

/// The choice, with the facts that an algorithm of the catalogue states about itself.
[[nodiscard]] RunChoice claimed(const Collective& collective, const RunOptions& options) {
  RunChoice run{.algorithm = {.name = options.name,
                              .operation = collective.operation,
                              .model = options.model,
                              .source = options.source,
                              .costs = {},
                              .summary = {}},
                .collective = collective};
  if (!has_root(collective.operation)) return run;
  run.algorithm.parameters = root_only;
  run.settings[root_parameter.name] = index(collective.root);
  return run;
}

/// The table, which proves that the network keeps the laws of a topology: before anything is
/// searched that does not. None for programs that do without and networks too large to be searched.
[[nodiscard]] std::optional<Network> lawful_table(const AnyTopology& topology,
                                                  const OwnProgram& program,
                                                  const RunOptions& options) {
  if (program.facts.receives_once && topology.node_count() > searchable_nodes) return std::nullopt;
  const bool fits_table = topology.node_count() < Network::max_nodes;  // or is refused
  if (fits_table && topology.as<Network>() == nullptr)
    check_memory(topology.name(), table_bytes(topology), available_bytes(options.memory_limit));
  return topology.network();
}

/// The numbers of these types come from the caller, who may have cast them.
void check_kinds(const RunOptions& options) {
  const auto require = [](bool known, std::string_view what, std::size_t number) {
    if (!known) throw invalid("{}: {} is not a valid kind", what, number);
  };
  require(options.executor <= ExecutorKind::serial, "executor", index(options.executor));
  require(options.channel <= ChannelKind::row, "channel", index(options.channel));
  require(options.verify <= VerifyKind::off, "verify", index(options.verify));
}

/// Checks the bits and the block that every machine keeps of a processor, before links are counted.
void check_nodes(const AnyTopology& topology, const RunOptions& options) {
  const std::uint64_t nodes = topology.node_count();
  check_memory(topology.name(), nodes, available_bytes(options.memory_limit));
}

/// A network has one pair of classes, whichever of them is called odd.
void check_classes(const Collective& collective, const AnyTopology& network) {
  if (!collective.is_by_classes()) return;
  const Bipartition& classes = *collective.pattern.classes();
  bool fits = classes.nodes() == network.node_count();
  for (std::uint64_t u = 0; fits && u < network.node_count(); ++u)
    for (std::size_t p = 0; fits && p < network.degree(NodeId{u}); ++p)
      fits = classes.is_odd(NodeId{u}) != classes.is_odd(network.neighbor(NodeId{u}, port(p)));
  if (!fits)
    throw invalid("{}: the pattern belongs to another network; expected Pattern::odd_distance({})",
                  name_of(collective.operation), network.name());
}

}  // namespace

RunReport run_own(const AnyTopology& topology, const OwnProgram& program,
                  const Collective& collective, const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  check_kinds(options);
  check_collective(collective, topology.processor_count());
  check_nodes(topology, options);
  const RunRequest request = request_of(topology, collective, options);
  std::optional<Network> table = lawful_table(topology, program, options);
  check_classes(collective, topology);
  RunPlan plan{choice_of(claimed(collective, options), program.facts, request),
               Footprint{.steps = program.steps}, program.steps_known};
  plan.footprint.parts_per_block = collective.pattern.parts_per_block();
  RunForecast run = forecast_of(std::move(plan), options.predicted, program.facts, request,
                                {.size = program.size});
  if (options.run_on != nullptr) run.executor = options.run_on->name();
  check_resources(run, request);
  if (run.receive_once)
    table.reset();
  else if (!table)
    table = topology.network();
  const RunControl control{.stop = options.stop,
                           .observers = options.observers,
                           .trace = options.trace,
                           .run_on = options.run_on,
                           .max_steps = options.max_steps,
                           .watch_in_flight = options.watch_in_flight};
  RunStage stage(run, request, std::move(table), program.machines, control);
  return {.result = stage.result(start),
          .costs = options.costs,
          .provenance = provenance(std::string(options.command_line))};
}

}  // namespace lockstep::catalog
