// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/fat_tree/delivery_program.hpp"
#include "lockstep/algorithm/fat_tree/on_spanning_tree.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Xgft&, SpanningTreeProgram<FatTreeDelivery>);

}  // namespace lockstep::catalog
