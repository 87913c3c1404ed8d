// SPDX-License-Identifier: Apache-2.0

/// What a request leaves open, by the exact costs that the algorithms promise.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <limits>
#include <new>

#include "catalog/catalog_line.hpp"
#include "lockstep/core/errors.hpp"
#include "report/quantities.hpp"

namespace lockstep::catalog {
namespace {

/// Runs that take more leave a host little else: they are chosen where all take more.
constexpr std::uint64_t roomy_bytes = std::uint64_t{4} << 30U;

/// What there is to choose from, and what is promised of it.
struct Offer {
  const CatalogLine* line = nullptr;
  Settings chosen{};
  bool fits = true;
  double time = 0;

  [[nodiscard]] std::string name() const {
    const AlgorithmInfo& info = line->entry.info;
    return std::string(info.name) + phrases_of(info.parameters, chosen);
  }
  [[nodiscard]] bool is_better_than(const Offer& other) const {
    return fits == other.fits ? time < other.time : fits;
  }
};

/// Whether `choose` went through: what refuses the request, or takes more memory than there is, is
/// no choice. `refused`: why the first did not.
template <class Choose>
bool possible(const Choose& choose, std::exception_ptr& refused) {
  const auto drop = [&refused] {
    if (refused == nullptr) refused = std::current_exception();
    return false;
  };
  try {
    choose();
    return true;
  } catch (const InvalidParameter&) {
    return drop();
  } catch (const ResourceExhausted&) {
    return drop();
  } catch (const std::bad_alloc&) {  // its plan alone takes more than there is
    return drop();
  }
}

[[nodiscard]] std::vector<Offer> offers_of(std::span<const CatalogLine* const> lines,
                                           const RunRequest& request, std::exception_ptr& refused) {
  constexpr double most = 1e12;  // blocks are all but free
  const double startup_blocks =
      request.costs.t_m * most > request.costs.t_s ? request.costs.t_s / request.costs.t_m : most;
  std::vector<Offer> offers;
  for (const CatalogLine* line : lines) {
    std::vector<Settings> open;
    const bool can = possible(
        [&] {
          if (line->plans_every_node) check_least_memory(line->entry.info, line->program, request);
          open = line->choices(request.topology, request.settings, startup_blocks);
        },
        refused);
    if (!can) continue;
    if (open.empty()) open.emplace_back();
    for (Settings& settings : open) offers.push_back({line, std::move(settings)});
  }
  return offers;
}

[[nodiscard]] Settings with(Settings settings, const Settings& chosen) {
  for (const auto& [name, value] : chosen) settings[name] = value;
  return settings;
}

/// Memory that choices should not exceed.
[[nodiscard]] std::uint64_t room_of(const RunEstimate& run, const RunRequest& request) {
  return request.memory_limit != 0 ? run.available_bytes
                                   : std::min(run.available_bytes, roomy_bytes);
}

/// More than any where nothing is promised.
[[nodiscard]] double time_of(const RunEstimate& run, const CostParameters& costs) {
  if (!run.predicted) return std::numeric_limits<double>::infinity();
  return predicted(run.charged(*run.predicted, run.footprint.steps), costs, run.block_bytes);
}

/// The best one, and the best of another algorithm, or, where there is none, of other settings.
[[nodiscard]] std::string reason_for(const Offer& best, std::vector<Offer> others,
                                     std::uint64_t room) {
  if (others.empty()) return {};
  const auto same = [&](const Offer& offer) { return offer.line == best.line; };
  const auto too_large = std::count_if(others.begin(), others.end(),
                                       [&](const Offer& offer) { return offer.fits != best.fits; });
  std::string text = fmt::format("{}: {} time units predicted, the least of {} choices",
                                 best.name(), report::number_text(best.time), others.size() + 1);
  if (too_large != 0)
    text += fmt::format(" ({} of them above {})", too_large, report::bytes_text(room));
  if (!std::all_of(others.begin(), others.end(), same))
    others.erase(std::remove_if(others.begin(), others.end(), same), others.end());
  const Offer& next =
      *std::min_element(others.begin(), others.end(),
                        [](const Offer& a, const Offer& b) { return a.is_better_than(b); });
  return text + fmt::format("; next {}, {}", next.name(), report::number_text(next.time));
}

}  // namespace

Choice cheapest(std::span<const CatalogLine* const> lines, const RunRequest& request) {
  std::exception_ptr refused;
  std::vector<Offer> offers = offers_of(lines, request, refused);
  Choice choice;
  Offer best;
  std::vector<Offer> others;
  for (Offer& offer : offers) {
    Choice made{.line = offer.line, .settings = with(request.settings, offer.chosen)};
    const bool can = possible(
        [&] {
          made.instance = offer.line->make(request.topology, made.settings);
          made.estimate = estimate_for(made, request);
          offer.fits = made.estimate.memory_bytes <= room_of(made.estimate, request);
          offer.time = time_of(made.estimate, request.costs);
        },
        refused);
    if (!can) continue;
    if (choice.line != nullptr) others.push_back(offer);
    if (choice.line != nullptr && !offer.is_better_than(best)) continue;
    if (choice.line != nullptr) others.back() = best;
    best = offer;
    choice = std::move(made);
  }
  if (choice.line == nullptr) std::rethrow_exception(refused);
  choice.estimate.picked = reason_for(best, std::move(others), room_of(choice.estimate, request));
  return choice;
}

std::string much_cheaper(const Choice& choice, std::span<const CatalogLine* const> others,
                         const RunRequest& request) {
  constexpr std::uint64_t most_nodes = 5'040;
  const AnyTopology& network = request.topology;
  const bool switches = network.processor_count() != network.node_count();  // promises need a plan
  if (!choice.estimate.predicted || switches || network.node_count() > most_nodes) return {};
  const double own = time_of(choice.estimate, request.costs);
  const CatalogLine* best = nullptr;
  double least = own / 2;
  for (const CatalogLine* line : others) {
    const AlgorithmInfo& info = line->entry.info;
    if (!(info.model == choice.line->entry.info.model) || info.oblivious) continue;
    std::optional<Cost> promise;
    std::exception_ptr refused;
    (void)possible([&] { promise = line->make(network, request.settings).algorithm->promise(); },
                   refused);
    if (!promise) continue;
    const double time = predicted(*promise, request.costs, choice.estimate.block_bytes);
    if (time >= least) continue;
    least = time;
    best = line;
  }
  if (best == nullptr) return {};
  return fmt::format("{}, the default: {} time units predicted; {}: {}",
                     choice.line->entry.info.name, report::number_text(own), best->entry.info.name,
                     report::number_text(least));
}

}  // namespace lockstep::catalog
