// SPDX-License-Identifier: Apache-2.0
/// A permutation routed on a mesh: a collective of one's own, pair by pair, and what waited where.
#include "mesh_routing.hpp"

#include <iostream>
using namespace lockstep;

int main() {
  const Mesh mesh({8, 8});
  std::vector<BlockPair> pairs;  // everybody to where a transposed matrix has its element
  for (std::uint64_t u = 0; u < 64; ++u) pairs.push_back({Origin{u}, NodeId{u % 8 * 8 + u / 8}});
  const RunReport report =
      run(mesh, MeshRouting{mesh, pairs}, {Operation::partial_exchange, {}, Pattern::pairs(pairs)},
          {.model = port_models::all_port, .name = "dimension order"});
  std::cout << to_text(report);
  return report.result.ok() ? 0 : 1;
}
