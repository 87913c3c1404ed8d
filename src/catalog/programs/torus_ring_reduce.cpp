// SPDX-License-Identifier: Apache-2.0
#include "algorithm/all_reduce/torus_ring_by_ring.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Torus&, TorusRingReduce::Program);

}  // namespace lockstep::catalog
