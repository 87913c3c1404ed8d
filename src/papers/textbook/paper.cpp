// SPDX-License-Identifier: Apache-2.0

/// Published costs of textbook algorithms, by operation, network and port model: textbook.json has
/// the formulas and their sources, this file what the machine counts for the same.

#include "papers/paper.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "papers/measured.hpp"

namespace lockstep::papers {

extern const std::string_view textbook_json;

namespace {

/// "6 + 192": start-ups and message times of a run whose deliveries are all verified. Names of the
/// row say which; P: parts of a block, where the algorithm leaves their number open.
[[nodiscard]] std::string cost_of_run(const Call& call) {
  Job job{.topology = call.text("topology"),
          .operation = parse_operation(call.text("operation")),
          .algorithm = call.text("algorithm"),
          .port_model = *std::ranges::find(port_models::all, call.text("ports"), &PortModel::name)};
  if (call.scope.names.contains("P")) job.settings["parts"] = call.number("P");
  const RunResult& result = result_of(job);
  if (!result.ok()) return result.judgement.sentence;
  return fmt::format("{} + {}", result.cost.startups, to_string(result.cost.message_times));
}

const Functions functions{{"cost", cost_of_run},
                          {"times", [](std::uint64_t parts, std::uint64_t parts_of_a_block) {
                             return to_string(Fraction{parts, parts_of_a_block});
                           }}};

}  // namespace

const Paper textbook_paper{.name = "textbook", .data = data_from<textbook_json, functions>};

}  // namespace lockstep::papers
