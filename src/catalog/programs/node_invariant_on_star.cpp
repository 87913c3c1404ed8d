// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/star_translations.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const StarGraph&, NodeInvariantProgram<StarGraph>);

}  // namespace lockstep::catalog
