// SPDX-License-Identifier: Apache-2.0
#pragma once

/// ProvingHost: a host whose blocks are formulas and that checks every delivered byte. It knows the
/// collective and the ledger but no algorithm. The machine uses it as a Host.
///
/// The operation of reductions is addition.
///
///     ProvingHost host({.collective = exchange, .processors = 5040, .block_bytes = 64});
///     ... run ...
///     const DeliveryVerdict verdict = host.judge(record.deliveries);   // verdict.complete()

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lockstep/collective/buffer_layout.hpp"
#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/payload.hpp"
#include "lockstep/program/host.hpp"
#include "lockstep/verify/detail/verdict.hpp"
#include "lockstep/verify/ledger.hpp"

namespace lockstep {

/// Parameters of the proof of a run: what must be delivered, and how it is verified.
struct ProofParameters {
  Collective collective;
  std::uint64_t processors = 0;
  std::size_t block_bytes = 8;
  std::uint64_t seed = 1;
  VerifyKind verify = VerifyKind::automatic;
  std::uint64_t parts_per_block = 1;   ///< Footprint::parts_per_block, of a machine's blocks
  std::span<const std::byte> input{};  ///< the user's own bytes; none: a formula
  /// Operator of a reduction, instead of addition. Its results cannot be predicted: they are
  /// counted, not checked.
  BlockOperation operation{};
  /// Deliveries enter ledgers of this many bytes or more through logs, because such ledgers do not
  /// fit a near cache.
  std::uint64_t logged_ledger = std::uint64_t{1} << 19U;
};

/// OwnBytes: blocks whose bytes a user gives, and what became of them, in place of those that are a
/// formula. Every delivery is held against what was put in. Laid out as collective/
/// buffer_layout.hpp says.
///
///     RunOptions options{.input = std::as_bytes(std::span(values))};       // of run()
///     const std::vector<std::byte>& arrived = report.result.output;
class OwnBytes {
 public:
  /// The input outlives this. Throws InvalidParameter where it has not the size that it needs.
  OwnBytes(const Collective& collective, std::uint64_t processors, std::size_t block_bytes,
           std::span<const std::byte> input);

  /// The bytes of the output.
  [[nodiscard]] static std::uint64_t bytes(const Collective& collective, std::uint64_t processors,
                                           std::size_t block_bytes);

  /// The block of `origin` for `destination`; poison if there is none.
  void fill(std::byte* bytes, Origin origin, NodeId destination) const noexcept;
  [[nodiscard]] bool matches(const std::byte* bytes, Origin origin,
                             NodeId destination) const noexcept;
  /// Stores what arrived at `destination` as the block of `origin`. One worker per destination.
  void keep(const std::byte* bytes, Origin origin, NodeId destination) noexcept;

  [[nodiscard]] const std::vector<std::byte>& output() const noexcept { return output_; }
  [[nodiscard]] std::vector<std::byte> take_output() noexcept { return std::move(output_); }

 private:
  BufferLayout layout_;
  std::size_t block_bytes_;
  std::span<const std::byte> input_;
  std::vector<std::byte> output_;
};

/// What the results of a reduction have to be, where the operation is addition in a group, exact to
/// the last bit: of the 8-byte words of a block modulo 2^64, and of the bytes that are left modulo
/// 256. Contributions are the formula of collective/payload.hpp, so a result is a sum that anybody
/// computes. One that lacks a contribution, has one twice or a foreign one, has the right bytes
/// with probability 2^-(8 bytes): the error is that contribution, or a difference of two.
///
///     ReductionResults results({.collective = {Operation::all_reduce}, .processors = 5040});
///     results.matches(bytes, NodeId{7});
///
/// The sum of a reduce or all-reduce is computed once; of a scan every 64th running sum is kept;
/// the results of a reduce-scatter are summed up where they are asked for, P contributions each.

/// into <- left + right for `blocks` blocks, as said above; `into` may be one of them.
void add_blocks(std::byte* into, const std::byte* left, const std::byte* right,
                std::size_t block_bytes, std::uint64_t blocks) noexcept;

class ReductionResults {
 public:
  using Parameters = ProofParameters;

  /// Precondition: the collective is a reduction.
  explicit ReductionResults(const Parameters& parameters);

  /// Taken by construction.
  [[nodiscard]] static std::uint64_t bytes(const Parameters& parameters);

  /// Contributions that are computed.
  struct Contributions {
    double once = 0;         ///< by the first worker that asks for a result
    double each_result = 0;  ///< mean
  };
  [[nodiscard]] static Contributions contributions(Operation operation, std::uint64_t processors);

  /// Whether `bytes` is the result that `destination` expects. By any worker.
  [[nodiscard]] bool matches(const std::byte* bytes, NodeId destination);

 private:
  using Sum = std::vector<std::byte>;

  void add_contributions(Sum& sum, std::uint64_t first, std::uint64_t last,
                         NodeId destination) const;
  void fill_kept();
  [[nodiscard]] Sum result_for(NodeId destination);

  Parameters of_;
  Payload payload_;
  std::once_flag filled_;
  std::vector<std::byte> kept_;  // sums, one after the other
};

class ProvingHost final : public Host {
 public:
  using Parameters = ProofParameters;

