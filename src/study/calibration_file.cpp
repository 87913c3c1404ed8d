// SPDX-License-Identifier: Apache-2.0

/// The file of a calibration. An edited or truncated file would change predictions, so every number
/// that is read is checked against the range that a calibration writes.

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/input_file.hpp"
#include "core/invalid.hpp"
#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"
#include "study/calibration.hpp"

namespace lockstep::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view calibration_schema = "lockstep.calibration/8";

// No time of this program is longer than so many seconds: neither of a step nor of a byte.
constexpr double longest_unit = 10;
constexpr double longest_run = 1e6;
constexpr double any_number = std::numeric_limits<double>::max();

/// An object of the file, and where it is: "samples[3].shared.copy".
class Part {
 public:
  Part(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

  [[nodiscard]] Part at(const std::string& key) const {
    return {json_.at(key), place_.empty() ? key : place_ + "." + key};
  }
  [[nodiscard]] std::vector<Part> items(const std::string& key) const {
    std::vector<Part> items;
    for (const Json& item : json_.at(key))
      items.emplace_back(item, fmt::format("{}[{}]", key, items.size()));
    return items;
  }
  [[nodiscard]] std::string text(const std::string& key) const { return json_.at(key); }
  [[nodiscard]] bool has(const std::string& key) const { return json_.contains(key); }
  [[nodiscard]] std::uint64_t count(const std::string& key) const {
    const Json& value = json_.at(key);
    if (!value.is_number_unsigned()) refuse(key, "a whole number");
    return value;
  }
  [[nodiscard]] double number(const std::string& key, double least, double most) const {
    const Json& value = json_.at(key);
    const double number = value.is_number() ? value.get<double>() : 0;
    if (!value.is_number() || number < least || number > most)
      refuse(key, most == any_number ? fmt::format("a number of at least {}", least)
                                     : fmt::format("a number from {} to {}", least, most));
    return number;
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const std::string& wanted) const {
    throw invalid("{} is {}; expected {}", place_.empty() ? key : place_ + "." + key,
                  json_.at(key).dump(), wanted);
  }

  const Json& json_;
  std::string place_;
};

[[nodiscard]] HostTime time_in(const Part& part) {
  const double low = part.number("low", 0, longest_unit);
  const double value = part.number("value", low, longest_unit);
  return {value, low, part.number("high", value, any_number)};
}

/// Kinds that a run does not have are left out.
[[nodiscard]] Json json_of(const OfHostKinds<double>& counts) {
  Json json = Json::object();
  for (std::size_t k = 0; k < host_kinds; ++k)
    if (counts.all.at(k) != 0) json[key_of(static_cast<HostKind>(k))] = counts.all.at(k);
  return json;
}
[[nodiscard]] OfHostKinds<double> counts_in(const Part& part) {
  OfHostKinds<double> counts;
  for (std::size_t k = 0; k < host_kinds; ++k)
    if (const std::string key = key_of(static_cast<HostKind>(k)); part.has(key))
      counts.all.at(k) = part.number(key, 0, any_number);
  return counts;
}

/// With the prediction that a reader wants to plot.
[[nodiscard]] Json json_of_sample(const HostSample& sample, const HostModel& model) {
  return {{"run", sample.run},
          {"alone", json_of(sample.work.alone)},
          {"shared", json_of(sample.work.shared)},
          {"parallelism", sample.work.parallelism},
          {"memory_bytes", sample.work.memory_bytes},
          {"seconds", sample.seconds},
          {"predicted_seconds", model.seconds(sample.work)},
          {"spread", sample.spread}};
}
[[nodiscard]] HostSample sample_in(const Part& part) {
  constexpr double least_seconds = 1e-12;  // times are divided by it
  return {.run = part.text("run"),
          .work = {.alone = counts_in(part.at("alone")),
                   .shared = counts_in(part.at("shared")),
                   .parallelism = part.number("parallelism", 1, any_number),
                   .memory_bytes = part.number("memory_bytes", 0, any_number)},
          .seconds = part.number("seconds", least_seconds, longest_run),
          .spread = part.number("spread", 0, any_number)};
}

[[nodiscard]] Calibration calibration_in(const Part& whole) {
  if (const std::string schema = whole.text("schema"); schema != calibration_schema)
    throw invalid("the schema is '{}'; expected '{}'", schema, calibration_schema);
  const Part host = whole.at("host");
  Calibration found{.made = {.version = whole.text("version"),
                             .command = {},
                             .cpu = host.text("cpu"),
                             .cores = host.count("cores"),
                             .compiler = host.text("compiler"),
                             .build = host.text("build")},
                    .caches = {host.count("l2_bytes"), host.count("l3_bytes")},
                    .date = whole.text("date")};
  HostModel& model = found.model;
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const Part rate = whole.at("seconds_per").at(key_of(static_cast<HostKind>(k)));
    model.rates.all.at(k) = time_in(rate);
    model.runs.all.at(k) = rate.count("runs");
  }
  model.cached_bytes = whole.count("cached_bytes");
  model.median_error = whole.number("median_error", 0, any_number);
  model.worst_decile_error = whole.number("worst_decile_error", 0, any_number);
  for (const Part& sample : whole.items("samples")) model.samples.push_back(sample_in(sample));
  return found;
}

}  // namespace

