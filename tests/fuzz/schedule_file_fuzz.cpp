// SPDX-License-Identifier: Apache-2.0

/// libFuzzer target: a schedule file. A schedule of version 1 that is accepted must deliver every
/// block where no rule of its port model is broken. One of version 2 that delivers every block must
/// do so by a simulator of its own, too (tests/support/schedule_simulator.hpp).

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/grouped_schedule_program.hpp"
#include "lockstep/program/plan/lower.hpp"
#include "lockstep/program/schedule_program.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/delivery.hpp"
#include "program/schedule_file.hpp"
#include "reference/reference_machine.hpp"
#include "support/schedule_simulator.hpp"

namespace lockstep {
namespace {

void run(const ScheduleFile& user, const AnyCayley& group) {
  const Network network = build_network(group);
  LoweredPlan lowered = lower(*user.plan, group, user.operation);
  const ErasedProgramOf program(GroupedScheduleProgram(group, std::move(lowered.schedule)));
  ProvingHost host({.collective = {user.operation},
                    .processors = group.node_count(),
                    .block_bytes = 3,
                    .verify = VerifyKind::exact});
  reference::ReferenceMachine machine(network, program, host,
                                      {.model = user.model, .block_bytes = 3});
  const RunRecord record = machine.run();
  expects(!record.legal() || host.judge(record.deliveries).complete(),
          "a schedule that was accepted delivers every block");
}

[[nodiscard]] const ErasedTopology& ring_of_four() {
  static const ErasedTopology ring(AnyTopology{std::string("ring:4")});
  return ring;
}

void run(const ScheduleFile& file, const Network& network, std::string_view text) {
  constexpr std::uint64_t most_steps = 1'000;
  constexpr std::uint32_t most_blocks = 10'000;
  const Schedule& schedule = *file.schedule;
  if (schedule.step_count() > most_steps || file.operation == Operation::many_to_all ||
      Collective{file.operation}.is_by_pairs())
    return;
  for (const std::uint32_t blocks : schedule.regions())
    if (blocks > most_blocks) return;
  const ErasedProgramOf program(RoutedScheduleProgram(file.schedule));
  constexpr std::size_t bytes = 64;
  ProvingHost host({.collective = Collective{file.operation, file.root}.on(Ring(4)),
                    .processors = 4,
                    .block_bytes = bytes,
                    .verify = VerifyKind::exact,
                    .parts_per_block = file.parts_per_block});
  reference::ReferenceMachine machine(network, program, host,
                                      {.model = file.model, .block_bytes = *host.block_bytes()});
  const RunRecord record = machine.run();
  const DeliveryTally& tally = record.deliveries;
  const bool delivered = record.legal() && host.judge(tally).complete() &&
                         record.stores_without_message == 0 && tally.corrupted == 0;
  expects(!delivered || test::delivers_all(std::string(text), ring_of_four(),
                                           {.operation = std::string(name_of(file.operation)),
                                            .root = index(file.root),
                                            .block_bytes = bytes}),
          "a schedule that is said to deliver every block does");
}

void try_by_node(const Network& network, std::string_view text) {
  try {
    const ScheduleFile file = parse_schedule("fuzz", text, ring_of_four());
    if (file.schedule) run(file, network, text);
  } catch (const InvalidParameter& problem) {
    expects(std::string_view(problem.what()).substr(0, 5) == "fuzz:", "a refusal names the file");
  }
}

void try_on(const AnyCayley& group, std::string_view text) {
  try {
    const ScheduleFile file = parse_schedule("fuzz", text, group);
    if (file.plan) run(file, group);
  } catch (const InvalidParameter& problem) {
    expects(std::string_view(problem.what()).substr(0, 5) == "fuzz:", "a refusal names the file");
  }
}

}  // namespace
}  // namespace lockstep

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;  // NOLINT(google-build-using-namespace): the function has to be global
  static const AnyCayley ring = any_cayley(Ring{5});
  static const AnyCayley star = any_cayley(StarGraph{3});
  const std::string_view text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  try_on(ring, text);
  try_on(star, text);
  static const Network by_node = build_network(Ring(4));
  try_by_node(by_node, text);
  return 0;
}
