// SPDX-License-Identifier: Apache-2.0
#pragma once

/// MachineCore: what Machine does without the types of network, program and channels. It is
/// compiled once: memory of the nodes, and what is counted and judged after each pass. Internal.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockstep/core/detail/huge_buffer.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/machine/detail/machine_memory.hpp"
#include "lockstep/machine/detail/other_processes.hpp"
#include "lockstep/machine/detail/pass.hpp"
#include "lockstep/machine/detail/step_loop.hpp"
#include "lockstep/machine/executor.hpp"
#include "lockstep/machine/machine_options.hpp"
#include "lockstep/machine/step_observer.hpp"
#include "lockstep/topology/detail/arc_layout.hpp"

namespace lockstep::detail {

/// Facts of network, program and channels that the core needs.
struct MachineSetup {
  RunFacts run{};
  ProgramFacts program{};
  ChannelKind channel{};
  MachineSize size{};
  ArcLayout arcs;
  bool regular = true;                   ///< every node has every port
  std::vector<std::uint32_t> regions{};  ///< blocks of each, at most
  std::vector<Region> control_regions{};
  std::vector<std::vector<std::uint64_t>> first_slots{};  ///< by region and node, where they differ
  std::vector<NodeId> starts{};                           ///< of sparse programs
  std::optional<std::uint64_t> last_start{};              ///< of calendars

  /// Adds the first slots of one more region, all 0.
  std::vector<std::uint64_t>& add_first_slots();
};

class MachineCore : public PassRunner {
 protected:
  MachineCore(MachineSetup&& setup, Host& host, const MachineOptions& options);
  ~MachineCore();

  [[nodiscard]] RunRecord run_all(Executor& executor);

  /// A node that the program names runs in that step.
  void start(NodeId node, std::uint64_t step);
  [[nodiscard]] bool is_unusual(PassPlace place) const {
    return options_.model.duplex == Duplex::half || options_.fault.kind != FaultKind::none ||
           options_.trace != nullptr || options_.keep_series || place.step == 0 || place.last_call;
  }
  /// Nothing is asked for that concerns single messages or the order of steps.
  [[nodiscard]] bool is_usual() const {
    return options_.model.duplex == Duplex::full && options_.fault.kind == FaultKind::none &&
           options_.trace == nullptr && !times_ && !others_ && !once_ &&
           std::ranges::all_of(options_.observers, &StepObserver::only_watches);
  }
  /// The memory of all nodes.
  [[nodiscard]] std::uint64_t region_bytes() const {
    std::uint64_t bytes = 0;
    for (const HugeBuffer& region : region_bytes_) bytes += region.size();
    return bytes;
  }
  [[nodiscard]] TaskPlan plan_tasks(std::size_t workers) override;
  [[nodiscard]] NodeRange nodes_of_task(std::size_t task) const noexcept;
  [[nodiscard]] bool end_pass(PassPlace place, std::span<TaskOutcome> totals) override;
  void settle(DeliveryTally& tally) override { host_.settle(tally); }

  // Functions that only the channels and the network can provide.

  [[nodiscard]] virtual std::size_t degree_of(NodeId node) const = 0;
  /// Messages that the node took in this pass.
  [[nodiscard]] virtual std::uint64_t taken_by(NodeId node) const = 0;
  /// Whether a message that was sent in `step` waits there; a queue loses it if it is `pulled`.
  [[nodiscard]] virtual bool has_message(std::uint64_t step, NodeId node, Port port,
                                         bool pulled) = 0;

  // Several processes share the run.

  /// The node at which the message arrives.
  [[nodiscard]] virtual NodeId receiver_of(const SentAway& sent) const = 0;
  /// A bit for each port through which nodes may send in this pass.
  [[nodiscard]] virtual std::uint64_t ports_used(PassPlace place) const = 0;
  /// Adds the messages to other processes that entered the channels in this pass.
  virtual void take_from_channels(PassPlace place, std::vector<SentAway>& all) = 0;
  /// The slots of a gather list of the program.
  [[nodiscard]] virtual std::span<const std::uint32_t> slots_of(std::uint32_t list) const = 0;
  /// Lets a message of another process enter the channels.
  virtual void accept(PassPlace place, const SentAway& sent, TaskOutcome& total) = 0;

  [[nodiscard]] bool owns(NodeId node) const noexcept { return own_.holds(node); }

  MachineSetup setup_;
  Host& host_;
  MachineOptions options_;
  ArcLayout arcs_;
  std::uint64_t processors_;
  std::uint32_t parts_;  // blocks that a load writes and a delivery reads
  PortLedger ledger_;
  std::vector<HugeBuffer> region_bytes_;
  std::vector<RegionLayout> regions_;
  std::vector<Port> lowest_taken_;      // the lowest port of them; where channels are queues
  std::vector<std::uint32_t> sent_in_;  // 1 + the last step each node sent in; for series only
  std::optional<ArrivalTimes> times_;
  std::vector<ActiveSet> active_;                    // by step parity; empty if dense
  std::vector<std::array<ListedRanges, 2>> ranges_;  // of what is sent, by task and step parity
  std::uint64_t task_size_ = 1;
  std::uint64_t first_node_of_tasks_ = 0;  // may belong to another process
  std::uint64_t in_flight_ = 0;            // messages that entered a channel in the step before
  std::optional<OncePromise> once_;        // where a promise is watched
  std::vector<std::vector<RejectedMessage>> rejected_;  // by it; by task
  Replay duplicate_;
  std::uint64_t replayed_ = 0;
  NodeRange own_;                         // the nodes of this process
  std::optional<OtherProcesses> others_;  // where there are any
  std::vector<SentAway> leaving_;         // to them, in this step
  // A bit for each port behind which a node of another process may lie; of all processes in a run.
  std::uint64_t crossing_ports_ = ~std::uint64_t{0};
  bool broke_a_rule_ = false;  // one of the nodes did

 private:
  void make_regions();
  void poison_memory(Executor& executor);
  [[nodiscard]] bool judges_arrivals() const noexcept;
  [[nodiscard]] bool is_inside(PassPlace place) const;
  [[nodiscard]] std::uint64_t send_messages(PassPlace place, TaskOutcome& total);
  [[nodiscard]] std::uint64_t accept_messages(PassPlace place, TaskOutcome& total);
  void send_away(const SentAway& sent, TaskOutcome& total);
  void share_replay();
  template <class Visit>
  void for_blocks(NodeId sender, Message message, Visit visit) const;
  void find_unread(PassPlace place, std::vector<Violation>& violations);
  void count_crowded(PassPlace place, std::vector<Violation>& violations);
  [[nodiscard]] std::uint64_t count_held(PassPlace place, std::vector<Violation>& violations);
  void judge_promise(PassPlace place, std::vector<Violation>& violations);
  [[nodiscard]] Port lowest_sent_to(NodeId node, std::uint64_t step);
};

}  // namespace lockstep::detail
