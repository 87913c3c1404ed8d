// SPDX-License-Identifier: Apache-2.0

/// Total exchange in V. V. Dimakopoulos, "Collective communication problems in multiprocessors",
/// chapters 4, 5 and 7: thesis_exchange.json has what it prints, this file what its formulas ask
/// the machine.

#include "papers/paper.hpp"

#include "papers/measured.hpp"

namespace lockstep::papers {

extern const std::string_view thesis_exchange_json;

namespace {

[[nodiscard]] const RunResult& exchange_on(const Call& call, const std::string& algorithm,
                                           const Settings& settings = {}) {
  return result_of({call.text("topology"), Operation::total_exchange, algorithm, settings});
}

const Functions functions{
    {"steps", [](const Call& call) { return exchange_on(call, call.text(0)).record.steps; }},
    {"discipline",
     [](const Call& call) {
       return exchange_on(call, "both-ways", {{"discipline", call.text(0)}}).record.steps;
     }},
    {"missing", [](const Call& call) {
       const std::string reading = call.size() == 0 ? "printed" : call.text(0);
       return exchange_on(call, "a3", {{"reading", reading}}).judgement.deliveries.missing;
     }}};

}  // namespace

const Paper thesis_exchange_paper{.name = "thesis-exchange",
                                  .data = data_from<thesis_exchange_json, functions>};

}  // namespace lockstep::papers
