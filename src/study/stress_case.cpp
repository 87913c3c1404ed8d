// SPDX-License-Identifier: Apache-2.0

/// The case of a seed: a random request, and what the reference machine makes of it.

#include <fmt/format.h>

#include <array>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "reference/random.hpp"
#include "report/quantities.hpp"
#include "study/stress.hpp"
#include "study/stress_scripts.hpp"

namespace lockstep::study {

namespace {

using reference::Random;

/// Networks that the reference machine runs in a moment; small ones more often.
constexpr std::array networks{"star:2",      "star:3",
                              "star:3",      "star:4",
                              "star:4",      "star:4",
                              "star:4",      "star:5",
                              "star:5",      "star:6",
                              "ring:7",      "complete:5",
                              "hypercube:4", "torus:3x4",
                              "ccc:3",       "butterfly:3",
                              "ej:1+2",      "ej:2+4",
                              "ej:3+4",      "ej:1+2^2",
                              "torus:6x6",   "torus:6x9",
                              "ej:2+2^2",    "cayley:(1 2)(3 4);(1 2 3 4 5)",
                              "mesh:4x5",    "product(ej:1+2,linear:3)"};
/// Networks for a many-to-all, whose nodes make different numbers of blocks.
constexpr std::array tori{"torus:3x3", "torus:3x4", "torus:4x8",
                          "torus:5x5", "torus:6x6", "torus:6x9"};
constexpr std::array operations{Operation::broadcast,      Operation::scatter,
                                Operation::gather,         Operation::all_gather,
                                Operation::total_exchange, Operation::total_exchange,
                                Operation::total_exchange, Operation::odd_distance_exchange,
                                Operation::reduce,         Operation::all_reduce,
                                Operation::reduce_scatter, Operation::scan};
constexpr std::array<std::size_t, 13> sizes{1, 2, 3, 7, 8, 8, 9, 16, 17, 63, 64, 65, 200};
constexpr std::array<std::uint64_t, 6> task_sizes{0, 1, 1, 2, 7, 1024};
constexpr std::uint64_t most_hops = 1'500'000;       // of a case
constexpr std::uint64_t most_traced_hops = 200'000;  // of a case whose sends are recounted

/// Only the words of a file parameter can be drawn; without words, the built-in value runs.
void choose_setting(Random& random, const Parameter& parameter, RunRequest& request) {
  switch (parameter.kind) {
    case Parameter::Kind::numbers: {
      std::vector<std::uint64_t> falling;
      for (std::uint64_t k = 5; k >= 1; --k)
        if (random.happens(k == 1 ? 15 : 40)) falling.push_back(k);
      if (!falling.empty()) request.settings[parameter.name] = std::move(falling);
      return;
    }
    case Parameter::Kind::count:
      if (!random.happens(40)) return;
      if (parameter.words.empty() || !random.happens(10))
        request.settings[parameter.name] = random.number(parameter.least, 12);
      else
        request.settings[parameter.name] = std::string(parameter.words.front());
      return;
    case Parameter::Kind::word:
    case Parameter::Kind::file:
      if (parameter.kind == Parameter::Kind::file && parameter.defines_problem &&
          random.happens(30))
        request.settings[parameter.name] = fmt::format("random:{}", random.number(0, 1'000'000));
      else if (!parameter.words.empty())
        request.settings[parameter.name] = std::string(random.one_of(parameter.words));
      return;
    case Parameter::Kind::node:
      request.settings[parameter.name] = random.number(0, request.topology.node_count() - 1);
      return;
  }
}

void choose_operation(Random& random, RunRequest& request) {
  std::vector<AlgorithmInfo> found;
  while (found.empty()) {
    const bool makers = random.happens(15);
    request.topology = AnyTopology(makers ? random.one_of(tori) : random.one_of(networks));
    request.operation = makers ? Operation::many_to_all : random.one_of(operations);
    found = algorithms_for(request.topology, request.operation);
  }
  const AlgorithmInfo info = random.one_of(found);
  request.algorithm = info.name;
  for (const Parameter& parameter : info.parameters) choose_setting(random, parameter, request);
  std::vector<PortModel> models;
  for (const PortModel& model : port_models::all)
    if (model.admits(info.model)) models.push_back(model);
  if (random.happens(30)) request.port_model = random.one_of(models);
}

/// Chooses one of the channels that the algorithm runs on.
void choose_channel(Random& random, RunRequest& request) {
  std::vector<ChannelKind> kinds = channels_for(request);
  kinds.push_back(ChannelKind::automatic);
  request.channel = random.one_of(kinds);
}

void choose_schedule(Random& random, std::span<const ExecutorKind> executors, RunRequest& request) {
  request.block_bytes = random.one_of(sizes);
  request.seed = random.number(0, 1'000'000);
  request.workers = random.number(1, 16);
  request.processors_per_task = random.one_of(task_sizes);
  choose_channel(random, request);
  request.executor = random.one_of(executors);
  request.verify = random.happens(50) ? VerifyKind::exact : VerifyKind::digest;
  request.keep_series = random.happens(50);
  if (random.happens(70)) request.disturb = delays(random.number(0, 1'000'000));
}

/// Parameters that the algorithm refuses are drawn again.
[[nodiscard]] RunRequest random_request(Random& random, std::span<const ExecutorKind> executors) {
  while (true) {
    RunRequest request;
    choose_operation(random, request);
    choose_schedule(random, executors, request);
    try {
      if (prepare(request)->forecast().footprint.hops <= most_hops) return request;
    } catch (const InvalidParameter&) {
      continue;
    }
  }
}

[[nodiscard]] Fault random_fault(Random& random, const AnyTopology& network, const RunPlan& run) {
  const std::size_t bytes = run.part_bytes();
  constexpr std::array on_routes{FaultKind::drop, FaultKind::corrupt};  // the machine has no other
  const bool routes = run.model.switching == Switching::wormhole;
  Fault fault{
      .kind = routes ? random.one_of(on_routes) : static_cast<FaultKind>(random.number(1, 4)),
      .step = random.number(0, std::max<std::uint64_t>(run.footprint.steps, 1) - 1),
      .sender = NodeId{random.number(0, run.nodes - 1)}};
  fault.wrong_port = port(random.number(0, network.degree(fault.sender) - 1));
  fault.corrupt_byte = bytes == 0 ? 0 : random.number(0, bytes - 1);
  return fault;
}

/// A fault that does harm: not every one does, such as a detour over the right port, or a duplicate
/// after the last step.
void inject(Random& random, StressCase& stress_case) {
  constexpr int tries = 20;
  RunRequest faulty = stress_case.request;
  faulty.verify = VerifyKind::exact;
  faulty.stop_at_violation = random.happens(25);
  faulty.fault.kind = FaultKind::drop;  // what one box per node does without
  choose_channel(random, faulty);
  const RunForecast forecast = prepare(faulty)->forecast();
  for (int i = 0; i < tries; ++i) {
    faulty.fault = random_fault(random, faulty.topology, forecast);
    FaultPrediction expected = predict(faulty, *prepare(faulty));
    if (!expected.harmful()) continue;
    stress_case = {.request = faulty, .expected = std::move(expected)};
    return;
  }
}

[[nodiscard]] std::string described(const Fault& fault) {
  if (fault.kind == FaultKind::none) return "no fault";
  return fmt::format("{} at step {}, sender {}, wrong port {}, byte {}", name_of(fault.kind),
                     fault.step, index(fault.sender), index(fault.wrong_port), fault.corrupt_byte);
}

}  // namespace

FaultPrediction predict(const RunRequest& request, PreparedRun& run, SendTrace* trace) {
  const RunPlan& plan = run.forecast();
  const Network network = request.topology.network();
  reference::FaultRequest fault{
      .collective = plan.collective.on(network),
      .machine = {.model = plan.model,
                  .block_bytes = plan.message_bytes(),
                  .keep_series = request.keep_series,
                  .stop_at_violation = request.stop_at_violation,
                  .watch_waits = plan.algorithm.unbuffered,
                  .one_message_per_node = plan.channel == ChannelKind::mailbox,
                  .fault = request.fault},
      .payload_seed = request.seed,
      .parts_per_block = plan.parts_per_message()};
  if (trace != nullptr)
    fault.machine.on_send = [trace](const SendEvent& event) { trace->push_back(event); };
  return reference::predict(network, run.program(), fault);
}

StressCase stress_case(std::uint64_t seed, std::span<const ExecutorKind> executors) {
  if (executors.empty()) throw InvalidParameter("executors: none given; expected one or more");
  Random random(seed);
  StressCase made{.request = random_request(random, executors), .expected = {}};
  if (random.happens(50)) inject(random, made);
  if (made.request.fault.kind != FaultKind::none) return made;
  const auto run = prepare(made.request);
  const bool traced =
      made.request.keep_series && run->forecast().footprint.hops <= most_traced_hops;
  made.expected = predict(made.request, *run, traced ? &made.trace : nullptr);
  return made;
}

std::string describe(const StressCase& stress_case) {
  const RunRequest& run = stress_case.request;
  std::string text = fmt::format("{} {} --algorithm {}", run.topology.name(),
                                 name_of(run.operation), run.algorithm);
  for (const auto& [name, value] : run.settings)
    text += fmt::format(" --{} {}", name, lockstep::text_of(value));
  if (run.port_model) text += fmt::format(" --port-model {}", run.port_model->name);
  if (run.processors_per_task != 0) text += fmt::format(" --task-size {}", run.processors_per_task);
  return text + fmt::format(
                    " --bytes {} --seed {} --threads {} --channel {} --executor {} --verify {}; "
                    "{}{}{}{}",
                    run.block_bytes.value(), run.seed, run.workers,
                    report::channel_name(run.channel), report::executor_name(run.executor),
                    name_of(run.verify), described(run.fault),
                    run.stop_at_violation ? "" : ", continues after a violation",
                    run.disturb ? ", delays" : "", run.keep_series ? ", series" : "");
}

}  // namespace lockstep::study
