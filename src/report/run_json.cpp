// SPDX-License-Identifier: Apache-2.0

/// A run as JSON: schema "lockstep.run/1".

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "lockstep/report/run_report.hpp"
#include "report/fields.hpp"
#include "report/names.hpp"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

/// null where there is none.
template <class Value, class Use>
[[nodiscard]] Json or_null(const std::optional<Value>& value, Use use) {
  return value ? Json(use(*value)) : Json(nullptr);
}

/// What the machine counts are parts of blocks; what is said are blocks.
[[nodiscard]] Json blocks_json(std::uint64_t parts, const RunEstimate& run) {
  return report::json_of(report::in_blocks(parts, run.parts_per_block()));
}

[[nodiscard]] Json promise_json(const RunEstimate& run) {
  return or_null(run.predicted, [&](const Promise& p) {
    return Json{{"startups", p.startups}, {"message_times", blocks_json(p.message_times, run)}};
  });
}

[[nodiscard]] Json bound_json(const RunEstimate& run) {
  return or_null(run.lower_bound, [&](const LowerBound& b) {
    return Json{{"steps", b.steps}, {"message_times", blocks_json(b.message_times, run)}};
  });
}

[[nodiscard]] Json settings_json(const Settings& settings) {
  Json json = Json::object();
  for (const auto& [name, setting] : settings)
    std::visit([&, key = name](const auto& value) { json[key] = value; }, setting);
  return json;
}

[[nodiscard]] Json head(std::string_view schema, const RunEstimate& run,
                        const Provenance& provenance) {
  const Json diameter = or_null(run.diameter, [](std::size_t d) { return d; });
  return Json{{"schema", schema},
              {"version", provenance.version},
              {"command", provenance.command},
              {"host",
               {{"cpu", provenance.cpu},
                {"cores", provenance.cores},
                {"compiler", provenance.compiler},
                {"build", provenance.build}}},
              {"seed", run.seed},
              {"threads", run.workers},
              {"executor", run.executor},
              {"channel", report::channel_name(run.channel)},
              {"block_size", run.processors_per_task},
              {"topology", run.topology},
              {"nodes", run.nodes},
              {"processors", run.processors},
              {"links", run.links ? Json(*run.links) : Json(nullptr)},
              {"degree", run.degree},
              {"diameter", diameter},
              {"operation", name_of(run.algorithm.operation)},
              {"algorithm", run.algorithm.name},
              {"parameters", settings_json(run.settings)},
              {"source", run.algorithm.source},
              {"port_model", run.model.name},
              {"bytes", run.block_bytes},
              {"parts_per_block", run.parts_per_block()},
              {"envelope_bytes", 0}};
}

[[nodiscard]] Json model_json(const RunEstimate& run, const CostParameters& costs,
                              const std::optional<double>& time) {
  const std::uint64_t parts = run.parts_per_block();
  return Json{
      {"ts", costs.t_s},
      {"tm", costs.t_m},
      {"time", or_null(time, [](double t) { return t; })},
      {"lower_bound",
       or_null(run.lower_bound, [&](const LowerBound& b) { return least_time(b, costs, parts); })},
      {"predicted",
       or_null(run.predicted, [&](const Promise& p) { return predicted(p, costs, parts); })}};
}

[[nodiscard]] Json messages_json(const DeliveryVerdict& verdict) {
  return Json{{"expected", verdict.expected},           {"delivered", verdict.tally.delivered},
              {"verified", verdict.tally.verified},     {"missing", verdict.missing},
              {"duplicated", verdict.tally.duplicated}, {"corrupted", verdict.tally.corrupted}};
}

/// Null where nobody watched.
[[nodiscard]] Json waits_json(const WaitRecord& waits) {
  if (!waits.watched) return nullptr;
  Json json{{"blocks", waits.blocks}, {"longest_steps", waits.longest_steps}, {"first", nullptr}};
  if (waits.blocks != 0)
    json["first"] = {{"step", waits.first_step}, {"node", index(waits.first_node)}};
  return json;
}

[[nodiscard]] Json violations_json(const RunResult& result) {
  const std::string place = result.plan_place.empty() ? "" : ", " + result.plan_place;
  Json list = Json::array();
  for (std::size_t i = 0; i < result.record.violations.size(); ++i) {
    const Violation& violation = result.record.violations[i];
    list.push_back({{"step", violation.step},
                    {"node", index(violation.node)},
                    {"port", index(violation.port)},
                    {"rule", name_of(violation.rule)},
                    {"detail", fmt::format("counted {}{}", violation.count, place)}});
    if (i < result.other_ends.size()) list.back()["other_end"] = index(result.other_ends[i]);
  }
  return list;
}

