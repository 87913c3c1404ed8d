// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "lockstep/program/algorithm.hpp"
#include "lockstep/verify/delivery.hpp"

namespace lockstep {
namespace {

constexpr std::uint64_t sums_apart = 64;  // running sums that are kept

[[nodiscard]] std::uint64_t kept_sums(const ReductionResults::Parameters& parameters) {
  switch (parameters.collective.operation) {
    case Operation::scan:
      return parameters.processors / sums_apart + 1;
    case Operation::reduce_scatter:
      return 0;
    default:
      return 1;
  }
}

template <class Number>
void add_numbers(std::byte* into, const std::byte* left, const std::byte* right) noexcept {
  Number a = 0;
  Number b = 0;
  std::memcpy(&a, left, sizeof a);
  std::memcpy(&b, right, sizeof b);
  a = static_cast<Number>(a + b);
  std::memcpy(into, &a, sizeof a);
}

}  // namespace

void add_blocks(std::byte* into, const std::byte* left, const std::byte* right,
                std::size_t block_bytes, std::uint64_t blocks) noexcept {
  constexpr std::size_t word = sizeof(std::uint64_t);
  const std::size_t whole = block_bytes - block_bytes % word;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::size_t block = i * block_bytes;
    for (std::size_t at = block; at < block + whole; at += word)
      add_numbers<std::uint64_t>(into + at, left + at, right + at);
    for (std::size_t at = block + whole; at < block + block_bytes; ++at)
      add_numbers<std::uint8_t>(into + at, left + at, right + at);
  }
}

ReductionResults::ReductionResults(const Parameters& parameters)
    : of_(parameters),
      payload_({.seed = parameters.seed,
                .block_bytes = parameters.block_bytes,
                .personalised = parameters.collective.personalised()}),
      kept_(bytes(parameters)) {}

std::uint64_t ReductionResults::bytes(const Parameters& parameters) {
  return kept_sums(parameters) * padded_bytes(parameters.block_bytes, parameters.parts_per_block);
}

ReductionResults::Contributions ReductionResults::contributions(Operation operation,
                                                                std::uint64_t processors) {
  const auto all = static_cast<double>(processors);
  switch (operation) {
    case Operation::scan:
      return {all, static_cast<double>(std::min(processors, sums_apart) + 1) / 2};
    case Operation::reduce_scatter:
      return {0, all};
    default:
      return {all, 0};
  }
}

bool ReductionResults::matches(const std::byte* bytes, NodeId destination) {
  if (kept_sums(of_) != 0) std::call_once(filled_, [this] { fill_kept(); });
  const Sum expected = result_for(destination);
  return of_.block_bytes == 0 || std::memcmp(bytes, expected.data(), of_.block_bytes) == 0;
}

/// Adds the contributions of processors `first` to below `last`.
void ReductionResults::add_contributions(Sum& sum, std::uint64_t first, std::uint64_t last,
                                         NodeId destination) const {
  const std::size_t part = bytes_of_part(of_.block_bytes, of_.parts_per_block);
  Sum contribution(sum.size());
  for (std::uint64_t u = first; u < last; ++u) {
    payload_.fill(contribution.data(), Origin{u}, destination);
    add_blocks(sum.data(), sum.data(), contribution.data(), part, of_.parts_per_block);
  }
}

/// Running sums of the first 0, 64, 128, .. contributions, or the sum of all.
void ReductionResults::fill_kept() {
  const bool scan = of_.collective.operation == Operation::scan;
  Sum sum(padded_bytes(of_.block_bytes, of_.parts_per_block));
  if (!scan) add_contributions(sum, 0, of_.processors, NodeId{0});
  for (std::uint64_t i = 0; i < kept_sums(of_); ++i) {
    if (scan && i > 0) add_contributions(sum, (i - 1) * sums_apart, i * sums_apart, NodeId{0});
    std::copy(sum.begin(), sum.end(), kept_.begin() + static_cast<std::ptrdiff_t>(i * sum.size()));
  }
}

ReductionResults::Sum ReductionResults::result_for(NodeId destination) {
  Sum sum(padded_bytes(of_.block_bytes, of_.parts_per_block));
  const auto start_from = [&](std::uint64_t kept) {
    const auto first = kept_.begin() + static_cast<std::ptrdiff_t>(kept * sum.size());
    std::copy_n(first, sum.size(), sum.begin());
  };
  switch (of_.collective.operation) {
    case Operation::scan:
      start_from(index(destination) / sums_apart);
      add_contributions(sum, index(destination) / sums_apart * sums_apart, index(destination) + 1,
                        destination);
      break;
    case Operation::reduce_scatter:
      add_contributions(sum, 0, of_.processors, destination);
      break;
    default:
      start_from(0);
  }
  return sum;
}

}  // namespace lockstep
