// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Random scripts for random networks, among them some with hubs, lanes and switches, under random
/// port models.
///
///     for_all(30, [](Random& random) { return script_case(random, {.send = 20}); }, check);

#include "support/cases.hpp"
#include "support/jobs.hpp"
#include "support/scripts.hpp"

namespace lockstep::test {

inline Job random_job(Random& random) {
  return {.model = random.one_of(port_models::all),
          .block_bytes = uniform(random, 1, 17),
          .verify = uniform(random, 0, 1) == 0 ? VerifyKind::exact : VerifyKind::digest,
          .stop_at_violation = uniform(random, 0, 1) == 0};
}

struct ScriptCase {
  Network network;
  Script script;
  Job job;
};

/// Every node its own sends, on any network, under any port model.
inline ScriptCase script_case(Random& random, const ScriptChances& chances) {
  const Network& network = random.one_of(some_networks());
  return {network, random_script(random, network, uniform(random, 0, 5), chances),
          random_job(random)};
}

}  // namespace lockstep::test
