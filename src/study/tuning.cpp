// SPDX-License-Identifier: Apache-2.0
#include "study/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "algorithm/many_to_all/placement.hpp"
#include "catalog/candidates.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

[[nodiscard]] RunRequest with_settings(RunRequest request, const Settings& settings) {
  for (const auto& [name, value] : settings) request.settings[name] = value;
  return request;
}

/// Bytes of a block in so many parts of the same size.
[[nodiscard]] std::uint64_t padded_bytes(std::uint64_t bytes, std::uint64_t parts) noexcept {
  return bytes_of_part(bytes, parts) * parts;
}

/// Empty where the algorithm refuses the settings.
[[nodiscard]] std::optional<std::optional<Cost>> promise_if_accepted(
    const RunRequest& request) try {
  return catalog::promised_cost(request);
} catch (const InvalidParameter&) {
  return std::nullopt;
}

/// A count that may be a word, such as --batch auto, is one value of many: every power of two, and
/// the largest that the algorithm accepts. Where costs fall or rise with the count, the best one is
/// among them.
[[nodiscard]] std::vector<RunRequest> with_counts(const RunRequest& request,
                                                  const Parameter& parameter) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;
  const auto with_count = [&](std::uint64_t count) {
    return with_settings(request, {{std::string(parameter.name), count}});
  };
  const auto accepts = [&](std::uint64_t count) {
    return promise_if_accepted(with_count(count)).has_value();
  };
  std::vector<RunRequest> list;
  std::uint64_t low = 0;
  std::uint64_t next = std::max<std::uint64_t>(parameter.least, 1);
  for (; next <= most && accepts(next); next *= 2) {
    list.push_back(with_count(next));
    low = next;
  }
  if (low == 0 || next > most) return list;
  std::uint64_t high = next;  // low is accepted, high is not
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (accepts(middle) ? low : high) = middle;
  }
  if (2 * low != next) list.push_back(with_count(low));
  return list;
}

/// Counts that a variant sets by a word are opened.
[[nodiscard]] std::vector<RunRequest> opened(const RunRequest& request, const AlgorithmInfo& info) {
  std::vector<RunRequest> list{request};
  for (const Parameter& parameter : info.parameters) {
    const Setting* const given = request.settings.find(parameter.name);
    if (given == nullptr || parameter.kind != Parameter::Kind::count || parameter.defines_problem ||
        !std::holds_alternative<std::string>(*given))
      continue;
    std::ranges::move(with_counts(request, parameter), std::back_inserter(list));
  }
  return list;
}

/// Every variant of an algorithm. Throws InvalidParameter where it refuses the network.
[[nodiscard]] std::vector<RunRequest> all_variants(const RunRequest& plain,
                                                   const AlgorithmInfo& info) {
  const Variants variants = prepare(plain, false)->variants();
  std::vector<RunRequest> list;
  const auto add = [&](const Settings& settings) {
    std::ranges::move(opened(with_settings(plain, settings), info), std::back_inserter(list));
  };
  for (const Settings& settings : variants.all) add(settings);
  for (const std::vector<Settings>& choices : variants.cheapest_of)
    for (const Settings& settings : choices) add(settings);
  if (list.empty()) list.push_back(plain);
  return list;
}

/// What the algorithm takes of the settings: those of the problem, and its own.
[[nodiscard]] RunRequest plain_request(const RunRequest& base, const AlgorithmInfo& info) {
  RunRequest request = base;
  request.algorithm = std::string(info.name);
  request.settings = {};
  for (const Settings::Entry& entry : base.settings)
    if (parameter_of(info.parameters, entry.first) != nullptr)
      request.settings[entry.first] = entry.second;
  return request;
}

/// By a run without verification: counts do not depend on it.
[[nodiscard]] std::optional<Cost> counted_cost(RunRequest request, const ContestLimits& limits) {
  request.verify = VerifyKind::off;
  const auto run = prepare(request, false);
  if (!run->forecast().fits() || run->forecast().rough_seconds > limits.count_seconds)
    return std::nullopt;
  const RunResult result = run->execute({.stop = limits.stop});
  if (!result.record.legal() || result.record.interrupted) return std::nullopt;
  return run->forecast().charged(result.cost, result.record.steps);
}

class ContestMaker {
 public:
  ContestMaker(const RunRequest& base, const ContestLimits& limits) : base_(base), limits_(limits) {
    contest_.topology = base.topology.name();
    contest_.operation = base.operation;
    contest_.block_bytes = definite_block_bytes(base);
    base_.pattern = fixed_pattern(base);
    base_.block_bytes = contest_.block_bytes;
  }

