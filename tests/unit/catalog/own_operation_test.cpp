// SPDX-License-Identifier: Apache-2.0
/// Reductions of one's own bytes by an operation of one's own: every algorithm of the catalogue
/// comes to what the operation says, whatever it goes by.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/collective/buffer_layout.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::test {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::size_t block_bytes = 144;  // in the parts of all algorithms below
constexpr Operation reductions[] = {Operation::reduce, Operation::all_reduce,
                                    Operation::reduce_scatter, Operation::scan};

/// Byte by byte, so that it may work on parts of blocks; neither addition nor invertible.
void largest(std::span<std::byte> into, std::span<const std::byte> left,
             std::span<const std::byte> right) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = std::max(left[i], right[i]);
}

Bytes some_input(std::uint64_t blocks) {
  Bytes input(blocks * block_bytes);
  for (std::size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<std::byte>(i * i * 31 + i / 24);
  return input;
}

/// The expected result, by the definition.
Bytes expected(const Collective& collective, std::uint64_t processors, const Bytes& input) {
  const BufferLayout layout(collective, processors);
  Bytes output(layout.output_blocks() * block_bytes, std::byte{0});
  for (std::uint64_t d = 0; d < processors; ++d) {
    const auto to = layout.output_block(Origin{d}, NodeId{d});
    if (!to) continue;
    const std::span<std::byte> result = std::span(output).subspan(*to * block_bytes, block_bytes);
    const std::uint64_t last = collective.operation == Operation::scan ? d : processors - 1;
    for (std::uint64_t u = 0; u <= last; ++u) {
      const std::uint64_t from = *layout.input_block(Origin{u}, NodeId{d});
      largest(result, result, std::span(input).subspan(from * block_bytes, block_bytes));
    }
  }
  return output;
}

TEST(OwnOperation, IsWhatEveryAlgorithmGoesBy) {
  for (const char* const name : {"hypercube:3", "torus:3x4", "star:4", "mesh:2x3", "linear:1"})
    for (const Operation operation : reductions)
      for (const AlgorithmInfo& info : algorithms_for(AnyTopology(name), operation)) {
        SCOPED_TRACE(std::string(name) + " " + std::string(info.name));
        RunRequest request{.topology = name, .operation = operation};
        request.algorithm = info.name;
        request.block_bytes = block_bytes;
        const std::uint64_t processors = request.topology.node_count();
        const Collective collective{operation, NodeId{processors - 1}};
        if (has_root(operation)) request.settings[root_parameter.name] = processors - 1;
        const Bytes input = some_input(BufferLayout(collective, processors).input_blocks());
        request.input = input;
        request.combine = largest;
        const RunResult result = prepare(request)->execute();
        EXPECT_TRUE(result.ok()) << result.judgement.sentence;
        EXPECT_FALSE(result.judgement.deliveries.checked);
        EXPECT_EQ(result.output, expected(collective, processors, input));
      }
}

TEST(OwnOperation, IsGivenForReductionsThatNobodyElseCanCheck) {
  const auto refused = [](Operation operation, VerifyKind verify, bool input, bool combines) {
    RunRequest request{.topology = "hypercube:3", .operation = operation};
    request.block_bytes = block_bytes;
    request.verify = verify;
    const Bytes bytes = some_input(8);
    if (input) request.input = bytes;
    if (combines) request.combine = largest;
    try {
      (void)prepare(request)->execute();
    } catch (const InvalidParameter& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const VerifyKind automatic = VerifyKind::automatic;
  EXPECT_EQ(refused(Operation::all_reduce, automatic, true, false),
            "all-reduce of own bytes: no operator given; expected one (RunOptions::combine)");
  EXPECT_EQ(refused(Operation::all_reduce, VerifyKind::exact, true, true),
            "all-reduce with an own operator, --verify exact: the results cannot be predicted; use "
            "auto or off");
  EXPECT_EQ(refused(Operation::broadcast, automatic, false, true),
            "broadcast: an own operator is allowed for reductions only");
  EXPECT_EQ(refused(Operation::all_reduce, VerifyKind::off, true, true), "");
}

/// It knows nothing of padding.
TEST(OwnOperation, TakesWholeParts) {
  RunRequest request{.topology = "torus:3x3", .operation = Operation::all_reduce};
  request.algorithm = "ring-by-ring";
  request.block_bytes = 16;
  request.combine = largest;
  EXPECT_THAT(
      [&] { (void)prepare(request); },
      testing::ThrowsMessage<InvalidParameter>(
          "ring-by-ring on torus:3x3: block size 16 is not a multiple of 9 (the algorithm splits "
          "blocks into 9 parts)"));
  request.combine = {};
  EXPECT_NO_THROW((void)prepare(request));
}

}  // namespace
}  // namespace lockstep::test
