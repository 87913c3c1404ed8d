// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/all_reduce/halving_doubling.hpp"
#include "lockstep/algorithm/reduce_scatter/recursive_halving.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeHalvingDoubling::Program);
template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeRecursiveHalving::Program);

}  // namespace lockstep::catalog
