// SPDX-License-Identifier: Apache-2.0
#include "cost/host_model.hpp"

#include <algorithm>
#include <bitset>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "core/invalid.hpp"
#include "core/nearest_rank.hpp"
#include "lockstep/core/detail/counted.hpp"

namespace lockstep {
namespace {

constexpr std::array<HostKindInfo, host_kinds> kinds{{
    {"run", "the beginning and the end of a run"},
    {"step", "a step"},
    {"barrier", "tasks of a step that wait for each other"},
    {"handover", "a share of a step that another worker takes"},
    {"turn", "a node that is called because it is active"},
    {"dense turn", "a node that is called in every step"},
    {"once turn", "a node of a broadcast in which every node receives once"},
    {"message", "a single message, sent and received"},
    {"queued message", "the extra time of a message in a queue"},
    {"routed message", "the extra time of a message over several links"},
    {"copy", "a copy of the blocks of an arrived message"},
    {"copied block", "each further block of such a copy"},
    {"copied byte", "a byte that is copied"},
    {"combine", "a call of the operator of a reduction"},
    {"combined block", "each further block of such a call"},
    {"combined byte", "a byte that is combined"},
    {"listed slot", "a slot named in a list, by a message or a store"},
    {"search", "a written slot that is looked up among those that neighbours may read"},
    {"load", "a block that a host gives to its processor"},
    {"loaded byte", "a byte of such a block"},
    {"delivery", "a single block that a host takes from its processor"},
    {"checked delivery", "the extra time of such a block that is checked"},
    {"checked byte", "a byte that is checked"},
    {"contribution", "a block that is computed for the expected result of a reduction"},
    {"contributed byte", "a byte of such a block"},
    {"row", "a loop over a group of nodes that make the same moves"},
    {"row block", "a copy or message of a node in a row"},
    {"row message",
     "the extra time of a message of a node in a row, without a register for the row"},
    {"row slot", "a slot named in a list, of a node in a row"},
    {"row load", "a block that a host gives to a node in a row"},
    {"row delivery", "a block that hosts take from consecutive nodes at once"},
    {"run delivery", "a block that a host takes from a node together with others"},
    {"queue step", "a step in which the queues of switches are measured"},
    {"queue switch", "a switch in such a step"},
    {"queue run", "a message or listed slot sent or stored in such a step"},
    {"far byte", "a byte that the caches do not hold"},
    {"far access", "an access by a turn, message or copy that the caches do not hold"},
    {"farther byte",
     "the extra time of a byte that eight times the size of these caches does not hold"},
}};

constexpr auto handover = static_cast<std::size_t>(HostKind::handover);

using Row = std::array<double, host_kinds>;
using Matrix = std::array<Row, host_kinds>;
using Kinds = std::bitset<host_kinds>;

[[nodiscard]] double dot(const Row& a, const Row& b) noexcept {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The share of this kind of work that costs time: of accesses to memory, those that the caches do
/// not hold.
[[nodiscard]] double counted_part(std::size_t kind, const HostWork& work,
                                  double cached_bytes) noexcept {
  constexpr double farther = 8;
  static_assert(HostKind::far_byte < HostKind::far_access &&
                static_cast<std::size_t>(HostKind::farther_byte) + 1 == host_kinds);
  if (kind < static_cast<std::size_t>(HostKind::far_byte)) return 1;
  const double held =
      cached_bytes * (kind == static_cast<std::size_t>(HostKind::farther_byte) ? farther : 1);
  return work.memory_bytes <= held ? 0 : 1 - held / work.memory_bytes;
}

/// Counts by which a rate is multiplied: of work that is shared, and of work that is not.
struct Parts {
  Row alone{};
  Row shared{};

  Parts(const HostWork& work, double cached_bytes) noexcept {
    for (std::size_t k = 0; k < host_kinds; ++k) {
      const double part = counted_part(k, work, cached_bytes);
      alone[k] = work.alone.all[k] * part;
      shared[k] = work.shared.all[k] * part;
    }
    parallelism = work.parallelism;
    handovers = std::exchange(alone[handover], 0);
  }

  [[nodiscard]] bool shares(const Row& rates) const noexcept {
    const double work = dot(shared, rates);
    return work / parallelism + handovers * rates[handover] < work;
  }
  [[nodiscard]] Row counts(bool is_shared) const noexcept {
    Row row = alone;
    for (std::size_t k = 0; k < host_kinds; ++k)
      row[k] += shared[k] / (is_shared ? parallelism : 1);
    if (is_shared) row[handover] = handovers;
    return row;
  }

  double parallelism = 1;
  double handovers = 0;
};

[[nodiscard]] double seconds_of(const Parts& parts, const Row& rates) noexcept {
  return dot(parts.counts(parts.shares(rates)), rates);
}

/// The inverse of the part of a symmetric matrix that `used` names, by Gauss-Jordan elimination
/// with rows scaled by the diagonal; empty where it is singular.
[[nodiscard]] std::optional<Matrix> inverse_of(Matrix a, const Kinds& used) {
  constexpr double least_pivot = 1e-10;
  Row scale{};
  Matrix inverse{};
  for (std::size_t i = 0; i < host_kinds; ++i) {
    if (used[i] && a[i][i] <= 0) return std::nullopt;
    scale[i] = used[i] ? 1 / std::sqrt(a[i][i]) : 0;
    inverse[i][i] = used[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < host_kinds; ++i)
    for (std::size_t j = 0; j < host_kinds; ++j) a[i][j] *= scale[i] * scale[j];
  for (std::size_t pivot = 0; pivot < host_kinds; ++pivot) {
    if (scale[pivot] == 0) continue;
    if (std::abs(a[pivot][pivot]) < least_pivot) return std::nullopt;
    const double by = 1 / a[pivot][pivot];
    for (std::size_t j = 0; j < host_kinds; ++j) {
      a[pivot][j] *= by;
      inverse[pivot][j] *= by;
    }
    for (std::size_t i = 0; i < host_kinds; ++i) {
      const double factor = i == pivot ? 0 : a[i][pivot];
      for (std::size_t j = 0; factor != 0 && j < host_kinds; ++j) {
        a[i][j] -= factor * a[pivot][j];
        inverse[i][j] -= factor * inverse[pivot][j];
      }
    }
  }
  for (std::size_t i = 0; i < host_kinds; ++i)
    for (std::size_t j = 0; j < host_kinds; ++j) inverse[i][j] *= scale[i] * scale[j];
  return inverse;
}

struct Solution {
  Row rates{};
  Matrix inverse{};  ///< of the normal equations of the rates that are not 0
};

/// The least squares of rows x rates - 1, with rates of at least 0.
[[nodiscard]] Solution solved(const std::vector<Row>& rows, const std::vector<double>& weights) {
  constexpr double least_gain = 1e-9;  // of the sum of squares, relative to that of all rates at 0
  Matrix normal{};
  Row right{};
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < host_kinds; ++i) {
      const double weighted = weights[r] * rows[r][i];
      if (weighted == 0) continue;
      right[i] += weighted;
      for (std::size_t j = 0; j < host_kinds; ++j) normal[i][j] += weighted * rows[r][j];
    }
  Solution found;
  Kinds used;      // rates that may differ from 0
  Kinds excluded;  // those that the others make singular
  for (;;) {
    // The rate whose growth lowers the squares most.
    std::optional<std::size_t> best;
    double best_gain = least_gain * static_cast<double>(rows.size());
    for (std::size_t i = 0; i < host_kinds; ++i) {
      const double slope = right[i] - dot(normal[i], found.rates);
      const bool free = !used[i] && !excluded[i] && normal[i][i] > 0 && slope > 0;
      if (!free || slope * slope / normal[i][i] <= best_gain) continue;
      best = i;
      best_gain = slope * slope / normal[i][i];
    }
    if (!best) break;
    used.set(*best);
    for (;;) {
      const std::optional<Matrix> inverse = inverse_of(normal, used);
      if (!inverse) {
        used.reset(*best);
        excluded.set(*best);
        break;
      }
      Row rates{};
      for (std::size_t i = 0; i < host_kinds; ++i) rates[i] = dot((*inverse)[i], right);
      // From the former rates towards these, until the first one reaches 0.
      double part = 1;
      std::optional<std::size_t> first;
      for (std::size_t i = 0; i < host_kinds; ++i) {
        if (!used[i] || rates[i] > 0) continue;
        const double here = found.rates[i] / (found.rates[i] - rates[i]);
        if (first && here >= part) continue;
        part = here;
        first = i;
      }
      for (std::size_t i = 0; i < host_kinds; ++i)
        found.rates[i] += part * (rates[i] - found.rates[i]);
      if (!first) {
        found.inverse = *inverse;
        break;
      }
      found.rates[*first] = 0;
      used.reset(*first);
      if (*first == *best) {
        excluded.set(*best);
        break;
      }
    }
  }
  return found;
}

/// Rates for one size of the caches.
struct Fit {
  Solution found{};
  std::vector<double> logarithms{};  ///< of predicted over measured time, by sample
  double cached_bytes = 0;
  double error = 0;     ///< their mean absolute value, at most 1 for each
  double variance = 0;  ///< of the weighted residuals
};

[[nodiscard]] Fit fit_with(std::span<const HostSample> samples, double cached_bytes) {
  constexpr double square_up_to = 0.15;
  constexpr int rounds = 25;
  std::vector<Parts> parts;
  for (const HostSample& sample : samples) parts.emplace_back(sample.work, cached_bytes);
  std::vector<double> weights(samples.size(), 1);
  std::vector<bool> shared;  // first a guess: steps that are longer than a handover takes
  for (std::size_t i = 0; i < samples.size(); ++i)
    shared.push_back(samples[i].seconds > 1e-5 * parts[i].handovers);
  Fit fit{.logarithms = std::vector<double>(samples.size()), .cached_bytes = cached_bytes};
  std::vector<Row> rows(samples.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      rows[i] = parts[i].counts(shared[i]);
      for (double& count : rows[i]) count /= samples[i].seconds;
    }
    fit.found = solved(rows, weights);
    fit.variance = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      constexpr double least = 1e-3;
      fit.variance += weights[i] * std::pow(dot(rows[i], fit.found.rates) - 1, 2);
      shared[i] = parts[i].shares(fit.found.rates);
      const double ratio = seconds_of(parts[i], fit.found.rates) / samples[i].seconds;
      const double logarithm = std::log(std::max(least, ratio));
      fit.logarithms[i] = logarithm;
      // The weighted square of (ratio - 1) becomes the loss of the logarithm.
      const double scale = std::abs(ratio - 1) < least ? 1 : logarithm / (ratio - 1);
      weights[i] = scale * scale * std::min(1.0, square_up_to / std::abs(logarithm));
    }
  }
  for (const double logarithm : fit.logarithms) fit.error += std::min(1.0, std::abs(logarithm));
  fit.error /= static_cast<double>(samples.size());
  return fit;
}

}  // namespace

