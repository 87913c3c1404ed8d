// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The results of tuning, for readers and for programs.

#include <string>
#include <vector>

#include "report/document.hpp"
#include "report/fields.hpp"
#include "study/tuning.hpp"

namespace lockstep::study {

/// The first `most` of the ranking by t_s and t_m, and the variants that run a file of the user.
[[nodiscard]] std::vector<report::Fields> ranking_rows(const Contest& contest,
                                                       const CostParameters& costs,
                                                       std::size_t most);
[[nodiscard]] std::vector<report::Fields> host_rows(const Contest& contest,
                                                    const HostRanking& ranking, std::size_t most);
[[nodiscard]] std::vector<report::Fields> map_rows(const Contest& contest,
                                                   const std::vector<MapCell>& cells);

/// The line that names the best entry; empty where none was measured.
[[nodiscard]] std::string ranking_verdict(const Contest& contest, const CostParameters& costs);
[[nodiscard]] std::string host_verdict(const Contest& contest, const HostRanking& ranking);

/// With heading, best entry and what was left out.
[[nodiscard]] std::string ranking_text(const Contest& contest, const CostParameters& costs,
                                       std::size_t most, std::size_t page);
[[nodiscard]] std::string host_text(const Contest& contest, const HostRanking& ranking,
                                    std::size_t most, std::size_t page);
/// A letter per winner; a line per t_s/t_m, a column per block length.
[[nodiscard]] std::string map_text(const Contest& contest, const std::vector<MapCell>& cells,
                                   std::size_t page);

/// The same to be looked at: terms of the time, and what variants cost beside the best one;
/// predicted beside measured times; the map as cells.
[[nodiscard]] std::vector<report::Section> ranking_sections(const Contest& contest,
                                                            const CostParameters& costs,
                                                            std::size_t most);
[[nodiscard]] std::vector<report::Section> host_sections(const Contest& contest,
                                                         const HostRanking& ranking,
                                                         std::size_t most);
[[nodiscard]] std::vector<report::Section> map_sections(const Contest& contest,
                                                        const std::vector<MapCell>& cells);

}  // namespace lockstep::study
