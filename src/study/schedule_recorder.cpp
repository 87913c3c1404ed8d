// SPDX-License-Identifier: Apache-2.0
#include "study/schedule_recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/detail/erased_program.hpp"
#include "lockstep/program/schedule.hpp"
#include "lockstep/topology/network.hpp"
#include "topology/node_names.hpp"

namespace lockstep::study {

namespace {

/// Runs every rule and adds what it does to the schedule. Loads and deliveries of consecutive slots
/// become one action.
class ScheduleRecorder final : public StepInterface {
  using Words = std::vector<std::uint64_t>;

  /// A message: its labels or control words.
  struct Letter {
    Words words{};
    std::optional<Route> route{};
  };
  struct Node {
    std::vector<Words> words{};  // of the slots of each region, where the program has words
    std::map<Port, Letter> arrivals{};
    std::map<Port, Letter> next_arrivals{};
    std::shared_ptr<void> variables{};
  };

 public:
  ScheduleRecorder(const Network& network, const ErasedProgram& program, std::uint64_t parts)
      : network_(network),
        program_(program),
        parts_(parts),
        schedule_(network.node_count(), program.regions()),
        has_words_(program.labelled() || !program.control_regions().empty()),
        nodes_(network.node_count()) {
    for (std::uint64_t u = 0; u < nodes_.size(); ++u) {
      const std::vector<std::uint32_t> regions = program.regions_of(NodeId{u});
      schedule_.set_sizes(NodeId{u}, regions);
      if (has_words_)
        for (const std::uint32_t blocks : regions) nodes_[u].words.emplace_back(blocks);
      nodes_[u].variables = program.memory(NodeId{u});
    }
    schedule_.set_control(program.control_regions());
    for (const NodeId node : program.starts()) wake(node);
  }

  [[nodiscard]] Schedule run(std::uint64_t steps) {
    if (program_.activity() == Activity::dense) {
      std::vector<std::uint64_t> all(nodes_.size());
      std::iota(all.begin(), all.end(), std::uint64_t{0});
      always_.insert(all.begin(), all.end());
    }
    last_call_ = program_.step_count();
    for (now_ = 0; now_ <= steps; ++now_) run_step();
    schedule_.close(steps, program_.phases());
    return std::move(schedule_);
  }

  [[nodiscard]] NodeId node() const override { return node_; }
  [[nodiscard]] std::uint64_t step() const override { return now_; }
  [[nodiscard]] bool last_call() const override { return last_call_ == now_; }
  [[nodiscard]] std::size_t degree() const override { return network_.degree(node_); }
  [[nodiscard]] ErasedArrival take(Port port) override {
    const auto& arrivals = nodes_[index(node_)].arrivals;
    const auto found = arrivals.find(port);
    if (found == arrivals.end() || std::ranges::count(taken_, port) != 0) return {};
    taken_.push_back(port);
    return {port, static_cast<std::uint32_t>(found->second.words.size()), this};
  }
  [[nodiscard]] ErasedArrival take_first() override {
    for (const auto& [port, letter] : nodes_[index(node_)].arrivals)
      if (const ErasedArrival arrival = take(port)) return arrival;
    return {};
  }

