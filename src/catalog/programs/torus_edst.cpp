// SPDX-License-Identifier: Apache-2.0
#include "catalog/program_of.hpp"
#include "lockstep/algorithm/many_to_all/edst.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Torus&, Edst::Program);

}  // namespace lockstep::catalog
