// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The contents of a paper, from its data file, which is a text in the program: its title, its
/// errata by number, formulas by name (papers/formula.hpp), and the rows of its parts. A row is
///
///     {"where": "Section 6.1", "n": 8, "quantity": "nodes", "printed": "{2^4 - 1}",
///      "ours": "{nodes()}", "erratum": 9}
///     ["nodes", "15", "{nodes()}", 9]           // the same: quantity, printed, ours, erratum
///
/// Texts hold formulas in braces. `n`, `step`, `factor` (the k of a row), `same` (whether ours is
/// what is printed), `erratum` (of a row that differs) and `reading` (the same of any row) are
/// formulas. Also: `topology`, `ratio`, `exact`, `curve`, `lost`; `beside`, of a point in a figure
/// without numbers: the number that the text gives for it, or the name of the table that prints it.
/// Fields of other names are names for formulas. A group has what its rows share, and is repeated
/// for all values of its names:
///
///     {"for": "k,h: 2,4 3,3", "n": "k^h", "claims": [row, row, group]}
///     {"for": "i: 1..h - 1", "claims": [row]}
///
/// Runs are grouped alike: `topology`, `operation`, `algorithm`, `n`, `factor`, `settings`,
/// `block_bytes`, `quantity`; `counted`, whose formulas may name what the machine counted: steps,
/// startups, message_times, control_words, senders, received (by a processor),
/// average_receive_step; `closed_form`, where it is not there what the algorithm promises; `parts`
/// of the paper that the run bears on; `undelivered` and `long_run` are formulas. `figures` are
/// others of the same run: [quantity, counted, closed_form]. `steps` holds every step against a
/// closed form, for `count` steps; its `counted` may name free, senders, receivers and active of
/// the step. It is one figure, or with `every_step`, their quantity, one per step.

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "papers/formula.hpp"

namespace lockstep::papers {

struct PaperRow;
struct PaperRun;
using PaperRows = std::vector<PaperRow>;

/// A statement of a paper that is wrong, or needs a reading.
struct Erratum {
  unsigned number = 0;     ///< in the list of that paper
  std::string sentence{};  ///< stands alone
};

class PaperData {
 public:
  /// Throws nlohmann::json::exception for a text that is no JSON.
  PaperData(std::string_view json, Functions functions);

  [[nodiscard]] const std::string& title() const { return title_; }
  /// "Table 2", "Figure 3": what can be asked for by its number; or others. In the paper's order.
  [[nodiscard]] const std::vector<std::string>& parts() const { return parts_; }
  /// Those that rows refer to, ascending.
  [[nodiscard]] const std::vector<Erratum>& errata() const { return errata_; }
  /// Throws std::invalid_argument for a part that it has not.
  [[nodiscard]] PaperRows rows(const std::string& part) const;
  /// Those of the machine.
  [[nodiscard]] std::vector<PaperRun> runs() const;

 private:
  std::shared_ptr<const nlohmann::ordered_json> json_;
  std::string title_;
  std::vector<std::string> parts_;
  std::vector<Erratum> errata_;
  Scope scope_;
};

/// That of a file, read when it is first asked for.
template <const std::string_view& json, const Functions& functions>
[[nodiscard]] const PaperData& data_from() {
  static const PaperData data(json, functions);
  return data;
}

}  // namespace lockstep::papers
