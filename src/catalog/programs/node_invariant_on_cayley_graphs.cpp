// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/any_cayley.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const AnyCayley&, NodeInvariantProgram<AnyCayley>);

}  // namespace lockstep::catalog
