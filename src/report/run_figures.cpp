// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <functional>
#include <tuple>

#include "report/names.hpp"
#include "report/run_fields.hpp"

namespace lockstep::report {
namespace {

using enum Unit;

/// The linear model's.
struct Times {
  std::optional<double> modelled{};
  std::optional<double> predicted{};
  std::optional<double> least{};
  std::optional<double> over_least{};  ///< where all was delivered
};

/// What figures are taken from; null where there is none.
using Facts = std::tuple<const RunEstimate*, const AlgorithmInfo*, const PortModel*, const Promise*,
                         const LowerBound*, const Footprint*, const CostParameters*, const Times*,
                         const RunResult*, const RunRecord*, const WallTimes*, const WaitRecord*,
                         const Judgement*, const DeliveryVerdict*, const DeliveryTally*,
                         const MissingPair*, const Received*, const QueueFigures*>;

/// A member of one of these, or a function of one.
class Source {
 public:
  template <class Of, class T>
  Source(T Of::*figure) {
    from<Of>([figure](const Of& of) { return of.*figure; });
  }
  template <class Of>
  Source(Value (*function)(const Of&)) {
    from<Of>(function);
  }
  template <class Function>
  requires std::is_class_v<Function> Source(Function function) {
    take(function, &Function::operator());
  }
  [[nodiscard]] Value operator()(const Facts& facts) const { return read_(facts); }

