// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>
#include <span>

#include "catalog/check_setting.hpp"
#include "cli/graph_options.hpp"
#include "cli/output.hpp"
#include "core/invalid.hpp"
#include "core/joined.hpp"
#include "core/suggest.hpp"
#include "core/words.hpp"
#include "lockstep/core/detail/whole_number.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"

namespace lockstep::cli {
namespace {

using Kind = Parameter::Kind;

[[noreturn]] void refuse(std::string_view what, std::string_view text, std::string_view allowed) {
  throw invalid("--{}: '{}' is not valid; expected {}", what, text, allowed);
}

/// Separator of the values of a parameter that a sweep runs through: ';' where a value may hold
/// commas.
[[nodiscard]] char separator_of(const Parameter& parameter) noexcept {
  return parameter.kind == Kind::numbers || parameter.kind == Kind::node ? ';' : ',';
}

/// Whether these values may be "all".
[[nodiscard]] bool has_all(const Parameter& parameter) noexcept {
  return parameter.kind == Kind::numbers || parameter.kind == Kind::word;
}

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

std::uint64_t parse_count(std::string_view what, const std::string& text, std::uint64_t least,
                          std::uint64_t most) {
  const auto value = whole_number(text);
  if (value && *value >= least && *value <= most) return *value;
  if (most == std::numeric_limits<std::uint64_t>::max())
    refuse(what, text, fmt::format("a whole number from {} to 2^64 - 1", least));
  refuse(what, text, fmt::format("a whole number from {} to {}", least, grouped(most)));
}

double parse_number(std::string_view what, const std::string& text, std::string_view allowed) {
  constexpr double largest = 1e100;  // costs of the largest runs stay finite
  const std::optional<double> value = decimal_number(text);
  if (!value || !std::isfinite(*value) || *value < 0) refuse(what, text, allowed);
  if (*value > largest) refuse(what, text, "a number of at most 1e100");
  return *value;
}

std::uint64_t parse_bytes(std::string_view what, const std::string& text, std::uint64_t least,
                          std::string_view word) {
  constexpr std::string_view letters = "KMGT";
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view suffix = std::string_view(text).substr(digits);
  unsigned shift = 0;
  if (!suffix.empty()) {
    const std::size_t power =
        letters.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix.front()))));
    const std::string_view rest = suffix.substr(1);
    if (power != std::string_view::npos && (rest.empty() || rest == "iB" || rest == "ib"))
      shift = 10 * (static_cast<unsigned>(power) + 1);
  }
  const auto value = whole_number(std::string_view(text).substr(0, digits));
  if (value && suffix.empty() == (shift == 0) &&
      *value <= std::numeric_limits<std::uint64_t>::max() >> shift && *value << shift >= least)
    return *value << shift;
  refuse(what, text,
         fmt::format("a whole number of bytes from {} to 2^64 - 1, optionally followed by K, M, "
                     "G or T (KiB, MiB, GiB, TiB){}{}",
                     least, word.empty() ? "" : ", or ", word));
}

std::vector<std::string> split(const std::string& text, char separator) {
  const std::vector<std::string_view> pieces = pieces_of(text, separator);
  return {pieces.begin(), pieces.end()};
}

std::vector<Setting> values_of(const Parameter& parameter, const std::string& text,
                               const RunRequest& request) {
  if (text == "all" && parameter.kind == Kind::numbers) return accepted_numbers(parameter, request);
  std::vector<Setting> values;
  if (text == "all" && parameter.kind == Kind::word) {
    for (const std::string_view word : parameter.words) values.emplace_back(std::string(word));
    return values;
  }
  try {
    for (const std::string& piece : split(text, separator_of(parameter)))
      values.push_back(parse_setting(parameter, piece, request.topology));
  } catch (const InvalidParameter& problem) {
    throw InvalidParameter(std::string(problem.what()) + (has_all(parameter) ? ", or all" : ""));
  }
  return values;
}

std::optional<std::size_t> parse_block_bytes(const std::string& text) {
  if (text == "auto") return std::nullopt;
  return parse_bytes("bytes", text, 1, "auto");
}

PortModel parse_port_model(const std::string& text) {
  return named("port model", text, port_models::all, &PortModel::name);
}

ChannelKind parse_channel(const std::string& text) {
  constexpr std::array kinds{ChannelKind::automatic, ChannelKind::row, ChannelKind::slot,
                             ChannelKind::spsc, ChannelKind::mailbox};
  return named("channel", text, kinds, report::channel_name);
}

ExecutorKind parse_executor(const std::string& text) {
  return named("executor", text, detail::all_executors, report::executor_name);
}

VerifyKind parse_verify(const std::string& text) {
  constexpr std::array kinds{VerifyKind::automatic, VerifyKind::exact, VerifyKind::digest,
                             VerifyKind::off};
  return named("kind of verification", text, kinds, [](VerifyKind kind) { return name_of(kind); });
}

