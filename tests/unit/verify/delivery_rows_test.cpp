// SPDX-License-Identifier: Apache-2.0
/// Rows of deliveries, and runs for one destination, are proved as the same blocks one by one,
/// whatever is wrong with them and wherever in a row, a run or the log it is.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "lockstep/verify/delivery.hpp"
#include "support/cases.hpp"

namespace lockstep::test {
namespace {

constexpr std::uint64_t row_processors = 100;

/// A block for each of consecutive destinations.
struct RowOfBlocks {
  std::uint64_t first = 0;
  std::vector<std::uint32_t> origins;
  std::vector<std::vector<std::byte>> bytes;
};

ProvingHost::Parameters parameters_for(VerifyKind verify, std::size_t block_bytes,
                                       Operation operation = Operation::total_exchange) {
  return {.collective = {operation},
          .processors = row_processors,
          .block_bytes = block_bytes,
          .verify = verify,
          .logged_ledger = 0};
}

/// The rows of a correct total exchange or all-gather, over two ranges of destinations, of which
/// the second is too short for a log where `second` is below 64.
std::vector<RowOfBlocks> rows_of(const ProvingHost::Parameters& parameters, std::uint64_t second) {
  ProvingHost host(parameters);
  std::vector<RowOfBlocks> rows;
  for (std::uint64_t shift = 1; shift < row_processors; ++shift)
    for (const auto& [first, last] : {std::pair{std::uint64_t{0}, row_processors - second},
                                      std::pair{row_processors - second, row_processors}}) {
      RowOfBlocks row{.first = first, .origins = {}, .bytes = {}};
      for (std::uint64_t d = first; d < last; ++d) {
        const std::uint64_t origin = (d + shift) % row_processors;
        row.origins.push_back(static_cast<std::uint32_t>(origin));
        std::vector<std::byte>& block = row.bytes.emplace_back(parameters.block_bytes);
        host.load(block.data(), NodeId{origin}, NodeId{origin}, NodeId{d});
      }
      rows.push_back(std::move(row));
    }
  return rows;
}

struct ProofOfRows {
  DeliveryTally tally;
  DeliveryVerdict verdict;
};

void expect_same(const ProofOfRows& by_rows, const ProofOfRows& one_by_one) {
  EXPECT_EQ(by_rows.tally, one_by_one.tally);
  EXPECT_EQ(by_rows.verdict.complete(), one_by_one.verdict.complete());
  EXPECT_EQ(by_rows.verdict.missing, one_by_one.verdict.missing);
  EXPECT_EQ(by_rows.verdict.first_missing, one_by_one.verdict.first_missing);
  EXPECT_EQ(by_rows.verdict.tally, one_by_one.verdict.tally);
}

/// `offset`: of the blocks in the memory that pointers name, after other bytes.
ProofOfRows proof_by_rows(const ProvingHost::Parameters& parameters,
                          const std::vector<RowOfBlocks>& rows, std::size_t offset = 0) {
  ProvingHost host(parameters);
  DeliveryTally tally;
  for (const RowOfBlocks& row : rows) {
    std::vector<std::vector<std::byte>> shifted(row.bytes.size(), std::vector<std::byte>(offset));
    std::vector<const std::byte*> bytes;
    for (std::size_t k = 0; k < row.bytes.size(); ++k) {
      shifted[k].insert(shifted[k].end(), row.bytes[k].begin(), row.bytes[k].end());
      bytes.push_back(shifted[k].data());
    }
    host.accept_each(bytes.data(), offset, NodeId{row.first}, row.origins, tally);
  }
  host.settle(tally);
  return {tally, host.judge(tally)};
}

/// The same blocks, those of each destination as runs that are longer than what is worked through
/// at once, and shorter.
ProofOfRows proof_by_runs(const ProvingHost::Parameters& parameters,
                          const std::vector<RowOfBlocks>& rows) {
  struct Run {
    std::vector<std::uint32_t> origins;
    std::vector<std::byte> bytes;
  };
  const std::size_t stride = parameters.block_bytes + 3;
  std::map<std::uint64_t, Run> runs;
  for (const RowOfBlocks& row : rows)
    for (std::size_t k = 0; k < row.origins.size(); ++k) {
      Run& run = runs[row.first + k];
      run.origins.push_back(row.origins[k]);
      run.bytes.insert(run.bytes.end(), row.bytes[k].begin(), row.bytes[k].end());
      run.bytes.resize(run.origins.size() * stride);
    }
  ProvingHost host(parameters);
  DeliveryTally tally;
  for (const auto& [destination, run] : runs) {
    const std::span<const std::uint32_t> origins = run.origins;
    const std::size_t first = destination % origins.size();  // of the second run
    host.accept_run(run.bytes.data(), stride, NodeId{destination}, origins.first(first), tally);
    host.accept_run(run.bytes.data() + first * stride, stride, NodeId{destination},
                    origins.subspan(first), tally);
  }
  host.settle(tally);
  return {tally, host.judge(tally)};
}

ProofOfRows proof_one_by_one(const ProvingHost::Parameters& parameters,
                             const std::vector<RowOfBlocks>& rows) {
  ProvingHost host(parameters);
  DeliveryTally tally;
  for (const RowOfBlocks& row : rows)
    for (std::size_t k = 0; k < row.origins.size(); ++k) {
      const Delivery block{row.bytes[k].data(), NodeId{row.origins[k]}, NodeId{row.first + k}};
      host.accept({&block, 1}, tally);
    }
  return {tally, host.judge(tally)};
}

/// Proved in all ways alike; whether it is complete.
bool is_complete(const ProvingHost::Parameters& parameters, const std::vector<RowOfBlocks>& rows) {
  const ProofOfRows by_rows = proof_by_rows(parameters, rows);
  expect_same(by_rows, proof_one_by_one(parameters, rows));
  expect_same(by_rows, proof_by_runs(parameters, rows));
  return by_rows.verdict.complete();
}

TEST(DeliveryRows, ProveWhatBlocksProve) {
  for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest, VerifyKind::off})
    for (const Operation operation : {Operation::total_exchange, Operation::all_gather})
      for (const std::size_t bytes : {1U, 2U, 4U, 5U, 8U, 16U, 24U, 32U, 64U, 72U})
        for (const std::uint64_t second : {20U, 70U}) {
          const ProvingHost::Parameters parameters = parameters_for(verify, bytes, operation);
          EXPECT_TRUE(is_complete(parameters, rows_of(parameters, second)) ||
                      verify == VerifyKind::off)
              << bytes;
        }
}

