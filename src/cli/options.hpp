// SPDX-License-Identifier: Apache-2.0
#pragma once

/// argv -> values. Options are kept as typed until the command runs; the readers below are strict
/// (the whole text counts) and throw InvalidParameter with what was given and what is allowed.
///
///     struct HelloOptions { MachineArguments machine; OutputArguments output; };
///     options->machine.add_to(app, port_model_of_algorithm);
///     RunRequest request;
///     options->machine.apply_to(request);

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/progress.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/cost/model.hpp"
#include "report/quantities.hpp"
#include "study/calibration.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli {

// Readers. `what` is the option's name without dashes: "block".
[[nodiscard]] std::uint64_t parse_count(
    std::string_view what, const std::string& text, std::uint64_t least = 0,
    std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// A decimal number from 0 to 1e100.
[[nodiscard]] double parse_number(
    std::string_view what, const std::string& text,
    std::string_view allowed = "a number of at least 0, such as 0.1 or 100");
/// "64", "4KiB", "1MiB", "2GiB", "1TiB". `word` is allowed besides, where the caller takes one.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view what, const std::string& text,
                                        std::uint64_t least = 0, std::string_view word = {});
/// Bytes of a block; empty for "auto".
[[nodiscard]] std::optional<std::size_t> parse_block_bytes(const std::string& text);
/// Pieces between separators; an empty text has one empty piece.
[[nodiscard]] std::vector<std::string> split(const std::string& text, char separator = ',');

/// "3;4,3,2"; "all" is every number that the algorithm takes, or every word. `request` names
/// topology, operation and algorithm. Throws InvalidParameter.
[[nodiscard]] std::vector<Setting> values_of(const Parameter& parameter, const std::string& text,
                                             const RunRequest& request);

[[nodiscard]] PortModel parse_port_model(const std::string& text);
[[nodiscard]] ChannelKind parse_channel(const std::string& text);
[[nodiscard]] ExecutorKind parse_executor(const std::string& text);
[[nodiscard]] VerifyKind parse_verify(const std::string& text);

enum class Format : std::uint8_t { text, json, csv, ndjson };
/// ndjson: a JSON object per line, of the commands that write rows.
enum class Lines : bool { no, yes };
[[nodiscard]] Format parse_format(const std::string& text, Lines lines = Lines::no);

/// The help text of --bytes for `run` and `compare`.
inline constexpr const char* block_bytes_meaning =
    "Block size in bytes, with an optional suffix K, M, G or T (KiB, MiB, GiB, TiB). auto is 64 "
    "bytes, or 1 byte on networks of more than 2^24 processors";

/// The help text of --output for `show`, `stress` and `table`.
inline constexpr const char* whole_file_meaning =
    "Write the result to this file, completely or not at all (default: stdout)";

/// Adds options under a heading of `--help`: with the type of their value, and its default where
/// there is one.
///
///     const OptionGroup grid{app, "Grid"};
///     grid("--repeat", repeat, "R", "Runs of each combination; wall times are medians");
struct OptionGroup {
  CLI::App& app;
  std::string name = "Options";

  CLI::Option* operator()(const std::string& option, std::string& value, const std::string& type,
                          const std::string& meaning) const;
  CLI::Option* operator()(const std::string& option, std::optional<std::string>& value,
                          const std::string& type, const std::string& meaning) const;
  void flag(const std::string& option, bool& value, const std::string& meaning) const;
};

/// The first two arguments of `run` and `compare`; `size`: of the star graph in the example.
void add_topology_and_operation(CLI::App& app, std::string& topology, std::string& operation,
                                unsigned size);

/// An option for every parameter that some algorithm declares. Which of them go together is for the
/// catalogue to say.
class ParameterArguments {
 public:
  /// One value each, or lists.
  enum class Form : std::uint8_t { values, lists };

  void add_to(CLI::App& app, Form form = Form::values);
  /// Only those that say what is to be done, and the user's own files.
  void add_compared_to(CLI::App& app);
  /// As if it had been typed. Precondition: there is a parameter of that name.
  void set(std::string_view name, std::string text);
  /// Those that were given, as typed.
  struct Given {
    const Parameter& parameter;
    const std::string& text;
  };
  [[nodiscard]] std::vector<Given> given() const;
  /// Precondition: the topology is set.
  void apply_to(RunRequest& request) const;

 private:
  std::vector<std::optional<std::string>> texts_ =
      std::vector<std::optional<std::string>>(parameter_catalog().size());  // by number there
};

/// The options of the algorithm: --algorithm, its parameters, --bytes. `sweep` reads lists of its
/// own.
struct AlgorithmArguments {
  std::optional<std::string> algorithm{};
  ParameterArguments parameters{};
  std::string bytes = "auto";

  void add_to(CLI::App& app);
  void apply_to(RunRequest& request) const;
};

/// Machine and host: --port-model --threads --task-size --channel --executor --verify --seed
/// --memory-limit --max-hours.
/// The default port model where there is --algorithm.
inline constexpr std::string_view port_model_of_algorithm =
    "the port model of the algorithm; without --algorithm, the port model of the first algorithm "
    "in `lockstep list algorithms NETWORK OPERATION`";

struct MachineArguments {
  std::optional<std::string> port_model{};
  std::optional<std::string> threads{};
  std::optional<std::string> block{};
  std::string channel = "auto";
  std::string executor{report::executor_name(default_executor)};
  std::string verify = "auto";
  std::string seed = "1";
  std::optional<std::string> memory_limit{};
  std::string max_hours = "24";

  void add_to(CLI::App& app, std::string_view default_port_model);
  void apply_to(RunRequest& request) const;
};

/// --ts --tm --tw; --ts host --tm host: what the calibrated model of this host comes to.
struct CostArguments {
  std::string t_s = "100";
  std::string t_m = "1";
  std::optional<std::string> t_w{};
  bool are_given = false;  ///< --ts or --tm

  void add_to(CLI::App& app);
  [[nodiscard]] bool is_any_given() const { return are_given || t_w.has_value(); }
  /// Precondition: they are not those of the host, or resolve() was called.
  [[nodiscard]] CostParameters parameters() const;
  [[nodiscard]] bool are_of_host() const { return t_s == "host" || t_m == "host"; }
  /// Replaces "host" by microseconds for runs like this one. Throws InvalidParameter where the host
  /// is not calibrated.
  void resolve(const RunRequest& request);
};

/// Throws InvalidParameter where this host and build have none; `who` begins the message.
[[nodiscard]] study::Calibration calibration_of_host(std::string_view who);

/// --format --output --quiet
struct OutputArguments {
  std::string format = "text";
  std::optional<std::string> file{};
  bool quiet = false;

  void add_to(CLI::App& app);
  [[nodiscard]] Progress::Show progress() const noexcept {
    return quiet ? Progress::Show::never : Progress::Show::on_terminal;
  }
};

/// The calibration of this host and build; notes on stderr why a saved one is not used. None for
/// runs that processes share: it describes runs of one process.
[[nodiscard]] std::optional<study::Calibration> calibration_for(const OutputArguments& output,
                                                                const Processes* processes);

}  // namespace lockstep::cli