  /// Throws InvalidParameter where the collective does not fit so many processors.
  explicit ProvingHost(const Parameters& parameters);

  /// `automatic` made definite: exact up to exact_limit bytes of ledger, and where the other one is
  /// no smaller.
  [[nodiscard]] static VerifyKind definite(const Parameters& parameters);
  /// Bytes of the ledger, of output and of sums, that construction takes.
  [[nodiscard]] static std::uint64_t bytes(const Parameters& parameters);
  static constexpr std::uint64_t exact_limit = std::uint64_t{64} << 20U;

  [[nodiscard]] VerifyKind verify() const noexcept { return verify_; }
  [[nodiscard]] std::optional<std::uint64_t> processors() const override { return processors_; }
  [[nodiscard]] std::optional<std::size_t> block_bytes() const override { return part_bytes_; }
  [[nodiscard]] std::uint64_t parts_per_block() const override { return parts_; }

  void load(std::byte* bytes, NodeId node, Origin origin, NodeId destination) noexcept override;
  void load_each(std::byte* bytes, std::size_t stride, NodeId first,
                 std::span<const std::uint32_t> destinations) noexcept override;
  void accept(std::span<const Delivery> batch, DeliveryTally& tally) noexcept override;
  void accept_each(const std::byte* const* bytes, std::size_t offset, NodeId first,
                   std::span<const std::uint32_t> origins, DeliveryTally& tally) noexcept override;
  void accept_run(const std::byte* bytes, std::size_t stride, NodeId destination,
                  std::span<const std::uint32_t> origins, DeliveryTally& tally) noexcept override;
  void settle(DeliveryTally& tally) noexcept override;
  void combine(std::byte* into, const std::byte* left, const std::byte* right,
               std::size_t block_bytes, std::uint32_t blocks) override;

  /// The entries of the ledger for some destinations. Each of several processes keeps the ledger of
  /// its own destinations; the sum of all parts is the whole.
  struct LedgerPart {
    std::uint64_t entered = 0;  ///< exact ledger
    DigestLedger::Judgement digest{};
    std::optional<MissingPair> first_missing{};
    std::uint64_t least = ~std::uint64_t{0};  ///< blocks that a destination received
    std::uint64_t most = 0;
    std::uint64_t combined_bytes = 0;  ///< by the user's operator

    LedgerPart& operator+=(const LedgerPart& other) noexcept;
  };
  [[nodiscard]] LedgerPart part_of(const DeliveryTally& tally, Destinations own) const;
  /// `tally`: of all destinations, as `ledger` is.
  [[nodiscard]] DeliveryVerdict judge(const DeliveryTally& tally, const LedgerPart& ledger) const;
  [[nodiscard]] DeliveryVerdict judge(const DeliveryTally& tally) const {
    return judge(tally, part_of(tally, all()));
  }
  [[nodiscard]] Destinations all() const noexcept { return {0, processors_}; }

  /// The bytes that arrived, if the payload is the user's own; empty otherwise. The host has none
  /// afterwards.
  [[nodiscard]] std::vector<std::byte> take_output() noexcept {
    return own_ ? own_->take_output() : std::vector<std::byte>{};
  }
  [[nodiscard]] std::span<const std::byte> output() const noexcept {
    return own_ ? std::span<const std::byte>(own_->output()) : std::span<const std::byte>{};
  }

  /// Exact ledger only: every missing pair, by destination, then origin.
  [[nodiscard]] std::vector<MissingPair> all_missing(Destinations among = {}) const;

 private:
  [[nodiscard]] static std::size_t logged_rows(const Parameters& parameters);
  [[nodiscard]] bool accepts_rows() const noexcept;
  /// Every pair but those of a processor with itself: of origins[k] and first + k * apart.
  [[nodiscard]] bool all_expected(std::span<const std::uint32_t> origins, NodeId first,
                                  std::uint64_t apart) const noexcept;
  void enter_rows(const detail::LoggedRows& rows, DeliveryTally& tally) noexcept;
  void accept_own(std::span<const Delivery> batch, DeliveryTally& tally) noexcept;
  void accept_from_root(std::span<const Delivery> batch, DeliveryTally& tally) noexcept;
  [[nodiscard]] bool receives_alike() const;
  void accept_results(std::span<const Delivery> batch, DeliveryTally& tally) noexcept;
  /// Enters the block in the ledger. False if the exact ledger has it already; a digest shows
  /// duplicates only when its sums are judged.
  [[nodiscard]] bool enter_ledger(const Delivery& block) noexcept;
  template <class Enter>
  void accept_with(std::span<const Delivery> batch, DeliveryTally& tally,
                   const Enter& enter) const noexcept;

  Collective collective_;
  std::uint64_t processors_;
  std::uint64_t parts_;
  std::size_t part_bytes_;
  VerifyKind verify_;
  Payload payload_;
  std::optional<OwnBytes> own_;
  BlockOperation operation_;
  std::atomic<std::uint64_t> combined_bytes_ = 0;  // by that operation
  std::optional<ExactLedger> exact_;
  std::optional<DigestLedger> digest_;
  std::optional<detail::DeliveryLogs> logs_;
  std::optional<ReductionResults> results_;
};

}  // namespace lockstep
