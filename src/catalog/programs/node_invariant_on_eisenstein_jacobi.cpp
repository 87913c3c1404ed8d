// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/eisenstein_jacobi_network.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&,
                                                 NodeInvariantProgram<EisensteinJacobiNetwork>);

}  // namespace lockstep::catalog