Format parse_format(const std::string& text, Lines lines) {
  static constexpr std::array<std::string_view, 4> names{"text", "json", "csv", "ndjson"};
  const std::span allowed(names.data(), lines == Lines::yes ? 4U : 3U);
  return static_cast<Format>(&named("format", text, allowed) - names.data());
}

CLI::Option* OptionGroup::operator()(const std::string& option, std::string& value,
                                     const std::string& type, const std::string& meaning) const {
  const std::string fallback = value.empty() ? "" : fmt::format(" (default: {})", value);
  return app.add_option(option, value, meaning + fallback)->type_name(type)->group(name);
}

CLI::Option* OptionGroup::operator()(const std::string& option, std::optional<std::string>& value,
                                     const std::string& type, const std::string& meaning) const {
  return app.add_option(option, value, meaning)->type_name(type)->group(name);
}

void OptionGroup::flag(const std::string& option, bool& value, const std::string& meaning) const {
  app.add_flag(option, value, meaning)->group(name);
}

void add_topology_and_operation(CLI::App& app, std::string& topology, std::string& operation,
                                unsigned size) {
  app.add_option("topology", topology,
                 fmt::format("Network, such as star:{}; see `lockstep list topologies`", size))
      ->required();
  app.add_option("operation", operation,
                 "Collective operation, such as total-exchange; see `lockstep list operations`")
      ->required();
  add_graph_options(app, topology);
}

/// The meaning with the default.
[[nodiscard]] static std::string help_of(const Parameter& parameter) {
  return std::string(parameter.meaning) +
         (parameter.default_text().empty()
              ? ""
              : fmt::format(" (default: {})", parameter.default_text()));
}

void ParameterArguments::add_to(CLI::App& app, Form form) {
  const OptionGroup add{app, form == Form::values ? "Algorithm" : "Grid"};
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const Parameter& parameter = parameter_catalog()[i];
    const std::string placeholder(parameter.placeholder);
    add("--" + std::string(parameter.name), texts_[i],
        form == Form::values ? placeholder
                             : fmt::format("{}{}...{}", placeholder, separator_of(parameter),
                                           has_all(parameter) ? "|all" : ""),
        fmt::format("{}{}", help_of(parameter),
                    form == Form::lists && separator_of(parameter) == ';'
                        ? ". Separate several values with ';'"
                        : ""));
  }
}

void ParameterArguments::add_compared_to(CLI::App& app) {
  const OptionGroup add{app, "Algorithm"};
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (const Parameter& parameter = parameter_catalog()[i];
        parameter.defines_problem || (parameter.selects_algorithm && parameter.kind == Kind::file))
      add("--" + std::string(parameter.name), texts_[i], std::string(parameter.placeholder),
          help_of(parameter));
}

void ParameterArguments::set(std::string_view name, std::string text) {
  const auto& all = parameter_catalog();
  const Parameter* const found = parameter_of(all, name);
  expects(found != nullptr, "there is a parameter of that name");
  texts_[static_cast<std::size_t>(found - all.data())] = std::move(text);
}

std::vector<ParameterArguments::Given> ParameterArguments::given() const {
  std::vector<Given> all;
  for (std::size_t i = 0; i < texts_.size(); ++i)
    if (texts_[i]) all.push_back({parameter_catalog()[i], *texts_[i]});
  return all;
}

void ParameterArguments::apply_to(RunRequest& request) const {
  for (const auto& [parameter, text] : given())
    request.settings[parameter.name] = parse_setting(parameter, text, request.topology);
  request.settings = without_open(parameter_catalog(), request.settings);
}

void AlgorithmArguments::add_to(CLI::App& app) {
  const OptionGroup add{app, "Algorithm"};
  add("--algorithm", algorithm, "NAME",
      "Algorithm to run (default: the algorithm with the least predicted time under the port\n"
      "model; for a total exchange without --ts and --tm, see 'default algorithm' in\n"
      "`lockstep list terms`)");
  parameters.add_to(app);
  add("--bytes", bytes, "BYTES", block_bytes_meaning);
}

void AlgorithmArguments::apply_to(RunRequest& request) const {
  if (algorithm && algorithm->empty())
    refuse("algorithm", *algorithm, "a name from `lockstep list algorithms`");
  if (algorithm) request.algorithm = *algorithm;  // the catalogue knows which names there are
  parameters.apply_to(request);
  request.block_bytes = parse_block_bytes(bytes);
}

