// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/ring2d.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Torus&, Ring2d::Program);

}  // namespace lockstep::catalog
