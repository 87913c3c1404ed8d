// SPDX-License-Identifier: Apache-2.0
#include "study/stress_scripts.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/verify/legality.hpp"
#include "reference/random_networks.hpp"
#include "reference/random_schedule.hpp"
#include "reference/random_script.hpp"
#include "study/stress_jobs.hpp"
#include "study/stress_machines.hpp"

namespace lockstep::study {
namespace {

using namespace reference;  // NOLINT(google-build-using-namespace): of this file's programs

constexpr std::array script_channels{ChannelKind::row, ChannelKind::slot, ChannelKind::spsc,
                                     ChannelKind::mailbox};
constexpr std::array script_groups{"star:3",    "star:4", "ring:5", "complete:5", "hypercube:4",
                                   "torus:3x4", "ccc:3",  "ej:1+2", "star:5",     "hypercube:7"};
constexpr const char* large_group = "star:6";                // more nodes than run together, 512
constexpr std::array many_words{"ring:130", "hypercube:7"};  // of bits, in sets of nodes
constexpr std::array<std::uint64_t, 6> script_task_sizes{0, 1, 1, 2, 7, 1024};

/// Draws a case, runs it, and keeps what was found.
class Trial {
 public:
  Trial(Random& random, std::span<const ExecutorKind> executors, const std::stop_token& stop,
        Processes* processes)
      : random_(random), processes_(processes) {
    constexpr std::array kinds{ScriptKind::script,   ScriptKind::words,    ScriptKind::routes,
                               ScriptKind::routes,   ScriptKind::schedule, ScriptKind::schedule,
                               ScriptKind::schedule, ScriptKind::single};
    trial_.kind = random.one_of(kinds);
    lawful_ = random.happens(30);
    job_.model = random.one_of(port_models::all);
    job_.block_bytes = random.number(1, 17);
    if (random.happens(10)) job_.block_bytes = 64;  // has a loop of its own
    job_.verify = random.happens(50) ? VerifyKind::exact : VerifyKind::digest;
    job_.keep_series = random.happens(50);
    job_.stop_at_violation = random.happens(50);
    job_.watch_waits = random.happens(50);
    how_.channel = random.one_of(script_channels);
    how_.executor = random.one_of(executors);
    how_.workers = random.number(1, 8);
    how_.processors_per_task = random.one_of(script_task_sizes);
    how_.stop = stop;
    traced_ = random.happens(50);
    if (random.happens(50)) how_.disturb = delays(random.number(0, 1'000'000));
  }

  [[nodiscard]] ScriptTrial made() {
    switch (trial_.kind) {
      case ScriptKind::script:
        return random_.happens(50) ? try_script<Dense>() : try_script<Sparse>();
      case ScriptKind::words:
        return random_.happens(50) ? try_script<DenseReading>() : try_script<SparseReading>();
      case ScriptKind::routes:
        return random_.happens(50) ? try_script<DenseRouting>() : try_script<SparseRouting>();
      case ScriptKind::schedule:
        return try_schedule();
      case ScriptKind::single:
        return try_single();
    }
    return {};
  }

 private:
  [[nodiscard]] std::uint64_t unlawful(std::uint64_t percent) {
    return lawful_ || random_.happens(40) ? 0 : percent;
  }

  [[nodiscard]] std::vector<Phase> some_phases(std::uint64_t steps) {
    std::vector<Phase> phases;
    for (std::uint64_t i = random_.number(0, 3), first = 0; i > 0; --i) {
      phases.push_back({fmt::format("phase {}", i), first});
      first = random_.number(first, steps);
    }
    return phases;
  }

  template <class Prog>
  ScriptTrial try_script() {
    const Network& network = random_.one_of(some_networks());
    ScriptChances chances{.send = random_.happens(40) ? std::uint64_t{5} : 40,
                          .skipped_take = unlawful(15),
                          .no_such_port = unlawful(5),
                          .after_end = unlawful(10),
                          .switch_asks_host = unlawful(10),
                          .access = unlawful(10)};
    if constexpr (ReadingProgram<Prog>) chances.words = 30;
    if constexpr (RoutingProgram<Prog>) {
      how_.channel = ChannelKind::wormhole;
      if (job_.model.duplex == Duplex::half || !random_.happens(30))
        job_.model = random_.happens(50) ? port_models::all_port_wormhole
                                         : port_models::single_port_wormhole;
      chances.route = 60;
      chances.astray = unlawful(10);
      chances.longest = random_.number(1, 4);
    }
    recounted_ = chances.skipped_take == 0 && how_.channel != ChannelKind::mailbox;
    Script script = random_script(random_, network, random_.number(0, 6), chances);
    std::vector<Phase> phases = some_phases(script.steps());
    const Prog program(std::move(script), std::move(phases));
    trial_.run = Prog::activity == Activity::sparse ? ", sparse" : "";
    return compare(network, program);
  }

