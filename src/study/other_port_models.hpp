// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Which rows keep the rules of port models that their algorithms do not declare.
///
///     const std::vector<NotTried> left = try_other_port_models(rows, series);

#include <string>
#include <vector>

#include "report/fields.hpp"
#include "study/run_series.hpp"

namespace lockstep::study {

/// An algorithm that might be the fastest under a port model that it does not declare.
struct NotTried {
  std::string algorithm;
  std::string port_model;
  std::string reason;  ///< "a trial takes too long"

  bool operator==(const NotTried&) const = default;
};
/// Finds out whether rows keep the rules of the port models of the others, by trials
/// (catalog/trial.hpp). Only rows that could win are tried. Row i is that of request i. Returns
/// what takes too long to try.
[[nodiscard]] std::vector<NotTried> try_other_port_models(std::vector<report::Fields>& rows,
                                                          const RunSeries& series);
/// "not tried: shortest-paths under single-port; a trial takes too long", a line each.
[[nodiscard]] std::string text_of(const std::vector<NotTried>& not_tried);
[[nodiscard]] std::vector<report::Fields> rows_of(const std::vector<NotTried>& not_tried);

}  // namespace lockstep::study
