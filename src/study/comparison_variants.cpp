// SPDX-License-Identifier: Apache-2.0

/// The runs of `lockstep compare`: all algorithms, each with the variants that are worth running.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "catalog/candidates.hpp"
#include "catalog/open_variants.hpp"
#include "catalog/ranking.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"
#include "study/compared_algorithms.hpp"
#include "study/comparison.hpp"

namespace lockstep::study {
namespace {

[[nodiscard]] RunRequest with(RunRequest request, const Settings& settings) {
  request.settings = catalog::with(std::move(request.settings), settings);
  return request;
}

/// The choices that are the cheapest at any of the ratios or for that host, each once, by promised
/// costs.
[[nodiscard]] std::vector<RunRequest> cheapest_of(const std::vector<Settings>& choices,
                                                  const RunRequest& plain,
                                                  const CostParameters& host) {
  std::vector<RunRequest> requests;
  std::vector<catalog::Ranked> ranks;
  for (const Settings& settings : choices) {
    try {
      RunRequest request = with(plain, settings);
      const auto promise = catalog::promise_of(request);
      if (!promise) continue;
      requests.push_back(std::move(request));
      ranks.push_back({promise->charged});
    } catch (const InvalidParameter&) {
      continue;  // not a choice on this network
    }
  }
  std::set<std::size_t> chosen;
  for (const Ranking& ranking : rankings_with(compared_ratios, host))
    if (!ranks.empty())
      chosen.insert(catalog::first_of(ranks, ranking.costs, definite_block_bytes(plain)));
  std::vector<RunRequest> list;
  for (const std::size_t i : chosen) list.push_back(std::move(requests[i]));
  return list;
}

/// The variants that the algorithm states. Throws InvalidParameter if it refuses the network.
[[nodiscard]] std::vector<RunRequest> variants_of(const RunRequest& plain,
                                                  const CostParameters& host) {
  std::vector<RunRequest> list;
  const Variants variants = catalog::open_variants(plain);
  for (const Settings& settings : variants.all) list.push_back(with(plain, settings));
  for (const std::vector<Settings>& choices : variants.cheapest_of)
    std::ranges::move(cheapest_of(choices, plain, host), std::back_inserter(list));
  return list;
}

}  // namespace

ComparedRuns compare_variants(const RunRequest& base, const CostParameters& host) {
  ComparedRuns runs;
  const Task task = task_of(base);
  std::optional<InvalidParameter> refused;
  for (const AlgorithmInfo& info : task.algorithms) {
    const RunRequest plain = request_for(info, task.request);
    try {
      if (const std::string reason = unfilled_parts(info, task.request); !reason.empty())
        throw InvalidParameter(reason);
      if (info.own_model_only && base.port_model && !base.port_model->admits(info.model))
        throw invalid("needs the port model {}", info.model.name);
      for (RunRequest& request : variants_of(plain, host))
        runs.requests.push_back(std::move(request));
    } catch (const InvalidParameter& problem) {
      if (has_own_file(plain)) throw;
      runs.left_out.push_back({plain.algorithm, problem.what()});
      if (!refused) refused = problem;
    } catch (const ResourceExhausted&) {
      runs.requests.push_back(plain);  // the run will say why
    }
  }
  if (runs.requests.empty()) throw *refused;
  return runs;
}

}  // namespace lockstep::study
