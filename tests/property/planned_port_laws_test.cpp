// SPDX-License-Identifier: Apache-2.0

/// Laws of port models and of the bound on time, over the whole catalogue: where a plan says
/// without a run which port models it keeps, the machine says the same; and no legal run takes less
/// time than the bound, at any ratio of start-up time to time per block.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "catalog/candidates.hpp"
#include "catalog/trial.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/cost/model.hpp"

namespace lockstep {
namespace {

constexpr std::array planned_networks{"hypercube:3", "torus:3x3",     "mesh:2x3",
                                      "star:3",      "petersen",      "fat-tree:2^2",
                                      "ej:1+2",      "kary-tree:2^2", "random-regular:8,3,1"};
constexpr std::array run_models{port_models::single_port, port_models::all_port,
                                port_models::all_port_half_duplex,
                                port_models::single_port_half_duplex};
constexpr std::array ratios{0.01, 0.3, 1.0, 20.0, 1000.0};

struct Counts {
  std::uint64_t settled = 0;
  std::uint64_t unlawful = 0;
  std::uint64_t timed = 0;
};

void expect_no_less_than_bound(const RunForecast& run, const RunResult& result,
                               const std::string& what, Counts& counts) {
  if (!run.lower_bound || !result.judgement.deliveries.complete()) return;
  for (const double ratio : ratios) {
    const CostParameters costs{.t_s = ratio, .t_m = 1};
    constexpr double rounding = 1e-9;
    EXPECT_GE(modelled(result.cost, costs, run.block_bytes) * (1 + rounding),
              least_time(*run.lower_bound, costs))
        << what << " at t_s/t_m = " << ratio;
    ++counts.timed;
  }
}

/// The request names its algorithm and its port model.
void expect_laws(const RunRequest& request, Counts& counts) {
  const std::string what = request.topology.name() + " " + std::string(name_of(request.operation)) +
                           " by " + request.algorithm + ", " +
                           std::string(request.port_model->name);
  const auto run = prepare(request, false);
  const RunResult result = run->execute();
  if (result.record.legal()) expect_no_less_than_bound(run->forecast(), result, what, counts);
  using Outcome = catalog::Trial::Outcome;
  const Outcome outcome = catalog::trial_of(request, catalog::most_trial_seconds).outcome;
  if (outcome != Outcome::lawful && outcome != Outcome::unlawful) return;
  ++counts.settled;
  if (outcome == Outcome::unlawful) ++counts.unlawful;
  EXPECT_EQ(outcome == Outcome::lawful, result.record.legal()) << what;
}

TEST(PlannedPortLaws, PlansAndTheMachineAgree) {
  Counts counts;
  for (const char* const name : planned_networks) {
    const AnyTopology network(name);
    for (const OperationInfo& info : operation_catalog())
      for (const AlgorithmInfo& algorithm : algorithms_for(network, info.operation))
        for (const PortModel& model : run_models) {
          RunRequest request{.topology = network, .operation = info.operation};
          request.algorithm = std::string(algorithm.name);
          request.port_model = model;
          request.block_bytes = 64;
          try {
            expect_laws(request, counts);
          } catch (const InvalidParameter&) {  // has no variant for this port model
          }
        }
  }
  EXPECT_GT(counts.settled, 1'000U);
  EXPECT_GT(counts.unlawful, 200U);
  EXPECT_GT(counts.timed, 5'000U);
}

}  // namespace
}  // namespace lockstep
