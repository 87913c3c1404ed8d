// SPDX-License-Identifier: Apache-2.0
#pragma once

/// PreparedRun for one algorithm: the machines are instantiated here, once per program type and
/// channel kind, and nowhere else in the library.

#include <chrono>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "catalog/algorithm_traits.hpp"
#include "catalog/estimate.hpp"
#include "catalog/extrapolation.hpp"
#include "catalog/fault_request.hpp"
#include "catalog/memory.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/machine/single_reception_machine.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::catalog {

template <Algorithm A>
class AlgorithmRun final : public PreparedRun {
  using ProgramType = decltype(std::declval<const A&>().program());

 public:
  AlgorithmRun(AnyTopology topology, A algorithm, RunRequest request, RunEstimate estimate)
      : topology_(std::move(topology)),
        algorithm_(std::move(algorithm)),
        request_(std::move(request)),
        estimate_(std::move(estimate)) {}

  [[nodiscard]] const RunEstimate& estimate() const noexcept override { return estimate_; }

  [[nodiscard]] RunResult execute(const RunControl& control) override {
    MachineOptions options = machine_options();
    options.stop = control.stop;
    options.progress = control.progress;
    options.trace = control.trace;
    return with_setting([&]<class Setting>(std::type_identity<Setting>) {
      return Stage<Setting>(*this, std::move(options)).result();
    });
  }

  [[nodiscard]] Probe probe(double seconds, const std::stop_token& stop) override {
    return with_setting([&]<class Setting>(std::type_identity<Setting>) {
      StopAfter timer;
      const std::stop_callback earlier(stop, [&timer] { timer.stop(); });
      MachineOptions options = machine_options();
      options.stop = timer.token();
      return Stage<Setting>(*this, std::move(options)).trial(timer, seconds);
    });
  }

  [[nodiscard]] FaultPrediction predict(SendTrace* trace) const override {
    const Network network = topology_.network();
    const auto classes = classes_of_nodes(network);
    FaultRequest request = fault_request(request_, estimate_, trace);
    request.collective.classes = classes ? &*classes : nullptr;
    return predict_fault(network, algorithm_.program(), request);
  }

 private:
  /// Any program, on a table of the network.
  template <class Chans>
  struct Tabulated {
    using Net = Network;
    using MachineType = Machine<Network, ProgramType, Chans, ProvingHost>;
    [[nodiscard]] static Network network(const AnyTopology& topology) { return topology.network(); }
  };
  /// One box per node, on the network's formula.
  struct OneBoxPerNode {
    using Net = typename A::TopologyType;
    using MachineType = SingleReceptionMachine<Net, ProgramType, ProvingHost>;
    [[nodiscard]] static Net network(const AnyTopology& topology) {
      return *topology_for<Net>(topology);
    }
  };

  /// Everything a run needs, in the order in which it is built.
  template <class Setting>
  class Stage {
   public:
    Stage(const AlgorithmRun& run, MachineOptions options)
        : run_(run),
          network_(Setting::network(run.topology_)),
          classes_(classes_of_nodes(network_)),
          program_(run.algorithm_.program()),
          host_(run.host_parameters(classes_)),
          machine_(network_, program_, host_, std::move(options)),
          executor_(make_executor(run.request_.executor, run.estimate_.workers)),
          setup_seconds_(seconds_since(start_)) {}

    /// Runs until the timer stops it.
    [[nodiscard]] Probe trial(StopAfter& timer, double seconds) {
      TimedExecutor timed(std::move(executor_));
      timer.start(seconds);
      const RunRecord record = machine_.run(timed);
      const std::uint64_t steps = std::max(record.steps, run_.estimate_.footprint.steps);
      const double spent = record.wall.step_seconds;
      return {
          .seconds_spent = spent,
          .steps = record.steps,
          .estimated_seconds = extrapolated(classes_of(program_, steps), timed.seconds(), spent)};
    }

    [[nodiscard]] RunResult result() {
      RunResult result{
          .estimate = run_.estimate_, .record = machine_.run(*executor_), .verdict = {}};
      result.record.wall.setup_seconds = setup_seconds_;
      result.setup_seconds = setup_seconds_;
      result.record.memory_bytes = run_.estimate_.memory_bytes;
      result.verdict = host_.judge(result.record.deliveries);
      result.promises = judge_promises(result.record, {.promise = run_.estimate_.predicted,
                                                       .footprint = run_.estimate_.footprint,
                                                       .bound = run_.estimate_.lower_bound,
                                                       .unbuffered = A::info.unbuffered});
      if (run_.request_.fault.kind != FaultKind::none && host_.verify() == VerifyKind::exact)
        result.missing = host_.all_missing();
      for (const Violation& v : result.record.violations)
        result.other_ends.push_back(
            index(v.port) < network_.degree(v.node) ? network_.neighbor(v.node, v.port) : v.node);
      result.peak_bytes = peak_bytes();
      add_figures_of_plan(result, run_.algorithm_, program_);
      return result;
    }

   private:
    using Clock = std::chrono::steady_clock;
    [[nodiscard]] static double seconds_since(Clock::time_point start) {
      return std::chrono::duration<double>(Clock::now() - start).count();
    }

    Clock::time_point start_ = Clock::now();
    const AlgorithmRun& run_;
    typename Setting::Net network_;
    std::optional<Bipartition> classes_;
    ProgramType program_;
    ProvingHost host_;
    typename Setting::MachineType machine_;
    std::unique_ptr<Executor> executor_;
    double setup_seconds_;
  };

  template <class Use>
  [[nodiscard]] auto with_setting(Use use) const {
    if constexpr (SingleReceptionProgram<ProgramType>)
      if (estimate_.one_box_per_node) return use(std::type_identity<OneBoxPerNode>{});
    switch (estimate_.channel) {
      case ChannelKind::spsc:
        return use(std::type_identity<Tabulated<SpscChannels>>{});
      case ChannelKind::mailbox:
        return use(std::type_identity<Tabulated<MailboxChannels>>{});
      default:
        return use(std::type_identity<Tabulated<SlotChannels>>{});
    }
  }

  [[nodiscard]] MachineOptions machine_options() const {
    return {.model = estimate_.model,
            .block_bytes = estimate_.part_bytes(),
            .processors_per_task = estimate_.processors_per_task,
            .keep_series = request_.keep_series,
            .stop_at_violation = request_.stop_at_violation,
            .watch_waits = A::info.unbuffered,
            .fault = request_.fault,
            .disturb = request_.disturb};
  }

  /// What an odd-distance exchange needs to know. Throws InvalidParameter where there are none.
  template <Topology Net>
  [[nodiscard]] static std::optional<Bipartition> classes_of_nodes(
      [[maybe_unused]] const Net& network) {
    if constexpr (A::info.operation == Operation::odd_distance_exchange)
      return Bipartition(network);
    else
      return std::nullopt;
  }

  [[nodiscard]] ProvingHost::Parameters host_parameters(
      const std::optional<Bipartition>& classes) const {
    return {
        .collective = {A::info.operation, estimate_.parameters.root, classes ? &*classes : nullptr},
        .processors = estimate_.processors,
        .block_bytes = estimate_.block_bytes,
        .seed = request_.seed,
        .verify = estimate_.verify};
  }

  AnyTopology topology_;
  A algorithm_;
  RunRequest request_;
  RunEstimate estimate_;
};

}  // namespace lockstep::catalog
