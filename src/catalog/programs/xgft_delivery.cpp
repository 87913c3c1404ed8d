// SPDX-License-Identifier: Apache-2.0
#include "lockstep/algorithm/fat_tree/xgft_delivery.hpp"

#include "catalog/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Xgft&, XgftDelivery);

}  // namespace lockstep::catalog
