// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random scripts for random networks, among them some with hubs, lanes and switches, under random
/// port models.
///
///     for_all(30, [](Random& random) { return script_case(random, {.send = 20}); }, check);

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/hypercube.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/scripted_program.hpp"

namespace lockstep::test {

/// Three leaves with links of one, two and four lanes, and some with one.
inline Network hub_with_lanes() {
  std::vector<Link> links;
  for (const std::uint64_t leaf : {1U, 2U, 2U, 3U, 3U, 3U, 3U, 4U, 5U, 6U, 7U})
    links.push_back({NodeId{0}, NodeId{leaf}});
  return build_network("hub with lanes", 8, links);
}

/// Eight processors below four switches below two, which have two lanes to the highest.
inline Network switched_tree() {
  std::vector<Link> links;
  for (std::uint64_t leaf = 0; leaf < 8; ++leaf)
    links.push_back({NodeId{leaf}, NodeId{8 + leaf / 2}});
  for (std::uint64_t below = 0; below < 4; ++below)
    links.push_back({NodeId{8 + below}, NodeId{12 + below / 2}});
  for (const std::uint64_t below : {12U, 12U, 13U, 13U})
    links.push_back({NodeId{below}, NodeId{14}});
  return build_network("switched tree", 15, links, 8);
}

inline Job random_job(Random& random) {
  return {.model = port_models::all[uniform(random, 0, port_models::all.size() - 1)],
          .block_bytes = uniform(random, 0, 17),
          .verify = uniform(random, 0, 1) == 0 ? VerifyKind::exact : VerifyKind::digest,
          .stop_at_violation = uniform(random, 0, 1) == 0};
}

inline std::string name_of(const Job& job) {
  return std::string(job.model.name) + (job.stop_at_violation ? ", stops" : ", goes on");
}

struct ScriptCase {
  Network network;
  Script script;
  Job job;
};

/// Every node its own sends, on any network, under any port model.
inline ScriptCase script_case(Random& random, const ScriptChances& chances) {
  static const std::vector<Network> networks{build_network(StarGraph(3)),
                                             build_network(StarGraph(4)),
                                             build_network(Ring(3)),
                                             build_network(Ring(8)),
                                             build_network(Hypercube(4)),
                                             hub_with_lanes(),
                                             switched_tree()};
  const Network& network = networks[uniform(random, 0, networks.size() - 1)];
  return {network, random_script(random, network, uniform(random, 0, 5), chances),
          random_job(random)};
}

}  // namespace lockstep::test