  [[nodiscard]] Contest made() {
    const std::vector<AlgorithmInfo> all = algorithms_for(base_.topology, base_.operation);
    if (all.empty()) (void)prepare(base_, false);  // says so
    contest_.model = base_.port_model.value_or(all.front().model);
    base_.port_model = contest_.model;
    for (const AlgorithmInfo& info : all) add(info);
    add_parts(all);
    if (contest_.entries.empty())
      throw InvalidParameter(
          fmt::format("{} {}: no algorithm for the port model {} can be ranked{}",
                      contest_.topology, name_of(contest_.operation), contest_.model.name,
                      contest_.left_out.empty() ? "" : "; " + contest_.left_out.front().reason));
    return std::move(contest_);
  }

 private:
  /// Messages in parts, where the request does not say how many: a few messages are balanced so.
  void add_parts(const std::vector<AlgorithmInfo>& all) {
    constexpr std::uint64_t most_parts = 16;
    if (base_.settings.find(parts_parameter.name) != nullptr) return;
    const std::vector<ComparedRuns::LeftOut> left_out = contest_.left_out;
    for (std::uint64_t parts = 2; parts <= most_parts; parts *= 2) {
      base_.settings[parts_parameter.name] = parts;
      base_.pattern = {};
      try {
        base_.pattern = fixed_pattern(base_);
      } catch (const InvalidParameter&) {
        break;  // blocks of fewer bytes
      }
      for (const AlgorithmInfo& info : all)
        if (parameter_of(info.parameters, parts_parameter.name) != nullptr) add(info);
    }
    contest_.left_out = left_out;
  }

  void add(const AlgorithmInfo& info) {
    const auto leave_out = [&](const std::string& reason) {
      contest_.left_out.push_back({std::string(info.name), reason});
    };
    if (limits_.stop.stop_requested()) return;
    if (limits_.display != nullptr)
      limits_.display->announce(fmt::format("{}: variants of {}", contest_.topology, info.name));
    if (!contest_.model.admits(info.model))
      return leave_out(fmt::format("needs the port model {}", info.model.name));
    if (info.plans_every_node && !is_small())
      return leave_out("planning every node of this network takes too long");
    try {
      for (RunRequest& request : all_variants(plain_request(base_, info), info))
        add(std::move(request), info);
    } catch (const InvalidParameter& problem) {
      leave_out(problem.what());
    } catch (const ResourceExhausted& problem) {
      leave_out(problem.what());
    } catch (const std::bad_alloc&) {
      leave_out("its plan needs more memory than there is");
    }
    if (limits_.display != nullptr) limits_.display->clear();
  }

  void add(RunRequest request, const AlgorithmInfo& info) {
    const std::string name =
        fmt::format("{}{}", info.name, phrases_of(info.parameters, request.settings));
    if (!names_.insert(name).second) return;  // as by a word that stands for a number
    std::optional<std::optional<Cost>> promise = promise_if_accepted(request);
    if (!promise) return;
    const bool counted = !promise->has_value();
    if (counted) *promise = counted_cost(request, limits_);
    if (!*promise)
      return contest_.left_out.push_back(
          {name, "no closed form is known, and a run to count its cost would take too long"});
    const std::uint64_t parts = info.whole_parts ? base_.topology.processor_count() : 1;
    Cost paid = words_as_blocks(**promise, contest_.block_bytes);
    if (const std::uint64_t padded = padded_bytes(contest_.block_bytes, parts);
        padded != contest_.block_bytes)
      paid.message_times = Fraction(paid.message_times.numerator() * padded,
                                    paid.message_times.denominator() * contest_.block_bytes);
    contest_.entries.push_back({.request = std::move(request),
                                .name = name,
                                .paid = paid,
                                .parts = parts,
                                .counted = counted});
  }

  [[nodiscard]] bool is_small() const {
    constexpr std::uint64_t most_ports = std::uint64_t{1} << 14U;
    return base_.topology.node_count() <=
           most_ports / std::max<std::uint64_t>(base_.topology.max_degree(), 1);
  }

  RunRequest base_;
  const ContestLimits& limits_;
  Contest contest_{};
  std::set<std::string> names_{};  // of the variants so far
};

/// The entries whose seconds are known, the least first.
[[nodiscard]] std::vector<std::size_t> order_by(const Contest& contest,
                                                std::optional<double> ContestEntry::*seconds) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < contest.entries.size(); ++i)
    if (contest.entries[i].*seconds) order.push_back(i);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return *(contest.entries[i].*seconds); });
  return order;
}

/// "k = 3,2, batch 4" are three.
[[nodiscard]] std::size_t values_given(const Settings& settings) {
  std::size_t values = 0;
  for (const auto& [name, value] : settings) {
    const auto* const list = std::get_if<Numbers>(&value);
    values += list == nullptr ? 1 : list->size();
  }
  return values;
}

