// SPDX-License-Identifier: Apache-2.0

/// The messages between processes that are predicted for a run are those of the run that processes
/// share: from the plan, and from a trial. Threads stand for the processes.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "catalog/crossing.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "support/cases.hpp"
#include "support/thread_processes.hpp"

namespace lockstep::test {
namespace {

using Source = CrossingForecast::Source;

constexpr double enough_seconds = 60;  // for every trial of these tests

/// The bytes of the process that sends the most in an exchange, and the exchanges.
class WeighedExchanges final : public Processes {
 public:
  explicit WeighedExchanges(Processes& all) : all_(all) {}

  [[nodiscard]] std::size_t count() const noexcept override { return all_.count(); }
  [[nodiscard]] std::size_t rank() const noexcept override { return all_.rank(); }
  void exchange(const std::vector<Bytes>& out, std::vector<Bytes>& in) override {
    all_.exchange(out, in);
    ++exchanges_;
    for (std::size_t p = 0; p < out.size(); ++p)
      if (p != rank()) bytes_ += out[p].size();
  }
  [[nodiscard]] std::uint64_t exchanges() const noexcept { return exchanges_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  Processes& all_;
  std::uint64_t exchanges_ = 0;
  std::uint64_t bytes_ = 0;
};

struct SharedFacts {
  RunRecord record{};
  std::uint64_t exchanges = 0;
  std::uint64_t most_bytes = 0;  ///< that a process sent
  std::uint64_t all_bytes = 0;   ///< that all of them sent
};

/// Precondition: the plan is made; threads share it.
[[nodiscard]] SharedFacts shared(PreparedRun& run, std::size_t count) {
  std::vector<SharedFacts> facts(count);
  ThreadProcesses(count).run([&](Processes& processes) {
    WeighedExchanges weighed(processes);
    SharedFacts& own = facts[processes.rank()];
    own.record = run.execute({.processes = &weighed}).record;
    own.exchanges = weighed.exchanges();
    own.most_bytes = weighed.bytes();
  });
  SharedFacts all = facts.front();
  for (const SharedFacts& own : facts) {
    all.most_bytes = std::max(all.most_bytes, own.most_bytes);
    all.all_bytes += own.most_bytes;
  }
  return all;
}

void expect_as_predicted(PreparedRun& run, std::size_t processes, std::set<Source>& sources) {
  const RunForecast& forecast = run.forecast();
  SCOPED_TRACE(fmt::format("{} {} {}, {} processes", forecast.topology,
                           name_of(forecast.algorithm.operation), forecast.algorithm.name,
                           processes));
  const CrossingForecast predicted = catalog::crossing_of(run, processes, enough_seconds, {});
  const SharedFacts counted = shared(run, processes);
  const RunRecord& record = counted.record;
  sources.insert(predicted.source);
  ASSERT_NE(predicted.source, Source::links);
  EXPECT_NEAR(predicted.messages * static_cast<double>(record.messages_sent),
              static_cast<double>(record.crossing_messages), 1e-6);
  EXPECT_NEAR(predicted.bytes * static_cast<double>(record.bytes_moved()),
              static_cast<double>(record.crossing_bytes), 1e-3);
  // A run begins and ends with some exchanges that carry no message.
  EXPECT_GE(counted.exchanges, predicted.exchanges);
  EXPECT_LE(counted.exchanges, predicted.exchanges + 12);
  // Each step's bytes are those of its busiest process, and the outcome of every pass goes with
  // them.
  constexpr double most_of_outcome = 1024;
  const auto most_bytes = static_cast<double>(predicted.most_bytes);
  EXPECT_GE(most_bytes + most_of_outcome * static_cast<double>((record.steps + 12) * processes),
            static_cast<double>(counted.most_bytes));
  EXPECT_LE(most_bytes, static_cast<double>(counted.all_bytes));
  EXPECT_LE(predicted.most_messages, record.crossing_messages);
  EXPECT_GE(predicted.most_messages * processes, record.crossing_messages);
}

TEST(CrossingLaws, PredictedMessagesAreThoseOfTheSharedRun) {
  std::set<Source> sources;
  std::set<ChannelKind> channels;
  SomeCases some(3);
  for (const char* const network :
       {"star:4", "torus:4x5", "hypercube:4", "ej:2+3", "fat-tree:2^3", "random-regular:12,3,1"})
    for (const OperationInfo& info : operation_catalog())
      for (const PortModel& model : {port_models::single_port, port_models::all_port}) {
        if (!some.take()) continue;
        RunRequest request{.topology = network, .operation = info.operation};
        request.port_model = model;
        request.executor = ExecutorKind::serial;
        try {
          const auto run = prepare(request);
          for (const std::size_t processes : {2U, 5U})
            expect_as_predicted(*run, processes, sources);
          channels.insert(run->forecast().channel);
        } catch (const InvalidParameter&) {  // no algorithm for it
        }
      }
  EXPECT_EQ(sources, (std::set{Source::plan, Source::trial}));
  for (const ChannelKind kind : {ChannelKind::row, ChannelKind::slot, ChannelKind::mailbox})
    EXPECT_EQ(channels.count(kind), 1U) << static_cast<int>(kind);
}

/// Packets of 3! blocks cross in few steps between substars of 24 nodes.
TEST(CrossingLaws, StepsInsideShareAnExchange) {
  std::set<Source> sources;
  RunRequest request{.topology = "star:5", .operation = Operation::total_exchange};
  request.algorithm = "packing";
  request.settings["k"] = Numbers{3};
  const auto run = prepare(request);
  for (const std::size_t processes : {2U, 5U, 7U}) expect_as_predicted(*run, processes, sources);
  EXPECT_EQ(sources, std::set{Source::plan});
}

TEST(CrossingLaws, ControlWordsAreNoBlocks) {
  std::set<Source> sources;
  RunRequest request{.topology = "torus:8x8", .operation = Operation::many_to_all};
  const auto run = prepare(request);
  for (const std::size_t processes : {2U, 4U}) expect_as_predicted(*run, processes, sources);
  EXPECT_EQ(sources, std::set{Source::trial});
}

/// The first steps tell the share of their messages; the bytes are those of all steps.
TEST(CrossingLaws, ATrialThatIsCutShortIsExtrapolated) {
  RunRequest request{.topology = "random-regular:60,4,1", .operation = Operation::total_exchange};
  const auto run = prepare(request);
  const CrossingForecast whole = catalog::crossing_of(*run, 3, enough_seconds, {});
  catalog::StopAfter end;
  catalog::CrossingCount count(run->forecast(), 3, end, enough_seconds);
  (void)run->execute({.observers = {&count}, .trace = &count.trace(), .max_steps = 4});
  const CrossingForecast part = count.result(whole.exchanges).value();
  ASSERT_LT(part.tried_steps, whole.tried_steps);
  EXPECT_NEAR(static_cast<double>(part.most_bytes) / static_cast<double>(whole.most_bytes), 1, 0.5);
  EXPECT_NEAR(part.messages, whole.messages, 0.2);
}

/// Without a trial: as for networks that have too many nodes.
TEST(CrossingLaws, PathsOfABroadcastTellItsMessages) {
  for (const char* const network : {"ej:3+4^2", "ej:2+3^3"})
    for (const char* const algorithm : {"improved", "iterative", "single-port-tree"}) {
      RunRequest request{.topology = network, .operation = Operation::broadcast};
      request.algorithm = algorithm;
      const auto run = prepare(request);
      for (const std::size_t processes : {2U, 7U, 37U}) {
        SCOPED_TRACE(fmt::format("{} {} {} processes", network, algorithm, processes));
        const CrossingForecast paths = catalog::crossing_of(*run, processes, 0, {});
        const CrossingForecast counted = catalog::crossing_of(*run, processes, enough_seconds, {});
        ASSERT_EQ(paths.source, Source::paths);
        ASSERT_EQ(counted.source, Source::trial);
        EXPECT_NEAR(paths.messages, counted.messages, 0.01 + 0.1 * counted.messages);
        EXPECT_EQ(paths.exchanges, counted.exchanges);
      }
    }
}

TEST(CrossingLaws, LinksAreTheLastResort) {
  RunRequest request{.topology = "torus:8x8", .operation = Operation::total_exchange};
  const auto run = prepare(request);
  const CrossingForecast links = catalog::crossing_of(*run, 4, 0, {});
  EXPECT_EQ(links.source, Source::links);
  EXPECT_DOUBLE_EQ(links.messages, 64.0 / 256);  // 2 of the 8 links of each column, both ways
  EXPECT_THROW((void)catalog::crossing_of(*run, 65, 0, {}), InvalidParameter);
}

/// In large networks, nodes are drawn.
TEST(CrossingLaws, DrawnNodesTellTheShareOfTheArcs) {
  const catalog::CrossingArcs drawn("torus:8192x4096", 4);
  EXPECT_NEAR(drawn.part(), 4.0 * 2 * 4096 / (4.0 * 8192 * 4096), 5e-5);
  const catalog::CrossingArcs all("ej:3+4^4", 37);
  double sum = 0;
  for (std::size_t p = 0; p < 24; ++p) sum += all.part(port(p));
  EXPECT_NEAR(sum / 24, all.part(), 1e-12);
  EXPECT_DOUBLE_EQ(all.part(), 0.25);  // the arcs of one of four dimensions, and no others
}

}  // namespace
}  // namespace lockstep::test
