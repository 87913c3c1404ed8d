// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/fat_tree/on_spanning_tree.hpp"
#include "lockstep/algorithm/fat_tree/queue_program.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Xgft&, SpanningTreeProgram<FatTreeQueues>);

}  // namespace lockstep::catalog
