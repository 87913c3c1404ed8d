// SPDX-License-Identifier: Apache-2.0
#include "study/compare_variants.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "study/best_choice.hpp"
#include "study/factor_choices.hpp"

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
      if (const auto best = best_at(ratio.exact(), costs)) chosen.insert(*best);
    if (const auto best = cheapest(host)) chosen.insert(*best);
    std::vector<RunRequest> list;
    for (const std::size_t i : chosen) list.push_back(requests[i]);
    return list;
  }
};

[[nodiscard]] RunRequest with(RunRequest request, const Factors& k, std::uint64_t batch) {
  request.parameters.k = k;
  request.parameters.batch = batch;
  return request;
}

/// Every single factor; then what wins of chains and of batches.
void add_packing(std::vector<RunRequest>& variants, const RunRequest& plain,
                 const AlgorithmInfo& info, const CostParameters& host) {
  const std::vector<Factors> singles = single_factors(plain);
  Candidates chains;
  Candidates batched;
  for (const Factors& k : singles) {
    variants.push_back(with(plain, k, 1));
    if (info.batches && k.front() > 1) batched.add(with(plain, k, automatic_batch));
  }
  const std::size_t largest = singles.empty() ? 0 : singles.back().front();
  for (const Factors& chain : chains_up_to(largest)) chains.add(with(plain, chain, 1));
  for (const Candidates* candidates : {&chains, &batched})
    for (RunRequest& request : candidates->winners(host)) variants.push_back(std::move(request));
}

/// All cost the same; they differ in the queue they need.
void add_disciplines(std::vector<RunRequest>& variants, RunRequest request) {
  for (const QueueDiscipline discipline : all_queue_disciplines) {
    request.parameters.discipline = discipline;
    variants.push_back(request);
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
    if (info.packs)
      add_packing(variants, plain, info, host);
    else if (info.queues)
      add_disciplines(variants, plain);
    else
      variants.push_back(plain);
  }
  return variants;
}

}  // namespace lockstep::study
