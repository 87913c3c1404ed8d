// SPDX-License-Identifier: Apache-2.0
#include "algorithm/broadcast/ej_single_port_tree.hpp"
#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&, EjTreeBroadcast);
template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&,
                                                 EjSinglePortTree::Program);

}  // namespace lockstep::catalog
