// SPDX-License-Identifier: Apache-2.0
#pragma once

/// A run of a series as a row: the figures of report/run_fields.hpp under their names, the
/// parameters, and what came of it. Tables of runs are choices of its columns.
///
///     const report::Fields row = run_row(series.request(i), series.measure(i), costs);

#include <initializer_list>
#include <string_view>
#include <vector>

#include "lockstep/cost/model.hpp"
#include "report/fields.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

// Fields of rows that are no columns: names of the lower bounds.
inline constexpr std::string_view bound_on_startups = "bound_on_startups";
inline constexpr std::string_view bound_on_message_times = "bound_on_message_times";

/// The figures of a run, with status and note, and for tables that are read predicted and result. A
/// run that was refused has the values of its request. Seconds are medians of the repetitions.
[[nodiscard]] report::Fields run_row(const RunRequest& request, const Measured& run,
                                     const CostParameters& costs);

/// Whether the algorithm of a row declares the port model of that name or a weaker one.
[[nodiscard]] bool declares(const report::Fields& row, std::string_view port_model);
/// Whether its run keeps the rules of that port model: the algorithm declares it or a weaker one,
/// or the row went well under it or a weaker one, or one of these was added.
[[nodiscard]] bool may_run_under(const report::Fields& row, std::string_view port_model);
/// The run of the row keeps the rules of this port model, too.
void add_port_model(report::Fields& row, const PortModel& model);

/// The parameters that a table of the series shows: those that a request sets, and all of these
/// kinds but counts without a fallback, which only some operations know.
[[nodiscard]] std::vector<Parameter> shown_parameters(
    const RunSeries& series, std::initializer_list<Parameter::Kind> always);
/// The columns of a row in a table that is read: those named, the parameters, and the others named.
[[nodiscard]] report::Fields read_columns(const report::Fields& row, std::string_view before,
                                          const std::vector<Parameter>& parameters,
                                          std::string_view behind);

}  // namespace lockstep::study
