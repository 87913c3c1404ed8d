// SPDX-License-Identifier: Apache-2.0
#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/queue_program.hpp"
#include "algorithm/fat_tree/rounds.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeDelivery);
template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeQueues);
template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeRounds);

}  // namespace lockstep::catalog