  void store(ErasedArrival arrival, Region region, Slots slots) override {
    if (!arrival) refuse_missing();
    keep_words(region, slots, letter(arrival).words);
    reception(arrival.port(), [&] { schedule_.take_store(arrival.port(), region, slots); });
  }
  void combine(ErasedArrival arrival, Places own, Places into, Operands order) override {
    if (!arrival) refuse_missing();
    if (own.region != into.region)
      throw InvalidParameter(
          "save-schedule: the program combines a message with blocks of another region");
    reception(arrival.port(), [&] {
      schedule_.take_combine(arrival.port(), into.region, own.slots, into.slots, order);
    });
  }
  void perform(const MemoryMove& move) override {
    if (const auto* copy = std::get_if<CopyBlocks>(&move)) {
      keep_words(copy->into.region, slots_of(copy->into),
                 words_of(copy->own.region, slots_of(copy->own)));
      action([&] { schedule_.copy(copy->own, copy->into); });
    } else if (const auto* combine = std::get_if<CombineBlocks>(&move)) {
      action([&] { schedule_.combine(combine->left, combine->right, combine->into); });
    } else {
      throw InvalidParameter(
          "save-schedule: the program changes its memory in a way that no schedule can express");
    }
  }
  void deliver(ErasedArrival arrival, std::uint32_t i, Origin origin) override {
    if (!arrival) refuse_missing();
    const bool goes_on = kind_ == Run::arrived && port_ == arrival.port() && i == next();
    if (!goes_on) {
      flush();
      claim(arrival.port());
      begin(Run::arrived, {}, i);
      port_ = arrival.port();
    }
    add_origins(origin);
  }
  void deliver(Region region, std::uint32_t slot, Origin origin) override {
    join(Run::own, region, slot);
    add_origins(origin);
  }
  void load(Region region, std::uint32_t slot, Origin origin, NodeId destination) override {
    join(Run::loaded, region, slot);
    add_origins(origin);
    destinations_.resize(origins_.size(), destination);
  }
  void send(Port port, Region region, Slots slots) override {
    put(network_.neighbor(node_, port), network_.reverse_port(node_, port),
        {words_of(region, slots), std::nullopt});
    action([&] { schedule_.send(port, region, slots); });
  }
  void send(Route route, std::span<const Port> ports, Region region, Slots slots) override {
    NodeId at = node_;
    Port through{};
    for (const Port port : ports) {
      through = network_.reverse_port(at, port);
      at = network_.neighbor(at, port);
    }
    put(at, through, {words_of(region, slots), route});
    action([&] { schedule_.send(ports, region, slots); });
  }
  [[nodiscard]] std::optional<Route> route(ErasedArrival arrival) override {
    return letter(arrival).route;
  }
  void stay_active() override { wake(node_); }
  [[nodiscard]] std::span<const std::byte> bytes(ErasedArrival, std::uint32_t) override {
    refuse_bytes();
  }
  [[nodiscard]] std::span<const std::byte> bytes(Region, std::uint32_t) override { refuse_bytes(); }
  [[nodiscard]] std::uint64_t word(ErasedArrival arrival, std::uint32_t i) override {
    return letter(arrival).words.at(i);
  }
  [[nodiscard]] std::uint64_t word(Region region, std::uint32_t slot) override {
    return word_at(region, slot);
  }
  void set_word(Region region, std::uint32_t slot, std::uint64_t word) override {
    word_at(region, slot) = word;
  }

 private:
  void run_step() {
    for (Node& node : nodes_) node.arrivals = std::exchange(node.next_arrivals, {});
    std::set<std::uint64_t> active = std::exchange(next_active_, {});
    active.insert(always_.begin(), always_.end());
    for (const std::uint32_t node : program_.starts_in(now_)) active.insert(node);
    for (const std::uint64_t node : active) {
      node_ = NodeId{node};
      begun_ = false;
      taken_.clear();
      used_.clear();
      last_.reset();
      program_.run(*this, nodes_[node].variables.get());
      flush();
      for (const Port port : taken_)
        if (!used_.contains(port)) reception(port, [&] { schedule_.take(port); });
    }
  }

  /// A run of blocks of one action that is not written yet.
  enum class Run { none, arrived, own, loaded };

  [[noreturn]] static void refuse_bytes() {
    throw InvalidParameter(
        "save-schedule: the program reads the bytes of blocks, so its moves may depend on them");
  }

  [[nodiscard]] std::uint64_t& word_at(Region region, std::uint32_t slot) {
    return nodes_[index(node_)].words.at(index(region)).at(slot);
  }
  /// The contents of the slots, in programs with words.
  [[nodiscard]] Words words_of(Region region, Slots slots) {
    Words words(slots.size());
    for (std::size_t i = 0; has_words_ && i < slots.size(); ++i)
      words[i] = word_at(region, slots[i]);
    return words;
  }
  void keep_words(Region region, Slots slots, const Words& words) {
    for (std::size_t i = 0; has_words_ && i < slots.size() && i < words.size(); ++i)
      word_at(region, slots[i]) = words[i];
  }
  [[nodiscard]] const Letter& letter(ErasedArrival arrival) const {
    return nodes_[index(node_)].arrivals.at(arrival.port());
  }
  void put(NodeId node, Port port, Letter letter) {
    nodes_[index(node)].next_arrivals[port] = std::move(letter);
    wake(node);
  }
  void wake(NodeId node) { next_active_.insert(index(node)); }

  [[noreturn]] static void refuse_missing() {
    throw InvalidParameter("save-schedule: the program uses a message that did not arrive");
  }

