// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Small runs, with all that a report says of them.

#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/report/run_report.hpp"

namespace lockstep::test {

[[nodiscard]] inline RunRequest request_of(const std::string& topology) {
  return {.topology = topology,
          .operation = Operation::total_exchange,
          .settings = {{"k", Numbers{3}}},
          .workers = 2};
}

[[nodiscard]] inline RunReport report_of(const RunRequest& request) {
  return {.result = prepare(request)->execute(),
          .costs = {.t_s = 100, .t_m = 1},
          .provenance = provenance("lockstep run star:5 total-exchange"),
          .parameters = parameter_catalog()};
}

[[nodiscard]] inline RunReport with_series() {
  RunRequest request = request_of("star:5");
  request.keep_series = true;
  return report_of(request);
}

}  // namespace lockstep::test
