// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_gather/star_mesh.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const StarGraph&, StarMesh::Program);

}  // namespace lockstep::catalog
