// SPDX-License-Identifier: Apache-2.0

/// libFuzzer target: a user's schedule. Whatever is accepted is run, and must deliver every block
/// where no rule of its port model is broken.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/program/node_invariant.hpp"
#include "lockstep/topology/build_network.hpp"
#include "lockstep/topology/ring.hpp"
#include "lockstep/topology/star_graph.hpp"
#include "lockstep/verify/delivery.hpp"
#include "program/schedule_file.hpp"
#include "reference/reference_machine.hpp"

namespace lockstep {
namespace {

void run(const UserSchedule& user, const AnyCayley& group) {
  const Network network = build_network(group);
  const ErasedProgramOf program(NodeInvariantProgram(group, schedule_of(user, group)));
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

void try_on(const AnyCayley& group, std::string_view text) {
  try {
    run(parse_schedule("fuzz", text, group), group);
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
  return 0;
}
