// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What the tables, the claims and the runs of the thesis's chapter on fat trees share.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/machine/send_event.hpp"
#include "lockstep/topology/fat_tree.hpp"
#include "papers/paper.hpp"

namespace lockstep::papers::fat_trees {

inline constexpr Operation all_gather = Operation::all_gather;
inline constexpr Operation exchange = Operation::total_exchange;

/// Arity and height: n = k^h leaves.
struct Tree {
  std::uint64_t k;
  std::uint64_t h;

  /// k^i
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t i) const noexcept {
    std::uint64_t leaves = 1;
    for (; i != 0; --i) leaves *= k;
    return leaves;
  }
  [[nodiscard]] constexpr std::uint64_t n() const noexcept { return below(h); }
  /// "fat-tree:3^2", "fat-tree:3^2,exponential"
  [[nodiscard]] std::string name(std::string_view capacities = "") const;
};

/// One run of the machine.
struct Job {
  std::string tree;
  Operation operation;
  std::string algorithm;
  Settings settings{};
};

/// Blocks of a byte, one worker; once: the result is kept.
[[nodiscard]] const RunResult& result_of(const Job& job);
[[nodiscard]] std::uint64_t steps_of(const Job& job);
/// Message times, rounded up.
[[nodiscard]] std::uint64_t bound_of(const Job& job);
[[nodiscard]] SendTrace trace_of(const Job& job);

/// "7 9 28 57"
[[nodiscard]] std::string listed(const std::vector<std::uint64_t>& numbers);
[[nodiscard]] std::string text(std::uint64_t number);
/// A row on that network, `size` leaves.
[[nodiscard]] PaperRow on(std::string network, std::uint64_t size, PaperRow row);
[[nodiscard]] PaperRow on(const Tree& tree, PaperRow row);

/// What is printed beside the steps that the machine counts, on the network of the job; where they
/// differ the erratum says why.
[[nodiscard]] PaperRow counted(std::string where, std::string quantity, const Tree& tree,
                               std::uint64_t printed, const Job& job, unsigned erratum = 0);
/// A picture that is not at hand.
[[nodiscard]] PaperRow lost(std::string where, std::string quantity);

// What the thesis prints.
[[nodiscard]] std::uint64_t printed_broadcast(const Tree& tree);
[[nodiscard]] std::uint64_t printed_scatter(const Tree& tree);
[[nodiscard]] std::uint64_t printed_all_gather(const Tree& tree);
/// n^2 (2k+1)(k-1)/k^3 + 2h - 3
[[nodiscard]] std::uint64_t printed_exchange(const Tree& tree);
/// (6.4) and (6.5), of capacities c_1, .., c_h
[[nodiscard]] std::uint64_t printed_cut(const Tree& tree, std::uint64_t top_capacity);
[[nodiscard]] std::uint64_t printed_phases(const Tree& tree,
                                           const std::vector<std::uint64_t>& capacities);

[[nodiscard]] PaperRows table_6_1();
[[nodiscard]] PaperRows table_6_2();
[[nodiscard]] PaperRows single_port_claims();
[[nodiscard]] PaperRows discussion_claims();
[[nodiscard]] PaperRows gather_claims();
[[nodiscard]] PaperRows exchange_claims();
/// Ours: all operations on small trees, both port models; and by arity for the same leaves.
[[nodiscard]] PaperRows small_trees();
[[nodiscard]] PaperRows arities();

}  // namespace lockstep::papers::fat_trees
