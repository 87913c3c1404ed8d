// SPDX-License-Identifier: Apache-2.0

/// Z. Hussain, Algorithms 1 and 2 as the paper writes them: packets (major, minor, dimension, x, y,
/// step), run by a simulation of their own, as printed and mended. What `improved` does by
/// displacements is the same tree.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "lockstep/topology/build_network.hpp"
#include "support/jobs.hpp"

namespace lockstep::test {
namespace {

/// Line S4 of Algorithm 1: the packet sent through -rho has major direction ...
enum class LineS4 { minus_rho_squared_as_printed, minus_rho };
/// Line 3 of Algorithm 2: what arrives in the last step is stopped ...
enum class Guard { step_above_last, step_at_last };
/// Line 9 of Algorithm 2: lower dimensions are opened ...
enum class LowerDimensions { always, where_y_is_positive };

struct Reading {
  LineS4 line_s4 = LineS4::minus_rho;
  Guard guard = Guard::step_above_last;
  LowerDimensions lower = LowerDimensions::always;
};

/// Directions are the ports of one dimension: k stands for rho^k.
struct Packet {
  NodeId at{};
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::size_t dimension = 0;  ///< counted from 1, as in the paper
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::uint64_t step = 0;  ///< in which the receiver sends
};

struct Receipt {
  std::uint64_t step;  ///< in which the packet travelled, counted from 1
  NodeId from;
};

class SectorPackets {
 public:
  SectorPackets(const EisensteinJacobiNetwork& network, NodeId root, const Reading& reading)
      : network_(network),
        reading_(reading),
        diameter_(static_cast<std::int64_t>(network.alpha().diameter())),
        last_step_(network.diameter()),
        receipts_(network.node_count()) {
    one_to_all(root, network.dimensions(), 1);
    while (!waiting_.empty()) {
      const Packet packet = waiting_.back();
      waiting_.pop_back();
      sector(packet);
    }
    receipts_[index(root)].push_back({0, root});  // its own
  }

  [[nodiscard]] std::uint64_t missing() const {
    std::uint64_t count = 0;
    for (const auto& of_node : receipts_) count += of_node.empty() ? 1U : 0U;
    return count;
  }
  [[nodiscard]] std::uint64_t repeated() const {
    std::uint64_t count = 0;
    for (const auto& of_node : receipts_) count += of_node.empty() ? 0 : of_node.size() - 1;
    return count;
  }
  /// Sends that the guard has stopped.
  [[nodiscard]] std::uint64_t stopped() const { return stopped_; }
  [[nodiscard]] const std::vector<std::vector<Receipt>>& receipts() const { return receipts_; }

 private:
  /// Algorithm 1, and its call of itself.
  void one_to_all(NodeId at, std::size_t dimension, std::uint64_t step) {
    for (std::uint16_t major = 0; major < 6; ++major) {
      const auto minor = static_cast<std::uint16_t>((major + 5) % 6);
      const bool s4 = major == 4;
      const bool printed = reading_.line_s4 == LineS4::minus_rho_squared_as_printed;
      send(at, major,
           {.major = s4 && printed ? std::uint16_t{5} : major,
            .minor = minor,
            .dimension = dimension,
            .x = diameter_ - 1,
            .y = diameter_ - 1,
            .step = step + 1});
    }
    if (dimension > 1) one_to_all(at, dimension - 1, step);
  }

  /// Algorithm 2.
  void sector(const Packet& packet) {
    const auto& [at, major, minor, dimension, x, y, step] = packet;
    const bool sends = x > 0 || y > 0 || dimension > 1;
    if (step > last_step_ || (reading_.guard == Guard::step_at_last && step == last_step_)) {
      stopped_ += sends ? 1U : 0U;
      return;
    }
    if (x > 0) send(at, minor, {{}, major, minor, dimension, x - 1, 0, step + 1});
    if (y > 0) send(at, major, {{}, major, minor, dimension, x - 1, y - 1, step + 1});
    if (dimension > 1 && (y > 0 || reading_.lower == LowerDimensions::always))
      one_to_all(at, dimension - 1, step);
  }

  void send(NodeId from, std::uint16_t direction, Packet packet) {
    packet.at = network_.neighbor(from, port(6 * (packet.dimension - 1) + direction));
    receipts_[index(packet.at)].push_back({packet.step - 1, from});
    waiting_.push_back(packet);
  }

