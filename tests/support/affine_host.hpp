// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host of a reduction whose operation does not commute: affine maps x -> a x + b modulo 2^64,
/// one after the other. It takes no result but that of the processors' own order.
///
///     AffineHost host({Operation::scan}, 16);
///     ReferenceMachine(network, program, host, {.block_bytes = AffineHost::bytes}).run();
///     host.right() == 16

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lockstep/collective/collective.hpp"
#include "lockstep/program/host.hpp"

namespace lockstep::test {

class AffineHost final : public Host {
 public:
  /// The size of the machine's block.
  static constexpr std::size_t bytes = 16;

  AffineHost(const Collective& collective, std::uint64_t processors, std::uint64_t parts = 1)
      : collective_(collective), processors_(processors), parts_(parts), right_(processors) {}

  /// Processors that were handed the right result.
  [[nodiscard]] std::uint64_t right() const {
    std::uint64_t count = 0;
    for (const std::uint8_t one : right_) count += one;
    return count;
  }

  void load(std::byte* block, NodeId node, Origin, NodeId destination) override {
    for (std::uint64_t part = 0; part < parts_; ++part)
      put(block + part * bytes, contribution(index(node), destination, part));
  }
  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) override {
    for (std::uint32_t i = 0; i < blocks; ++i)
      put(into + i * block_bytes, both(map(left + i * block_bytes), map(right + i * block_bytes)));
  }
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) override {
    for (const Delivery& block : batch) {
      ++tally.delivered;
      bool right = collective_.expects(block.origin, block.destination);
      for (std::uint64_t part = 0; part < parts_; ++part)
        right = right && map(block.bytes + part * bytes) == result(block.destination, part);
      right_[index(block.destination)] = right ? 1 : 0;
    }
  }

 private:
  struct Map {
    std::uint64_t a = 1;
    std::uint64_t b = 0;
    friend bool operator==(const Map&, const Map&) = default;
  };

  [[nodiscard]] static Map both(const Map& first, const Map& second) {
    return {first.a * second.a, first.b * second.a + second.b};
  }
  [[nodiscard]] static Map map(const std::byte* from) {
    Map map;
    std::memcpy(&map, from, sizeof map);
    return map;
  }
  static void put(std::byte* into, const Map& map) { std::memcpy(into, &map, sizeof map); }

  [[nodiscard]] Map contribution(std::uint64_t u, NodeId destination, std::uint64_t part) const {
    const std::uint64_t to = collective_.personalised() ? index(destination) + 1 : 0;
    const std::uint64_t name = (u + 1) * 1'000'003 + to * 7'919 + part * 104'729;
    return {2 * name + 1, name * name + 17};
  }
  [[nodiscard]] Map result(NodeId destination, std::uint64_t part) const {
    const bool scan = collective_.operation == Operation::scan;
    const std::uint64_t last = scan ? index(destination) : processors_ - 1;
    Map all;
    for (std::uint64_t u = 0; u <= last; ++u) all = both(all, contribution(u, destination, part));
    return all;
  }

  Collective collective_;
  std::uint64_t processors_;
  std::uint64_t parts_;
  std::vector<std::uint8_t> right_;
};

}  // namespace lockstep::test
