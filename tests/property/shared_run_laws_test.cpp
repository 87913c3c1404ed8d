// SPDX-License-Identifier: Apache-2.0

/// A run that several processes share comes to the same facts as the run of one: record,
/// deliveries, violations, queues and what a fault leaves missing. Threads stand for the processes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"
#include "support/thread_processes.hpp"

namespace lockstep::test {
namespace {

constexpr std::size_t process_counts[] = {2, 3, 4, 7};

void expect_same(const RunResult& shared, const RunResult& alone) {
  EXPECT_TRUE(shared.record.same_facts(alone.record));
  EXPECT_EQ(shared.record.violations, alone.record.violations);
  EXPECT_EQ(shared.record.series, alone.record.series);
  EXPECT_EQ(shared.record.phases, alone.record.phases);
  EXPECT_EQ(shared.record.queues, alone.record.queues);
  EXPECT_EQ(shared.record.waits, alone.record.waits);
  EXPECT_EQ(shared.record.first_unmet, alone.record.first_unmet);
  EXPECT_EQ(shared.judgement.outcome, alone.judgement.outcome);
  EXPECT_EQ(shared.missing, alone.missing);
  const DeliveryVerdict& verdict = shared.judgement.deliveries;
  const DeliveryVerdict& expected = alone.judgement.deliveries;
  EXPECT_EQ(verdict.tally, expected.tally);
  EXPECT_EQ(verdict.missing, expected.missing);
  EXPECT_EQ(verdict.first_missing, expected.first_missing);
  EXPECT_EQ(verdict.received, expected.received);
}

/// The run of a request. Its threads use one plan, where processes would make equal ones.
class SharedRun {
 public:
  /// Throws InvalidParameter where there is no such run.
  explicit SharedRun(const RunRequest& request)
      : prepared_(prepare(request)), alone_(prepared_->execute()) {}

  [[nodiscard]] const RunResult& alone() const noexcept { return alone_; }

  /// All processes come to the same facts.
  void expect_same_by(std::size_t count) {
    const RunForecast& run = alone_.forecast;
    SCOPED_TRACE(fmt::format("{} {} {} {} {} processes", run.topology,
                             name_of(run.algorithm.operation), run.algorithm.name, run.model.name,
                             count));
    std::vector<RunResult> results(count);
    ThreadProcesses(count).run([&](Processes& processes) {
      results[processes.rank()] = prepared_->execute({.processes = &processes});
    });
    for (const RunResult& result : results) {
      expect_same(result, alone_);
      EXPECT_EQ(result.record.processes, count);
      EXPECT_EQ(result.record.crossing_messages, results[0].record.crossing_messages);
      EXPECT_LE(result.record.crossing_messages, alone_.record.messages_sent);
    }
  }

  void expect_same_by_all_counts() {
    for (const std::size_t count : process_counts)
      if (count <= alone_.forecast.nodes) expect_same_by(count);
  }

