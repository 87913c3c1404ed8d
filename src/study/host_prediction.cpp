// SPDX-License-Identifier: Apache-2.0

/// Predictions of a calibration for a run: its regime, its work, its time, and the host's t_s and
/// t_m.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/quantities.hpp"
#include "study/calibration.hpp"

namespace lockstep::study {
namespace {

/// Loads of blocks that are the same for all destinations, and of reductions.
[[nodiscard]] double loads_without_addresses(const RunForecast& run) {
  const Collective& collective = run.collective;
  if (has_root(collective.operation) && !is_reduction(collective.operation)) return 1;
  const auto origins = static_cast<double>(collective.pattern.origins(run.processors));
  return collective.personalised() ? origins * static_cast<double>(run.processors) : origins;
}

}  // namespace

HostRegime regime_of(const RunForecast& run, const HostCaches& caches) {
  return {.channel = std::string(report::channel_name(run.channel)),
          .loop = std::string(run.loop) + (is_reduction(run.algorithm.operation) ? ", sums" : ""),
          .verified = run.verify != VerifyKind::off,
          .workers = run.workers_per_step,
          .memory = std::string(caches.memory_of(run.steps_bytes, run.workers_per_step))};
}

HostWork work_of(const RunRecord& record) noexcept {
  const auto loads = static_cast<double>(record.blocks_loaded);
  const auto deliveries = static_cast<double>(record.deliveries.delivered);
  return {static_cast<double>(record.steps),
          static_cast<double>(record.messages_sent),
          static_cast<double>(record.blocks_moved),
          static_cast<double>(record.bytes_moved()),
          loads,
          deliveries,
          (loads + deliveries) * static_cast<double>(record.block_bytes)};
}

HostWork expected_work(const RunForecast& run) noexcept {
  const auto steps = static_cast<double>(run.footprint.steps);
  const auto parts = static_cast<double>(run.parts_per_block());
  const double messages = run.footprint.hops != 0 ? static_cast<double>(run.footprint.hops)
                                                  : steps * static_cast<double>(run.processors);
  const double longest = run.predicted && run.predicted->startups != 0
                             ? run.predicted->message_times.value() * parts /
                                   static_cast<double>(run.predicted->startups)
                             : 1;
  const double blocks = messages * longest;
  const bool reduces = is_reduction(run.collective.operation);
  // A vector of a reduction is loaded, and its result delivered, as a whole.
  const double parts_of_each = reduces ? 1 : static_cast<double>(run.parts_per_message());
  const double deliveries = static_cast<double>(run.expected_messages()) * parts_of_each;
  const double loads = run.collective.personalised() && !reduces
                           ? deliveries
                           : loads_without_addresses(run) * parts_of_each;
  const auto bytes = static_cast<double>(run.part_bytes());
  return {steps, messages, blocks, blocks * bytes, loads, deliveries, (loads + deliveries) * bytes};
}

std::optional<double> Calibration::seconds(const RunForecast& run, const HostWork& work) const {
  if (run.executor != report::executor_name(default_executor)) return std::nullopt;
  return model.seconds(regime_of(run, caches), work, run.steps_bytes);
}

std::string Calibration::refusal(const Provenance& here, const HostCaches& here_caches) const {
  const auto differs = [](std::string_view what, const std::string& then, const std::string& now) {
    return fmt::format("it was made {} ({}; here {})", what, then, now);
  };
  if (made.cpu != here.cpu || made.cores != here.cores || caches != here_caches)
    return differs("on another host", fmt::format("{}, {} cores", made.cpu, made.cores),
                   fmt::format("{}, {} cores", here.cpu, here.cores));
  if (made.version != here.version || made.compiler != here.compiler || made.build != here.build)
    return differs("by another build",
                   fmt::format("{}, {}, {}", made.version, made.compiler, made.build),
                   fmt::format("{}, {}, {}", here.version, here.compiler, here.build));
  return {};
}

std::optional<HostCosts> host_costs(const Calibration& calibration, const RunForecast& run) {
  const HostRegime regime = regime_of(run, calibration.caches);
  const HostFit* const fit = calibration.model.fit_of(regime);
  const HostWork work = expected_work(run);
  if (fit == nullptr || work[0] == 0) return std::nullopt;
  const double correction = calibration.model.correction(regime, work, run.steps_bytes);
  const double startups = run.predicted ? static_cast<double>(run.predicted->startups) : work[0];
  const double times = run.predicted ? run.predicted->message_times.value() : work[0];
  const auto each = [&](double HostTime::*bound) {
    HostFit of_bound = *fit;
    for (HostTime& time : of_bound.times) time.seconds = correction * time.*bound;
    const double start = of_bound.seconds({work[0], work[1]});
    const double blocks = of_bound.seconds({0, 0, work[2], work[3], work[4], work[5], work[6]});
    return std::pair(startups > 0 ? start / startups : 0, times > 0 ? blocks / times : 0);
  };
  const auto [s, m] = each(&HostTime::seconds);
  const auto [s_low, m_low] = each(&HostTime::low);
  const auto [s_high, m_high] = each(&HostTime::high);
  return HostCosts{{s, s_low, s_high}, {m, m_low, m_high}};
}

}  // namespace lockstep::study
