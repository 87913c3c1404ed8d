// SPDX-License-Identifier: Apache-2.0
#include "study/ready_together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/machine/detail/wire.hpp"
#include "lockstep/program/settings.hpp"
#include "report/quantities.hpp"
#include "study/exit.hpp"

namespace lockstep::study {
namespace {

/// A number of the links of a network: of all nodes, or of some thousands of a large one.
[[nodiscard]] std::uint64_t digest_of_links(const ErasedTopology& network) {
  constexpr std::uint64_t most_nodes = 1U << 14U;
  constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;
  const std::uint64_t stride = network.node_count() / most_nodes + 1;
  std::uint64_t digest = network.node_count();
  for (std::uint64_t u = 0; u < network.node_count(); u += stride)
    for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
      digest = (digest ^ index(network.neighbor(NodeId{u}, port(p)))) * factor;
  return digest;
}

/// All that processes have to agree on.
[[nodiscard]] std::string description_of(const RunForecast& run) {
  std::string text = fmt::format("{} {} by {}", run.topology, name_of(run.algorithm.operation),
                                 run.algorithm.name);
  for (const auto& [name, value] : run.settings)
    text += fmt::format(" --{} {}", name, lockstep::text_of(value));
  const Footprint& plan = run.footprint;
  return text + fmt::format(
                    ", {}, {} channels{}{}, {} of {} bytes, {} steps, {} hops, seed {}, links {:x}",
                    run.model.name, report::channel_name(run.channel),
                    run.receive_once ? " that receive once" : "",
                    run.measures_queues ? " with queues" : "", name_of(run.verify), run.block_bytes,
                    plan.steps, plan.hops, run.seed, digest_of_links(run.network));
}

/// The state of one process before a run: a problem, or a text that says what was prepared.
using Readiness = Problem;

[[nodiscard]] Readiness readiness_after(const PrepareRun& prepare) {
  Readiness own;
  const Problem problem = problem_of([&] {
    if (const RunForecast* const run = prepare(); run != nullptr)
      own.text = description_of(*run);
    else
      own.exit = Exit::interrupted;
  });
  return problem.exit == Exit::ok ? own : problem;
}

[[nodiscard]] std::vector<Readiness> readiness_of_all(Processes& processes, const Readiness& own) {
  Processes::Bytes bytes;
  detail::WireWriter(bytes).put(own.exit).put_text(own.text);
  std::vector<Readiness> all;
  for (const Processes::Bytes& part : detail::gathered_bytes(processes, bytes)) {
    detail::WireReader in(part);
    const Exit exit = in.take<Exit>();
    all.push_back({exit, in.take_text()});
  }
  return all;
}

[[noreturn]] void refuse(const Readiness& one, std::size_t process) {
  // Most problems are those of every process, and then the first one has them, too.
  const std::string text =
      process == 0 ? one.text : fmt::format("{} (in process {})", one.text, process);
  if (one.exit == Exit::bad_request) throw InvalidParameter(text);
  throw ResourceExhausted(text);
}

}  // namespace

bool ready_together(Processes* processes, const PrepareRun& prepare) {
  if (processes == nullptr) return prepare() != nullptr;
  const std::vector<Readiness> all = readiness_of_all(*processes, readiness_after(prepare));
  for (std::size_t p = 0; p < all.size(); ++p)
    if (all[p].exit == Exit::bad_request || all[p].exit == Exit::no_resources) refuse(all[p], p);
  if (std::ranges::any_of(all, [](const Readiness& one) { return one.exit != Exit::ok; }))
    return false;
  for (std::size_t p = 1; p < all.size(); ++p)
    if (all[p].text != all[0].text)
      throw invalid("the processes prepared different runs: {} (process 0); {} (process {})",
                    all[0].text, all[p].text, p);
  return true;
}

}  // namespace lockstep::study
