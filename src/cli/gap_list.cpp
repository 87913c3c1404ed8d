// SPDX-License-Identifier: Apache-2.0
#include "cli/gap_list.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/answer.hpp"
#include "report/fields.hpp"
#include "study/gap_report.hpp"

namespace lockstep::cli {
namespace {

[[nodiscard]] std::string gap_json(const std::vector<study::GapCell>& cells, bool interrupted,
                                   const Session& session) {
  auto json = report::json_head("lockstep.gap/1", provenance(session.command_line));
  json["bytes"] = study::gap_block_bytes;
  json["rows"] = report::json_of(study::gap_rows(cells));
  json["summary"] = report::json_of(study::gap_summary(cells));
  json["interrupted"] = interrupted;
  return report::json_text(json);
}

[[nodiscard]] report::Document gap_document(const GapList& list,
                                            const std::vector<study::GapCell>& cells, Exit exit,
                                            const Session& session) {
  return document_for(
      list.networks.size() == 1
          ? fmt::format("Gap between time and lower bound: {}", list.networks.front().name())
          : "Gap between time and lower bound, by network",
      exit, session, study::gap_sections(cells));
}

}  // namespace

int list_gaps(const GapList& list, const Session& session) {
  AnswerTarget target(list.output, list.report);
  SeriesProgress progress(list.output.progress());
  const std::vector<study::GapCell> cells = study::gap_matrix(
      list.networks, list.operation, {.limits = {.stop = session.stop, .display = &progress}});
  const bool interrupted = session.stop.stop_requested();
  const Exit exit = interrupted ? Exit::interrupted : Exit::ok;
  Answer answer{.text = [&](std::size_t page) { return study::gap_text(cells, page); },
                .csv = [&] { return report::csv_text(study::gap_rows(cells)); },
                .json = [&] { return gap_json(cells, interrupted, session); },
                .document = [&] { return gap_document(list, cells, exit, session); }};
  if (cells.empty()) {  // interrupted at once
    answer.text = [](std::size_t) { return std::string(); };
    answer.document = nullptr;
  }
  target.write(answer);
  if (interrupted && !list.output.quiet)
    print_note("lockstep: INTERRUPTED; some cells are missing");
  return code(exit);
}

}  // namespace lockstep::cli