 private:
  std::unique_ptr<PreparedRun> prepared_;
  RunResult alone_;
};

[[nodiscard]] RunRequest request_on(const std::string& network, Operation operation) {
  RunRequest request{.topology = network, .operation = operation};
  request.executor = ExecutorKind::serial;
  request.keep_series = true;
  return request;
}

class SharedOperations : public testing::TestWithParam<const char*> {};

TEST_P(SharedOperations, EveryOperationUnderEveryPortModel) {
  static SomeCases some(5);  // it selects other operations on each network
  for (const OperationInfo& info : operation_catalog())
    for (const PortModel& model : {port_models::single_port, port_models::all_port}) {
      if (!some.take()) continue;
      RunRequest request = request_on(GetParam(), info.operation);
      request.port_model = model;
      try {
        SharedRun(request).expect_same_by_all_counts();
      } catch (const InvalidParameter&) {  // no algorithm for it
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Families, SharedOperations,
                         testing::Values("linear:9", "ring:12", "complete:7", "hypercube:4",
                                         "star:4", "pancake:4", "ccc:3", "ej:2+3", "petersen",
                                         "mesh:3x4", "torus:3x4", "generalized-hypercube:3x4",
                                         "fat-tree:2^3", "kary-tree:2^3", "xgft:2;3,2;2,1",
                                         "random-regular:12,3,1", "product(ring:5,linear:4)"));

/// Every algorithm once, so that every kind of program and machine is shared.
TEST(SharedRunLaws, EveryAlgorithm) {
  std::set<ChannelKind> channels;
  bool receives_once = false;
  for (const char* const network : {"star:4", "torus:4x4", "ej:2+3", "fat-tree:2^3"})
    for (const OperationInfo& info : operation_catalog())
      for (const AlgorithmInfo& algorithm : algorithms_for(AnyTopology(network), info.operation)) {
        RunRequest request = request_on(network, info.operation);
        request.algorithm = algorithm.name;
        try {
          SharedRun run(request);
          run.expect_same_by(3);
          channels.insert(run.alone().forecast.channel);
          receives_once = receives_once || run.alone().forecast.receive_once;
        } catch (const InvalidParameter&) {  // needs a parameter
        }
      }
  EXPECT_TRUE(receives_once);
  for (const ChannelKind kind :
       {ChannelKind::slot, ChannelKind::row, ChannelKind::mailbox, ChannelKind::wormhole})
    EXPECT_EQ(channels.count(kind), 1U) << static_cast<int>(kind);
}

class CountedExchanges final : public Processes {
 public:
  explicit CountedExchanges(Processes& all) : all_(all) {}

  [[nodiscard]] std::size_t count() const noexcept override { return all_.count(); }
  [[nodiscard]] std::size_t rank() const noexcept override { return all_.rank(); }
  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
    ++exchanges_;
    all_.exchange(out, in);
  }
  [[nodiscard]] std::uint64_t exchanges() const noexcept { return exchanges_; }

 private:
  Processes& all_;
  std::uint64_t exchanges_ = 0;
};

/// Five processes own a substar of 24 nodes each: packets of 3! blocks cross in few steps. A run
/// that has to end between two exchanges ends in the same step.
TEST(SharedRunLaws, StepsInsideNeedNoExchange) {
  RunRequest request = request_on("star:5", Operation::total_exchange);
  request.algorithm = "packing";
  request.settings["k"] = Numbers{3};
  const std::unique_ptr<PreparedRun> prepared = prepare(request);
  constexpr std::uint64_t limits[] = {1, 2, 3, 10, 17, 18, 19, 20, 21, 22, 23, 24, 50, 0};
  for (const std::uint64_t limit : limits) {
    SCOPED_TRACE(limit);
    const RunResult alone = prepared->execute({.max_steps = limit});
    EXPECT_EQ(alone.record.interrupted, limit != 0);
    std::vector<RunResult> results(5);
    std::vector<std::uint64_t> exchanges(5);
    ThreadProcesses(5).run([&](Processes& processes) {
      CountedExchanges counted(processes);
      results[processes.rank()] = prepared->execute({.max_steps = limit, .processes = &counted});
      exchanges[processes.rank()] = counted.exchanges();
    });
    for (const RunResult& result : results) expect_same(result, alone);
    for (const std::uint64_t count : exchanges) EXPECT_EQ(count, exchanges[0]);
    if (limit == 0) {
      EXPECT_LT(exchanges[0], alone.record.steps * 2 / 3);
    }
  }
}

/// A message of a random step is harmed: every process finds what one process finds, on every kind
/// of channel.
TEST(SharedRunLaws, FaultsAreFound) {
  std::mt19937_64 random(20261127);
  const auto below = [&random](std::uint64_t limit) { return random() % limit; };
  const auto one_of = [&](const auto& list) { return list[below(std::size(list))]; };
  constexpr const char* networks[] = {"star:4", "torus:4x4", "ej:2+3", "fat-tree:2^3", "linear:9"};
  constexpr Operation operations[] = {Operation::broadcast, Operation::total_exchange,
                                      Operation::all_gather, Operation::reduce};
  constexpr ChannelKind channels[] = {ChannelKind::automatic, ChannelKind::slot, ChannelKind::spsc,
                                      ChannelKind::mailbox};
  constexpr FaultKind kinds[] = {FaultKind::none, FaultKind::drop, FaultKind::duplicate,
                                 FaultKind::corrupt, FaultKind::misroute};
  constexpr std::uint64_t task_sizes[] = {0, 1, 2, 7, 1024};
  std::uint64_t found = 0;
  // No fault changes which algorithm is the cheapest.
  std::map<std::string, std::string> cheapest;
  for (std::size_t i = 0; i < cases_here(400); ++i) {
    RunRequest request = request_on(one_of(networks), one_of(operations));
    request.channel = one_of(channels);
    if (below(2) == 0) request.port_model = port_models::all_port;
    request.processors_per_task = one_of(task_sizes);
    const std::uint64_t nodes = request.topology.node_count();
    request.fault = {.kind = one_of(kinds),
                     .step = below(4),
                     .sender = NodeId{below(nodes)},
                     .wrong_port = port(below(2)),
                     .corrupt_byte = below(8)};
    request.block_bytes = 8;
    request.stop_at_violation = below(2) == 0;
    std::string& algorithm =
        cheapest[fmt::format("{} {} {} {}", request.topology.name(), name_of(request.operation),
                             static_cast<int>(request.channel), request.port_model.has_value())];
    request.algorithm = algorithm;
    try {
      SharedRun run(request);
      algorithm = run.alone().forecast.algorithm.name;
      SCOPED_TRACE(fmt::format("case {}: channel {}, {} of node {} in step {}", i,
                               static_cast<int>(request.channel), name_of(request.fault.kind),
                               index(request.fault.sender), request.fault.step));
      run.expect_same_by(one_of(process_counts));
      found += static_cast<std::uint64_t>(!run.alone().ok());
    } catch (const InvalidParameter&) {  // not with these channels, or no such port
    }
  }
  EXPECT_GT(found, cases_here(50));
}

}  // namespace
}  // namespace lockstep::test
