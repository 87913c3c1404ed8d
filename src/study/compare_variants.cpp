// SPDX-License-Identifier: Apache-2.0
#include "study/compare_variants.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"

namespace lockstep::study {
namespace {

/// Requests whose costs are known beforehand, and these costs.
struct Candidates {
  std::vector<RunRequest> requests;
  std::vector<Promise> costs;

  void add(const RunRequest& request) {
    try {
      const std::optional<Promise> cost = prepare(request, false)->estimate().predicted;
      if (!cost) return;
      requests.push_back(request);
      costs.push_back(*cost);
    } catch (const InvalidParameter&) {
      return;  // not a choice on this network
    }
  }

  /// Index of the cheapest for that host; empty where there is none.
  [[nodiscard]] std::optional<std::size_t> cheapest(const CostParameters& host) const {
    const auto best =
        std::min_element(costs.begin(), costs.end(), [&](const Promise& a, const Promise& b) {
          return predicted(a, host) < predicted(b, host);
        });
    if (best == costs.end()) return std::nullopt;
    return static_cast<std::size_t>(best - costs.begin());
  }

  /// The cheapest at any of the ratios, each once.
  [[nodiscard]] std::vector<RunRequest> winners(const CostParameters& host) const {
    std::set<std::size_t> chosen;
    for (const NamedRatio& ratio : paper_ratios)
      if (const auto best = best_at(ratio.exact(), {costs.begin(), costs.end()}))
        chosen.insert(*best);
    if (const auto best = cheapest(host)) chosen.insert(*best);
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
    for (const Settings& settings : choices) candidates.add(with(plain, settings));
    for (RunRequest& request : candidates.winners(host)) list.push_back(std::move(request));
  }
}

}  // namespace

std::vector<RunRequest> compare_variants(const RunRequest& base, const CostParameters& host) {
  const std::vector<AlgorithmInfo> algorithms = algorithms_for(base.topology, base.operation);
  if (algorithms.empty()) (void)prepare(base, false);  // says so
  std::vector<RunRequest> variants;
  for (const AlgorithmInfo& info : algorithms) {
    RunRequest plain = base;
    plain.algorithm = std::string(info.name);
    add_variants(variants, plain, host);
  }
  return variants;
}

}  // namespace lockstep::study
