// SPDX-License-Identifier: Apache-2.0
#include "cli/answer.hpp"

#include "core/invalid.hpp"

namespace lockstep::cli {

AnswerTarget::AnswerTarget(const OutputArguments& output, const ReportArguments& report)
    : format_(parse_format(output.format)), output_(output.file), files_(report, output.file) {}

void AnswerTarget::refuse_csv(std::string_view what) const {
  if (format_ == Format::csv)
    throw invalid("{} has no CSV output; use --format text or json", what);
}

void AnswerTarget::write(const Answer& answer) {
  if (format_ == Format::csv) output_.write(answer.csv());
  if (format_ == Format::json) output_.write(answer.json());
  if (format_ == Format::text)
    if (const std::string text = answer.text(output_.page()); !text.empty())
      output_.write_text(text);
  if (answer.document) files_.write(answer.document);
}

}  // namespace lockstep::cli
