// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The host supplies the blocks of the processors and receives what they deliver. The machine calls
/// it on behalf of the program. A host may verify or store a delivered block.

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "lockstep/core/detail/std_basics.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"

namespace lockstep {

/// A block delivered to the host of `destination`, claimed to be that of `origin`. The bytes stay
/// where they arrived and do not change while the host reads them.
struct Delivery {
  const std::byte* bytes;
  Origin origin;
  NodeId destination;
};

/// A delivery with a wrong claim; `step` is the step of the delivery.
struct WrongDelivery {
  std::uint64_t step = 0;
  NodeId node{};
  Origin origin{0};

  friend auto operator<=>(const WrongDelivery&, const WrongDelivery&) = default;
};

/// Counts of the blocks delivered to hosts.
struct DeliveryTally {
  std::uint64_t delivered = 0;   ///< handed to a host
  std::uint64_t verified = 0;    ///< right bytes, expected here, for the first time
  std::uint64_t corrupted = 0;   ///< bytes differ from the formula, or no such block was expected
  std::uint64_t duplicated = 0;  ///< right bytes, but delivered before
  std::optional<WrongDelivery>
      first_corrupted{};  ///< the lowest of the first step; hosts name no step

  friend bool operator==(const DeliveryTally&, const DeliveryTally&) = default;
  DeliveryTally& operator+=(const DeliveryTally& other) noexcept {
    delivered += other.delivered;
    verified += other.verified;
    corrupted += other.corrupted;
    duplicated += other.duplicated;
    if (other.first_corrupted) note_corrupted(*other.first_corrupted);
    return *this;
  }
  void note_corrupted(const WrongDelivery& wrong) noexcept {
    first_corrupted = first_corrupted ? std::min(*first_corrupted, wrong) : wrong;
  }
};

/// An associative operation of a user's: into <- left o right, a block each; `into` may be one of
/// them.
using BlockOperation = std::function<void(
    std::span<std::byte> into, std::span<const std::byte> left, std::span<const std::byte> right)>;

/// Called by many workers at once, never by two for one processor.
class Host {
 public:
  Host() = default;
  Host(const Host&) = default;
  Host& operator=(const Host&) = default;
  virtual ~Host() = default;

  // The sizes that the host was built for; empty: any size. A machine with other sizes refuses it.

  [[nodiscard]] virtual std::optional<std::uint64_t> processors() const { return std::nullopt; }
  /// Bytes of a block of the machine.
  [[nodiscard]] virtual std::optional<std::size_t> block_bytes() const { return std::nullopt; }
  /// Blocks of the machine in a block of the user, which travel separately. A load writes as many
  /// consecutive blocks, and a delivery reads as many.
  [[nodiscard]] virtual std::uint64_t parts_per_block() const { return 1; }

  /// Writes the block of `origin` for `destination` that `node` requests. A node receives its own
  /// blocks only, and poison for any other.
  virtual void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) = 0;
  /// For consecutive nodes which are origins themselves: the block of `first` + k for
  /// destinations[k], k strides further.
  virtual void load_each(std::byte* bytes, std::size_t stride, NodeId first,
                         std::span<const std::uint32_t> destinations) {
    for (std::size_t k = 0; k < destinations.size(); ++k)
      load(bytes + k * stride, NodeId{index(first) + k}, NodeId{index(first) + k},
           NodeId{destinations[k]});
  }
  virtual void accept(std::span<const Delivery> batch, DeliveryTally& tally) = 0;
  /// For consecutive destinations: the block at bytes[k] + offset, claimed to be that of
  /// origins[k], delivered to `first` + k.
  virtual void accept_each(const std::byte* const* bytes, std::size_t offset, NodeId first,
                           std::span<const std::uint32_t> origins, DeliveryTally& tally);
  /// For one destination: the blocks that lie `stride` bytes apart, claimed to be those of origins.
  virtual void accept_run(const std::byte* bytes, std::size_t stride, NodeId destination,
                          std::span<const std::uint32_t> origins, DeliveryTally& tally);
  /// After the last step, by one thread: counts what was accepted and not yet looked up.
  virtual void settle(DeliveryTally&) {}

  /// The operation of reductions, which is associative: into <- left o right for each of `blocks`
  /// consecutive blocks of `block_bytes` at every address; `into` may be `left` or `right`. Where
  /// blocks travel in parts, it works on parts. Throws InvalidParameter where the host has none.
  virtual void combine(std::byte* /*into*/, const std::byte* /*left*/, const std::byte* /*right*/,
                       std::size_t /*block_bytes*/, std::uint32_t /*blocks*/) {
    throw InvalidParameter(
        "host: the program combines blocks, but the host has no operator; expected a host that "
        "overrides Host::combine");
  }
};

inline void Host::accept_each(const std::byte* const* bytes, std::size_t offset, NodeId first,
                              std::span<const std::uint32_t> origins, DeliveryTally& tally) {
  std::array<Delivery, 64> batch;
  for (std::size_t done = 0; done < origins.size(); done += batch.size()) {
    const std::size_t count = std::min(batch.size(), origins.size() - done);
    for (std::size_t k = 0; k < count; ++k)
      batch[k] = {bytes[done + k] + offset, NodeId{origins[done + k]},
                  NodeId{index(first) + done + k}};
    accept(std::span<const Delivery>(batch.data(), count), tally);
  }
}

inline void Host::accept_run(const std::byte* bytes, std::size_t stride, NodeId destination,
                             std::span<const std::uint32_t> origins, DeliveryTally& tally) {
  std::array<Delivery, 64> batch;
  for (std::size_t done = 0; done < origins.size(); done += batch.size()) {
    const std::size_t count = std::min(batch.size(), origins.size() - done);
    for (std::size_t k = 0; k < count; ++k)
      batch[k] = {bytes + (done + k) * stride, NodeId{origins[done + k]}, destination};
    accept(std::span<const Delivery>(batch.data(), count), tally);
  }
}

/// Throws InvalidParameter, with both numbers, where the host was made for another machine.
void check_host(const Host& host, std::uint64_t processors, std::size_t block_bytes);

}  // namespace lockstep
