// SPDX-License-Identifier: Apache-2.0

/// The whole program but main(): parse, dispatch, print one error line, exit code.

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "catalog/check_setting.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/launch.hpp"
#include "cli/mpi_processes.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/standard_streams.hpp"
#include "core/awaited.hpp"
#include "core/invalid.hpp"
#include "core/notes.hpp"
#include "core/reader_gone.hpp"
#include "core/shared_heap.hpp"
#include "core/suggest.hpp"
#include "lockstep/catalog/catalog.hpp"
#include "lockstep/core/errors.hpp"
#include "lockstep/core/version.hpp"

namespace lockstep::cli {
namespace {

/// The line of fail_with(), for a process that prints none.
[[nodiscard]] std::string& last_problem() {
  static std::string problem;
  return problem;
}

/// One line on stderr, whatever the message holds; a narrow terminal shows it in several.
int fail_with(Exit exit, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  print_note("lockstep: " + message);
  last_problem() = std::move(message);
  return code(exit);
}

[[nodiscard]] std::string in_quotes(std::string_view word) {
  const bool plain = !word.empty() && word.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789-_.,:/+=%@^") == std::string_view::npos;
  return plain ? std::string(word) : fmt::format("'{}'", word);
}

[[nodiscard]] std::string command_line(const std::vector<std::string>& words) {
  std::string line = "lockstep";
  for (const std::string& word : words) line += " " + in_quotes(word);
  return line;
}

[[nodiscard]] std::string unknown_option(const std::string& name,
                                         const std::vector<std::string_view>& names,
                                         const std::string& command) {
  const std::string_view meant = nearest(name, names);
  return fmt::format("unknown option '{}'; {}see `lockstep {} --help`", name,
                     meant.empty() ? "" : fmt::format("did you mean '{}'? If not, ", meant),
                     command);
}

[[nodiscard]] std::string in_capitals(std::string text) {
  for (char& letter : text)
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  return text;
}

/// The first option that the command does not have, and what was meant; one that stands there
/// twice; words too many; else what CLI11 says.
[[nodiscard]] std::string explained(const CLI::Error& error, const CLI::App& command,
                                    const std::vector<std::string>& words) {
  std::vector<std::string> own;
  std::string places;
  std::string path = command.get_name();  // "table build"
  for (const CLI::App* app = command.get_parent(); app != nullptr && app->get_parent() != nullptr;
       app = app->get_parent())
    path = app->get_name() + " " + path;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) own.push_back("--" + name);
    if (option->nonpositional()) continue;
    places += fmt::format("{} ", in_capitals(option->get_name(true)));
  }
  const std::vector<std::string_view> names(own.begin(), own.end());
  std::map<std::string, int> given;
  for (const std::string& word : words) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    if (name.size() < 2 || name[0] != '-' || (name[1] >= '0' && name[1] <= '9')) continue;
    if (name != "-h" && std::find(own.begin(), own.end(), name) == own.end())
      return unknown_option(name, names, path);
    if (++given[name] == 2 && dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
      return name + " is given more than once";
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string what = error.what();  // "--output: 1 required FILE missing"
    const std::string name = what.substr(0, what.find(':'));
    if (what.ends_with("missing"))
      return fmt::format("{}: no value given; see `lockstep {} --help`", name, path);
    return what;
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    const std::string what = error.what();  // "topology is required"
    const std::string name = what.substr(0, what.find(' '));
    const bool is_listed = name == "topology" || name == "operation";
    if (is_listed)
      return fmt::format("no {0} given; see `lockstep list {1}`", name,
                         name == "topology" ? "topologies" : "operations");
    if (name == "topologies-then-operation")
      return "no topology and operation given; example: lockstep sweep star:4..7 total-exchange";
    return fmt::format("no {} given; see `lockstep {} --help`", name, path);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return error.what();
  const std::vector<std::string> extra = command.remaining();
  const auto first = std::ranges::find_first_of(words, extra);
  const std::string argument = first == words.end() ? "" : *first;
  const auto name = std::find(words.begin(), first, command.get_name());
  const bool is_second = first - name > 1;  // other words stand between the command and it
  const std::string place = is_second ? fmt::format(" after '{}'", *(first - 1)) : "";
  return places.empty()
             ? fmt::format("unexpected argument '{}'{}; only options are allowed", argument, place)
             : fmt::format("unexpected argument '{}'{}; usage: lockstep {} {}[OPTIONS]", argument,
                           place, path, places);
}

struct Program {
  CLI::App app{
      "Lockstep: an emulated multicomputer that moves every byte and proves every delivery"};
  std::map<const CLI::App*, Action> actions;