  const EisensteinJacobiNetwork& network_;
  Reading reading_;
  std::int64_t diameter_;
  std::uint64_t last_step_;
  std::vector<std::vector<Receipt>> receipts_;
  std::vector<Packet> waiting_;
  std::uint64_t stopped_ = 0;
};

struct CountedSize {
  std::uint64_t a;
  std::size_t n;
};

[[nodiscard]] EisensteinJacobiNetwork counted_network(const CountedSize& size) {
  return {size.a, size.a + 1, size.n};
}

/// The networks on which packets are run; the diameter of EJ_(a + (a+1) rho) is a.
constexpr CountedSize counted_sizes[] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 1}, {2, 2}, {2, 3},
                                         {3, 1}, {3, 2}, {4, 1}, {4, 2}, {6, 1}, {6, 2}};

TEST(EjSectorPackets, MendedTheyReachEverybodyOnceAndTheGuardNeverStopsAny) {
  for (const CountedSize& size : counted_sizes) {
    const EisensteinJacobiNetwork network = counted_network(size);
    SCOPED_TRACE(network.name());
    const SectorPackets packets(network, NodeId{0}, {});
    EXPECT_EQ(packets.missing(), 0U);
    EXPECT_EQ(packets.repeated(), 0U);
    EXPECT_EQ(packets.stopped(), 0U);  // erratum 12
  }
}

/// Everybody receives from the same neighbour in the same step.
TEST(EjSectorPackets, MendedTheyAreTheTreeOfTheDisplacements) {
  for (const CountedSize& size : counted_sizes) {
    const EisensteinJacobiNetwork network = counted_network(size);
    for (const NodeId root : {NodeId{0}, NodeId{network.node_count() / 2}}) {
      SCOPED_TRACE(network.name() + " from " + std::to_string(index(root)));
      const SectorPackets packets(network, root, {});
      SendTrace trace;
      (void)run_reference(build_network(network),
                          EjImproved(network, {{"root", index(root)}}).program(),
                          {.model = EjImproved::info.model,
                           .collective = {Operation::broadcast, root},
                           .keep_series = false},
                          ChannelKind::slot, &trace);
      ASSERT_EQ(trace.size(), network.node_count() - 1);
      for (const SendEvent& event : trace) {
        ASSERT_EQ(packets.receipts()[index(event.receiver)].size(), 1U);
        const Receipt receipt = packets.receipts()[index(event.receiver)].front();
        EXPECT_EQ(receipt.from, event.sender);
        EXPECT_EQ(receipt.step, event.step + 1);
      }
      if (testing::Test::HasFailure()) return;
    }
  }
}

/// Nodes that are lost, and receipts too many, of a reading of the algorithms.
void expect_losses(const Reading& reading, const CountedSize& size, std::uint64_t missing,
                   std::uint64_t repeated) {
  const EisensteinJacobiNetwork network = counted_network(size);
  SCOPED_TRACE(network.name());
  const SectorPackets packets(network, NodeId{0}, reading);
  EXPECT_EQ(packets.missing(), missing);
  EXPECT_EQ(packets.repeated(), repeated);
}

/// Erratum 10.
TEST(EjSectorPackets, LineS4AsPrintedLosesAndRepeatsNodes) {
  const Reading printed{.line_s4 = LineS4::minus_rho_squared_as_printed};
  expect_losses(printed, {1, 1}, 0, 0);
  expect_losses(printed, {1, 3}, 0, 0);
  expect_losses(printed, {2, 1}, 1, 1);
  expect_losses(printed, {3, 1}, 2, 2);
  expect_losses(printed, {4, 1}, 4, 4);
  expect_losses(printed, {2, 2}, 37, 37);
  expect_losses(printed, {3, 2}, 144, 144);
}

/// Erratum 12: the guard is of no use as it stands, and loses the last step one step earlier.
TEST(EjSectorPackets, AGuardOneStepEarlierLosesNodes) {
  const Reading early{.guard = Guard::step_at_last};
  expect_losses(early, {2, 1}, 12, 0);
  expect_losses(early, {3, 1}, 18, 0);
  expect_losses(early, {4, 1}, 24, 0);
  expect_losses(early, {2, 2}, 144, 0);
  expect_losses(early, {3, 2}, 324, 0);
}

/// Erratum 13: of the nodes of dimension 2, only the 6 (D - 1) on an axis that are not its end
/// would then open dimension 1.
TEST(EjSectorPackets, LowerDimensionsUnderTheMajorDirectionLoseNodes) {
  const Reading nested{.lower = LowerDimensions::where_y_is_positive};
  for (const std::uint64_t a : {1U, 2U, 3U, 4U}) {
    const std::uint64_t others = 3 * a * a + 3 * a;  // N - 1
    expect_losses(nested, {a, 1}, 0, 0);
    expect_losses(nested, {a, 2}, (others - 6 * (a - 1)) * others, 0);
  }
}

}  // namespace
}  // namespace lockstep::test
