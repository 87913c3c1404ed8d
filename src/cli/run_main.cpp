// SPDX-License-Identifier: Apache-2.0

/// `lockstep run` alone, which tools/lockstep builds first: a third of the build's time is for the
/// other commands.

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace lockstep::cli;
  constexpr Command commands[]{run_command};
  return run_program(commands, argc, argv);
}
