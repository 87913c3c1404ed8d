// SPDX-License-Identifier: Apache-2.0
#include "algorithm/cube_reductions.hpp"
#include "algorithm/many_to_all/aggregation.hpp"
#include "algorithm/many_to_all/edst.hpp"
#include "algorithm/many_to_all/ring2d.hpp"
#include "algorithm/torus_rings.hpp"
#include "lockstep/catalog/detail/program_of.hpp"

namespace lockstep::catalog {

template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeExchange);
template std::unique_ptr<AnyProgram> any_program(const Torus&, TorusRingReduce::Program);
template std::unique_ptr<AnyProgram> any_program(const Torus&, Aggregation::Program);
template std::unique_ptr<AnyProgram> any_program(const Torus&, Edst::Program);
template std::unique_ptr<AnyProgram> any_program(const Torus&, Ring2d::Program);

}  // namespace lockstep::catalog
