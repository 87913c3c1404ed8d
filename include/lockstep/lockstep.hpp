// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The public headers, in data-flow order: who is linked to whom, what a processor does in a step,
/// the machine that runs it, the report. What fewer files need is included by name: the catalogue
/// (catalog/catalog.hpp), schedules (program/schedule_program.hpp), plans
/// (program/plan/, catalog/register_planned_algorithm.hpp), hosts and checks of one's own
/// (verify/), products and trees (topology/cartesian_product.hpp, topology/spanning_tree.hpp),
/// step_all() (machine/groups.hpp).

// IWYU pragma: begin_exports

// First, so that a compiler that quotes them does not list the headers that lead to them.
// clang-format off
#include "lockstep/topology/topology.hpp"
#include "lockstep/program/program_check.hpp"
#include "lockstep/machine/arrival.hpp"
#include "lockstep/machine/step_view.hpp"
#include "lockstep/catalog/run.hpp"
// clang-format on

#include "lockstep/collective/collective.hpp"
#include "lockstep/collective/payload.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/ids.hpp"
#include "lockstep/core/version.hpp"
#include "lockstep/cost/model.hpp"
#include "lockstep/machine/machine.hpp"
#include "lockstep/program/phases.hpp"
#include "lockstep/program/port_model.hpp"
#include "lockstep/program/program.hpp"
#include "lockstep/report/run_report.hpp"
#include "lockstep/topology/arc_classes.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/cayley_graph.hpp"
#include "lockstep/topology/cube_cycle_group.hpp"
#include "lockstep/topology/cyclic_networks.hpp"
#include "lockstep/topology/eisenstein_jacobi.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/mesh.hpp"
#include "lockstep/topology/metrics.hpp"
#include "lockstep/topology/network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/topology/switch_tree.hpp"
#include "lockstep/topology/symmetric_group_graph.hpp"
// IWYU pragma: end_exports
