// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A line of a comparison.

#include <fmt/format.h>

#include <string>

#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/fraction.hpp"
#include "report/fields.hpp"
#include "report/quantities.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

/// A run, and what the request says of it where it was refused.
struct CompareEntry {
  RunRequest request;
  Measured run;

  [[nodiscard]] const AlgorithmParameters& parameters() const {
    return run.estimate ? run.estimate->parameters : request.parameters;
  }
  [[nodiscard]] std::string factors() const { return report::factors_text(parameters().k); }
  [[nodiscard]] bool queues() const { return run.estimate && run.estimate->algorithm.queues; }
  [[nodiscard]] std::string discipline() const {
    return queues() ? std::string(name_of(parameters().discipline)) : "";
  }
  [[nodiscard]] std::string algorithm() const {
    return request.algorithm + (queues() ? ", " + discipline() : "");
  }
  [[nodiscard]] std::string batch() const {
    return parameters().batch == automatic_batch ? "auto" : fmt::format("{}", parameters().batch);
  }
  [[nodiscard]] report::Value root() const {
    return has_root(request.operation) ? report::Value(index(request.parameters.root))
                                       : report::Value();
  }
  [[nodiscard]] std::uint64_t parts_per_block() const {
    return run.estimate ? run.estimate->parts_per_block() : 1;
  }
  /// What the machine counts, in blocks.
  [[nodiscard]] Fraction blocks(std::uint64_t parts) const { return {parts, parts_per_block()}; }
  [[nodiscard]] std::string port_model() const {
    return run.estimate ? std::string(run.estimate->model.name) : "-";
  }
};

}  // namespace lockstep::study
