// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The commands of the program, one per .cpp. To add one: write `declare_<name>` in a file of its
/// own, declare it below, and give it its line in all_commands.cpp.
///
///     Action declare_hello(CLI::App& app, const Session& session) {
///       const auto options = std::make_shared<HelloOptions>();      // outlives parsing
///       app.add_option("name", options->name, "Whom to greet")->required();
///       return [options, &session] { return say_hello(*options, session); };   // -> exit code
///     }
///
/// An action may throw InvalidParameter (exit code 2) and ResourceExhausted (4): run_program()
/// prints the one line. Results go to stdout or --output, all else to stderr.

#include <functional>
#include <span>
#include <stop_token>
#include <string>

#include "lockstep/machine/processes.hpp"
#include "study/exit.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::cli {

using study::code;
using study::Exit;

/// The session that every command may use; lives as long as the program.
struct Session {
  std::string command_line;           ///< as typed, for reports
  std::stop_token stop;               ///< Ctrl-C: end at the next step boundary, report, exit 130
  Processes* processes = nullptr;     ///< that a launcher started together; null: this one alone
  std::uint64_t available_bytes = 0;  ///< for each of them

  /// Whether this process prints, and writes files, for all.
  [[nodiscard]] bool writes() const noexcept {
    return processes == nullptr || processes->rank() == 0;
  }
};

/// Carries the command out; the exit code.
using Action = std::function<int()>;

/// Adds the options to `app`; they are parsed when the action is called.
using Declare = Action(CLI::App& app, const Session& session);

struct Command {
  const char* name;
  const char* summary;
  Declare* declare;
  bool hidden = false;  ///< from --help and guesses
  bool shares = false;  ///< its runs may be shared by several processes
};

[[nodiscard]] Declare declare_run, declare_sweep, declare_compare, declare_tune, declare_calibrate,
    declare_reproduce, declare_list, declare_show, declare_table, declare_stress, declare_man_page;

inline constexpr Command run_command{
    .name = "run",
    .summary = "Run one collective operation; report counts, cost and proof of delivery",
    .declare = declare_run,
    .shares = true};

/// A program of these commands; the exit code of the process.
[[nodiscard]] int run_program(std::span<const Command> commands, int argc, char** argv);

}  // namespace lockstep::cli
