// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The paper on exchange tables for `lockstep reproduce`: its times (papers/tables_paper.hpp) held
/// against runs of the machine.

#include "papers/reproduce_counts.hpp"

namespace lockstep::papers {

/// Total and odd-distance exchange by table for n = 3..7, against the lower bound; that no message
/// waits is measured too.
[[nodiscard]] CountedRows count_table_costs(const CountOptions& options);

}  // namespace lockstep::papers
