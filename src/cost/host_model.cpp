// SPDX-License-Identifier: Apache-2.0
#include "cost/host_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <sstream>

#include "lockstep/core/detail/counted.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep {
namespace {

constexpr std::array<std::string_view, 3> memories{"L2", "L3", "memory"};

// The unknown times: those that all memories share, then, for each memory, by how much those that
// depend on it exceed those of the smaller memory.
constexpr std::array<std::size_t, 4> shared_terms{0, 1, 4, 5};  // step, message, load, delivery
constexpr std::array<std::size_t, 3> memory_terms{2, 3, 6};     // block, byte, host_byte
constexpr std::size_t unknowns = shared_terms.size() + memories.size() * memory_terms.size();
static_assert(shared_terms.size() + memory_terms.size() == host_terms);

using Row = std::array<double, unknowns>;
using Matrix = std::array<Row, unknowns>;

[[nodiscard]] std::size_t place_of(std::string_view memory) {
  return static_cast<std::size_t>(std::ranges::find(memories, memory) - memories.begin());
}

[[nodiscard]] HostWork per_worker(const HostWork& work, std::uint64_t workers) {
  HostWork row = work;
  for (std::size_t i = 1; i < host_terms; ++i) row.at(i) /= static_cast<double>(workers);
  return row;
}

/// The unknowns, each with its factor, that add up to the time of such work in this memory.
[[nodiscard]] Row row_of(const HostWork& work, std::string_view memory) {
  Row row{};
  auto at = row.begin();
  for (const std::size_t term : shared_terms) *at++ = work.at(term);
  for (std::size_t m = 0; m < memories.size(); ++m)
    for (const std::size_t term : memory_terms) *at++ = m <= place_of(memory) ? work.at(term) : 0;
  return row;
}

/// The row of each sample: its factor for each unknown, relative to its seconds; the equation is
/// sum = 1.
[[nodiscard]] std::vector<Row> rows_of(std::span<const HostSample> samples) {
  std::vector<Row> rows;
  for (const HostSample& sample : samples) {
    Row row = row_of(per_worker(sample.work, sample.regime.workers), sample.regime.memory);
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
  for (std::size_t i = 0; i < unknowns; ++i) {
    const bool used = (terms >> i & 1U) != 0;
    if (used && a[i][i] <= 0) return std::nullopt;
    scale[i] = used ? 1 / std::sqrt(a[i][i]) : 0;
    inverse[i][i] = used ? 1 : 0;
  }
  for (std::size_t i = 0; i < unknowns; ++i)
    for (std::size_t j = 0; j < unknowns; ++j) a[i][j] *= scale[i] * scale[j];
  for (std::size_t pivot = 0; pivot < unknowns; ++pivot) {
    if (scale[pivot] == 0) continue;
    if (std::abs(a[pivot][pivot]) < least_pivot) return std::nullopt;
    const double by = 1 / a[pivot][pivot];
    for (std::size_t j = 0; j < unknowns; ++j) {
      a[pivot][j] *= by;
      inverse[pivot][j] *= by;
    }
    for (std::size_t i = 0; i < unknowns; ++i) {
      const double factor = i == pivot ? 0 : a[i][pivot];
      for (std::size_t j = 0; factor != 0 && j < unknowns; ++j) {
        a[i][j] -= factor * a[pivot][j];
        inverse[i][j] -= factor * inverse[pivot][j];
      }
    }
  }
  for (std::size_t i = 0; i < unknowns; ++i)
    for (std::size_t j = 0; j < unknowns; ++j) inverse[i][j] *= scale[i] * scale[j];
  return inverse;
}

[[nodiscard]] double dot(const Row& a, const Row& b) noexcept {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

struct Solution {
  Row times{};
  Matrix inverse{};    ///< of the normal equations of the times that are not 0
  double squares = 0;  ///< of relative residuals
};

/// The least squares with times of at least 0.
[[nodiscard]] Solution solved(const std::vector<Row>& rows) {
  constexpr double least_gain = 1e-9;  // of the sum of squares, relative to that of all times at 0
  Matrix normal{};
  Row right{};
  for (const Row& row : rows)
    for (std::size_t i = 0; i < unknowns; ++i) {
      right[i] += row[i];
      for (std::size_t j = 0; j < unknowns; ++j) normal[i][j] += row[i] * row[j];
    }
  Solution found;
  unsigned used = 0;      // the times that may differ from 0
  unsigned excluded = 0;  // those that the others make singular
  for (;;) {
    // The time whose growth lowers the squares most.
    std::optional<std::size_t> best;
    double best_gain = least_gain * static_cast<double>(rows.size());
    for (std::size_t i = 0; i < unknowns; ++i) {
      const double slope = right[i] - dot(normal[i], found.times);
      const bool free = ((used | excluded) >> i & 1U) == 0 && normal[i][i] > 0 && slope > 0;
      if (!free || slope * slope / normal[i][i] <= best_gain) continue;
      best = i;
      best_gain = slope * slope / normal[i][i];
    }
    if (!best) break;
    used |= 1U << *best;
    for (;;) {
      const std::optional<Matrix> inverse = inverse_of(normal, used);
      if (!inverse) {
        used &= ~(1U << *best);
        excluded |= 1U << *best;
        break;
      }
      Row times{};
      for (std::size_t i = 0; i < unknowns; ++i) times[i] = dot((*inverse)[i], right);
      // From the former times towards these, until the first one reaches 0.
      double part = 1;
      std::optional<std::size_t> first;
      for (std::size_t i = 0; i < unknowns; ++i) {
        if ((used >> i & 1U) == 0 || times[i] > 0) continue;
        const double here = found.times[i] / (found.times[i] - times[i]);
        if (first && here >= part) continue;
        part = here;
        first = i;
      }
      for (std::size_t i = 0; i < unknowns; ++i)
        found.times[i] += part * (times[i] - found.times[i]);
      if (!first) {
        found.inverse = *inverse;
        break;
      }
      found.times[*first] = 0;
      used &= ~(1U << *first);
      if (*first == *best) {
        excluded |= 1U << *best;
        break;
      }
    }
  }
  for (const Row& row : rows) found.squares += std::pow(dot(row, found.times) - 1, 2);
  return found;
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

/// The kind of a run, whatever its length: binary logarithms.
using Kind = std::array<double, 6>;
[[nodiscard]] Kind kind_of(const HostWork& work, std::uint64_t bytes) {
  const auto log_of = [](double part, double whole) {
    constexpr double least = 1.0 / 4096;  // less is as good as none
    return std::log2(std::max(least, whole > 0 ? part / whole : 0));
  };
  const auto& [step, message, block, byte, load, delivery, host_byte] = work;
  return {log_of(message, step),   log_of(block, message),
          log_of(byte, block),     log_of(load, block),
          log_of(delivery, block), std::log2(1 + static_cast<double>(bytes))};
}

/// 1 for the same kind; e^-1/2 where one of them differs by its width.
[[nodiscard]] double similarity(const Kind& a, const Kind& b) {
  constexpr Kind widths{1.4, 0.5, 2, 1, 0.5, 1.4};
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += std::pow((a[i] - b[i]) / widths[i], 2);
  return std::exp(-squares / 2);
}
/// The weight of the assumption that the fit needs no correction.
constexpr double doubt = 0.1;
/// No run corrects by more than a factor of 5.
constexpr double most_logarithm = 1.6;

}  // namespace

std::string HostRegime::text() const {
  return fmt::format("{}, {}, {}, {}, {}", channel, loop, verified ? "verified" : "not verified",
                     counted(workers, "worker"), memory);
}

double HostFit::seconds(const HostWork& work) const noexcept {
  const HostWork row = per_worker(work, regime.workers);
  double sum = 0;
  for (std::size_t i = 0; i < host_terms; ++i) sum += row[i] * times[i].seconds;
  return sum;
}

std::vector<HostFit> fitted(std::span<const HostSample> samples) {
  if (samples.size() <= host_terms)
    throw InvalidParameter(fmt::format("calibration: {} given; expected more than {}",
                                       counted(samples.size(), "run"), host_terms));
  std::vector<HostSample> used = without_outliers(samples);
  if (used.size() <= host_terms) used.assign(samples.begin(), samples.end());
  const Solution found = solved(rows_of(used));
  const auto freedom = std::max(1.0, static_cast<double>(used.size()) - unknowns);
  const double variance = found.squares / freedom;
  const double width =
      boost::math::quantile(boost::math::students_t_distribution<double>(freedom), 0.975);
  std::vector<HostFit> fits;
  for (const std::string_view memory : memories) {
    const auto is_here = [&](const HostSample& sample) { return sample.regime.memory == memory; };
    std::vector<HostSample> here;
    std::ranges::copy_if(used, std::back_inserter(here), is_here);
    if (here.size() < least_samples_of_memory) continue;
    std::vector<double> errors = residuals_of(rows_of(here), found.times);
    const double squares = std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0);
    for (double& error : errors) error = std::abs(error);
    HostFit& fit = fits.emplace_back();
    fit.regime = here.front().regime;
    fit.r_squared = r_squared_of(here, squares);
    fit.median_error = boost::math::statistics::median(errors);
    fit.samples = here.size();
    fit.outliers =
        static_cast<std::uint64_t>(std::ranges::count_if(samples, is_here)) - here.size();
    for (std::size_t i = 0; i < host_terms; ++i) {
      HostWork one{};
      one.at(i) = 1;
      const Row parts = row_of(one, memory);
      Row product{};
      for (std::size_t j = 0; j < unknowns; ++j) product.at(j) = dot(found.inverse.at(j), parts);
      const double time = dot(parts, found.times);
      const double error = width * std::sqrt(std::max(0.0, variance * dot(parts, product)));
      fit.times.at(i) = {time, std::max(0.0, time - error), time + error};
    }
  }
  return fits;
}

std::optional<double> HostModel::seconds(const HostRegime& regime, const HostWork& work,
                                         std::uint64_t bytes) const {
  const HostFit* const fit = fit_of(regime);
  if (fit == nullptr || work[0] == 0) return std::nullopt;
  return fit->seconds(work) * correction(regime, work, bytes);
}

double HostModel::correction(const HostRegime& regime, const HostWork& work,
                             std::uint64_t bytes) const {
  const Kind kind = kind_of(work, bytes);
  double sum = 0;
  double weights = doubt;
  for (const HostSample& sample : samples) {
    HostRegime same = sample.regime;
    same.memory = regime.memory;
    const HostFit* const fit = same == regime ? fit_of(sample.regime) : nullptr;
    const double fitted = fit == nullptr ? 0 : fit->seconds(sample.work);
    if (fitted <= 0) continue;
    const double weight = similarity(kind, kind_of(sample.work, sample.bytes));
    sum += weight * std::clamp(std::log(sample.seconds / fitted), -most_logarithm, most_logarithm);
    weights += weight;
  }
  return std::exp(sum / weights);
}

HostModel model_of(std::vector<HostSample> samples) {
  std::map<HostRegime, std::vector<HostSample>> groups;  // by all but the memory
  for (const HostSample& sample : samples) {
    HostRegime group = sample.regime;
    group.memory.clear();
    groups[group].push_back(sample);
  }
  HostModel model{.samples = std::move(samples)};
  for (const auto& [group, of_group] : groups)
    if (of_group.size() > host_terms)
      std::ranges::move(fitted(of_group), std::back_inserter(model.fits));
  return model;
}

const HostFit* HostModel::fit_of(const HostRegime& regime) const {
  const HostFit* best = nullptr;
  for (const HostFit& fit : fits) {
    HostRegime same = fit.regime;
    same.memory = regime.memory;
    if (same != regime) continue;
    const auto distance = [&](const HostFit& of) {
      const std::size_t there = place_of(of.regime.memory);
      const std::size_t here = place_of(regime.memory);
      return there >= here ? there - here : 2 * memories.size() + here - there;
    };
    if (best == nullptr || distance(fit) < distance(*best)) best = &fit;
  }
  return best;
}

std::string_view HostCaches::memory_of(std::uint64_t bytes, std::uint64_t workers) const noexcept {
  if (bytes <= l2_bytes * workers) return memories[0];
  return bytes <= l3_bytes ? memories[1] : memories[2];
}

HostCaches host_caches(const std::filesystem::path& cpus) {
  constexpr std::uint64_t typical_l2 = std::uint64_t{1} << 20U;
  constexpr std::uint64_t typical_l3 = std::uint64_t{32} << 20U;
  const auto line_in = [](const std::filesystem::path& file) {
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
  };
  std::uint64_t l2 = 0;
  std::map<std::string, std::uint64_t> l3;  // by the cores that share it
  for (unsigned cpu = 0;; ++cpu) {
    const std::filesystem::path caches = cpus / fmt::format("cpu{}", cpu) / "cache";
    if (!std::filesystem::exists(caches)) break;
    for (unsigned index = 0;; ++index) {
      const std::filesystem::path cache = caches / fmt::format("index{}", index);
      const std::string level = line_in(cache / "level");
      if (level.empty()) break;
      std::uint64_t kibibytes = 0;
      std::istringstream(line_in(cache / "size")) >> kibibytes;  // "32768K"
      if (level == "2") l2 = kibibytes << 10U;
      if (level == "3") l3[line_in(cache / "shared_cpu_list")] = kibibytes << 10U;
    }
  }
  std::uint64_t all_l3 = 0;
  for (const auto& [cores, bytes] : l3) all_l3 += bytes;
  return {l2 != 0 ? l2 : typical_l2, all_l3 != 0 ? all_l3 : typical_l3};
}

}  // namespace lockstep
