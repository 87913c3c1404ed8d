// SPDX-License-Identifier: Apache-2.0

/// Predictions of a calibration for a run: its work, its time, and the host's t_s and t_m.

#include <fmt/format.h>

#include <utility>

#include "report/quantities.hpp"
#include "study/calibration.hpp"

namespace lockstep::study {

std::string Calibration::no_prediction(const RunForecast& run, const HostWork& work) const {
  if (run.executor != report::executor_name(default_executor))
    return fmt::format("runs by the executor {} are not calibrated", run.executor);
  if (work.alone[HostKind::step] == 0) return "the run has no steps";
  if (const std::string_view kind = model.unknown_kind(work); !kind.empty())
    return fmt::format("no run of the calibration had such work: {}", kind);
  return {};
}

std::optional<double> Calibration::seconds(const RunForecast& run, const HostWork& work) const {
  return no_prediction(run, work).empty() ? std::optional(model.seconds(work)) : std::nullopt;
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
  using enum HostKind;
  const HostWork work = catalog::expected_work(run);
  if (!calibration.no_prediction(run, work).empty()) return std::nullopt;
  HostWork of_startups = work;  // what a step takes with messages of no blocks
  for (auto* const counts : {&of_startups.alone, &of_startups.shared}) {
    const OfHostKinds<double> all = std::exchange(*counts, {});
    for (const HostKind kind :
         {whole_run, step, barrier, handover, turn, dense_turn, once_turn, message, queued_message,
          routed_message, row, queue_step, queue_switch})
      (*counts)[kind] = all[kind];
  }
  const double startups =
      run.predicted ? static_cast<double>(run.predicted->startups) : work.alone[step];
  const double times = run.predicted ? run.predicted->message_times.value() : work.alone[step];
  const auto each = [&](double HostTime::*bound) {
    HostModel model{.rates = calibration.model.rates,
                    .cached_bytes = calibration.model.cached_bytes};
    for (HostTime& rate : model.rates.all) rate.seconds = rate.*bound;
    const double start = model.seconds(of_startups);
    const double rest = model.seconds(work) - start;
    return std::pair(startups > 0 ? start / startups : 0, times > 0 ? rest / times : 0);
  };
  const auto [s, m] = each(&HostTime::seconds);
  const auto [s_low, m_low] = each(&HostTime::low);
  const auto [s_high, m_high] = each(&HostTime::high);
  return HostCosts{{s, s_low, s_high}, {m, m_low, m_high}};
}

}  // namespace lockstep::study
