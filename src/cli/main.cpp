// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.hpp"

int main(int argc, char** argv) { return lockstep::cli::run_program({argv + 1, argv + argc}); }
