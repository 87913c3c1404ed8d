// SPDX-License-Identifier: Apache-2.0

/// What `lockstep compare` runs: all algorithms, and of each what is worth running.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "lockstep/algorithm/many_to_all/placement.hpp"
#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"
#include "study/comparison.hpp"

namespace lockstep::study {
namespace {

/// Requests whose costs are known beforehand, and these costs.
struct Candidates {
  std::vector<RunRequest> requests;
  std::vector<Cost> costs;    ///< control words as parts of blocks
  std::vector<double> times;  ///< for the host

  void add(const RunRequest& request, const CostParameters& host) {
    try {
      const auto run = prepare(request, false);
      const RunEstimate& before = run->estimate();
      if (!before.predicted) return;
      requests.push_back(request);
      const Cost paid = before.charged(*before.predicted, before.footprint.steps);
      costs.push_back(words_as_blocks(paid, before.block_bytes));
      times.push_back(predicted(paid, host, before.block_bytes));
    } catch (const InvalidParameter&) {
      return;  // not a choice on this network
    }
  }

  /// The cheapest at any of the ratios and for that host, each once.
  [[nodiscard]] std::vector<RunRequest> winners() const {
    std::set<std::size_t> chosen;
    for (const NamedRatio& ratio : compared_ratios)
      if (const auto best = best_at(ratio.exact(), costs)) chosen.insert(*best);
    if (!times.empty())
      chosen.insert(static_cast<std::size_t>(std::ranges::min_element(times) - times.begin()));
    std::vector<RunRequest> list;
    list.reserve(chosen.size());
    for (const std::size_t i : chosen) list.push_back(requests[i]);
    return list;
  }
};

[[nodiscard]] RunRequest with(RunRequest request, const Settings& settings) {
  for (const auto& [name, value] : settings) request.settings[name] = value;
  return request;
}

/// What the algorithm says of itself; the request alone where it refuses that.
void add_variants(std::vector<RunRequest>& list, const RunRequest& plain,
                  const CostParameters& host) {
  Variants variants{.all = {{}}, .cheapest_of = {}};
  try {
    variants = prepare(plain, false)->variants();
  } catch (const InvalidParameter&) {
    list.push_back(plain);  // the run will say why
    return;
  }
  for (const Settings& settings : variants.all) list.push_back(with(plain, settings));
  for (const std::vector<Settings>& choices : variants.cheapest_of) {
    Candidates candidates;
    for (const Settings& settings : choices) candidates.add(with(plain, settings), host);
    for (RunRequest& request : candidates.winners()) list.push_back(std::move(request));
  }
}

}  // namespace

std::vector<RunRequest> compare_variants(const RunRequest& base, const CostParameters& host) {
  const std::vector<AlgorithmInfo> algorithms = algorithms_for(base.topology, base.operation);
  if (algorithms.empty()) (void)prepare(base, false);  // says so
  std::vector<RunRequest> variants;
  RunRequest definite = base;  // the same task for all
  if (const auto* const torus = base.topology.as<Torus>()) fix_homes(definite.settings, *torus);
  for (const AlgorithmInfo& info : algorithms) {
    RunRequest plain = definite;
    plain.algorithm = std::string(info.name);
    add_variants(variants, plain, host);
  }
  return variants;
}

}  // namespace lockstep::study
