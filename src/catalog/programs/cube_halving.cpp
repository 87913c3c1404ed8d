// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_reduce/halving_doubling.hpp"
#include "algorithm/reduce_scatter/recursive_halving.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeHalvingDoubling::Program);
template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeRecursiveHalving::Program);

}  // namespace lockstep::catalog
