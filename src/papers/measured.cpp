// SPDX-License-Identifier: Apache-2.0
#include "papers/measured.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace lockstep::papers {

RunRequest request_of(const Job& job) {
  return {.topology = job.topology,
          .operation = job.operation,
          .algorithm = job.algorithm,
          .settings = job.settings,
          .port_model = job.port_model,
          .block_bytes = 1,
          .workers = 1,
          .executor = ExecutorKind::serial};
}

const RunResult& result_of(const Job& job) {
  static std::map<std::string, RunResult> known;
  std::string name = fmt::format("{} {} {}", job.topology, name_of(job.operation), job.algorithm);
  for (const auto& [parameter, value] : job.settings)
    name += fmt::format(" {} {}", parameter, text_of(value));
  if (job.port_model) name += fmt::format(" {}", job.port_model->name);
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(std::move(name), prepare(request_of(job))->execute()).first->second;
}

SendTrace trace_of(const Job& job) {
  SendTrace trace;
  (void)prepare(request_of(job))->execute({.trace = &trace});
  return trace;
}

std::uint64_t steps_of(const Job& job) {
  const RunResult& result = result_of(job);
  if (!result.ok()) throw std::runtime_error(job.topology + " " + job.algorithm + " failed");
  return result.record.steps;
}

AnyTopology network_of(const Call& call) { return AnyTopology(call.text("topology")); }

}  // namespace lockstep::papers
