// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Many-to-all broadcasts of the catalogue on tori, for tests.
///
///     const RunResult result = many_to_all({.rows = 5, .columns = 5, .messages = 4, .h = 5});

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/catalog/catalog.hpp"

namespace lockstep::test {

struct TorusBroadcast {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t messages = 0;
  std::uint64_t h = 1;
  std::string placement = "perm";
  std::string confined = "no";
  std::string algorithm = "aggregation";
  Settings options{};  ///< others
};

/// Options of aggregation-plus: each of them, and all together. Near tuning where h is both sides.
inline std::vector<Settings> options_of_plus(bool near_too) {
  const Setting yes{std::string("yes")};
  const Setting near{std::string("near")};
  std::vector<Settings> all{{{"scatter", yes}}, {{"pieces", yes}}};
  all.push_back({{"scatter", yes}, {"pieces", yes}});
  if (!near_too) return all;
  all.push_back({{"tuning", near}});
  all.push_back({{"scatter", yes}, {"pieces", yes}, {"tuning", near}});
  return all;
}

inline std::string described(const TorusBroadcast& run) {
  std::string text =
      fmt::format("{}, {} x {}, {} messages, {}, h {}, confined {}", run.algorithm, run.rows,
                  run.columns, run.messages, run.placement, run.h, run.confined);
  for (const auto& [name, value] : run.options)
    text += fmt::format(", {} {}", name, text_of(value));
  return text;
}

inline RunRequest request_of(const TorusBroadcast& run) {
  RunRequest request{.topology = fmt::format("torus:{}x{}", run.rows, run.columns),
                     .operation = Operation::many_to_all,
                     .algorithm = run.algorithm,
                     .block_bytes = 8,
                     .executor = ExecutorKind::serial};
  request.settings["messages"] = run.messages;
  request.settings["placement"] = run.placement;
  if (run.algorithm.starts_with("aggregation")) request.settings["h"] = run.h;
  if (run.algorithm == "aggregation") request.settings["confined"] = run.confined;
  for (const auto& [name, value] : run.options) request.settings[name] = value;
  return request;
}

inline RunResult many_to_all(const TorusBroadcast& run, const RunControl& control = {}) {
  return prepare(request_of(run))->execute(control);
}

}  // namespace lockstep::test
