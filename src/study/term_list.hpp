// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The table of `lockstep list columns`: every name in the tables and objects of run, sweep,
/// compare, tune and `list matrix --gap`, with its unit and meaning, from the lists that they are
/// written from.

#include "lockstep/report/table.hpp"

namespace lockstep::study {

/// column, tables (run, series, sweep, compare, tune, gap; json: in no table), json (the key in the
/// object of a run), unit, meaning.
[[nodiscard]] Table column_list();

/// The table of `lockstep list terms`: the words of reports and help that a newcomer may not know.
/// term, meaning.
[[nodiscard]] Table term_list();

}  // namespace lockstep::study
