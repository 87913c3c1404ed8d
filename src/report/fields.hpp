// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Fields: named values of a row that is written as CSV and as JSON; the columns of a table are the
/// names of its first row.
///
///     const Fields row{{"topology", "star:5"}, {"startups", std::uint64_t{229}}, {"eti", {}}};
///     csv_heading(row) + csv_row(row);      // topology,startups,eti / star:5,229,

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lockstep/core/fraction.hpp"
#include "lockstep/program/settings.hpp"
#include "lockstep/report/provenance.hpp"

namespace lockstep::report {

/// std::monostate: there is none; an empty cell, null in JSON. A fraction is written as its value.
using Value = std::variant<std::monostate, bool, std::uint64_t, double, std::string, Fraction>;

struct Field {
  std::string_view name;
  Value value;
};
using Fields = std::vector<Field>;

/// A count of parts in blocks: a whole number, or exactly what it is.
[[nodiscard]] Value in_blocks(std::uint64_t parts, std::uint64_t parts_per_block);

/// A setting as a value; none where it is not set.
[[nodiscard]] Value value_of(const Settings& settings, std::string_view name);

[[nodiscard]] std::string cell_of(const Value& value);
[[nodiscard]] nlohmann::ordered_json json_of(const Value& value);
[[nodiscard]] std::vector<std::string> names_of(const Fields& row);
[[nodiscard]] std::vector<std::string> cells_of(const Fields& row);
[[nodiscard]] std::string csv_heading(const Fields& row);
[[nodiscard]] std::string csv_row(const Fields& row);
[[nodiscard]] nlohmann::ordered_json json_of(const Fields& row);

/// The first keys of every JSON result: schema, version, command, host.
[[nodiscard]] nlohmann::ordered_json json_head(std::string_view schema,
                                               const Provenance& provenance);

/// Precondition: there is a field of that name.
[[nodiscard]] const Value& value_of(const Fields& row, std::string_view name);

}  // namespace lockstep::report