[[nodiscard]] Json series_json(const RunResult& result) {
  const RunRecord& record = result.record;
  Json list = Json::array();
  for (const StepRecord& step : record.series)
    list.push_back(
        {{"step", step.step},
         {"senders", step.senders},
         {"receivers", step.receivers},
         {"active", step.active},
         {"free", record.processors - step.active},
         {"messages", step.messages},
         {"bytes", step.blocks * record.block_bytes},
         {"largest_message_blocks", blocks_json(step.largest_message_blocks, result.estimate)},
         {"seconds", step.seconds}});
  return list;
}

[[nodiscard]] double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

}  // namespace

std::string to_json(const RunReport& report) {
  const RunResult& result = report.result;
  const RunRecord& record = result.record;
  const double step_seconds = record.wall.step_seconds;
  Json json = head("lockstep.run/1", result.estimate, report.provenance);
  json["steps"] = record.steps;
  json["startups"] = record.startups;
  json["message_times"] = blocks_json(record.message_times, result.estimate);
  json["predicted"] = promise_json(result.estimate);
  json["lower_bound"] = bound_json(result.estimate);
  json["model"] = model_json(result.estimate, report.costs,
                             modelled(record, report.costs, result.estimate.parts_per_block()));
  json["wall"] = {{"seconds", result.setup_seconds + step_seconds},
                  {"step_seconds", step_seconds},
                  {"verify_seconds", record.wall.verify_seconds},
                  {"setup_seconds", result.setup_seconds}};
  json["hops"] = record.hops;
  json["bytes_moved"] = record.bytes_moved();
  json["hops_per_second"] = per_second(record.hops, step_seconds);
  json["bytes_per_second"] = per_second(record.bytes_moved(), step_seconds);
  json["messages"] = messages_json(result.verdict);
  json["verify"] = name_of(result.estimate.verify);
  json["first_missing"] = or_null(result.verdict.first_missing, [](const MissingPair& pair) {
    return Json{{"source", index(pair.source)}, {"destination", index(pair.destination)}};
  });
  json["received"] = or_null(result.verdict.received, [](const Received& received) {
    return Json{{"least", received.least}, {"most", received.most}, {"of", received.expected}};
  });
  json["violations"] = violations_json(result);
  json["waits"] = waits_json(record.waits);
  json["unmet_stores"] = record.unmet_stores;
  json["violation_count"] = record.violation_count;
  json["largest_queue"] = or_null(result.largest_queue, [](const QueueFigures& queue) {
    return Json{{"blocks", queue.blocks}, {"foreign", queue.foreign}};
  });
  json["memory"] = {{"predicted_bytes", result.estimate.memory_bytes},
                    {"peak_bytes", result.peak_bytes}};
  json["interrupted"] = record.interrupted;
  json["senders"] = record.senders;
  json["receivers"] = record.receivers;
  json["as_predicted"] = result.promises.judged ? Json(result.promises.kept()) : Json(nullptr);
  json["ok"] = result.ok();
  if (!record.series.empty()) json["series"] = series_json(result);
  return json.dump(2) + "\n";
}

std::string to_json(const RunEstimate& run, const std::optional<Probe>& probe,
                    const CostParameters& costs, const Provenance& provenance) {
  Json json = head("lockstep.dry-run/1", run, provenance);
  json["steps"] = run.footprint.steps;
  json["predicted"] = promise_json(run);
  json["lower_bound"] = bound_json(run);
  json["model"] = model_json(run, costs, std::nullopt);
  json["messages"] = {{"expected", run.expected_messages}};
  json["verify"] = name_of(run.verify);
  json["memory"] = {{"predicted_bytes", run.memory_bytes},
                    {"available_bytes", run.available_bytes},
                    {"fits", run.memory_bytes <= run.available_bytes}};
  json["wall"] = {{"estimated_seconds", probe ? probe->estimated_seconds : run.rough_seconds},
                  {"measured", probe.has_value()},
                  {"trial_seconds", probe ? probe->seconds_spent : 0},
                  {"trial_steps", probe ? probe->steps : 0}};
  return json.dump(2) + "\n";
}

}  // namespace lockstep
