// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/reduce_scatter/tree.hpp"
#include "lockstep/algorithm/scan/tree.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, TreeReduceScatter::Program);
template std::unique_ptr<AnyProgram> any_program(const ErasedTopology&, TreeScan::Program);

}  // namespace lockstep::catalog
