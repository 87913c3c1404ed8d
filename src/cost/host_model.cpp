// SPDX-License-Identifier: Apache-2.0
#include "cost/host_model.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> memories{"L2", "L3", "memory"};

/// What a sample says of each time, relative to its seconds: the equation is sum = 1.
using Row = std::array<double, host_terms>;
using Matrix = std::array<Row, host_terms>;

[[nodiscard]] Row per_worker(const HostWork& work, std::uint64_t workers) {
  Row row = work;
  for (std::size_t i = 1; i < host_terms; ++i) row.at(i) /= static_cast<double>(workers);
  return row;
}

[[nodiscard]] std::vector<Row> rows_of(std::span<const HostSample> samples) {
  std::vector<Row> rows;
  for (const HostSample& sample : samples) {
    Row row = per_worker(sample.work, sample.regime.workers);
    for (double& x : row) x /= sample.seconds;
    rows.push_back(row);
  }
  return rows;
}

/// The inverse of the part of a symmetric matrix that the bits of `terms` name, by Gauss-Jordan
/// elimination with rows scaled by the diagonal; empty where it is singular.
[[nodiscard]] std::optional<Matrix> inverse_of(Matrix a, unsigned terms) {
  constexpr double least_pivot = 1e-10;
  Row scale{};
  Matrix inverse{};
  for (std::size_t i = 0; i < host_terms; ++i) {
    const bool used = (terms >> i & 1U) != 0;
    if (used && a[i][i] <= 0) return std::nullopt;
    scale[i] = used ? 1 / std::sqrt(a[i][i]) : 0;
    inverse[i][i] = used ? 1 : 0;
  }
  for (std::size_t i = 0; i < host_terms; ++i)
    for (std::size_t j = 0; j < host_terms; ++j) a[i][j] *= scale[i] * scale[j];
  for (std::size_t pivot = 0; pivot < host_terms; ++pivot) {
    if (scale[pivot] == 0) continue;
    if (std::abs(a[pivot][pivot]) < least_pivot) return std::nullopt;
    const double by = 1 / a[pivot][pivot];
    for (std::size_t j = 0; j < host_terms; ++j) {
      a[pivot][j] *= by;
      inverse[pivot][j] *= by;
    }
    for (std::size_t i = 0; i < host_terms; ++i) {
      const double factor = i == pivot ? 0 : a[i][pivot];
      for (std::size_t j = 0; factor != 0 && j < host_terms; ++j) {
        a[i][j] -= factor * a[pivot][j];
        inverse[i][j] -= factor * inverse[pivot][j];
      }
    }
  }
  for (std::size_t i = 0; i < host_terms; ++i)
    for (std::size_t j = 0; j < host_terms; ++j) inverse[i][j] *= scale[i] * scale[j];
  return inverse;
}

[[nodiscard]] double dot(const Row& a, const Row& b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < host_terms; ++i) sum += a.at(i) * b.at(i);
  return sum;
}

struct Solution {
  unsigned terms = 0;
  Row times{};
  Matrix inverse{};
  double squares = std::numeric_limits<double>::infinity();  ///< of relative residuals
};

/// The least squares with times of at least 0: all 127 choices of times that are not 0 are solved,
/// which is exact and takes microseconds.
[[nodiscard]] Solution solved(const std::vector<Row>& rows) {
  Matrix normal{};
  Row right{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < host_terms; ++i) {
      right[i] += row[i];
      for (std::size_t j = 0; j < host_terms; ++j) normal[i][j] += row[i] * row[j];
    }
  Solution best;
  for (unsigned terms = 1; terms < 1U << host_terms; ++terms) {
    const std::optional<Matrix> inverse = inverse_of(normal, terms);
    if (!inverse) continue;
    Solution found{.terms = terms, .inverse = *inverse, .squares = 0};
    for (std::size_t i = 0; i < host_terms; ++i) found.times[i] = dot((*inverse)[i], right);
    if (std::ranges::any_of(found.times, [](double time) { return time < 0; })) continue;
    for (const Row& row : rows) found.squares += std::pow(dot(row, found.times) - 1, 2);
    if (found.squares < best.squares) best = found;
  }
  return best;
}

[[nodiscard]] std::vector<double> residuals_of(const std::vector<Row>& rows, const Row& times) {
  std::vector<double> residuals;
  for (const Row& row : rows) residuals.push_back(dot(row, times) - 1);
  return residuals;
}

