// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ReferenceMachine: what a run must come to, written down as plainly as possible. Same contract as
/// Machine (any program, any topology, a port model, a host, a RunRecord), and no code of it: one
/// thread, no channels, messages that own their bytes, arrivals in a map, its own counts and its
/// own judgement of the rules. Slow: for networks of some hundred nodes.
///
///     ReferenceMachine machine(network, program, host, {.model = port_models::single_port});
///     const RunRecord expected = machine.run();
///     EXPECT_TRUE(expected.same_facts(record_of_the_real_machine));

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <tuple>
#include <utility>
#include <vector>

#include "lockstep/core/ids.hpp"
#include "lockstep/machine/fault.hpp"
#include "lockstep/machine/run_record.hpp"
#include "lockstep/machine/send_event.hpp"
#include "lockstep/program/blocks.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/topology/topology.hpp"

namespace lockstep {

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
  std::stop_token stop{};                           ///< looked at between steps
};

template <class Net, class Prog, class H>
class ReferenceMachine {
  static_assert(Topology<Net> && Program<Prog> && Host<H>);

 public:
  /// The arguments outlive the machine. Throws InvalidParameter for a fault that cannot be.
  ReferenceMachine(const Net& network, const Prog& program, H& host, ReferenceOptions options);

  /// Once per machine. Exceptions of the program and the host pass through.
  [[nodiscard]] RunRecord run();

 private:
  /// A message: the bytes as they were when it was sent.
  struct Letter {
    std::vector<std::byte> bytes;
    std::uint32_t block_count = 0;
    std::vector<std::uint64_t> waits{};  // steps for which its blocks had waited, where they had

    [[nodiscard]] explicit operator bool() const noexcept { return block_count != 0; }
    [[nodiscard]] std::uint32_t blocks() const noexcept { return block_count; }
  };

  struct Processor {
    std::vector<std::vector<std::byte>> regions;
    std::map<std::pair<Region, std::uint32_t>, std::uint64_t> arrived;  // blocks of others: when
    typename Prog::Memory variables{};
    std::map<Port, Letter> arrivals;       // of the step before, by port, not yet taken
    std::vector<Port> arrived_through;     // of the step before, taken or not, ascending
    std::map<Port, Letter> next_arrivals;  // of this step
    std::vector<Port> sends;               // of this step, in order, as the program asked
    std::vector<Port> sends_before;        // of the step before
    std::uint64_t taken = 0;
    bool runs = false;
    bool runs_next = false;
    bool asked_to_stay = false;
  };

  /// What a step rule is handed; program/program.hpp says what each call means.
  class View {
   public:
    View(ReferenceMachine& machine, NodeId node) : machine_(machine), node_(node) {}
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    [[nodiscard]] NodeId node() const { return node_; }
    [[nodiscard]] std::uint64_t step() const { return machine_.step_; }
    [[nodiscard]] bool last_call() const { return machine_.is_last_call(); }
    [[nodiscard]] std::size_t degree() const { return machine_.network_.degree(node_); }
    [[nodiscard]] auto& memory() { return self().variables; }
    [[nodiscard]] Letter take(Port port);
    [[nodiscard]] Letter take_first();
    void store(const Letter& letter, Blocks into);
    void store(const Letter& letter, Region region, std::span<const std::uint32_t> slots);
    void deliver(const Letter& letter, std::uint32_t i, NodeId source);
    void deliver(Region region, std::uint32_t slot, NodeId source);
    void load(Region region, std::uint32_t slot, NodeId destination);
    void send(Port port, Blocks blocks);
    void send(Port port, Region region, GatherList list);
    void stay_active() { self().asked_to_stay = true; }

   private:
    [[nodiscard]] Processor& self() { return machine_.processors_[index(node_)]; }
    [[nodiscard]] std::span<std::byte> block(Region region, std::uint32_t slot);
    void read(Letter& letter, Region region, std::uint32_t slot);

    ReferenceMachine& machine_;
    NodeId node_;
    Port next_looked_at_{};
  };

  static constexpr std::byte poison{0xA5};
  static constexpr bool sparse = Prog::activity == Activity::sparse;

  [[nodiscard]] bool is_last_call() const;
  [[nodiscard]] bool is_idle() const;
  void begin_step();
  void run_programs();
  void send(NodeId sender, Port port, Letter letter);
  void enter_arc(NodeId sender, Port port, Letter letter, std::uint64_t step);
  void hand_over(NodeId destination, std::span<const std::byte> block, NodeId source);
  void count_step(RunRecord& record);
  void close_step_before(RunRecord& record);
  void judge_sends();
  void judge_arrivals_of_step_before();
  [[nodiscard]] bool must_stop(RunRecord& record) const;
  void note(std::uint64_t step, NodeId node, Port port, Rule rule, std::uint64_t count);

  const Net& network_;
  const Prog& program_;
  H& host_;
  ReferenceOptions options_;
  std::vector<std::uint32_t> region_blocks_;
  std::vector<Processor> processors_;
  std::uint64_t step_ = 0;
  StepRecord this_step_;
  StepRecord step_before_;
  DeliveryTally deliveries_;
  std::uint64_t unmet_stores_ = 0;
  WaitRecord waits_;
  std::pair<Port, Letter> duplicated_;  // sent once more in the next step
  // One entry per step, node and rule, in the order of the record: port and count.
  std::map<std::tuple<std::uint64_t, NodeId, Rule>, std::pair<Port, std::uint64_t>> violations_;
};

}  // namespace lockstep

#include "lockstep/machine/reference_judgement_inline.hpp"
#include "lockstep/machine/reference_machine_inline.hpp"
#include "lockstep/machine/reference_view_inline.hpp"
