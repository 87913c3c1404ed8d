// SPDX-License-Identifier: Apache-2.0
#include "report/run_fields.hpp"

#include <fmt/format.h>

#include "lockstep/core/detail/counted.hpp"
#include "report/quantities.hpp"
#include "report/spread.hpp"
#include "topology/node_names.hpp"

namespace lockstep::report {

using enum Unit;

namespace {

/// The source of all figures; the result is empty if there is none.
struct Facts {
  const RunForecast& run;
  const RunResult& result;
  const CostParameters& costs;
};

template <class T, class Figure>
[[nodiscard]] Value of(const std::optional<T>& thing, Figure T::*figure) {
  return thing ? Value((*thing).*figure) : Value();
}

/// The processor that made a block; a corrupted block may claim a source that does not exist.
[[nodiscard]] NodeId source_of(const RunForecast& run, Origin origin) {
  const Pattern& pattern = run.collective.pattern;
  return index(origin) < pattern.origins(run.processors) ? pattern.home(origin)
                                                         : NodeId{index(origin)};
}

/// The number of a node and its name.
void add_node(Fields& fields, std::string_view name, std::string_view name_of_name,
              const RunForecast& run, std::optional<NodeId> node, std::string_view meaning) {
  fields.push_back({name, node ? Value(index(*node)) : Value(), number, meaning});
  fields.push_back({name_of_name, node ? name_of(run.network, *node) : Value(), text,
                    "its name, in networks from files"});
}

[[nodiscard]] Fields of_request(const Facts& facts) {
  const RunForecast& run = facts.run;
  return {
      {"seed", run.seed, number, "seed of the payload"},
      {"threads", run.workers, number, "number of workers"},
      {"workers_per_step", only_if(run.workers_per_step != 0, run.workers_per_step), number,
       "workers that share a step; 1 where steps are expected to be short"},
      {"processes", run.processes, number, "processes that share the run"},
      {"executor", run.executor, text, "tbb, thread or serial"},
      {"channel", channel_name(run.channel), text, "kind of channel between processors"},
      {"block_size", run.processors_per_task, number,
       "processors per task; 0: an equal share for each worker"},
      {"topology", run.topology, text, "the network"},
      {"nodes", run.nodes, count, "nodes of the network"},
      {"processors", run.processors, count, "nodes that hold blocks"},
      {"links", run.links, count, "links of the network; empty: 2^64 or more"},
      {"degree", run.degree, count, "largest number of links of a node"},
      {"diameter", run.diameter, count, "diameter of the network; empty: not computed"},
      {"operation", name_of(run.algorithm.operation), text, "collective operation"},
      {"algorithm", run.algorithm.name, text, "algorithm of the run"},
      {"parameters", {}, text, "parameters of the algorithm"},
      {"source", only_if(!run.algorithm.source.empty(), run.algorithm.source), text,
       "source of the algorithm: paper and section"},
      {"port_model", run.model.name, text, "port model of the machine"},
      {"bytes", run.block_bytes, bytes, "bytes of a block"},
      {"parts_per_block", run.parts_per_block(), count, "parts of a block that travel separately"},
      {"padded_bytes", run.part_bytes() * run.parts_per_block(), bytes,
       "bytes of a padded block, which a message time refers to"},
      {"envelope_bytes", std::uint64_t{run.label_bytes}, bytes,
       "label bytes that move with a block"},
      {"reads", only_if(!run.reads.empty(), run.reads), text,
       "what the program reads of its messages; empty: nothing (blind)"},
      {"verify", name_of(run.verify), text, "how deliveries are verified"}};
}

[[nodiscard]] Fields counted(const Facts& facts) {
  const RunRecord& record = facts.result.record;
  const Cost& cost = facts.result.cost;
  return {{"steps", record.steps, count, "steps, including those in which nothing moved"},
          {"startups", cost.startups, count,
           "steps in which anything moved: the coefficient of t_s", "", "start-ups"},
          {"charged_startups", facts.run.charged(cost, record.steps).startups, count,
           "startups, or steps if idle steps are charged: the coefficient of t_s in time"},
          {"message_times", cost.message_times, blocks,
           "length of the longest message of each step, summed, in padded blocks"},
          {"charged_message_times", facts.run.charged(cost, record.steps).message_times, blocks,
           "message_times padded_bytes / bytes: the coefficient of t_m in time"},
          {"largest_message_blocks", facts.run.in_blocks(record.largest_message_blocks), blocks,
           "blocks of the largest message", "", "largest message"},
          {"control_words", cost.control_words, count,
           "control words (8 bytes) of the longest message of each step, summed: the coefficient "
           "of t_w"},
          {"phases", {}, text, "phases of the program: name, steps and cost of each"},
          {"queues", {}, text, "longest queues of the switches, by level"}};
}

[[nodiscard]] Value least_time_of(const Facts& facts) {
  const std::optional<LowerBound>& bound = facts.run.lower_bound;
  return bound ? Value(least_time(*bound, facts.costs)) : Value();
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
  const std::string_view by = "by the closed form of the algorithm";
  const std::string_view fewer =
      "lower bound for all algorithms, including those that divide blocks";
  const std::string_view whole = "lower bound for algorithms that do not divide blocks";
  return {
      {"predicted/startups", of(run.predicted, &Cost::startups), count, by},
      {"predicted/message_times", of(run.predicted, &Cost::message_times), blocks, by},
      {"lower_bound/startups", of(least, &Cost::startups), count, fewer},
      {"lower_bound/steps", of(least, &Cost::startups), count,
       "lower bound on steps: each start-up takes one"},
      {"lower_bound/name",
       bound ? Value(fmt::format("{}; {}", bound->startups_by, bound->message_times_by)) : Value(),
       text, "names of the bounds on start-ups and on message times"},
      {"lower_bound/message_times", of(least, &Cost::message_times), blocks, fewer},
      {"lower_bound/undivided_blocks/startups", of(undivided, &Cost::startups), count, whole},
      {"lower_bound/undivided_blocks/message_times", of(undivided, &Cost::message_times), blocks,
       whole},
      {"lower_bound/undivided_blocks/name", bound ? Value(bound->undivided_by) : Value(), text,
       "name of the bound on message times of undivided blocks"},
      {"ts", costs.t_s, time, "start-up time of a message", "model/ts"},
      {"tm", costs.t_m, time, "time per block of a message", "model/tm"},
      {"tw", costs.word_time(run.block_bytes), time, "time per control word; default: 8 tm / bytes",
       "model/tw"},
      {"time_lower_bound", least_time_of(facts), time,
       "lower bound on time for all algorithms, including those that divide blocks",
       "model/lower_bound"},
      {"time_lower_bound_undivided_blocks",
       undivided ? Value(predicted(*undivided, costs, run.block_bytes)) : Value(), time,
       "lower bound on time for algorithms that do not divide blocks",
       "model/lower_bound_undivided_blocks"},
      {"time_predicted", predicted_time_of(facts), time, by, "model/predicted"},
      {"memory/predicted_bytes", only_if(run.memory_bytes != 0, run.memory_bytes), bytes,
       "predicted memory of network, plan, machine and ledger", "", "memory"}};
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
  return {{"time", modelled_time, time,
           "charged_startups ts + charged_message_times tm + control_words tw, exactly",
           "model/time", " model time"},
          {"time_over_lower_bound", only_if(complete && least > 0, modelled_time / least), ratio,
           "time over time_lower_bound, for complete runs", "model/over_lower_bound", "time/bound"},
          {"wall/seconds", facts.result.setup_seconds + spent, seconds,
           "wall time of set-up and steps; median of the repetitions", "", "     wall"},
          {"wall/least_seconds", facts.result.setup_seconds + spent, seconds,
           "minimum of the repetitions", "", "wall min"},
          {"wall/most_seconds", facts.result.setup_seconds + spent, seconds,
           "maximum of the repetitions", "", "wall max"},
          {"repeat", std::uint64_t{1}, count, "number of repetitions"},
          {"wall/mean_seconds", {}, seconds, "mean of the repetitions", "", "wall mean"},
          {"wall/p95_seconds", Value(), seconds,
           "95th percentile of the repetitions, by nearest rank", "", "wall p95"},
          {"wall/p99_seconds", Value(), seconds,
           "99th percentile of the repetitions, by nearest rank", "", "wall p99"},
          {"wall/deviation_seconds", Value(), seconds, "standard deviation of the repetitions", "",
           "deviation"},
          {"wall/variation", Value(), share,
           "coefficient of variation: standard deviation over mean", "", "variation"},
          {"wall/varies", {}, text, "whether the variation exceeds 0.05", "", "varies"},
          {"step_seconds", spent, seconds, "wall time of the steps; median of the repetitions",
           "wall/step_seconds", "step wall time"},
          {"verify_seconds", record.wall.verify_seconds, seconds,
           "wall time of verification within the steps", "wall/verify_seconds"},
          {"setup_seconds", facts.result.setup_seconds, seconds,
           "wall time of setting up network, plan and memory", "wall/setup_seconds"},
          {"messages_sent", record.messages_sent, count,
           "messages over links, or over routes of links with wormhole switching"},
          {"hops", record.hops, count, "links that messages crossed: one hop per message and link"},
          {"bytes_moved", record.bytes_moved(), bytes,
           "bytes copied: once per hop, or once per message with wormhole switching"},
          {"hops_per_second", rate(record.hops), per_second, "hops per step_seconds"},
          {"bytes_per_second", rate(record.bytes_moved()), bytes_per_second,
           "bytes moved per step_seconds"},
          {"messages_per_second", rate(record.deliveries.delivered), per_second,
           "messages delivered per step_seconds", "", "messages/s"},
          {"memory/peak_bytes", facts.result.peak_bytes, bytes, "peak memory of the process"}};
}

[[nodiscard]] Fields delivered(const Facts& facts) {
  const DeliveryVerdict& verdict = facts.result.judgement.deliveries;
  const auto& missing = verdict.first_missing;
  const auto& wrong = verdict.tally.first_corrupted;
  const std::string_view where = "messages received by one processor, if some are missing";
  Fields fields{
      {"messages/expected", verdict.expected, count,
       "messages to deliver, excluding messages to self"},
      {"messages/delivered", verdict.tally.delivered, count, "messages delivered"},
      {"messages/verified", verdict.tally.verified, count, "messages whose every byte was verified",
       "", "  verified"},
      {"messages/missing", verdict.missing, count, "messages expected but not delivered"},
      {"messages/duplicated", verdict.tally.duplicated, count, "messages delivered more than once"},
      {"messages/corrupted", verdict.tally.corrupted, count,
       "messages with wrong bytes or at a wrong processor"},
      {"first_corrupted/step", of(wrong, &WrongDelivery::step), number,
       "step of the first corrupted message"}};
  const auto optional_node = [](const auto& thing, const auto& node) {
    return thing ? std::optional(node(*thing)) : std::nullopt;
  };
  const auto source = [&](const auto& thing) { return source_of(facts.run, thing.origin); };
  add_node(fields, "first_corrupted/node", "first_corrupted/node_name", facts.run,
           optional_node(wrong, [](const WrongDelivery& w) { return w.node; }),
           "node that delivered it");
  add_node(fields, "first_corrupted/source", "first_corrupted/source_name", facts.run,
           optional_node(wrong, source), "claimed source");
  add_node(fields, "first_missing/source", "first_missing/source_name", facts.run,
           optional_node(missing, source), "source of the first missing message");
  add_node(fields, "first_missing/destination", "first_missing/destination_name", facts.run,
           optional_node(missing, [](const MissingPair& pair) { return pair.destination; }),
           "destination of the first missing message");
  append(
      fields,
      {{"least_received", of(verdict.received, &Received::least), count, where, "received/least"},
       {"most_received", of(verdict.received, &Received::most), count, where, "received/most"},
       {"received/of", of(verdict.received, &Received::expected), count,
        "messages per processor in a complete run"}});
  return fields;
}

[[nodiscard]] Fields judged(const Facts& facts) {
  const auto& [record, judgement, queue] =
      std::tie(facts.result.record, facts.result.judgement, facts.result.largest_queue);
  const WaitRecord& waits = record.waits;
  const bool waited = waits.blocks != 0;
  const PromiseVerdict& promises = judgement.promises;
  return {
      {"violation_list", Value(), text, "the first violations: step, node, port, neighbour, rule",
       "violations"},
      {"waits/blocks", only_if(waits.watched, waits.blocks), count,
       "blocks that waited in a queue, if watched"},
      {"waits/longest_steps", only_if(waits.watched, waits.longest_steps), count,
       "longest wait of a block, in steps"},
      {"waits/first/step", only_if(waited, waits.first_step), number,
       "step in which the first delayed block left"},
      {"waits/first/node", only_if(waited, index(waits.first_node)), number, "node that it left"},
      {"waits/first/node_name", waited ? name_of(facts.run.network, waits.first_node) : Value(),
       text, "its name, in networks from files"},
      {"in_flight_watched", record.in_flight_watched, text,
       "whether the machine checks that blocks in flight are not changed"},
      {"unmet_stores", record.stores_without_message, count,
       "attempts to store or deliver a message that had not arrived"},
      {"violations", record.violation_count, count, "number of violations", "violation_count"},
      {"largest_queue/blocks", of(queue, &QueueFigures::blocks), blocks,
       "longest queue of a processor", "", "longest queue"},
      {"largest_queue/foreign", of(queue, &QueueFigures::foreign), blocks,
       "longest queue of a processor, blocks in transit only"},
      {"senders", record.senders, count, "processors that sent, summed over the steps"},
      {"receivers", record.receivers, count, "processors that received, summed over the steps"},
      {"switch_senders", record.switch_senders, count, "switches that sent, summed over the steps"},
      {"switch_receivers", record.switch_receivers, count,
       "switches that received, summed over the steps"},
      {"interrupted", record.interrupted, text, "whether the run was stopped on request"},
      {"as_predicted", only_if(promises.judged, promises.kept()), text,
       "whether all counts equal the closed form; empty: not judged"},
      {"outcome", name_of(judgement.outcome), text, "the most serious problem, or complete"},
      {"ok", judgement.ok(), text,
       "all messages delivered, no violations, counts as predicted; exit code 0"},
      {"status", status_of(judgement.outcome), text,
       "ok, not-delivered, rule-broken or interrupted; in tables also refused or no-resources"}};
}

[[nodiscard]] Fields crossing(const Facts& facts) {
  const std::optional<CrossingShares> shares = crossing_of(facts.result.record);
  if (!shares) return {};
  return {{"crossing/messages", shares->messages, share, "share of messages between processes"},
          {"crossing/bytes", shares->bytes, share, "share of bytes between processes"}};
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
  if (!run.picked.empty())
    add({{"picked", run.picked, text, "selected algorithm and the next best one"}}, true);
  if (takes_control_words(run, facts.result))
    add({{"predicted/control_words", of(run.predicted, &Cost::control_words), count,
          "by the closed form"}},
        true);
  for (Fields (*const measured)(const Facts&) : {timed, delivered, judged, crossing})
    add(measured(facts), result != nullptr);
  return all;
}

Fields run_fields(const RunReport& report) {
  Fields row = run_fields(report.result.forecast, &report.result, report.costs);
  if (report.wall_seconds.size() > 1) set_walls(row, report.wall_seconds);
  if (report.predicted_seconds)
    append(row,
           prediction_fields(report.predicted_seconds, report.result.record.wall.step_seconds));
  return row;
}

Fields prediction_fields(const std::optional<double>& predicted_seconds, double step_seconds) {
  const bool positive = predicted_seconds && *predicted_seconds > 0 && step_seconds > 0;
  return {{"wall/predicted_seconds", predicted_seconds, seconds,
           "wall time of the steps by the calibrated model of this host", "", "predicted wall"},
          {"wall/measured_over_predicted",
           only_if(positive, positive ? step_seconds / *predicted_seconds : 0), ratio,
           "step_seconds over wall_predicted_seconds", "", "measured/predicted"}};
}

Fields prediction_columns(const Fields& row) {
  Fields columns;
  for (const Field& field : row)
    if (field.name == "wall/predicted_seconds" || field.name == "wall/measured_over_predicted")
      columns.push_back(field);
  return columns;
}

void set_walls(Fields& row, const std::vector<double>& wall_seconds) {
  const Spread spread = spread_of(wall_seconds);
  set(row, "repeat", std::uint64_t{spread.count});
  set(row, "wall_least_seconds", spread.least);
  set(row, "wall_most_seconds", spread.most);
  if (spread.count < 2) return;  // of one there is no spread
  set(row, "wall_mean_seconds", spread.mean);
  set(row, "wall_p95_seconds", spread.p95);
  set(row, "wall_p99_seconds", spread.p99);
  set(row, "wall_deviation_seconds", spread.deviation);
  set(row, "wall_variation", spread.variation);
  set(row, "wall_varies", spread.varies());
}

}  // namespace lockstep::report
