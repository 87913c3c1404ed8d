// SPDX-License-Identifier: Apache-2.0
#pragma once

/// `lockstep reproduce`: the rows that are asked for, the runs that bear on them, the verdict.
///
///     Reproduction ours = reproduction_of(*papers_named("star").front(), {"Table 2"});
///     count_runs(ours, {.machine = request, .parts = {"Table 2"}});
///     print(text_of(std::span(&ours, 1)));     // ... 45 printed figures: 45 agree, ...

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/report/run_report.hpp"
#include "lockstep/report/table.hpp"
#include "papers/paper.hpp"
#include "report/document.hpp"
#include "study/run_series.hpp"

namespace lockstep::papers {

/// The origin that rows counted by the machine state.
inline constexpr std::string_view counted_by_machine = "Counted by the machine";
/// How the tables begin that no paper has, drawn as figures are: "Ours: crossover ..".
inline constexpr std::string_view own_table = "Ours: ";
/// And those of runs that were left out, or that this host cannot carry.
inline constexpr std::string_view not_run = "Not run";

struct Reproduction {
  const Paper* paper;
  PaperRows rows{};
  Exit exit = Exit::ok;  ///< of the runs

  /// Its own, or that a difference is not explained.
  [[nodiscard]] Exit judged() const;
};

/// The one of this name, with those whose names go on from it ("thesis", "thesis-.."), or "all".
/// Throws InvalidParameter.
[[nodiscard]] std::vector<const Paper*> papers_named(const std::string& name);

/// "Table 2", "Figure 3"; empty: the whole paper. Throws InvalidParameter where it has none such.
[[nodiscard]] Reproduction reproduction_of(const Paper& paper,
                                           const std::vector<std::string>& parts);

struct CountOptions {
  RunRequest machine{};  ///< for executor and workers
  study::RunSeries::Options series{};
  bool full = false;                 ///< long runs, too
  std::vector<std::string> parts{};  ///< only runs that bear on one of them; empty: all
};

/// Adds a row for every figure counted, every delivery verified, `ours`: counted, `exact`: the
/// closed form; then one for every run left out.
void count_runs(Reproduction& reproduction, const CountOptions& options);

/// "agrees", "differs", "differs: NOT EXPLAINED", with the erratum where there is one; empty
/// where there is nothing to compare with.
[[nodiscard]] std::string judgement(const PaperRow& row);
/// A table per table of the paper, a figure as one line per size or step and a column per curve,
/// and behind each the errata that explain its differences. Tables fit the page.
[[nodiscard]] std::string paper_text(const PaperRows& rows, std::span<const Erratum> errata,
                                     std::size_t page = any_width);

/// The same to be looked at: every figure and every series of steps is drawn as well, ours as
/// lines, printed values as marks.
[[nodiscard]] std::vector<report::Section> paper_sections(const PaperRows& rows,
                                                          std::span<const Erratum> errata);
[[nodiscard]] report::Document document_of(std::span<const Reproduction> all, Exit exit,
                                           const Provenance& provenance);

[[nodiscard]] std::string text_of(std::span<const Reproduction> all, std::size_t page = any_width);
[[nodiscard]] std::string csv_of(std::span<const Reproduction> all);
[[nodiscard]] std::string json_of(std::span<const Reproduction> all, Exit exit,
                                  const Provenance& provenance);

}  // namespace lockstep::papers
