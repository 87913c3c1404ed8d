// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The command line as a function, for programs that register algorithms of their own
/// (lockstep/catalog/register_algorithm.hpp). Link with lockstep::command_line.

namespace lockstep {

/// Carries out one command, `argv[1]` and what follows; returns the exit code of the process.
[[nodiscard]] int lockstep_main(int argc, char** argv);

}  // namespace lockstep
