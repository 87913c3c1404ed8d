// SPDX-License-Identifier: Apache-2.0

/// Where a calibration is kept, and how.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "lockstep/core/errors.hpp"
#include "report/fields.hpp"
#include "study/calibration.hpp"

namespace lockstep::study {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view calibration_schema = "lockstep.calibration/4";

[[nodiscard]] Json json_of_regime(const HostRegime& regime) {
  return {{"channel", regime.channel},
          {"loop", regime.loop},
          {"verified", regime.verified},
          {"workers", regime.workers},
          {"memory", regime.memory}};
}
[[nodiscard]] HostRegime regime_in(const Json& json) {
  return {json.at("channel"), json.at("loop"), json.at("verified"), json.at("workers"),
          json.at("memory")};
}

[[nodiscard]] Json json_of_fit(const HostFit& fit) {
  Json json = json_of_regime(fit.regime);
  for (std::size_t i = 0; i < host_terms; ++i)
    json["seconds_per"][std::string(host_term_names.at(i))] = {{"value", fit.times.at(i).seconds},
                                                               {"low", fit.times.at(i).low},
                                                               {"high", fit.times.at(i).high}};
  json["r_squared"] = fit.r_squared;
  json["median_error"] = fit.median_error;
  json["samples"] = fit.samples;
  json["outliers"] = fit.outliers;
  return json;
}
[[nodiscard]] HostFit fit_in(const Json& json) {
  HostFit fit{.regime = regime_in(json),
              .r_squared = json.at("r_squared"),
              .median_error = json.at("median_error"),
              .samples = json.at("samples"),
              .outliers = json.at("outliers")};
  for (std::size_t i = 0; i < host_terms; ++i) {
    const Json& time = json.at("seconds_per").at(std::string(host_term_names.at(i)));
    fit.times.at(i) = {time.at("value"), time.at("low"), time.at("high")};
  }
  return fit;
}

/// With the residual that a reader wants to plot.
[[nodiscard]] Json json_of_sample(const HostSample& sample, const HostModel& model) {
  Json json{{"run", sample.run}};
  json.update(json_of_regime(sample.regime));
  for (std::size_t i = 0; i < host_terms; ++i)
    json["work"][std::string(host_term_names.at(i))] = sample.work.at(i);
  json["seconds"] = sample.seconds;
  json["bytes"] = sample.bytes;
  json["spread"] = sample.spread;
  const HostFit* const fit = model.fit_of(sample.regime);
  json["residual_seconds"] =
      fit == nullptr ? Json() : Json(sample.seconds - fit->seconds(sample.work));
  return json;
}
[[nodiscard]] HostSample sample_in(const Json& json) {
  HostSample sample{.run = json.at("run"),
                    .regime = regime_in(json),
                    .seconds = json.at("seconds"),
                    .bytes = json.at("bytes"),
                    .spread = json.at("spread")};
  for (std::size_t i = 0; i < host_terms; ++i)
    sample.work.at(i) = json.at("work").at(std::string(host_term_names.at(i)));
  return sample;
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
  json["fits"] = Json::array();
  for (const HostFit& fit : calibration.model.fits) json["fits"].push_back(json_of_fit(fit));
  json["samples"] = Json::array();
  for (const HostSample& sample : calibration.model.samples)
    json["samples"].push_back(json_of_sample(sample, calibration.model));
  return report::json_text(json);
}

/// Whole or not at all: another process may read it.
void save(const Calibration& calibration, const fs::path& path) {
  const auto refuse = [&](const std::string& why) {
    throw ResourceExhausted(
        fmt::format("calibration: '{}' cannot be written: {}", path.string(), why));
  };
  if (path.empty()) refuse("neither XDG_CONFIG_HOME nor HOME is set");
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  fs::path partial = path;
  partial += fmt::format(".{}", getpid());
  std::ofstream file(partial);
  file << json_of(calibration);
  file.close();
  if (!file) refuse(error ? error.message() : "the device is full, or the folder is read-only");
  fs::rename(partial, path, error);
  if (error) refuse(error.message());
}

Calibration loaded(const fs::path& path) try {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const Json json = Json::parse(text.str());
  if (json.at("schema") != calibration_schema)
    throw InvalidParameter(fmt::format("'{}' has the schema {}; expected {}", path.string(),
                                       json.at("schema").dump(), calibration_schema));
  const Json& host = json.at("host");
  Calibration found{.made = {.version = json.at("version"),
                             .command = {},
                             .cpu = host.at("cpu"),
                             .cores = host.at("cores"),
                             .compiler = host.at("compiler"),
                             .build = host.at("build")},
                    .caches = {host.at("l2_bytes"), host.at("l3_bytes")},
                    .date = json.at("date")};
  for (const Json& fit : json.at("fits")) found.model.fits.push_back(fit_in(fit));
  for (const Json& sample : json.at("samples")) found.model.samples.push_back(sample_in(sample));
  return found;
} catch (const nlohmann::json::exception& problem) {
  throw InvalidParameter(fmt::format("'{}' is damaged ({})", path.string(), problem.what()));
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
