// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The program types whose machines are instantiated in files of this folder. Those of a family are
/// compiled together, families side by side (src/CMakeLists.txt). Any other type is instantiated
/// where its algorithm has its line.

#include <memory>

#include "algorithm/all_gather/star_mesh.hpp"
#include "algorithm/broadcast/ej_single_port_tree.hpp"
#include "algorithm/broadcast/ej_tree_broadcasts.hpp"
#include "algorithm/cube_reductions.hpp"
#include "algorithm/fat_tree/delivery_program.hpp"
#include "algorithm/fat_tree/queue_program.hpp"
#include "algorithm/fat_tree/rounds.hpp"
#include "algorithm/many_to_all/aggregation.hpp"
#include "algorithm/many_to_all/edst.hpp"
#include "algorithm/many_to_all/ring2d.hpp"
#include "algorithm/torus_rings.hpp"
#include "lockstep/catalog/detail/program_of.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/star_graph.hpp"

namespace lockstep::catalog {

extern template std::unique_ptr<AnyProgram> any_program(const StarGraph&, StarMesh::Program);
extern template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&,
                                                        EjTreeBroadcast);
extern template std::unique_ptr<AnyProgram> any_program(const EisensteinJacobiNetwork&,
                                                        EjSinglePortTree::Program);
extern template std::unique_ptr<AnyProgram> any_program(const Hypercube&, CubeExchange);
extern template std::unique_ptr<AnyProgram> any_program(const Torus&, TorusRingReduce::Program);
extern template std::unique_ptr<AnyProgram> any_program(const Torus&, Aggregation::Program);
extern template std::unique_ptr<AnyProgram> any_program(const Torus&, Ring2d::Program);
extern template std::unique_ptr<AnyProgram> any_program(const Torus&, Edst::Program);
extern template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeDelivery);
extern template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeQueues);
extern template std::unique_ptr<AnyProgram> any_program(const SwitchTree&, FatTreeRounds);

}  // namespace lockstep::catalog