[[nodiscard]] std::vector<HostSample> without_outliers(std::span<const HostSample> samples) {
  constexpr double most_deviations = 3.5;
  constexpr double normal_deviation = 1.4826;  // of a normal distribution, by the median deviation
  constexpr double least_deviation = 0.02;     // clocks and hosts do not tell less apart
  const std::vector<Row> rows = rows_of(samples);
  const std::vector<double> residuals = residuals_of(rows, solved(rows).times);
  std::vector<double> sorted = residuals;
  const double middle = boost::math::statistics::median(sorted);
  for (double& residual : sorted) residual = std::abs(residual - middle);
  const double deviation =
      std::max(least_deviation, normal_deviation * boost::math::statistics::median(sorted));
  std::vector<HostSample> kept;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (std::abs(residuals[i] - middle) <= most_deviations * deviation) kept.push_back(samples[i]);
  return kept;
}

/// Weighted by the squares of the seconds, as the residuals are: part of the variance of the
/// samples that the fit explains.
[[nodiscard]] double r_squared_of(std::span<const HostSample> samples, double squares) {
  double weights = 0;
  double mean = 0;
  for (const HostSample& sample : samples) {
    weights += 1 / (sample.seconds * sample.seconds);
    mean += 1 / sample.seconds;
  }
  mean /= weights;
  double all = 0;
  for (const HostSample& sample : samples) all += std::pow(1 - mean / sample.seconds, 2);
  return all > 0 ? 1 - squares / all : 0;
}

}  // namespace

std::string HostRegime::text() const {
  return fmt::format("{}, {}, {}, {}, {}", channel, loop, verified ? "verified" : "not verified",
                     counted(workers, "worker"), memory);
}

double HostFit::seconds(const HostWork& work) const noexcept {
  const Row row = per_worker(work, regime.workers);
  double sum = 0;
  for (std::size_t i = 0; i < host_terms; ++i) sum += row[i] * times[i].seconds;
  return sum;
}

HostFit fitted(const HostRegime& regime, std::span<const HostSample> samples) {
  if (samples.size() <= host_terms)
    throw InvalidParameter(fmt::format("calibration of {}: {} given; expected more than {}",
                                       regime.text(), counted(samples.size(), "run"), host_terms));
  std::vector<HostSample> used = without_outliers(samples);
  if (used.size() <= host_terms) used.assign(samples.begin(), samples.end());
  const std::vector<Row> rows = rows_of(used);
  const Solution found = solved(rows);
  HostFit fit{.regime = regime,
              .r_squared = r_squared_of(used, found.squares),
              .samples = used.size(),
              .outliers = samples.size() - used.size()};
  std::vector<double> errors = residuals_of(rows, found.times);
  for (double& error : errors) error = std::abs(error);
  fit.median_error = boost::math::statistics::median(errors);
  const auto freedom = static_cast<double>(used.size() - host_terms);
  const double variance = found.squares / freedom;
  const double width =
      boost::math::quantile(boost::math::students_t_distribution<double>(freedom), 0.975);
  for (std::size_t i = 0; i < host_terms; ++i) {
    const double time = found.times.at(i);
    const double error = width * std::sqrt(variance * found.inverse.at(i).at(i));
    fit.times.at(i) = {time, std::max(0.0, time - error), time + error};
  }
  return fit;
}

const HostFit* HostModel::fit_of(const HostRegime& regime) const {
  const auto place = [](const std::string& memory) {
    return std::ranges::find(memories, memory) - memories.begin();
  };
  const HostFit* best = nullptr;
  for (const HostFit& fit : fits) {
    HostRegime same = fit.regime;
    same.memory = regime.memory;
    if (same != regime) continue;
    const auto distance = [&](const HostFit& of) {
      const auto further = place(of.regime.memory) - place(regime.memory);
      return further < 0 ? 2 * static_cast<std::ptrdiff_t>(memories.size()) - further : further;
    };
    if (best == nullptr || distance(fit) < distance(*best)) best = &fit;
  }
  return best;
}

std::string_view HostCaches::memory_of(std::uint64_t bytes, std::uint64_t workers) const noexcept {
  if (bytes <= l2_bytes * workers) return memories[0];
  return bytes <= l3_bytes ? memories[1] : memories[2];
}

HostCaches host_caches() {
  constexpr std::uint64_t typical_l2 = std::uint64_t{1} << 20U;
  constexpr std::uint64_t typical_l3 = std::uint64_t{32} << 20U;
  const auto said = [](int name, std::uint64_t typical) {
    const long bytes = sysconf(name);
    return bytes > 0 ? static_cast<std::uint64_t>(bytes) : typical;
  };
  return {said(_SC_LEVEL2_CACHE_SIZE, typical_l2), said(_SC_LEVEL3_CACHE_SIZE, typical_l3)};
}

}  // namespace lockstep