  ScriptTrial try_schedule() {
    const bool large = random_.happens(20);
    const char* const name = large ? large_group : random_.one_of(script_groups);
    if (large && random_.happens(70)) how_.processors_per_task = 1024;
    const AnyCayley group = AnyTopology(name).cayley().value();
    Network network = group.network();
    const std::uint64_t processors = network.processor_count() - (random_.happens(20) ? 2 : 0);
    if (random_.happens(50)) network = renumbered(random_, network, processors);
    const GroupedScheduleProgram program(group, random_schedule(random_, group,
                                                                {.most_sends = random_.number(1, 3),
                                                                 .same_port = unlawful(20),
                                                                 .no_such_port = unlawful(5),
                                                                 .unread = unlawful(15),
                                                                 .wrong_size = unlawful(20),
                                                                 .any_slot = unlawful(5)}));
    return compare(network, program);
  }

  /// A run on this machine stops at a violation and watches no waits.
  ScriptTrial try_single() {
    const Network network = random_.happens(50) ? random_.one_of(some_networks())
                                                : AnyTopology(random_.one_of(many_words)).network();
    const ReceiveOnceScript script = random_receive_once(random_, network,
                                                         {.again = unlawful(10),
                                                          .crowd = unlawful(30),
                                                          .twice = unlawful(10),
                                                          .no_such_port = unlawful(5),
                                                          .nothing_read = unlawful(10),
                                                          .after_end = unlawful(20),
                                                          .access = unlawful(10)});
    const NodeId root = script.starts().front();  // a switch has no block to broadcast
    const bool has_block = index(root) < network.processor_count();
    job_.collective = {Operation::broadcast, has_block ? root : NodeId{0}};
    job_.stop_at_violation = true;
    job_.watch_waits = false;
    job_.receive_once = true;
    how_.channel = ChannelKind::mailbox;
    return compare(network, script);
  }

  template <class Prog>
  ScriptTrial compare(const Network& network, const Prog& program) {
    SendTrace trace;
    SendTrace expected_trace;
    if (traced_) how_.trace = &trace;
    how_.processes = sharing(processes_, network.node_count());
    trial_.run =
        fmt::format("{}{} on {}; {}; {}{}", name_of(trial_.kind), trial_.run, network.name(),
                    described(job_), described(how_), job_.keep_series ? ", series" : "");
    const RunOutcome expected =
        run_reference(network, program, job_, how_.channel, &expected_trace);
    const RunOutcome got = [&] {
      if constexpr (ReceiveOnceProgram<Prog>)
        return run_in_boxes(network, program, job_, how_);
      else
        return run(network, program, job_, how_);
    }();
    trial_.interrupted = got.record.interrupted;
    for (const Violation& v : expected.record.violations) trial_.broken.insert(v.rule);
    std::vector<std::string> found = differences(got, expected);
    if (traced_ && trace != expected_trace) found.emplace_back("another trace of sends");
    if (recounted_ && job_.keep_series && !job_.stop_at_violation &&
        got.record.violation_count <= kept_violations)
      for (const std::string& line : disagreements(
               recount_trace(expected_trace, job_.model, got.record.processors), got.record))
        found.push_back("recount: " + line);
    if (!found.empty()) trial_.difference = found.front();
    return std::move(trial_);
  }

  static constexpr std::uint64_t kept_violations = 64;  // the record lists no more

  Random& random_;
  Processes* processes_;
  ScriptTrial trial_;
  Job job_;
  Conditions how_;
  bool lawful_ = false;
  bool traced_ = false;
  bool recounted_ = false;
};

}  // namespace

ScriptTrial try_script(Random& random, std::span<const ExecutorKind> executors,
                       const std::stop_token& stop, Processes* processes) {
  return Trial(random, executors, stop, processes).made();
}

Processes* sharing(Processes* processes, std::uint64_t nodes) {
  return processes != nullptr && processes->count() <= nodes ? processes : nullptr;
}

std::function<void(std::uint64_t, std::size_t)> delays(std::uint64_t seed) {
  return [seed](std::uint64_t step, std::size_t task) {
    std::uint64_t mixed = (seed + step * 0x9e3779b97f4a7c15 + task) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 29U)) * 0x94d049bb133111eb >> 32U;
    if (mixed % 16 == 0) std::this_thread::yield();
    if (mixed % 1024 == 1)
      std::this_thread::sleep_for(std::chrono::microseconds(mixed / 1024 % 100));
  };
}

}  // namespace lockstep::study
