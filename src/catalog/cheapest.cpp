// SPDX-License-Identifier: Apache-2.0

/// What a request leaves open, by the exact costs that the algorithms promise.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>

#include "catalog/catalog_line.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {
namespace {

/// What there is to choose from, and what is promised of it.
struct Offer {
  const CatalogLine* line = nullptr;
  Settings chosen{};
  double time = 0;

  [[nodiscard]] std::string name() const {
    const AlgorithmInfo& info = line->entry.info;
    return std::string(info.name) + phrases_of(info.parameters, chosen);
  }
};

[[nodiscard]] std::vector<Offer> offers_of(std::span<const CatalogLine* const> lines,
                                           const RunRequest& request) {
  std::vector<Offer> offers;
  for (const CatalogLine* line : lines) {
    std::vector<Settings> open = line->choices(request.topology, request.settings);
    if (open.empty()) open.emplace_back();
    for (Settings& settings : open) offers.push_back({line, std::move(settings)});
  }
  return offers;
}

[[nodiscard]] Settings with(Settings settings, const Settings& chosen) {
  for (const auto& [name, value] : chosen) settings[name] = value;
  return settings;
}

/// More than any where nothing is promised.
[[nodiscard]] double time_of(const Offer& offer, const Algorithm& algorithm,
                             const CostParameters& costs) {
  const std::optional<Cost> promise = algorithm.promise();
  if (!promise) return std::numeric_limits<double>::infinity();
  return predicted(offer.line->entry.info.charged(*promise, algorithm.footprint().steps), costs);
}

/// The best one, and the best of another algorithm, or, where there is none, of other settings.
[[nodiscard]] std::string reason_for(const Offer& best, std::vector<Offer> others) {
  if (others.empty()) return {};
  const auto same = [&](const Offer& offer) { return offer.line == best.line; };
  std::string text = fmt::format("{}: {} time units predicted, the least of {} choices",
                                 best.name(), report::number_text(best.time), others.size() + 1);
  if (!std::all_of(others.begin(), others.end(), same))
    others.erase(std::remove_if(others.begin(), others.end(), same), others.end());
  const Offer& next = *std::min_element(
      others.begin(), others.end(), [](const Offer& a, const Offer& b) { return a.time < b.time; });
  return text + fmt::format("; next {}, {}", next.name(), report::number_text(next.time));
}

}  // namespace

Choice cheapest(std::span<const CatalogLine* const> lines, const RunRequest& request) {
  std::vector<Offer> offers = offers_of(lines, request);
  if (offers.size() == 1) {
    Settings settings = with(request.settings, offers[0].chosen);
    AlgorithmInstance instance = offers[0].line->make(request.topology, settings);
    return {offers[0].line, std::move(settings), std::move(instance)};
  }
  Choice choice;
  Offer best;
  std::vector<Offer> others;
  std::exception_ptr refused;
  for (Offer& offer : offers) {
    try {
      Settings settings = with(request.settings, offer.chosen);
      AlgorithmInstance instance = offer.line->make(request.topology, settings);
      offer.time = time_of(offer, *instance.algorithm, request.costs);
      if (choice.line != nullptr && best.time <= offer.time) {
        others.push_back(offer);
        continue;
      }
      if (choice.line != nullptr) others.push_back(best);
      best = offer;
      choice = {offer.line, std::move(settings), std::move(instance)};
    } catch (const InvalidParameter&) {
      if (refused == nullptr) refused = std::current_exception();
    }
  }
  if (choice.line == nullptr) std::rethrow_exception(refused);
  choice.reason = reason_for(best, std::move(others));
  return choice;
}

}  // namespace lockstep::catalog
