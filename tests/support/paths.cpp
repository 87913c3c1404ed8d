// SPDX-License-Identifier: Apache-2.0

/// The paths of this build that tests read and run: in one source, so that no other is compiled
/// anew where the project stands in another folder.

#include "support/golden.hpp"
#include "support/program.hpp"

namespace lockstep::test {

std::string golden_folder() { return LOCKSTEP_GOLDEN_FOLDER; }
std::string program_path() { return LOCKSTEP_PROGRAM; }

}  // namespace lockstep::test
