// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/all_reduce/recursive_doubling.hpp"
#include "lockstep/algorithm/scan/recursive_doubling.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeRecursiveDoubling::Program);
template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeScan::Program);

}  // namespace lockstep::catalog