  Program(std::span<const Command> commands, const Session& session) {
    app.name("lockstep");
    app.set_version_flag("-v,--version", fmt::format("lockstep {} ({}, {}, {})", version, compiler,
                                                     build_type, mpi_of_build()));
    app.footer(
        "Example: lockstep run star:7 total-exchange --k 3\n"
        "Exit codes:\n"
        "    0  all messages delivered and verified, no violations\n"
        "    1  a message is missing or wrong, or a count differs from its formula\n"
        "    2  invalid request\n"
        "    3  violation of a machine rule\n"
        "    4  not enough memory or time, a full or closed output, or another missing resource\n"
        "   70  internal error\n"
        "  130  interrupted (Ctrl-C)");
    app.require_subcommand(0, 1);
    for (const Command& command : commands) {
      CLI::App* const sub = app.add_subcommand(command.name, command.summary);
      if (command.hidden) sub->group("");
      actions[sub] = command.declare(*sub, session);
    }
  }

  /// The command whose options were being read: a command, or what it has of its own.
  [[nodiscard]] const CLI::App& innermost() const {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
  }

  /// The command that was chosen; null if none.
  [[nodiscard]] const CLI::App* chosen() const {
    const auto subcommands = app.get_subcommands();
    return subcommands.empty() ? nullptr : subcommands.front();
  }
};

/// `run TOPOLOGY OPERATION --help` leaves out parameters that no algorithm for these takes.
void narrow_help(CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> places;
  for (const std::string& word : words)
    if (!word.starts_with('-')) places.push_back(word);
  if (places.size() < 3) return;
  std::vector<AlgorithmInfo> algorithms;
  try {
    algorithms = algorithms_for(make_topology(places[1]), parse_operation(places[2]));
  } catch (const InvalidParameter&) {
    return;
  }
  for (const Parameter& parameter : parameter_catalog()) {
    CLI::Option* const option = command.get_option_no_throw("--" + std::string(parameter.name));
    const bool is_taken = std::ranges::any_of(algorithms, [&](const AlgorithmInfo& info) {
      return parameter_of(info.parameters, parameter.name) != nullptr;
    });
    if (option != nullptr && !is_taken) option->group("");
  }
}

[[nodiscard]] int no_command(std::span<const Command> commands,
                             const std::vector<std::string>& words) {
  std::vector<std::string_view> names;
  for (const Command& command : commands)
    if (!command.hidden) names.emplace_back(command.name);
  if (words.empty()) return fail_with(Exit::bad_request, "no command given; see `lockstep --help`");
  return fail_with(Exit::bad_request, unknown("command", words.front(), names));
}

/// `help sweep` is `sweep --help`.
[[nodiscard]] std::vector<std::string> without_help(std::vector<std::string> words) {
  if (words.empty() || words.front() != "help") return words;
  words.erase(words.begin());
  words.emplace_back("--help");
  return words;
}

/// Reports the interruption of work that has no step at which it could stop.
void say_interrupted() {
  clear_status_line();
  print_note("lockstep: INTERRUPTED during set-up, a search or a long step; no results");
}

/// "k: 6 is not valid" -> "--k: 6 is not valid", where the command has an option of that name. In
/// "k:6: 2 words" k is a file.
[[nodiscard]] std::string as_typed(const std::string& message, const CLI::App& command) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos || colon == 0 || message.front() == '-') return message;
  const std::string option = "--" + message.substr(0, colon);
  return command.get_option_no_throw(option) == nullptr ? message : "--" + message;
}

/// Only the first of several processes prints results and notes.
void silence() {
  drop_diagnostics();
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)::dup2(nowhere, STDOUT_FILENO);
  (void)::close(nowhere);
}

