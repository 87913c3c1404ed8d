// SPDX-License-Identifier: Apache-2.0
#include "study/stress_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/machine/detail/wire.hpp"
#include "report/quantities.hpp"
#include "verify/shared_ledger.hpp"

namespace lockstep::study {
namespace {

using study::described;
using Differences = std::vector<std::string>;

template <class Value>
void compare_values(const char* what, Value got, Value expected, Differences& found) {
  if (got != expected) found.push_back(fmt::format("{} {}, expected {}", what, got, expected));
}

[[nodiscard]] std::string described(const MessageName& message) {
  return fmt::format("{}:{}{}", index(message.sender), index(message.port),
                     message.arrives ? " that ends there" : "");
}

[[nodiscard]] std::string described(const MissingPair& pair) {
  return fmt::format("{} -> {}", index(pair.origin), index(pair.destination));
}

[[nodiscard]] std::string described(const PhaseRecord& phase) {
  return fmt::format(
      "'{}': {} steps, {} start-ups, {} message times, {} words, {} at most, {} "
      "messages, {} hops, {} blocks",
      phase.name, phase.steps, phase.startups, phase.message_times, phase.control_words,
      phase.largest_message_blocks, phase.messages_sent, phase.hops, phase.blocks_moved);
}

[[nodiscard]] std::string described(const StepRecord& step) {
  return fmt::format(
      "step {}: senders {}, receivers {}, active {}, messages {}, links {}, blocks "
      "{}, at most {}, words {}, at most {}, ports {:#x}; of switches senders {}, receivers {}, "
      "active {}",
      step.step, step.senders, step.receivers, step.active, step.messages, step.hops, step.blocks,
      step.largest_message_blocks, step.control_words, step.largest_control_words, step.ports_used,
      step.switch_senders, step.switch_receivers, step.switches_active);
}

[[nodiscard]] std::string described(const LevelQueues& level) {
  return fmt::format("level {}: held {}, wait up {}, down {}, per branch {}", level.level,
                     level.held, level.wait_up, level.wait_down, level.per_branch);
}

/// The first place where two lists differ.
template <class Item>
void compare_lists(const char* what, const std::vector<Item>& got,
                   const std::vector<Item>& expected, Differences& found) {
  const auto [ours, theirs] =
      std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  const auto text = [](const auto& at, const auto& end) {
    return at == end ? std::string("none") : described(*at);
  };
  if (ours != got.end() || theirs != expected.end())
    found.push_back(fmt::format("{}: {}, expected {} ({} against {} in all)", what,
                                text(ours, got.end()), text(theirs, expected.end()), got.size(),
                                expected.size()));
}

void compare_tallies(const DeliveryTally& got, const DeliveryTally& expected, Differences& found) {
  compare_values("delivered", got.delivered, expected.delivered, found);
  compare_values("verified", got.verified, expected.verified, found);
  compare_values("corrupted", got.corrupted, expected.corrupted, found);
  compare_values("duplicated", got.duplicated, expected.duplicated, found);
}

/// The digest of all destinations.
[[nodiscard]] std::uint64_t digest_of(const std::vector<std::uint64_t>& digests) {
  reference::Fnv1a all;
  for (const std::uint64_t digest : digests) {
    all.little_endian_32(digest);
    all.little_endian_32(digest >> 32U);
  }
  return all.value();
}

}  // namespace

std::string described(const Job& job) {
  return fmt::format(
      "{}, {} bytes, ledger {}, {}", job.model.name, job.block_bytes, name_of(job.verify),
      job.stop_at_violation ? "stops at a violation" : "continues after a violation");
}

std::string described(const Conditions& conditions) {
  return fmt::format("channel {}, executor {}, threads {}, block {}{}{}",
                     report::channel_name(conditions.channel),
                     report::executor_name(conditions.executor), conditions.workers,
                     conditions.processors_per_task, conditions.disturb ? ", delays" : "",
                     conditions.trace != nullptr ? ", trace" : "");
}

std::string described(const Violation& v) {
  std::string text = fmt::format("step {} node {} port {} {} ({})", v.step, index(v.node),
                                 index(v.port), name_of(v.rule), v.count);
  if (v.rule == Rule::memory || v.rule == Rule::in_flight)
    text += fmt::format(" region {} slot {}", index(v.region), v.slot);
  if (v.rule == Rule::link_held)
    text += fmt::format(" by {} and {}", described(v.one), described(v.other));
  return text;
}

RunOutcome outcome_of(const RunRecord& record, const RecordingHost& host, Processes* processes) {
  const SharedLedger ledger(host.proving(), processes, record.nodes);
  RunOutcome outcome{record, ledger.judge(record.deliveries)};
  if (host.proving().verify() == VerifyKind::exact) outcome.missing = ledger.all_missing();
  const std::vector<std::uint64_t> own = host.digests(ledger.own());
  outcome.digest = digest_of(
      processes == nullptr ? own : lockstep::detail::gathered(*processes, std::span(own)));
  return outcome;
}

std::vector<std::string> differences(const RunRecord& got, const RunRecord& expected) {
  Differences found;
  compare_lists("violations", got.violations, expected.violations, found);
  compare_values("violations", got.violation_count, expected.violation_count, found);
  compare_values("nodes", got.nodes, expected.nodes, found);
  compare_values("processors", got.processors, expected.processors, found);
  compare_values("bytes of a block", got.block_bytes, expected.block_bytes, found);
  compare_values("steps", got.steps, expected.steps, found);
  compare_values("startups", got.startups, expected.startups, found);
  compare_values("message times", got.message_times, expected.message_times, found);
  compare_values("control words", got.control_words, expected.control_words, found);
  compare_values("control words moved", got.control_words_moved, expected.control_words_moved,
                 found);
  compare_values("envelope bytes", got.envelope_bytes, expected.envelope_bytes, found);
  compare_values("messages sent", got.messages_sent, expected.messages_sent, found);
  compare_values("hops", got.hops, expected.hops, found);
  compare_values("largest message", got.largest_message_blocks, expected.largest_message_blocks,
                 found);
  compare_values("unmet stores", got.stores_without_message, expected.stores_without_message,
                 found);
  const UnmetUse got_use = got.first_unmet.value_or(UnmetUse{});
  const UnmetUse expected_use = expected.first_unmet.value_or(UnmetUse{});
  compare_values("first unmet store in step", got_use.step, expected_use.step, found);
  compare_values("first unmet store at node", index(got_use.node), index(expected_use.node), found);
  compare_values("blocks that it wanted", got_use.wanted, expected_use.wanted, found);
  compare_values("blocks that had arrived", got_use.arrived, expected_use.arrived, found);
  compare_values("blocks that waited", got.waits.blocks, expected.waits.blocks, found);
  compare_values("longest wait", got.waits.longest_steps, expected.waits.longest_steps, found);
  compare_values("first wait in step", got.waits.first_step, expected.waits.first_step, found);
  compare_values("first wait at node", index(got.waits.first_node),
                 index(expected.waits.first_node), found);
  compare_values("blocks loaded", got.blocks_loaded, expected.blocks_loaded, found);
  compare_values("blocks moved", got.blocks_moved, expected.blocks_moved, found);
  compare_values("senders", got.senders, expected.senders, found);
  compare_values("receivers", got.receivers, expected.receivers, found);
  compare_values("senders among switches", got.switch_senders, expected.switch_senders, found);
  compare_values("receivers among switches", got.switch_receivers, expected.switch_receivers,
                 found);
  compare_tallies(got.deliveries, expected.deliveries, found);
  compare_lists("queues", got.queues, expected.queues, found);
  compare_lists("phases", got.phases, expected.phases, found);
  compare_lists("series", got.series, expected.series, found);
  if (found.empty() && !got.same_facts(expected)) found.emplace_back("other facts");
  return found;
}

std::vector<std::string> differences(const RunOutcome& got, const RunOutcome& expected) {
  Differences found = differences(got.record, expected.record);
  compare_lists("missing", got.missing, expected.missing, found);
  compare_values("missing", got.verdict.missing, expected.verdict.missing, found);
  compare_tallies(got.verdict.tally, expected.verdict.tally, found);
  compare_values("digest of the deliveries", got.digest, expected.digest, found);
  return found;
}

RunOutcome run_reference(const Network& network, const ErasedProgram& program, const Job& job,
                         ChannelKind like, SendTrace* trace) {
  RecordingHost host = host_for(network, job);
  reference::ReferenceOptions options{
      .model = job.model,
      .block_bytes = job.block_bytes,
      .keep_series = job.keep_series,
      .stop_at_violation = job.stop_at_violation,
      .watch_waits = job.watch_waits,
      .measure_queues = job.measure_queues,
      .one_message_per_node = like == ChannelKind::mailbox || job.receive_once,
      .receives_once = job.receive_once,
      .fault = job.fault};
  if (trace != nullptr)
    options.on_send = [trace](const SendEvent& event) { trace->push_back(event); };
  const RunRecord record = reference::ReferenceMachine(network, program, host, options).run();
  return outcome_of(record, host);
}

}  // namespace lockstep::study