TEST(DeliveryRows, LieAtAnOffset) {
  for (const std::size_t bytes : {4U, 5U, 8U, 64U}) {
    const ProvingHost::Parameters parameters = parameters_for(VerifyKind::exact, bytes);
    EXPECT_TRUE(proof_by_rows(parameters, rows_of(parameters, 20), 24).verdict.complete());
  }
}

TEST(DeliveryRows, ShowEveryAlteredByteOfEveryPlace) {
  for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest})
    for (const std::size_t bytes : {1U, 2U, 4U, 5U, 8U, 32U, 64U}) {
      const ProvingHost::Parameters parameters = parameters_for(verify, bytes);
      std::vector<RowOfBlocks> rows = rows_of(parameters, 20);
      for (std::size_t k = 0; k < rows[0].origins.size(); k += slowness == 1 ? 17 : 191)
        for (std::size_t at = 0; at < bytes; ++at) {
          std::byte& byte = rows[k % 5].bytes[k % rows[k % 5].bytes.size()][at];
          byte ^= std::byte{0x10};
          const ProofOfRows proof = proof_by_rows(parameters, rows);
          EXPECT_EQ(proof.tally.corrupted, 1U);
          EXPECT_FALSE(proof.verdict.complete());
          expect_same(proof_by_runs(parameters, rows), proof);
          byte ^= std::byte{0x10};
        }
    }
}

/// Lost, doubled, exchanged, claimed wrongly, of oneself or of nobody, in any row of the log.
TEST(DeliveryRows, ShowEveryFaultInEveryRowOfTheLog) {
  for (const VerifyKind verify : {VerifyKind::exact, VerifyKind::digest}) {
    const ProvingHost::Parameters parameters = parameters_for(verify, 8);
    const std::vector<RowOfBlocks> all = rows_of(parameters, 20);
    for_all(
        cases_here(500), [](Random& random) { return random; },
        [&](Random random) {
          std::vector<RowOfBlocks> rows = all;
          const std::size_t r = random.number(0, rows.size() - 1);
          RowOfBlocks& row = rows[r];
          const std::size_t k = random.number(0, row.origins.size() - 1);
          switch (random.number(0, 5)) {
            case 0:
              rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(r));
              break;
            case 1:
              rows.insert(
                  rows.begin() + static_cast<std::ptrdiff_t>(random.number(0, rows.size() - 1)),
                  RowOfBlocks(row));
              break;
            case 2:
              rows[r] = rows[(r + 2) % rows.size()];  // of the same destinations, in its place
              break;
            case 3:
              row.origins[k] = static_cast<std::uint32_t>((row.origins[k] + 1) % row_processors);
              break;
            case 4:
              row.origins[k] = static_cast<std::uint32_t>(row.first + k);
              break;
            default:
              row.origins[k] = row_processors + 3;
          }
          EXPECT_FALSE(is_complete(parameters, rows));
        });
  }
}

/// Other ranges of destinations than before: what was logged of the old ones is not lost.
TEST(DeliveryRows, MayBeginElsewhere) {
  const ProvingHost::Parameters parameters = parameters_for(VerifyKind::exact, 8);
  std::vector<RowOfBlocks> rows = rows_of(parameters, 20);
  const std::vector<RowOfBlocks> others = rows_of(parameters, 70);
  for (std::size_t i = 100; i < rows.size(); ++i) rows[i] = others[i];
  EXPECT_TRUE(is_complete(parameters, rows));
}

TEST(DeliveryRows, AreNotAllInTheLedgerUntilTheyAreSettled) {
  const ProvingHost::Parameters parameters = parameters_for(VerifyKind::exact, 8);
  const std::vector<RowOfBlocks> rows = rows_of(parameters, 20);
  ProvingHost host(parameters);
  DeliveryTally tally;
  std::vector<const std::byte*> bytes;
  for (const std::vector<std::byte>& block : rows[0].bytes) bytes.push_back(block.data());
  for (int i = 0; i < 2; ++i) host.accept_each(bytes.data(), 0, NodeId{0}, rows[0].origins, tally);
  host.settle(tally);
  EXPECT_EQ(tally.delivered, 160U);
  EXPECT_EQ(tally.verified, 80U);
  EXPECT_EQ(tally.duplicated, 80U);
  host.settle(tally);  // nothing is left
  EXPECT_EQ(tally.duplicated, 80U);
}

}  // namespace
}  // namespace lockstep::test
