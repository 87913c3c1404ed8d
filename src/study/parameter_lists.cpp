// SPDX-License-Identifier: Apache-2.0
#include "study/parameter_lists.hpp"

#include <algorithm>

#include "lockstep/core/errors.hpp"

namespace lockstep::study {
namespace {

using Kind = Parameter::Kind;

/// 1, 2, ..., up to the last that the algorithm does not refuse.
[[nodiscard]] std::vector<Setting> accepted_numbers(const Parameter& parameter,
                                                    const RunRequest& request) {
  RunRequest plain{
      .topology = request.topology, .operation = request.operation, .algorithm = request.algorithm};
  constexpr std::uint64_t most = 64;
  std::vector<Setting> found;
  try {
    for (std::uint64_t number = 1; number <= most; ++number) {
      const Setting setting = std::vector<std::uint64_t>{number};
      plain.settings[parameter.name] = setting;
      (void)prepare(plain, false);
      found.push_back(setting);
    }
  } catch (const InvalidParameter&) {
    return found;
  }
  return found;
}

}  // namespace

char separator_of(const Parameter& parameter) noexcept {
  return parameter.kind == Kind::numbers || parameter.kind == Kind::node ? ';' : ',';
}

bool has_all(const Parameter& parameter) noexcept {
  return parameter.kind == Kind::numbers || parameter.kind == Kind::word;
}

std::vector<Setting> values_of(const Parameter& parameter, const std::string& text,
                               const RunRequest& request) {
  if (text == "all" && parameter.kind == Kind::numbers) return accepted_numbers(parameter, request);
  std::vector<Setting> values;
  if (text == "all" && parameter.kind == Kind::word) {
    for (const std::string_view word : parameter.words) values.emplace_back(std::string(word));
    return values;
  }
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator_of(parameter), at), text.size());
    values.push_back(parse_setting(parameter, text.substr(at, end - at), request.topology));
    at = end + 1;
  }
  return values;
}

}  // namespace lockstep::study
