// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ReferenceMachine: what a run must come to, written down as plainly as possible. Same contract as
/// Machine (any program, any topology, a port model, a host, a RunRecord), and no code of it: one
/// thread, no channels, messages that own their bytes, arrivals in a map, its own counts and its
/// own judgement of the rules. Slow: for networks of some hundred nodes.
///
///     const ErasedProgramOf program(...);
///     ReferenceMachine machine(network, program, host, {.model = port_models::single_port});
///     const RunRecord expected = machine.run();
///     EXPECT_TRUE(expected.same_facts(record_of_the_real_machine));

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::reference {

struct ReferenceOptions {
  PortModel model = port_models::single_port;
  std::size_t block_bytes = 8;
  bool keep_series = false;  ///< per-step records
  bool stop_at_violation = true;
  bool watch_waits = false;  ///< RunRecord::waits
  /// As with mailbox channels: of the messages that reach a node in a step one stays, the one
  /// through the lowest port; more than one break the rule `receptions` whatever the model.
  bool one_message_per_node = false;
  Fault fault{};
  std::function<void(const SendEvent&)> on_send{};  ///< every message as it reaches its arc
};

class ReferenceMachine final : StepInterface {
 public:
  /// The arguments outlive the machine. Throws InvalidParameter for a fault that cannot be.
  ReferenceMachine(const Network& network, const ErasedProgram& program, Host& host,
                   ReferenceOptions options);

  /// Once per machine. Exceptions of the program and the host pass through.
  [[nodiscard]] RunRecord run();

 private:
  /// A message: the bytes as they were when it was sent.
  struct Letter {
    std::vector<std::byte> bytes;
    std::uint32_t blocks = 0;
    std::vector<std::uint64_t> waits{};  // steps for which its blocks had waited, where they had
  };

  struct Processor {
    std::vector<std::vector<std::byte>> regions;
    std::map<std::pair<Region, std::uint32_t>, std::uint64_t> stored;  // blocks of others: when
    std::shared_ptr<void> variables;
    std::map<Port, Letter> arrivals;       // of the step before, that can be taken
    std::set<Port> taken;                  // of the arrivals
    std::vector<Port> arrived_through;     // of the step before, ascending
    std::map<Port, Letter> next_arrivals;  // of this step
    std::vector<Port> sends;               // of this step, in order, as the program asked
    std::vector<Port> sends_before;        // of the step before
    bool runs = false;
    bool runs_next = false;
    bool asked_to_stay = false;
  };

  // What the rule of the processor whose turn it is may do: reference_step.cpp.
  [[nodiscard]] NodeId node() const override { return turn_; }
  [[nodiscard]] std::uint64_t step() const override { return step_; }
  [[nodiscard]] bool last_call() const override { return step_ == last_step_; }
  [[nodiscard]] std::size_t degree() const override { return network_.degree(turn_); }
  [[nodiscard]] ErasedArrival take(Port port) override;
  [[nodiscard]] ErasedArrival take_first() override;
  void store(ErasedArrival arrival, Region region, Slots slots) override;
  void deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) override;
  void deliver(Region region, std::uint32_t slot, Origin origin) override;
  void load(Region region, std::uint32_t slot, Origin origin, NodeId destination) override;
  [[nodiscard]] bool has_host();
  void accept(const std::byte* bytes, Origin origin);
  void send(Port port, Region region, Slots slots) override;
  void stay_active() override { self().asked_to_stay = true; }
  [[nodiscard]] Processor& self() { return processors_[index(turn_)]; }
  [[nodiscard]] std::span<std::byte> block(Region region, std::uint32_t slot);
  [[nodiscard]] std::span<std::byte> block(ErasedArrival arrival, std::uint32_t i);
  [[nodiscard]] Letter letter_of(Region region, Slots slots);
  void count_send(Port port, const Letter& letter);
  void send_harmed(Port port, Letter letter);

  // The steps in order, and what is counted: reference_machine.cpp.
  [[nodiscard]] bool is_idle() const;
  void begin_step();
  void run_programs();
  void enter_arc(NodeId sender, Port port, Letter letter);
  void count_step_before(RunRecord& record);

  // Which rules were broken: reference_rules.cpp.
  void judge_sends();
  void judge_arrivals_of_step_before();
  [[nodiscard]] bool must_stop(RunRecord& record) const;
  void note(std::uint64_t step, NodeId node, Port port, Rule rule, std::uint64_t count);

  const Network& network_;
  const ErasedProgram& program_;
  Host& host_;
  ReferenceOptions options_;
  std::optional<std::uint64_t> last_step_;  // empty: the run ends when nothing moves any more
  std::vector<std::uint32_t> region_blocks_;
  std::vector<Processor> processors_;
  std::uint64_t step_ = 0;
  NodeId turn_{};
  std::size_t next_looked_at_ = 0;  // by the processor whose turn it is, with take_first()
  StepRecord this_step_;
  StepRecord step_before_;
  DeliveryTally deliveries_;
  std::uint64_t unmet_stores_ = 0;
  WaitRecord waits_;
  std::optional<std::pair<Port, Letter>> duplicated_;  // sent once more in the next step
  // One entry per step, node and rule, in the order of the record: port and count.
  std::map<std::tuple<std::uint64_t, NodeId, Rule>, std::pair<Port, std::uint64_t>> violations_;
};

}  // namespace lockstep::reference
