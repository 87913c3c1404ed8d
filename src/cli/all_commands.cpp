// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/commands.hpp"
#include "lockstep/cli/main.hpp"

namespace lockstep::cli {
namespace {

/// In the order of `lockstep --help`.
constexpr std::array program_commands{
    run_command,
    Command{.name = "sweep",
            .summary =
                "Run a grid of networks, algorithms, parameters and block sizes; one row per run",
            .declare = declare_sweep,
            .shares = true},
    Command{.name = "compare",
            .summary = "Run all algorithms of an operation and compare them with the lower bounds",
            .declare = declare_compare,
            .shares = true},
    Command{"tune",
            "Find the best algorithm and parameters for given t_s and t_m, or for this host",
            declare_tune},
    Command{"calibrate", "Fit the cost model of this host, which predicts wall times",
            declare_calibrate},
    Command{"reproduce", "Recompute the tables and figures of a paper beside the printed values",
            declare_reproduce},
    Command{"table", "Build, search, check or show exchange tables of star graphs", declare_table},
    Command{.name = "stress",
            .summary = "Run random programs, faults and violations against a reference machine",
            .declare = declare_stress,
            .shares = true},
    Command{"list", "List topologies, operations, algorithms, terms and more", declare_list},
    Command{"show", "Show a topology or one of its nodes", declare_show},
    Command{"man-page", "Print the manual page", declare_man_page, true},
};

}  // namespace
}  // namespace lockstep::cli

int lockstep::lockstep_main(int argc, char** argv) {
  return cli::run_program(cli::program_commands, argc, argv);
}
