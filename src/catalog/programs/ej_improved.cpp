// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/ej_improved.hpp"

#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&,
                                                 EjImproved::Program);

}  // namespace lockstep::catalog
