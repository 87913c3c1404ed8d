// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `lockstep list matrix --gap`: the best time over its lower bound, of every operation.

#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/report_files.hpp"
#include "lockstep/catalog/any_topology.hpp"
#include "lockstep/collective/collective.hpp"

namespace lockstep::cli {

struct GapList {
  std::vector<AnyTopology> networks{};
  std::optional<Operation> operation{};
  OutputArguments output{};
  ReportArguments report{};
};

/// Writes the matrix; the exit code.
[[nodiscard]] int list_gaps(const GapList& list, const Session& session);

}  // namespace lockstep::cli
