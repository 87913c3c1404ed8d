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

  [[nodiscard]] const Settings& settings() const {
    return run.estimate ? run.estimate->settings : request.settings;
  }
  [[nodiscard]] std::string setting(std::string_view name) const {
    const Setting* const found = settings().find(name);
    return found == nullptr ? "" : text_of(*found);
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
