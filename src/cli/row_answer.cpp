// SPDX-License-Identifier: Apache-2.0
#include "cli/row_answer.hpp"

#include <fmt/format.h>

#include "cli/output.hpp"
#include "lockstep/core/errors.hpp"

namespace lockstep::cli {

RowTarget::RowTarget(const OutputArguments& output, Earlier earlier)
    : format_(parse_format(output.format, Lines::yes)),
      rows_{output.file, earlier.resume, earlier.overwrite} {
  if (earlier.resume && !can_resume())
    throw InvalidParameter("--resume needs --format csv and --output FILE");
  if (earlier.resume && earlier.overwrite)
    throw InvalidParameter("--resume and --overwrite cannot be combined");
}

void RowTarget::check_text(std::string_view option) const {
  if (format_ != Format::text)
    throw InvalidParameter(
        fmt::format("--{} is a form of --format text; leave out --format", option));
}

Exit RowTarget::write(const RowAnswer& answer) const {
  if (format_ == Format::csv) return answer.csv(rows_);
  if (format_ == Format::ndjson) return answer.ndjson(rows_);
  return write_said(answer);
}

Exit RowTarget::write_said(const RowAnswer& answer) const {
  const bool is_text = format_ == Format::text;
  Output output(rows_.path);  // before the runs: it must be writable
  std::string all;
  const RowAnswer::Say say = [&](const std::string& text) {
    if (rows_.path)
      all += text;
    else if (is_text)
      output.write_text(text);
    else
      output.write(text);
  };
  const Exit exit = is_text ? answer.text(say, output.page()) : answer.json(say);
  if (rows_.path) output.write(all);
  return exit;
}

}  // namespace lockstep::cli