/// Those with the least predicted seconds. Where predictions differ by less than the error of the
/// model, variants with fewer values of parameters come first: batches do not crowd out all else.
[[nodiscard]] std::vector<std::size_t> to_measure(const Contest& contest,
                                                  std::vector<std::size_t> order,
                                                  std::size_t most) {
  constexpr double error = 0.15;
  const auto seconds = [&](std::size_t i) { return *contest.entries[i].predicted_seconds; };
  const auto clearly_longer = std::ranges::find_if(
      order, [&](std::size_t i) { return seconds(i) > (1 + error) * seconds(order.front()); });
  std::stable_sort(order.begin(), clearly_longer, [&](std::size_t a, std::size_t b) {
    return values_given(contest.entries[a].request.settings) <
           values_given(contest.entries[b].request.settings);
  });
  order.resize(std::min(most, order.size()));
  return order;
}

}  // namespace

std::size_t Contest::best(const CostParameters& costs) const {
  std::size_t least = 0;
  for (std::size_t i = 1; i < entries.size(); ++i)
    if (time(i, costs) < time(least, costs)) least = i;
  return least;
}

std::vector<std::size_t> Contest::ranking(const CostParameters& costs) const {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return time(i, costs); });
  return order;
}

Contest contest_for(const RunRequest& base, const ContestLimits& limits) {
  return ContestMaker(base, limits).made();
}

double rank_agreement(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  const auto place = [&](std::size_t thing) { return std::ranges::find(b, thing) - b.begin(); };
  double sum = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1; j < a.size(); ++j, ++pairs)
      sum += place(a[i]) < place(a[j]) ? 1 : -1;
  return pairs > 0 ? sum / pairs : 1;
}

HostRanking rank_on_host(Contest& contest, const Calibration& calibration, std::size_t most,
                         std::uint64_t repeats, const ContestLimits& limits) {
  HostRanking ranking;
  for (ContestEntry& entry : contest.entries) {
    if (limits.stop.stop_requested()) break;
    const auto run = prepare(entry.request, false);
    const RunForecast& forecast = run->forecast();
    if (!forecast.fits() || forecast.rough_seconds > 3600 * entry.request.max_hours) continue;
    entry.predicted_seconds = calibration.seconds(forecast, expected_work(forecast));
  }
  ranking.predicted = order_by(contest, &ContestEntry::predicted_seconds);
  const std::vector<std::size_t> chosen = to_measure(contest, ranking.predicted, most);
  std::vector<RunRequest> requests;
  for (const std::size_t i : chosen) requests.push_back(contest.entries[i].request);
  RunSeries series(requests, {.repeats = repeats, .stop = limits.stop, .display = limits.display});
  for (std::size_t i = 0; i < series.size(); ++i) {
    const Measured run = series.measure(i);
    ranking.exit = worse(ranking.exit, run.exit);
    if (run.interrupted()) break;
    if (run.result) contest.entries[chosen[i]].measured_seconds = run.step_seconds;
  }
  ranking.measured = order_by(contest, &ContestEntry::measured_seconds);
  std::vector<std::size_t> first;
  std::ranges::copy_if(ranking.predicted, std::back_inserter(first), [&](std::size_t i) {
    return contest.entries[i].measured_seconds.has_value();
  });
  ranking.agreement = rank_agreement(first, ranking.measured);
  return ranking;
}

MapGrid usual_grid() {
  MapGrid grid;
  for (double ratio = 1e-3; ratio < 2e6; ratio *= 10) grid.ratios.push_back(ratio);
  for (std::uint64_t bytes = 8; bytes <= 65536; bytes *= 8) grid.block_bytes.push_back(bytes);
  return grid;
}

std::vector<MapCell> winner_map(const Contest& contest, const MapGrid& grid) {
  const std::size_t own_bytes = std::max<std::size_t>(contest.block_bytes, 1);
  std::vector<MapCell> cells;
  for (const double ratio : grid.ratios)
    for (const std::uint64_t bytes : grid.block_bytes) {
      MapCell best{ratio, bytes, 0, std::numeric_limits<double>::infinity()};
      for (std::size_t i = 0; i < contest.entries.size(); ++i) {
        const std::uint64_t parts = contest.entries[i].parts;
        const double longer = static_cast<double>(padded_bytes(bytes, parts)) /
                              static_cast<double>(padded_bytes(own_bytes, parts));
        const double time = contest.time(i, {.t_s = ratio, .t_m = longer});
        if (time < best.time) best = {ratio, bytes, i, time};
      }
      cells.push_back(best);
    }
  return cells;
}

}  // namespace lockstep::study
