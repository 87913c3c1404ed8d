// SPDX-License-Identifier: Apache-2.0
#include "catalog/trial.hpp"

#include <new>
#include <utility>

#include "lockstep/core/errors.hpp"

namespace lockstep::catalog {
namespace {

/// A run of this cost cannot be legal under the port model of the machine.
[[nodiscard]] bool is_below_bound(const RunForecast& run) {
  if (!run.predicted || !run.lower_bound) return false;
  const Cost& least = run.lower_bound->of(run.parts_per_block());
  return run.predicted->startups < least.startups ||
         run.predicted->message_times < least.message_times;
}

/// Counts in blocks do not depend on their bytes, nor on what is verified.
[[nodiscard]] RunRequest trial_request(const Choice& choice, const RunRequest& request) {
  RunRequest trial = request;
  trial.port_model = choice.port_model;
  trial.block_bytes = choice.instance.algorithm->pattern().parts_per_block();
  trial.verify = VerifyKind::off;
  trial.channel = ChannelKind::automatic;
  trial.keep_series = false;
  trial.processes = 1;
  trial.input = {};
  trial.combine = {};
  trial.fault = {};
  trial.disturb = {};
  return trial;
}

[[nodiscard]] Trial no_memory() { return {.reason = "a trial needs too much memory"}; }

/// A plan says which ports it uses, and costs the same under every port model.
[[nodiscard]] std::optional<Trial> known_without_a_run(const Choice& choice,
                                                       const RunRequest& request) {
  if (!choice.port_model || choice.line->entry.info.charges_idle_steps) return std::nullopt;
  const std::optional<bool> keeps = choice.instance.algorithm->keeps(*choice.port_model);
  if (!keeps) return std::nullopt;
  if (!*keeps) return Trial{.outcome = Trial::Outcome::unlawful};
  return Trial{.outcome = Trial::Outcome::lawful,
               .counted = promised(choice, request.topology, definite_block_bytes(request))};
}

[[nodiscard]] Trial carried_out(const Choice& choice, const RunRequest& request,
                                double most_seconds, const std::stop_token& stop) {
  if (const std::optional<Trial> known = known_without_a_run(choice, request)) return *known;
  const RunRequest smallest = trial_request(choice, request);
  Choice tried = choice;
  tried.forecast = forecast_for(tried, smallest);
  const RunForecast run = tried.forecast;
  if (is_below_bound(run)) return {.outcome = Trial::Outcome::unlawful};
  if (!run.fits()) return no_memory();
  if (run.rough_seconds > most_seconds) return {.reason = "a trial takes too long"};
  const RunResult result = prepare_run(std::move(tried), smallest)->execute({.stop = stop});
  if (result.record.interrupted) return {.reason = "the trial was interrupted"};
  if (!result.record.legal()) return {.outcome = Trial::Outcome::unlawful};
  return {.outcome = Trial::Outcome::lawful,
          .counted =
              Promise{run.algorithm.charged(result.cost, result.record.steps,
                                            definite_block_bytes(request), run.parts_per_block()),
                      run.parts_per_block()}};
}

}  // namespace

Trial trial_of(const Choice& choice, const RunRequest& request, double most_seconds,
               const std::stop_token& stop) try {
  return carried_out(choice, request, most_seconds, stop);
} catch (const InvalidParameter& problem) {
  return {.outcome = Trial::Outcome::refused, .reason = problem.what()};
} catch (const ResourceExhausted&) {
  return no_memory();
} catch (const std::bad_alloc&) {
  return no_memory();
}

}  // namespace lockstep::catalog
