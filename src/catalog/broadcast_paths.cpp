// SPDX-License-Identifier: Apache-2.0
#include "catalog/broadcast_paths.hpp"

#include <random>
#include <vector>

#include "lockstep/core/expects.hpp"

namespace lockstep::catalog {
namespace {

/// A node that has received the block.
struct Reached {
  NodeId node{};
  std::uint64_t step = 0;
  Port through{};
};

/// Runs one processor from the step in which the block is there to its last message. Its blocks
/// have no bytes.
class ProcessorAlone final : public StepInterface {
 public:
  ProcessorAlone(const AnyTopology& network, Reached reached)
      : network_(network), reached_(reached), now_(reached.step) {}

  /// The nodes to which it sends, and when the block is there.
  [[nodiscard]] std::vector<Reached> children(const ErasedProgram& program, std::uint64_t steps) {
    const std::shared_ptr<void> memory = program.memory(reached_.node);
    for (bool active = true; active && now_ < steps; ++now_) {
      active_ = false;
      program.run(*this, memory.get());
      active = active_;
    }
    return std::move(children_);
  }

  [[nodiscard]] NodeId node() const override { return reached_.node; }
  [[nodiscard]] std::uint64_t step() const override { return now_; }
  [[nodiscard]] bool last_call() const override { return false; }
  [[nodiscard]] std::size_t degree() const override { return network_.degree(reached_.node); }
  [[nodiscard]] ErasedArrival take(Port port) override {
    return has_arrival() && port == reached_.through ? ErasedArrival{port, 1, this}
                                                     : ErasedArrival{};
  }
  [[nodiscard]] ErasedArrival take_first() override { return take(reached_.through); }
  void send(Port port, Region, Slots) override {
    children_.push_back({network_.neighbor(reached_.node, port), now_ + 1,
                         network_.reverse_port(reached_.node, port)});
  }
  void stay_active() override { active_ = true; }

  void store(ErasedArrival, Region, Slots) override {}
  void deliver(ErasedArrival, std::uint32_t, Origin) override {}
  void deliver(Region, std::uint32_t, Origin) override {}
  void load(Region, std::uint32_t, Origin, NodeId) override {}
  void perform(const MemoryMove&) override {}

  // A broadcast does not combine, and neither its routes nor its bytes say where it goes.
  void combine(ErasedArrival, Places, Places, Operands) override { refuse(); }
  void send(Route, std::span<const Port>, Region, Slots) override { refuse(); }
  [[nodiscard]] std::optional<Route> route(ErasedArrival) override { refuse(); }
  [[nodiscard]] std::span<const std::byte> bytes(ErasedArrival, std::uint32_t) override {
    refuse();
  }
  [[nodiscard]] std::span<const std::byte> bytes(Region, std::uint32_t) override { refuse(); }
  [[nodiscard]] std::uint64_t word(ErasedArrival, std::uint32_t) override { refuse(); }
  [[nodiscard]] std::uint64_t word(Region, std::uint32_t) override { refuse(); }
  void set_word(Region, std::uint32_t, std::uint64_t) override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    invariant_failed("a program that receives one block acts on nothing else");
  }
  /// The root starts without one.
  [[nodiscard]] bool has_arrival() const noexcept {
    return now_ == reached_.step && reached_.step != 0;
  }

  const AnyTopology& network_;
  Reached reached_;
  std::uint64_t now_;
  bool active_ = false;
  std::vector<Reached> children_;
};

}  // namespace

double estimated_messages(const ErasedProgram& program, const AnyTopology& network,
                          std::uint64_t steps,
                          const std::function<bool(NodeId from, NodeId to)>& counts) {
  constexpr std::uint64_t paths = 10'000;
  std::mt19937_64 random{1975};
  const std::vector<NodeId> starts = program.starts();
  expects(starts.size() == 1, "a broadcast starts at its root");
  double sum = 0;
  for (std::uint64_t path = 0; path < paths; ++path) {
    Reached at{.node = starts.front()};
    for (double weight = 1;;) {
      const std::vector<Reached> children = ProcessorAlone(network, at).children(program, steps);
      for (const Reached& child : children)
        if (counts(at.node, child.node)) sum += weight;
      if (children.empty()) break;
      weight *= static_cast<double>(children.size());
      at = children[random() % children.size()];
    }
  }
  return sum / static_cast<double>(paths);
}

}  // namespace lockstep::catalog
