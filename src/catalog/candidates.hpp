// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which algorithms a request leaves to choose from, and on which machine they compete.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog_line.hpp"

namespace lockstep::catalog {

using Lines = std::vector<const CatalogLine*>;

/// Algorithms that compete on one machine, in the order of the catalogue. Those that declare a
/// stronger port model compete if they keep the rules of the machine all the same.
struct Candidates {
  Lines lines{};
  std::optional<PortModel> port_model{};  ///< of the machine; empty: what the algorithm needs
  bool own_family = false;                ///< algorithms for any network are left out
  bool asked_for = false;                 ///< the request selects the algorithm

  [[nodiscard]] bool declares(const AlgorithmInfo& info) const {
    return asked_for || !port_model || port_model->admits(info.model);
  }
};

/// A request leaves all parameters of all algorithms open, so that every variant competes. A total
/// exchange at assumed costs takes the defaults.
[[nodiscard]] bool opens_variants(const RunRequest& request);
/// The error where no algorithm keeps the rules of a port model.
[[nodiscard]] std::string no_algorithm_for(const PortModel& model, const Lines& lines,
                                           const RunRequest& request);

/// Runs without anything that only the user has.
[[nodiscard]] bool runs_by_itself(const CatalogLine& line);

/// An algorithm that the request names, or that a setting selects, is the only candidate. Otherwise
/// all algorithms compete that take all settings. Without a port model in the request, there is a
/// machine for every port model that the algorithms need, and the first machine is used on which
/// one of them can run. For a total exchange at assumed costs, algorithms for any network compete
/// after the others. The result is empty if all of `found` need a user's plan. Throws
/// InvalidParameter for an unknown name. Precondition: `found` are the algorithms for network and
/// operation, at least one.
[[nodiscard]] std::vector<Candidates> candidates_of(const Lines& found, const RunRequest& request);

/// Networks of more ports than this have plans made for the first candidate only: a run of one
/// message for every node would hardly take longer than the plans of the others.
inline constexpr std::uint64_t most_planned_ports = std::uint64_t{1} << 16U;
/// The same where every node has a message for every other.
inline constexpr std::uint64_t most_planned_ports_of_all_to_all = std::uint64_t{1} << 20U;
/// Why the others are not planned.
inline constexpr std::string_view too_many_ports =
    "this network is too large to plan all algorithms";
/// Whether plans take a small part of the time of a run.
[[nodiscard]] bool plans_are_small(const RunRequest& request);

/// The algorithm and settings of the least time by the costs of the request, in the order of
/// catalog/ranking.hpp, on the first machine on which an algorithm can run. Algorithms that need
/// too much memory come after the others, and then those whose cost is neither promised nor
/// counted by a trial. If no algorithm can run, throws the reason: InvalidParameter,
/// ResourceExhausted or std::bad_alloc.
[[nodiscard]] Choice cheapest(std::span<const Candidates> machines, const RunRequest& request);

/// The promise of the algorithm of the request, with defaults for all settings that the request
/// leaves open; empty if it promises nothing. Nothing else is searched or planned for it. Throws
/// InvalidParameter if the algorithm refuses the request.
[[nodiscard]] std::optional<Promise> promise_of(const RunRequest& request);

}  // namespace lockstep::catalog
