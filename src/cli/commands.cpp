// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <array>

namespace lockstep::cli {

std::span<const Command> commands() {
  static constexpr std::array table{
      Command{"run", "Run one collective operation; what moved, what it cost, proof of delivery",
              declare_run},
      Command{"sweep", "Run a grid of sizes, algorithms, packing factors, bytes; a row per run",
              declare_sweep},
      Command{"compare", "Run all algorithms for an operation, side by side, beside the bound",
              declare_compare},
      Command{"reproduce", "Every table and figure of a paper, ours beside printed",
              declare_reproduce},
      Command{"table", "Exchange tables of star graphs: build, search, check, show", declare_table},
      Command{"stress", "Random runs under hostile schedules and injected faults", declare_stress},
      Command{"list", "List topologies, operations, algorithms and channels", declare_list},
      Command{"show", "Show a topology, or one node of it", declare_show},
  };
  return table;
}

}  // namespace lockstep::cli