  void begin_turn() {
    if (!std::exchange(begun_, true)) schedule_.begin_turn(now_, node_);
  }
  template <class Write>
  void action(Write write) {
    flush();
    begin_turn();
    last_.reset();
    write();
  }
  template <class Write>
  void reception(Port port, Write write) {
    flush();
    claim(port);
    begin_turn();
    write();
  }
  /// Uses of one message stand in a row.
  void claim(Port port) {
    if (last_ != port && !used_.insert(port).second)
      throw invalid(
          "save-schedule: node {} uses the message through port {} again after another action",
          node_text(ErasedTopology(topology_model(network_)), node_), index(port));
    last_ = port;
  }

  [[nodiscard]] std::uint32_t next() const {
    return first_ + static_cast<std::uint32_t>(origins_.size());
  }
  /// A host gives and takes all parts of a block at once.
  void add_origins(Origin block) {
    for (std::uint64_t part = 0; part < parts_; ++part)
      origins_.emplace_back(index(block) * parts_ + part);
  }
  void begin(Run kind, Region region, std::uint32_t first) {
    kind_ = kind;
    region_ = region;
    first_ = first;
  }
  void join(Run kind, Region region, std::uint32_t slot) {
    if (kind_ == kind && region_ == region && slot == next()) return;
    flush();
    last_.reset();
    begin(kind, region, slot);
  }
  void flush() {
    const Run kind = std::exchange(kind_, Run::none);
    if (kind == Run::none) return;
    begin_turn();
    if (kind == Run::arrived) schedule_.take_deliver(port_, first_, origins_);
    if (kind == Run::own) schedule_.deliver(region_, first_, origins_);
    if (kind == Run::loaded) {
      std::vector<LoadedBlock> blocks;
      for (std::size_t i = 0; i < origins_.size(); ++i)
        blocks.push_back({origins_[i], destinations_[i]});
      schedule_.load(region_, first_, blocks);
    }
    origins_.clear();
    destinations_.clear();
  }

  const Network& network_;
  const ErasedProgram& program_;
  std::uint64_t parts_;  // of a block of the program; each becomes a block with its own origin
  Schedule schedule_;
  bool has_words_;
  std::vector<Node> nodes_;
  std::set<std::uint64_t> always_;       // active in every step
  std::set<std::uint64_t> next_active_;  // in the step after this one
  std::uint64_t now_ = 0;
  std::optional<std::uint64_t> last_call_;
  // State of the turn of a node.
  NodeId node_{};
  bool begun_ = false;
  std::vector<Port> taken_;
  std::set<Port> used_;
  std::optional<Port> last_;  // the message used last, if nothing else was done since
  Run kind_ = Run::none;
  Region region_{};
  Port port_{};
  std::uint32_t first_ = 0;
  std::vector<Origin> origins_;
  std::vector<NodeId> destinations_;
};

void check_size(std::uint64_t messages) {
  constexpr std::uint64_t most = 2'000'000;
  if (messages > most)
    throw invalid("save-schedule: the run sends {} messages over links; allowed: up to {}",
                  grouped(messages), grouped(most));
}

}  // namespace

void check_saved_schedule(const RunPlan& run) { check_size(run.footprint.hops); }

ScheduleFile saved_schedule(const RunRequest& request, PreparedRun& run, const RunRecord& record) {
  const RunPlan& plan = run.forecast();
  check_saved_schedule(plan);
  check_size(record.messages_sent);  // it may not have been known before the run
  if (record.steps > max_schedule_steps)
    throw invalid("save-schedule: the run has {} steps; allowed: up to {}", grouped(record.steps),
                  grouped(max_schedule_steps));
  // In a file of a many-to-all the parts of a message are origins, as where the user divides it.
  const bool become_origins = plan.algorithm.operation == Operation::many_to_all &&
                              plan.collective.pattern.parts_per_block() == 1;
  const std::uint64_t parts = become_origins ? plan.footprint.parts_per_block : 1;
  Schedule schedule =
      ScheduleRecorder(request.topology.network(), run.program(), parts).run(record.steps);
  const PlannedWork work = schedule.work();
  expects(work.messages == record.messages_sent && work.startups == record.startups &&
              work.message_times == record.message_times,
          "the schedule makes the run that was counted");
  std::vector<NodeId> homes;
  if (const std::vector<NodeId>* const of_blocks = plan.collective.pattern.homes())
    for (const NodeId home : *of_blocks) homes.insert(homes.end(), parts, home);
  return {.topology = plan.topology,
          .operation = plan.algorithm.operation,
          .model = plan.model,
          .root = plan.collective.root,
          .homes = std::move(homes),
          .parts_per_block = plan.parts_per_block(),
          .schedule = std::make_shared<const Schedule>(std::move(schedule)),
          .network = request.topology};
}

}  // namespace lockstep::study
