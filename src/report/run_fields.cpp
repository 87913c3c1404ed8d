// SPDX-License-Identifier: Apache-2.0
#include "report/run_fields.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/quantities.hpp"

namespace lockstep::report {

using enum Unit;

namespace {

/// What figures are read from. Where there is no result, an empty one.
struct Facts {
  const RunForecast& run;
  const RunResult& result;
  const CostParameters& costs;
};

template <class T, class Figure>
[[nodiscard]] Value of(const std::optional<T>& thing, Figure T::*figure) {
  return thing ? Value((*thing).*figure) : Value();
}

[[nodiscard]] Fields of_request(const Facts& facts) {
  const RunForecast& run = facts.run;
  return {{"seed", run.seed, number, "of the bytes of all blocks"},
          {"threads", run.workers, number, "workers"},
          {"executor", run.executor, text, "tbb, thread or serial"},
          {"channel", channel_name(run.channel), text, "between processors"},
          {"block_size", run.processors_per_task, number, "processors per task; 0: a fair share"},
          {"topology", run.topology, text, "the network"},
          {"nodes", run.nodes, count, "of the network"},
          {"processors", run.processors, count, "nodes that hold blocks"},
          {"links", run.links, count, "none: 2^64 or more"},
          {"degree", run.degree, count, "links of a node, at most"},
          {"diameter", run.diameter, count, "none: not computed"},
          {"operation", name_of(run.algorithm.operation), text, "the collective"},
          {"algorithm", run.algorithm.name, text, "that carries it out"},
          {"parameters", {}, text, "the algorithm's own"},
          {"source", only_if(!run.algorithm.source.empty(), run.algorithm.source), text,
           "of the algorithm: paper and section"},
          {"port_model", run.model.name, text, "of the machine"},
          {"bytes", run.block_bytes, bytes, "of a block"},
          {"parts_per_block", run.parts_per_block(), count, "that travel by themselves"},
          {"padded_bytes", run.part_bytes() * run.parts_per_block(), bytes,
           "of a block whose last parts are filled up; a message time is the time of these"},
          {"envelope_bytes", std::uint64_t{run.label_bytes}, bytes, "moved with a block"},
          {"reads", only_if(!run.reads.empty(), run.reads), text,
           "what the program looks at of what it carries; none: it is blind"},
          {"verify", name_of(run.verify), text, "how deliveries are proved"}};
}

[[nodiscard]] Fields counted(const Facts& facts) {
  const RunRecord& record = facts.result.record;
  const Cost& cost = facts.result.cost;
  return {{"steps", record.steps, count, "also those in which nothing moved"},
          {"startups", cost.startups, count, "steps in which anything moved: the factor of t_s", "",
           "start-ups"},
          {"charged_startups", facts.run.charged(cost, record.steps).startups, count,
           "startups, or steps where idle ones are charged: the factor of t_s in time"},
          {"message_times", cost.message_times, blocks,
           "sum of the steps' largest messages: the factor of t_m"},
          {"largest_message_blocks", facts.run.in_blocks(record.largest_message_blocks), blocks,
           "in one message", "", "largest message"},
          {"control_words", cost.control_words, count,
           "of 8 bytes, to compute with; sum of the steps' most in a message: the factor of t_w"},
          {"phases", {}, text, "of the program: name, steps and cost of each"},
          {"queues", {}, text, "largest queues of switches, by level"}};
}

[[nodiscard]] Value least_time_of(const Facts& facts) {
  const RunForecast& run = facts.run;
  if (!run.lower_bound) return {};
  return least_time(*run.lower_bound, facts.costs);
}

[[nodiscard]] Value predicted_time_of(const Facts& facts) {
  const RunForecast& run = facts.run;
  const std::optional<Cost> cost = run.predicted_charge();
  return cost ? Value(predicted(*cost, facts.costs, run.block_bytes)) : Value();
}

[[nodiscard]] Fields claimed(const Facts& facts) {
  const auto& [run, result, costs] = facts;
  const auto& bound = run.lower_bound;
  const auto least = bound ? std::optional(bound->least) : std::nullopt;
  const auto undivided = bound ? std::optional(bound->undivided) : std::nullopt;
  const std::string_view by = "by the closed form";
  const std::string_view fewer = "no algorithm takes fewer, even if it divides blocks";
  const std::string_view whole = "no algorithm that keeps blocks whole takes fewer";
  return {
      {"predicted/startups", of(run.predicted, &Cost::startups), count, by},
      {"predicted/message_times", of(run.predicted, &Cost::message_times), blocks, by},
      {"lower_bound/startups", of(least, &Cost::startups), count, fewer},
      {"lower_bound/steps", of(least, &Cost::startups), count, "a start-up takes a step"},
      {"lower_bound/name",
       bound ? Value(fmt::format("{}; {}", bound->startups_by, bound->message_times_by)) : Value(),
       text, "what bounds the start-ups; the message times"},
      {"lower_bound/message_times", of(least, &Cost::message_times), blocks, fewer},
      {"lower_bound/undivided_blocks/startups", of(undivided, &Cost::startups), count, whole},
      {"lower_bound/undivided_blocks/message_times", of(undivided, &Cost::message_times), blocks,
       whole},
      {"lower_bound/undivided_blocks/name", bound ? Value(bound->undivided_by) : Value(), text,
       "what bounds the message times of whole blocks"},
      {"ts", costs.t_s, time, "start-up time of a message", "model/ts"},
      {"tm", costs.t_m, time, "per block in a message", "model/tm"},
      {"tw", costs.word_time(run.block_bytes), time,
       "per control word in a message; default: 8 tm / bytes", "model/tw"},
      {"time_lower_bound", least_time_of(facts), time,
       "no algorithm takes less, even if it divides blocks", "model/lower_bound"},
      {"time_lower_bound_undivided_blocks",
       undivided ? Value(predicted(*undivided, costs, run.block_bytes)) : Value(), time,
       "no algorithm that keeps blocks whole takes less", "model/lower_bound_undivided_blocks"},
      {"time_predicted", predicted_time_of(facts), time, by, "model/predicted"},
      {"memory/predicted_bytes", only_if(run.memory_bytes != 0, run.memory_bytes), bytes,
       "network, plan, machine, ledger", "", "memory"}};
}

[[nodiscard]] Fields timed(const Facts& facts) {
  const RunRecord& record = facts.result.record;
  const double spent = record.wall.step_seconds;
  const double modelled_time = modelled(facts.run.charged(facts.result.cost, record.steps),
                                        facts.costs, facts.run.block_bytes);
  const double least = number_of(least_time_of(facts)).value_or(0);
  const bool complete = facts.result.judgement.deliveries.complete();
  const auto rate = [spent](std::uint64_t amount) {
    return only_if(spent > 0, static_cast<double>(amount) / spent);
  };
  return {
      {"time", modelled_time, time,
       "charged_startups ts + message_times tm + control_words tw, exactly", "model/time",
       "       time"},
      {"time_over_lower_bound", only_if(complete && least > 0, modelled_time / least), ratio,
       "time over time_lower_bound, where all was delivered", "model/over_lower_bound", "of bound"},
      {"wall/seconds", facts.result.setup_seconds + spent, seconds,
       "set-up and steps by the clock; the median of repeats", "", "     wall"},
      {"wall/least_seconds", facts.result.setup_seconds + spent, seconds, "of the repeats", "",
       "wall least"},
      {"wall/most_seconds", facts.result.setup_seconds + spent, seconds, "of the repeats", "",
       "wall most"},
      {"repeat", std::uint64_t{1}, count, "runs of each combination"},
      {"step_seconds", spent, seconds, "of the steps; the median of repeats", "wall/step_seconds",
       " in steps"},
      {"verify_seconds", record.wall.verify_seconds, seconds, "of the steps, checking bytes",
       "wall/verify_seconds"},
      {"setup_seconds", facts.result.setup_seconds, seconds, "network, plan and memory",
       "wall/setup_seconds"},
      {"hops", record.hops, count, "messages that crossed a link"},
      {"bytes_moved", record.bytes_moved(), bytes, "over links"},
      {"hops_per_second", rate(record.hops), per_second, "by step_seconds"},
      {"bytes_per_second", rate(record.bytes_moved()), bytes_per_second, "moved, by step_seconds"},
      {"messages_per_second", rate(record.deliveries.delivered), per_second,
       "delivered, by step_seconds", "", "messages/s"},
      {"memory/peak_bytes", facts.result.peak_bytes, bytes, "at most taken by the process"}};
}

[[nodiscard]] Fields delivered(const Facts& facts) {
  const DeliveryVerdict& verdict = facts.result.judgement.deliveries;
  const auto& missing = verdict.first_missing;
  const auto& wrong = verdict.tally.first_corrupted;
  const std::string_view where = "by a processor, where some are missing";
  return {
      {"messages/expected", verdict.expected, count, "without the processors' own"},
      {"messages/delivered", verdict.tally.delivered, count, "handed to hosts"},
      {"messages/verified", verdict.tally.verified, count, "every byte as it should be", "",
       "  verified"},
      {"messages/missing", verdict.missing, count, "expected and not delivered"},
      {"messages/duplicated", verdict.tally.duplicated, count, "delivered before"},
      {"messages/corrupted", verdict.tally.corrupted, count, "other bytes, or not expected there"},
      {"first_corrupted/step", of(wrong, &WrongDelivery::step), number, "of the first of these"},
      {"first_corrupted/node", wrong ? Value(index(wrong->node)) : Value(), number,
       "that delivered it"},
      {"first_corrupted/source", wrong ? Value(index(wrong->origin)) : Value(), number,
       "whose it was said to be"},
      {"first_missing/source", missing ? Value(index(missing->origin)) : Value(), number,
       "of the first message that is missing"},
      {"first_missing/destination", missing ? Value(index(missing->destination)) : Value(), number,
       "of the first message that is missing"},
      {"least_received", of(verdict.received, &Received::least), count, where, "received/least"},
      {"most_received", of(verdict.received, &Received::most), count, where, "received/most"},
      {"received/of", of(verdict.received, &Received::expected), count,
       "by a processor, if none were missing"}};
}

[[nodiscard]] Fields judged(const Facts& facts) {
  const auto& [record, judgement, queue] =
      std::tie(facts.result.record, facts.result.judgement, facts.result.largest_queue);
  const WaitRecord& waits = record.waits;
  const bool waited = waits.blocks != 0;
  const PromiseVerdict& promises = judgement.promises;
  return {{"violation_list",
           {},
           text,
           "the first: step, node, port and what is behind it, rule",
           "violations"},
          {"waits/blocks", only_if(waits.watched, waits.blocks), count,
           "that waited on their way, where it is watched"},
          {"waits/longest_steps", only_if(waits.watched, waits.longest_steps), count,
           "of a block on its way"},
          {"waits/first/step", only_if(waited, waits.first_step), number,
           "in which the first block that had waited was sent on"},
          {"waits/first/node", only_if(waited, index(waits.first_node)), number, "that sent it on"},
          {"in_flight_watched", record.in_flight_watched, text,
           "whether altering what a neighbour still reads was looked for"},
          {"unmet_stores", record.unmet_stores, count, "of a message that had not arrived"},
          {"violations", record.violation_count, count, "broken rules", "violation_count"},
          {"largest_queue/blocks", of(queue, &QueueFigures::blocks), blocks, "in a processor"},
          {"largest_queue/foreign", of(queue, &QueueFigures::foreign), blocks,
           "in a processor, not its own"},
          {"senders", record.senders, count, "processors that sent, summed over the steps"},
          {"receivers", record.receivers, count, "processors that received, summed over the steps"},
          {"switch_senders", record.switch_senders, count, "switches that sent, as senders"},
          {"switch_receivers", record.switch_receivers, count, "the same of those that received"},
          {"interrupted", record.interrupted, text, "stopped on request"},
          {"as_predicted", only_if(promises.judged, promises.kept()), text,
           "no count differs from a promise; none: not judged"},
          {"outcome", name_of(judgement.outcome), text, "the worst that is wrong, or complete"},
          {"ok", judgement.ok(), text, "all delivered, legal and as promised; exit code 0"},
          {"status", status_of(judgement.outcome), text,
           "ok, not-delivered, rule-broken, interrupted; of rows also refused, no-resources"}};
}

}  // namespace

bool takes_control_words(const RunForecast& run, const RunResult& result) {
  return result.cost.control_words != 0 || (run.predicted && run.predicted->control_words != 0);
}

Fields run_fields(const RunForecast& run, const RunResult* result, const CostParameters& costs) {
  static const RunResult none{};
  const Facts facts{run, result != nullptr ? *result : none, costs};
  Fields all;
  const auto add = [&](Fields figures, bool are_known) {
    for (Field& figure : figures) {
      if (!are_known) figure.value = {};
      all.push_back(std::move(figure));
    }
  };
  add(of_request(facts), true);
  add(counted(facts), result != nullptr);
  add(claimed(facts), true);
  if (!run.picked.empty()) add({{"picked", run.picked, text, "among what, and why"}}, true);
  if (takes_control_words(run, facts.result))
    add({{"predicted/control_words", of(run.predicted, &Cost::control_words), count,
          "by the closed form"}},
        true);
  for (Fields (*const measured)(const Facts&) : {timed, delivered, judged})
    add(measured(facts), result != nullptr);
  return all;
}

Fields run_fields(const RunReport& report) {
  Fields row = run_fields(report.result.forecast, &report.result, report.costs);
  if (report.wall_seconds.size() > 1) set_walls(row, report.wall_seconds);
  return row;
}

void set_walls(Fields& row, const std::vector<double>& wall_seconds) {
  const auto [least, most] = std::minmax_element(wall_seconds.begin(), wall_seconds.end());
  set(row, "repeat", std::uint64_t{wall_seconds.size()});
  set(row, "wall_least_seconds", *least);
  set(row, "wall_most_seconds", *most);
}

Fields dry_run_fields(const DryRunReport& report) {
  const RunForecast& run = report.forecast;
  const std::optional<Probe>& probe = report.probe;
  const bool gave_up = report.gave_up_seconds > 0;
  Fields row = run_fields(run, nullptr, report.costs);
  set(row, "steps", run.footprint.steps);
  set(row, "messages_expected", run.expected_messages());
  append(row,
         {{"memory/available_bytes", run.available_bytes, bytes, "of the host, or as limited"},
          {"memory/fits", run.fits(), text, "in what is available"},
          {"wall/estimated_seconds",
           probe ? Value(probe->estimated_seconds) : only_if(!gave_up, run.rough_seconds), seconds,
           "of set-up and steps"},
          {"wall/measured", probe.has_value(), text, "by a trial, not from typical rates"},
          {"wall/trial_setup_seconds", of(probe, &Probe::setup_seconds), seconds,
           "network, plan and memory"},
          {"wall/trial_seconds", of(probe, &Probe::step_seconds), seconds, "of the trial's steps"},
          {"wall/trial_steps", of(probe, &Probe::steps), count, "of the trial"},
          {"wall/gave_up_seconds", only_if(gave_up, report.gave_up_seconds), seconds,
           "after which the trial was ended, unfinished"}});
  return row;
}

}  // namespace lockstep::report