const HostKindInfo& info_of(HostKind kind) { return kinds.at(static_cast<std::size_t>(kind)); }

std::string key_of(HostKind kind) {
  std::string key(info_of(kind).name);
  std::ranges::replace(key, ' ', '_');
  return key;
}

double HostModel::seconds(const HostWork& work) const noexcept {
  Row by_kind{};
  for (std::size_t k = 0; k < host_kinds; ++k) by_kind[k] = rates.all[k].seconds;
  return seconds_of(Parts(work, static_cast<double>(cached_bytes)), by_kind);
}

std::string_view HostModel::unknown_kind(const HostWork& work) const noexcept {
  for (std::size_t k = 0; k < host_kinds; ++k)
    if (work.alone.all[k] + work.shared.all[k] > 0 && runs.all[k] == 0) return kinds[k].meaning;
  return {};
}

HostModel model_of(std::vector<HostSample> samples, const HostCaches& caches) {
  if (samples.size() <= host_kinds)
    throw invalid("calibration: {} given; expected more than {}", counted(samples.size(), "run"),
                  host_kinds);
  std::optional<Fit> best;
  for (std::uint64_t cached = caches.l2_bytes; cached <= std::max(caches.l2_bytes, caches.l3_bytes);
       cached *= 2)
    if (Fit fit = fit_with(samples, static_cast<double>(cached)); !best || fit.error < best->error)
      best = std::move(fit);
  HostModel model{.cached_bytes = static_cast<std::uint64_t>(best->cached_bytes)};
  const auto freedom = static_cast<double>(samples.size() - host_kinds);
  const double width =
      boost::math::quantile(boost::math::students_t_distribution<double>(freedom), 0.975);
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const double rate = best->found.rates[k];
    const double error =
        width * std::sqrt(std::max(0.0, best->variance / freedom * best->found.inverse[k][k]));
    model.rates.all[k] = {rate, std::max(0.0, rate - error), rate + error};
  }
  std::vector<double> errors;
  for (const double logarithm : best->logarithms) errors.push_back(std::abs(std::expm1(logarithm)));
  std::ranges::sort(errors);
  model.median_error = at_share(errors, 0.5);
  model.worst_decile_error = at_share(errors, 0.9);
  for (const HostSample& sample : samples)
    for (std::size_t k = 0; k < host_kinds; ++k)
      if (sample.work.alone.all[k] + sample.work.shared.all[k] > 0) ++model.runs.all[k];
  model.samples = std::move(samples);
  return model;
}

}  // namespace lockstep