void MachineArguments::add_to(CLI::App& app, std::string_view default_port_model) {
  const OptionGroup add{app, "Machine"};
  add("--port-model", port_model, "MODEL",
      fmt::format("Port model: {} (default: {})", joined(port_models::all, ", ", &PortModel::name),
                  default_port_model));
  add("--threads", threads, "N",
      "Number of workers, 1 to 1,024 (default: one per usable core: CPU affinity and the CPU "
      "quota\n"
      "of control groups count). One worker executes steps that are expected to be short,\n"
      "unless --task-size is given");
  add("--task-size,--block", block, "N",
      "Nodes per task (default: an equal share for each worker, or all nodes where steps are "
      "short).\n"
      "Where the machine runs only active nodes, tasks have multiples of 64 nodes");
  add("--channel", channel, "KIND",
      "Channels between processors: auto, row, slot, spsc or mailbox");
  add("--executor", executor, "KIND", "Parallel executor: tbb, thread or serial");
  add("--verify", verify, "KIND", "Proof of delivery: auto, exact, digest or off");
  add("--seed", seed, "N", "Seed of the payload");
  add("--memory-limit", memory_limit, "BYTES",
      "Refuse runs that need more memory (default: the memory available on this host)");
  add("--max-hours", max_hours, "HOURS",
      "Refuse runs that are estimated to take longer, including set-up and repetitions");
}

void MachineArguments::apply_to(RunRequest& request) const {
  if (port_model) request.port_model = parse_port_model(*port_model);
  if (threads) request.workers = parse_count("threads", *threads, 1, max_workers);
  if (block) request.processors_per_task = parse_count("task-size", *block, 1);
  request.channel = parse_channel(channel);
  request.executor = parse_executor(executor);
  request.verify = parse_verify(verify);
  request.seed = parse_count("seed", seed);
  if (memory_limit) request.memory_limit = parse_bytes("memory-limit", *memory_limit, 1);
  request.max_hours = parse_number("max-hours", max_hours);
}

void CostArguments::add_to(CLI::App& app) {
  const OptionGroup add{app, "Cost model"};
  const auto given = [this](const std::string&) { are_given = true; };
  add("--ts", t_s, "TIME|host",
      "Start-up time of a message, t_s, in any unit of time. host is the time in microseconds\n"
      "that `lockstep calibrate` fitted on this host for this kind of run")
      ->each(given);
  add("--tm", t_m, "TIME|host",
      "Time per block of a message, t_m, in the same unit, or host (see --ts)")
      ->each(given);
  add("--tw", t_w, "TIME",
      "Time per control word of 8 bytes, t_w, in the same unit (default: the time of 8 bytes\n"
      "of a block, 8 t_m / --bytes)");
}

CostParameters CostArguments::parameters() const {
  constexpr std::string_view times = "a number of at least 0, such as 0.1 or 100, or host";
  CostParameters costs{.t_s = parse_number("ts", t_s, times),
                       .t_m = parse_number("tm", t_m, times),
                       .assumed = !are_given};
  if (t_w) costs.t_w = parse_number("tw", *t_w);
  return costs;
}

void CostArguments::resolve(const RunRequest& request) {
  constexpr double microseconds = 1e6;
  if (!are_of_host()) return;
  if (t_s != t_m)
    throw InvalidParameter(t_s == "host" ? "--ts host needs --tm host"
                                         : "--tm host needs --ts host");
  if (request.processes != 1)
    throw InvalidParameter(
        "--ts host: the calibration of a host describes runs of one process; give numbers");
  const study::Calibration calibration = calibration_of_host("--ts host");
  const std::unique_ptr<PreparedRun> run = prepare(request, false);
  const auto costs = study::host_costs(calibration, run->forecast());
  if (!costs)
    throw invalid("--ts host: {}", calibration.no_prediction(
                                       run->forecast(), catalog::expected_work(run->forecast())));
  t_s = fmt::format("{:.6g}", microseconds * costs->t_s.seconds);
  t_m = fmt::format("{:.6g}", microseconds * costs->t_m.seconds);
}

study::Calibration calibration_of_host(std::string_view who) {
  study::KnownCalibration known = study::known_calibration();
  if (known.calibration) return *std::move(known.calibration);
  throw invalid(
      "{}{}{}", who, who.empty() ? "" : ": ",
      known.note.empty() ? "this host is not calibrated; run `lockstep calibrate`" : known.note);
}

std::optional<study::Calibration> calibration_for(const OutputArguments& output,
                                                  const Processes* processes) {
  if (processes != nullptr) return std::nullopt;
  study::KnownCalibration known = study::known_calibration();
  if (!known.note.empty() && !output.quiet) print_note("lockstep: " + known.note);
  return std::move(known.calibration);
}

void OutputArguments::add_to(CLI::App& app) {
  const OptionGroup add{app, "Output"};
  add("--format", format, "FORMAT", "Output format: text, json or csv");
  add("--output", file, "FILE",
      "File for the result, written only when the result is complete (default: stdout)");
  add.flag("--quiet", quiet, "Print no progress and no notes on stderr");
}

}  // namespace lockstep::cli
