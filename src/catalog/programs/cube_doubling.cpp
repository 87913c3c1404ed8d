// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_reduce/recursive_doubling.hpp"
#include "algorithm/scan/recursive_doubling.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeRecursiveDoubling::Program);
template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeScan::Program);

}  // namespace lockstep::catalog