fs::path calibration_path() {
  const char* const folder = std::getenv("XDG_CONFIG_HOME");
  if (folder != nullptr && *folder != '\0') return fs::path(folder) / "lockstep/calibration.json";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / ".config/lockstep/calibration.json";
}

std::string json_of(const Calibration& calibration) {
  Json json{{"schema", calibration_schema}, {"date", calibration.date}};
  const Provenance& made = calibration.made;
  json["version"] = made.version;
  json["host"] = {{"cpu", made.cpu},
                  {"cores", made.cores},
                  {"compiler", made.compiler},
                  {"build", made.build},
                  {"l2_bytes", calibration.caches.l2_bytes},
                  {"l3_bytes", calibration.caches.l3_bytes}};
  const HostModel& model = calibration.model;
  for (std::size_t k = 0; k < host_kinds; ++k) {
    const HostTime& rate = model.rates.all.at(k);
    json["seconds_per"][key_of(static_cast<HostKind>(k))] = {{"value", rate.seconds},
                                                             {"low", rate.low},
                                                             {"high", rate.high},
                                                             {"runs", model.runs.all.at(k)}};
  }
  json["cached_bytes"] = model.cached_bytes;
  json["median_error"] = model.median_error;
  json["worst_decile_error"] = model.worst_decile_error;
  json["samples"] = Json::array();
  for (const HostSample& sample : model.samples)
    json["samples"].push_back(json_of_sample(sample, model));
  return report::json_text(json);
}

Calibration loaded(const fs::path& path) {
  constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20U;
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_regular_file(path, error))
    throw invalid("'{}' is no regular file", path.string());
  const std::string text = input_text(path.string(), most_bytes);
  try {
    const Json json = Json::parse(text);
    return calibration_in({json, ""});
  } catch (const nlohmann::json::exception& problem) {
    throw invalid("'{}' is damaged ({})", path.string(), problem.what());
  } catch (const InvalidParameter& problem) {
    throw invalid("'{}' is damaged ({})", path.string(), problem.what());
  }
}

KnownCalibration known_calibration() {
  const fs::path path = calibration_path();
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return {};
  KnownCalibration known;
  std::string why;
  try {
    Calibration found = loaded(path);
    why = found.refusal(provenance({}), host_caches());
    if (why.empty()) known.calibration = std::move(found);
  } catch (const InvalidParameter& problem) {
    why = problem.what();
  }
  if (!why.empty())
    known.note =
        fmt::format("the calibration of this host is not used: {}; run `lockstep calibrate`", why);
  return known;
}

}  // namespace lockstep::study
