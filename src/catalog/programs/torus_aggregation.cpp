// SPDX-License-Identifier: Apache-2.0
#include "algorithm/many_to_all/aggregation.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Torus&, Aggregation::Program);

}  // namespace lockstep::catalog
