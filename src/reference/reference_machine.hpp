// SPDX-License-Identifier: Apache-2.0
#pragma once
// size: one class, whose state makes no sense in parts.

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
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep::reference {

struct ReferenceOptions {
  PortModel model = port_models::single_port;
  std::size_t block_bytes = 8;
  bool keep_series = false;  ///< per-step records
  bool stop_at_violation = true;
  bool watch_waits = false;     ///< RunRecord::waits
  bool measure_queues = false;  ///< RunRecord::queues: of a tree whose leaves are the processors
  /// As with mailbox channels: of the messages that reach a node in a step one stays, the one
  /// through the lowest port; more than one break the rule `receptions` whatever the model.
  bool one_message_per_node = false;
  /// As with one box per node: what is sent to a node that started or was reached in a step before
  /// does not arrive, and breaks the rule `receptions`, or `half_duplex` where it met the node's
  /// own message.
  bool receives_once = false;
  Fault fault{};
  std::function<void(const SendEvent&)> on_send{};  ///< every message as it reaches its arc
};

/// A word whose bytes are all poison.
inline constexpr std::uint64_t poisoned_word = 0xA5A5'A5A5'A5A5'A5A5;

class ReferenceMachine final : StepInterface {
 public:
  /// The arguments outlive the machine. Throws InvalidParameter for a fault or phases that cannot
  /// be.
  ReferenceMachine(const Network& network, const ErasedProgram& program, Host& host,
                   ReferenceOptions options);

  /// Once per machine. Exceptions of the program and the host pass through.
  [[nodiscard]] RunRecord run();

 private:
  /// The memory of a node for one region.
  struct Memory {
    std::vector<std::byte> bytes;      // of its blocks; none of control words
    std::vector<std::uint64_t> words;  // a label, or a control word, for each
  };

  /// A message: the contents as they were when it was sent.
  struct Letter {
    std::vector<std::byte> bytes;
    std::vector<std::uint64_t> words;
    Region region{};
    bool control = false;
    std::uint32_t blocks = 0;
    std::optional<Route> route{};
    std::vector<Port> ports{};           // which it leaves through, one after the other
    std::vector<std::uint64_t> waits{};  // steps for which its blocks had waited, where they had
  };

  /// A message on its way, and the directed links that it takes.
  struct Flight {
    MessageName name;
    std::vector<LinkName> links;
    Letter letter;
  };

  /// A message that came to a switch, the time at which it went on, and its next place.
  struct Kept {
    std::uint64_t since = 0;  // the step in which the switch ran with it
    NodeId from{};
    std::vector<std::pair<std::uint64_t, NodeId>> sends{};
  };

  struct Processor {
    std::vector<Memory> regions;
    std::map<std::pair<Region, std::uint32_t>, std::uint64_t> stored;  // blocks of others: when
    std::shared_ptr<void> variables;
    std::map<Port, Letter> arrivals;       // of the step before, that can be taken
    std::set<Port> taken;                  // of the arrivals
    std::vector<Port> arrived_through;     // of the step before, ascending
    std::set<Port> refused_through;        // of this step: receives_once
    std::map<Port, Letter> next_arrivals;  // of this step
    using Slot = std::pair<Region, std::uint32_t>;
    std::map<Slot, Kept> kept;       // measure_queues
    std::vector<Kept> overwritten;   // what was kept before
    std::set<Slot> sent;             // of this step
    std::set<Slot> sent_before;      // of the step before: still read
    std::vector<Port> sends;         // of this step, in order, as the program asked
    std::vector<Port> sends_before;  // of the step before
    bool runs = false;
    bool has_run = false;  // in this step or before
    bool runs_next = false;
    bool asked_to_stay = false;
    std::uint64_t first_turn = ~std::uint64_t{0};  // the step in which it ran for the first time
  };

  // The calls of the rule of the processor whose turn it is: reference_step.cpp.
  [[nodiscard]] NodeId node() const override { return turn_; }
  [[nodiscard]] std::uint64_t step() const override { return step_; }
  [[nodiscard]] bool last_call() const override { return step_ == last_step_; }
  [[nodiscard]] std::size_t degree() const override { return network_.degree(turn_); }
  [[nodiscard]] ErasedArrival take(Port port) override;
  [[nodiscard]] ErasedArrival take_first() override;
  void store(ErasedArrival arrival, Region region, Slots slots) override;
  void combine(ErasedArrival arrival, Places own, Places into, Operands order) override;
  void perform(const MemoryMove& move) override;
  [[nodiscard]] bool may(const MemoryMove& move);
  void combine_blocks(std::span<std::byte> into, std::span<const std::byte> left,
                      std::span<const std::byte> right);
  void deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) override;
  void deliver(Region region, std::uint32_t slot, Origin origin) override;
  void load(Region region, std::uint32_t slot, Origin origin, NodeId destination) override;
  [[nodiscard]] bool has_host();
  void accept(const std::byte* bytes, Origin origin);
  void send(Port port, Region region, Slots slots) override {
    send_over({}, {port}, region, slots);
  }
  void send(Route route, std::span<const Port> ports, Region region, Slots slots) override {
    send_over(route, {ports.begin(), ports.end()}, region, slots);
  }
  void send_over(std::optional<Route> route, std::vector<Port> ports, Region region, Slots slots);
  [[nodiscard]] std::optional<Route> route(ErasedArrival arrival) override {
    return self().arrivals.at(arrival.through).route;
  }
  void stay_active() override { self().asked_to_stay = true; }
  [[nodiscard]] Processor& self() { return processors_[index(turn_)]; }
  [[nodiscard]] std::uint64_t word(ErasedArrival arrival, std::uint32_t i) override {
    return self().arrivals.at(arrival.through).words.at(i);
  }
  [[nodiscard]] std::uint64_t word(Region region, std::uint32_t slot) override;
  void set_word(Region region, std::uint32_t slot, std::uint64_t word) override;
  [[nodiscard]] std::uint64_t& word_at(Region region, std::uint32_t slot);
  [[nodiscard]] std::span<const std::byte> bytes(ErasedArrival arrival, std::uint32_t i) override {
    return block(arrival, i);
  }
  [[nodiscard]] std::span<const std::byte> bytes(Region region, std::uint32_t slot) override;
  [[nodiscard]] bool is_control(Region region) const { return control_.count(region) != 0; }
  [[nodiscard]] bool owns(Region region, Slots slots, bool of_blocks = false);
  [[nodiscard]] bool has_word(Region region, std::uint32_t slot);
  [[nodiscard]] bool may_alter(Region region, Slots slots);
  void note_slot(Rule rule, Region region, std::uint32_t slot);
  void note_unmet(std::uint64_t wanted, std::uint64_t arrived);
  [[nodiscard]] std::vector<std::uint32_t> parts_from(std::uint32_t slot) const;
  [[nodiscard]] std::span<std::byte> block(Region region, std::uint32_t slot);
  [[nodiscard]] std::span<std::byte> block(ErasedArrival arrival, std::uint32_t i);
  [[nodiscard]] Letter letter_of(Region region, Slots slots);
  void count_send(const Letter& letter);
  void send_harmed(Letter letter);

  // The steps in order, and what is counted: reference_machine.cpp.
  [[nodiscard]] bool is_idle() const;
  void begin_step();
  void run_programs();
  void take_off(NodeId sender, Letter letter);
  [[nodiscard]] bool refuses(const Processor& processor) const {
    return options_.receives_once && processor.has_run;
  }
  void land_all();
  [[nodiscard]] bool is_switch(NodeId node) const {
    return index(node) >= network_.processor_count();
  }
  void count_step_before(RunRecord& record);
  void count_in_phase(std::vector<PhaseRecord>& phases) const;

  // The messages that waited in switches: reference_rules.cpp.
  void keep(Region region, std::uint32_t slot, Kept message);
  void keep(Region region, std::uint32_t slot, ErasedArrival arrival);
  [[nodiscard]] Kept kept_in(Region region, std::uint32_t slot);
  void note_leaving(Region region, Slots slots, Port through);
  [[nodiscard]] std::vector<std::uint64_t> levels() const;
  [[nodiscard]] std::vector<LevelQueues> largest_queues() const;

  // Which rules were broken: reference_rules.cpp.
  void judge_sends();
  void judge_refused();
  void judge_arrivals_of_step_before();
  [[nodiscard]] bool must_stop(RunRecord& record) const;
  void note(const Violation& violation);

  const Network& network_;
  const ErasedProgram& program_;
  Host& host_;
  ReferenceOptions options_;
  std::optional<std::uint64_t> last_step_;  // empty: the run ends when nothing moves any more
  std::vector<Phase> phases_;
  std::set<Region> control_;
  std::vector<Processor> processors_;
  std::uint64_t step_ = 0;
  NodeId turn_{};
  std::size_t next_looked_at_ = 0;  // by the processor whose turn it is, with take_first()
  StepRecord this_step_;
  StepRecord step_before_;
  DeliveryTally deliveries_;
  std::uint64_t loads_ = 0;
  std::uint64_t unmet_stores_ = 0;
  std::optional<UnmetUse> first_unmet_;
  WaitRecord waits_;
  std::optional<Letter> duplicated_;  // sent once more in the next step
  std::set<LinkName> lanes_;          // in use in this step
  std::vector<Flight> flights_;       // of this step
  // One entry per step, node and rule, in the order of the record.
  std::map<std::tuple<std::uint64_t, NodeId, Rule>, Violation> violations_;
};

}  // namespace lockstep::reference
