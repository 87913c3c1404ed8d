// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

#include <array>

namespace lockstep::cli {

std::span<const Command> commands() {
  static constexpr std::array table{
      Command{"run", "Run one collective operation; what moved, what it cost, proof of delivery",
              declare_run},
      Command{"list", "List topologies, operations, algorithms and channels", declare_list},
      Command{"show", "Show a topology, or one node of it", declare_show},
  };
  return table;
}

}  // namespace lockstep::cli