/// Throws InvalidParameter where several processes do not share the work of the command.
void check_shared(std::span<const Command> commands, const CLI::App& chosen,
                  const Processes* processes) {
  const auto command = std::ranges::find_if(
      commands, [&](const Command& one) { return chosen.get_name() == one.name; });
  if (processes == nullptr || command->shares) return;
  std::vector<std::string_view> shared;
  for (const Command& one : commands)
    if (one.shares) shared.emplace_back(one.name);
  throw invalid(
      "{}: {} processes were started, but only {} are shared by processes; start it "
      "without a launcher",
      command->name, processes->count(), fmt::join(shared, ", "));
}

int dispatch(std::span<const Command> commands, const std::vector<std::string>& typed,
             Processes* processes) {
  const std::vector<std::string> words = without_help(typed);
  const Interrupt interrupt(remove_partial_outputs, say_interrupted);
  const Session session{
      command_line(words), interrupt.token(), processes,
      processes == nullptr ? 0 : agreed_bytes(*processes, launch_of_environment())};
  Program program(commands, session);
  try {
    program.app.parse(std::vector(words.rbegin(), words.rend()));  // CLI11 reads from the back
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      for (CLI::App* const sub : program.app.get_subcommands()) narrow_help(*sub, words);
      const int exit = program.app.exit(error, text, text);
      Output(std::nullopt).write_text(text.str());
      return exit;
    }
    const CLI::App* const command = program.chosen();
    if (command == nullptr) return no_command(commands, words);
    return fail_with(Exit::bad_request,
                     command->get_name() + ": " + explained(error, program.innermost(), words));
  }
  const CLI::App* const command = program.chosen();
  if (command == nullptr) return no_command(commands, words);
  const CLI::Option* const quiet = program.innermost().get_option_no_throw("--quiet");
  set_note_handler(quiet != nullptr && quiet->count() > 0 ? NoteHandler() : [](const auto& text) {
    clear_status_line();
    print_note("lockstep: " + text);
  });
  check_shared(commands, *command, processes);
  try {
    return program.actions.at(command)();
  } catch (const InvalidParameter& problem) {
    throw InvalidParameter(as_typed(problem.what(), program.innermost()));
  } catch (const ReaderGone&) {
    throw;
  } catch (const ResourceExhausted& problem) {
    throw ResourceExhausted(as_typed(problem.what(), program.innermost()));
  }
}

/// The exit code of the work, after one line on stderr where it fails.
template <class Work>
[[nodiscard]] int exit_code_of(const Work& work) {
  try {
    return work();
  } catch (const InvalidParameter& problem) {
    return fail_with(Exit::bad_request, problem.what());
  } catch (const ReaderGone&) {
    return code(Exit::no_resources);
  } catch (const ResourceExhausted& problem) {
    return fail_with(Exit::no_resources, problem.what());
  } catch (const std::bad_alloc&) {
    return fail_with(Exit::no_resources,
                     "the operating system refused memory that was predicted to fit");
  } catch (const std::system_error& problem) {  // a limit of the host that nothing else names
    return fail_with(Exit::no_resources,
                     std::string("the operating system refused a resource: ") + problem.what());
  } catch (const std::exception& problem) {
    return fail_with(Exit::internal_error, std::string("internal error: ") + problem.what());
  }
}

}  // namespace

int run_program(std::span<const Command> commands, int argc, char** argv) {
  secure_standard_streams();
  share_heap_under_a_limit();  // before there are threads
  // A file beyond `ulimit -f`: write(2) fails, as on a full disk.
  (void)std::signal(SIGXFSZ, SIG_IGN);
  const Launch launch = launch_of_environment();
  if (launch.rank != 0) silence();
  std::unique_ptr<LaunchedProcesses> processes;
  const int exit = exit_code_of([&] {
    if (launch.count > 1) processes = launched_processes();
    return dispatch(commands, {argv + (argc > 0 ? 1 : 0), argv + argc}, processes.get());
  });
  // Work that was interrupted in the middle of a step may still use MPI.
  if (exit == code(Exit::interrupted)) leave_if_given_up(exit);
  if (processes != nullptr) processes->finish(exit, last_problem());
  leave_if_given_up(exit);
  return exit;
}

}  // namespace lockstep::cli