 private:
  template <class Function, class Of, class Result>
  void take(Function function, Result (Function::*)(const Of&) const) {
    from<Of>(function);
  }
  template <class Of, class Function>
  void from(Function function) {
    read_ = [function](const Facts& facts) {
      const Of* const of = std::get<const Of*>(facts);
      return of != nullptr ? Value(function(*of)) : Value();
    };
  }
  std::function<Value(const Facts&)> read_;
};

/// Blocks are those of the machine, which may be parts of the user's.
struct Figure {
  std::string_view name;
  Unit unit;
  std::string_view meaning;
  Source source;
  std::string_view key{};
  std::string_view heading{};
};

using Run = RunEstimate;
using Result = RunResult;

[[nodiscard]] Value rate(std::uint64_t amount, const Result& r) {
  const double seconds = r.record.wall.step_seconds;
  return seconds > 0 ? Value(static_cast<double>(amount) / seconds) : Value();
}

[[nodiscard]] Value first_wait(const WaitRecord& waits, std::uint64_t place) {
  return waits.blocks != 0 ? Value(place) : Value();
}

[[nodiscard]] Value violation_rows(const Result& r) {
  std::vector<Fields> rows;
  const std::string place = r.plan_place.empty() ? "" : ", " + r.plan_place;
  for (const Violation& v : r.record.violations)
    rows.push_back({{"step", v.step},
                    {"node", index(v.node)},
                    {"port", std::uint64_t{index(v.port)}},
                    {"rule", name_of(v.rule)},
                    {"detail", fmt::format("counted {}{}", v.count, place)},
                    {"other_end", index(v.other_end)}});
  return rows;
}

[[nodiscard]] std::vector<Parameter> set_of(const Run& r) {
  std::vector<Parameter> set;
  for (const Parameter& parameter : r.algorithm.parameters)
    if (r.settings.find(parameter.name) != nullptr) set.push_back(parameter);
  return set;
}

const std::vector<Figure> figures{
    {"seed", number, "of the bytes of all blocks", &Run::seed},
    {"threads", number, "workers", &Run::workers},
    {"executor", text, "tbb, thread or serial", &Run::executor},
    {"channel", text, "between processors", [](const Run& r) { return channel_name(r.channel); }},
    {"block_size", number, "processors per task; 0: a fair share", &Run::processors_per_task},
    {"topology", text, "the network", &Run::topology},
    {"nodes", count, "of the network", &Run::nodes},
    {"processors", count, "nodes that hold blocks", &Run::processors},
    {"links", count, "none: 2^64 or more", &Run::links},
    {"degree", count, "links of a node, at most", &Run::degree},
    {"diameter", count, "none: not computed", &Run::diameter},
    {"operation", text, "the collective",
     [](const AlgorithmInfo& a) { return name_of(a.operation); }},
    {"algorithm", text, "that carries it out", &AlgorithmInfo::name},
    {"parameters", text, "the algorithm's own",
     [](const Run& r) { return parameter_fields(set_of(r), r.settings); }},
    {"source", text, "of the algorithm: paper and section", &AlgorithmInfo::source},
    {"port_model", text, "of the machine", &PortModel::name},
    {"bytes", bytes, "of a block", &Run::block_bytes},
    {"parts_per_block", count, "of a block, that travel by themselves",
     &Footprint::parts_per_block},
    {"envelope_bytes", bytes, "moved with a block", [](const Run&) { return std::uint64_t{0}; }},
    {"steps", count, "also those in which nothing moved", &RunRecord::steps},
    {"startups", count, "steps in which anything moved: the factor of t_s", &RunRecord::startups,
     "", "start-ups"},
    {"message_times", blocks, "sum of the steps' largest messages: the factor of t_m",
     &RunRecord::message_times},
    {"largest_message_blocks", blocks, "in one message", &RunRecord::largest_message_blocks, "",
     "largest message"},
    {"control_words", count, "data that programs read; 0: nothing counts them yet",
     [](const RunRecord&) { return std::uint64_t{0}; }},
    {"phases", text, "costs of phases that the program names; none names any yet",
     [](const RunRecord&) { return std::vector<Fields>{}; }},
    {"queues", text, "largest queues of switches; nothing measures them yet",
     [](const RunRecord&) { return std::vector<Fields>{}; }},
    {"predicted/startups", count, "by the closed form", &Promise::startups},
    {"predicted/message_times", blocks, "by the closed form", &Promise::message_times},
    {"lower_bound/startups", count, "no algorithm takes fewer", &LowerBound::startups},
    {"lower_bound/steps", count, "no algorithm takes fewer: a start-up takes one",
     &LowerBound::startups},
    {"lower_bound/name", text, "what bounds the start-ups; the message times",
     [](const LowerBound& b) { return fmt::format("{}; {}", b.startups_by, b.message_times_by); }},
    {"lower_bound/message_times", blocks, "no algorithm takes fewer", &LowerBound::message_times},
    {"ts", time, "start-up time of a message", &CostParameters::t_s, "model/ts"},
    {"tm", time, "per block in a message", &CostParameters::t_m, "model/tm"},
    {"time", time, "startups ts + message_times tm", &Times::modelled, "model/time"},
    {"time_lower_bound", time, "no algorithm takes less", &Times::least, "model/lower_bound"},
    {"time_predicted", time, "by the closed form", &Times::predicted, "model/predicted"},
    {"time_over_lower_bound", ratio, "time over the least, where all was delivered",
     &Times::over_least, "model/over_lower_bound", "of bound"},
    {"wall/seconds", seconds, "set-up and steps by the clock; the median of repeats",
     [](const Result& r) { return r.setup_seconds + r.record.wall.step_seconds; }, "", "wall"},
    {"step_seconds", seconds, "steps by the clock; the median of repeats", &WallTimes::step_seconds,
     "wall/step_seconds"},
    {"verify_seconds", seconds, "of the steps, checking bytes", &WallTimes::verify_seconds,
     "wall/verify_seconds"},
    {"setup_seconds", seconds, "network, plan and memory", &Result::setup_seconds,
     "wall/setup_seconds"},
    {"hops", count, "messages that crossed a link", &RunRecord::hops},
    {"bytes_moved", bytes, "over links", [](const RunRecord& r) { return r.bytes_moved(); }},
    {"hops_per_second", per_second, "by step_seconds",
     [](const Result& r) { return rate(r.record.hops, r); }},
    {"bytes_per_second", bytes_per_second, "moved, by step_seconds",
     [](const Result& r) { return rate(r.record.bytes_moved(), r); }},
    {"messages_per_second", per_second, "delivered, by step_seconds",
     [](const Result& r) { return rate(r.record.deliveries.delivered, r); }, "", "messages/s"},
    {"messages/expected", count, "without the processors' own", &DeliveryVerdict::expected},
    {"messages/delivered", count, "handed to hosts", &DeliveryTally::delivered},
    {"messages/verified", count, "every byte as it should be", &DeliveryTally::verified, "",
     "verified"},
    {"messages/missing", count, "expected and not delivered", &DeliveryVerdict::missing},
    {"messages/duplicated", count, "delivered before", &DeliveryTally::duplicated},
    {"messages/corrupted", count, "other bytes, or not expected there", &DeliveryTally::corrupted},
    {"verify", text, "how deliveries are proved", [](const Run& r) { return name_of(r.verify); }},
    {"first_missing/source", number, "of the first message that is missing",
     [](const MissingPair& pair) { return index(pair.source); }},
    {"first_missing/destination", number, "of the first message that is missing",
     [](const MissingPair& pair) { return index(pair.destination); }},
    {"least_received", count, "by a processor, where some are missing", &Received::least,
     "received/least"},
    {"most_received", count, "by a processor, where some are missing", &Received::most,
     "received/most"},
    {"received/of", count, "by a processor, if none were missing", &Received::expected},
    {"violation_list", text, "the first: step, node, port and what is behind it, rule",
     violation_rows, "violations"},
    {"waits/blocks", count, "that waited on their way, where it is watched", &WaitRecord::blocks},
    {"waits/longest_steps", count, "of a block on its way", &WaitRecord::longest_steps},
    {"waits/first/step", number, "in which the first block that had waited was sent on",
     [](const WaitRecord& w) { return first_wait(w, w.first_step); }},
    {"waits/first/node", number, "that sent it on",
     [](const WaitRecord& w) { return first_wait(w, index(w.first_node)); }},
    {"unmet_stores", count, "of a message that had not arrived", &RunRecord::unmet_stores},
    {"violations", count, "broken rules of the machine", &RunRecord::violation_count,
     "violation_count"},
    {"largest_queue/blocks", blocks, "in a processor", &QueueFigures::blocks},
    {"largest_queue/foreign", blocks, "in a processor, not its own", &QueueFigures::foreign},
    {"memory/predicted_bytes", bytes, "network, plan, machine, ledger",
     [](const Run& r) { return r.memory_bytes != 0 ? Value(r.memory_bytes) : Value(); }, "",
     "memory"},
    {"memory/peak_bytes", bytes, "at most taken by the process", &Result::peak_bytes},
    {"interrupted", text, "stopped on request", &RunRecord::interrupted},
    {"senders", count, "processors that sent, summed over the steps", &RunRecord::senders},
    {"receivers", count, "processors that received, summed over the steps", &RunRecord::receivers},
    {"as_predicted", text, "no count differs from a promise; none: not judged",
     [](const Judgement& j) { return j.promises.judged ? Value(j.promises.kept()) : Value(); }},
    {"outcome", text, "the worst that is wrong, or complete",
     [](const Judgement& j) { return name_of(j.outcome); }},
    {"ok", text, "all delivered and legal", [](const Judgement& j) { return j.ok(); }}};

// Points at what there is.
template <class Of>
void point_at(Facts& facts, const Of& of) {
  std::get<const Of*>(facts) = &of;
}
template <class Of>
void point_at(Facts& facts, const std::optional<Of>& of) {
  if (of) point_at(facts, *of);
}
template <class... Of>
void point_at_all(Facts& facts, const Of&... of) {
  (point_at(facts, of), ...);
}

[[nodiscard]] Times times_of(const Run& run, const Result* result, const CostParameters& costs) {
  const std::uint64_t parts = run.parts_per_block();
  Times times;
  if (run.predicted) times.predicted = predicted(*run.predicted, costs, parts);
  if (run.lower_bound) times.least = least_time(*run.lower_bound, costs, parts);
  if (result == nullptr) return times;
  times.modelled = modelled(result->record, costs, parts);
  if (result->judgement.deliveries.complete() && times.least.value_or(0) > 0)
    times.over_least = *times.modelled / *times.least;
  return times;
}

[[nodiscard]] Facts facts_of(const Run& run, const Result* result, const CostParameters& costs,
                             const Times& times) {
  Facts facts{};
  point_at_all(facts, run, run.algorithm, run.model, run.predicted, run.lower_bound, run.footprint,
               costs, times);
  if (result == nullptr) return facts;
  const DeliveryVerdict& deliveries = result->judgement.deliveries;
  point_at_all(facts, *result, result->record, result->record.wall, result->judgement, deliveries,
               deliveries.tally, deliveries.first_missing, deliveries.received,
               result->largest_queue);
  if (result->record.waits.watched) point_at(facts, result->record.waits);
  return facts;
}

}  // namespace

Fields run_fields(const Run& run, const Result* result, const CostParameters& costs) {
  const Times times = times_of(run, result, costs);
  const Facts facts = facts_of(run, result, costs, times);
  Fields row;
  for (const Figure& figure : figures) {
    Value value = figure.source(facts);
    const auto* const parts = std::get_if<std::uint64_t>(&value);
    if (parts != nullptr && figure.unit == blocks) value = in_blocks(*parts, run.parts_per_block());
    row.push_back({figure.name, value, figure.unit, figure.meaning, figure.key, figure.heading});
  }
  return row;
}

}  // namespace lockstep::report
