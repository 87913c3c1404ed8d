// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Known figures of Eisenstein-Jacobi networks, tests/golden/ej; ask golden() for the rows. Columns
/// a, b, n name the network EJ_(a + b rho)^(n); lists are separated by blanks (numbers(column)).
///
///   topology.csv               a b nodes diameter distance_distribution sum_of_distances
///                              average_numerator average_denominator leaves_per_weight
///                              sector_sizes non_leaf_nodes g m t neighbours_of_0
///                              neighbours_of_last weights_checksum parent_ports_checksum
///                              several_minimal
///   trees.csv                  a b weights parent_ports (of residues 1, 2, ..) child_masks
///   one_to_all.csv             a b n nodes degree steps messages; iterative_ and improved_
///                              senders, average_numerator, average_denominator
///   one_to_all_steps.csv       a b n algorithm; a list over the steps each: senders receivers
///                              active free
///   single_port_broadcast.csv  a b n tree_steps lower_bound
///   single_port_matching.csv   a b n tree_steps matching_steps lower_bound
///   all_gather.csv             a b n algorithm steps received missing steps_per_phase
///                              largest_loads sum_of_largest_loads
///   all_gather_loads.csv       a b n algorithm phase dimension port loads
///   all_gather_bounds.csv      a b n full_duplex half_duplex single_port
///   total_exchange.csv         a b n sum_of_distances single_port_steps all_port_lower_bound
///   total_exchange_all_port.csv  a b n full_duplex half_duplex
///   senders.csv                n iterative improved: table 3
///   averages.csv               algorithm step senders receivers active: figures 19 to 21
///
///     for (const GoldenRow& row : golden("ej/one_to_all.csv"))
///       run(ej_topology(row), "broadcast", row.number("steps"));   // "ej:3+4^2"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/golden.hpp"

namespace lockstep::test {

/// As the catalogue names it: "ej:3+4", "ej:3+4^2".
inline std::string ej_topology(const GoldenRow& row, const std::string& dimensions) {
  const std::string one = "ej:" + row.text("a") + "+" + row.text("b");
  return dimensions == "1" ? one : one + "^" + dimensions;
}
inline std::string ej_topology(const GoldenRow& row) { return ej_topology(row, row.text("n")); }

/// The counts of steps 1, 2, .. of a broadcast.
struct EjSteps {
  std::vector<std::uint64_t> senders;
  std::vector<std::uint64_t> receivers;
  std::vector<std::uint64_t> active;
  std::vector<std::uint64_t> free;
};

/// `row` of one_to_all_steps.csv.
inline EjSteps ej_steps(const GoldenRow& row) {
  return {row.numbers("senders"), row.numbers("receivers"), row.numbers("active"),
          row.numbers("free")};
}

/// The rows of that network and (unless empty) algorithm; throws where there are none.
inline std::vector<GoldenRow> ej_rows(const std::string& file, const std::string& topology,
                                      const std::string& algorithm = {}) {
  std::vector<GoldenRow> chosen;
  for (const GoldenRow& row : golden("ej/" + file))
    if (ej_topology(row) == topology && (algorithm.empty() || row.text("algorithm") == algorithm))
      chosen.push_back(row);
  if (chosen.empty()) throw std::runtime_error(file + ": nothing on " + topology);
  return chosen;
}

}  // namespace lockstep::test
