// SPDX-License-Identifier: Apache-2.0

/// lockstep man-page: the manual page, made from what --help says, for `cmake --install`.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "lockstep/core/version.hpp"

namespace lockstep::cli {
namespace {

/// As troff takes it: no line of text is a request, no dash a hyphen.
[[nodiscard]] std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((out.empty() || out.back() == '\n') && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

[[nodiscard]] std::string options_of(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    const bool positional = !option->nonpositional();
    const std::string type = positional ? "" : option->get_type_name();
    text += fmt::format(".TP\n\\fB{}\\fR{}{}\n{}\n", escaped(option->get_name(positional, true)),
                        type.empty() ? "" : " \\fI" + escaped(type) + "\\fR",
                        option->get_required() ? " (required)" : "",
                        escaped(option->get_description()));
  }
  return text;
}

/// A command and what it has of its own.
[[nodiscard]] std::string section_of(const CLI::App& app, const std::string& path) {
  const std::string name = path + " " + app.get_name();
  std::string places;
  for (const CLI::Option* option : app.get_options())
    if (!option->nonpositional())
      places += (option->get_required() ? " " : " [") + option->get_name(true) +
                (option->get_required() ? "" : "]");
  std::string text = fmt::format(".SS \"{}{} [options]\"\n{}.\n", escaped(name), escaped(places),
                                 escaped(app.get_description()));
  text += options_of(app);
  if (const std::string footer = app.get_footer();
      !footer.empty() && footer != app.get_parent()->get_footer())
    text += ".PP\n.nf\n" + escaped(footer) + "\n.fi\n";
  for (const CLI::App* const sub : app.get_subcommands([](const CLI::App*) { return true; }))
    text += section_of(*sub, name);
  return text;
}

[[nodiscard]] std::string man_page(const CLI::App& program) {
  std::string commands;
  for (const CLI::App* const command : program.get_subcommands([](const CLI::App* app) {
         return !app->get_group().empty();  // the others are hidden
       }))
    commands += section_of(*command, program.get_name());
  return fmt::format(
      ".TH LOCKSTEP 1 \"\" \"lockstep {}\" \"User Commands\"\n"
      ".SH NAME\nlockstep \\- an emulated multicomputer that moves every byte and proves every "
      "delivery\n"
      ".SH SYNOPSIS\n.B lockstep\n.I COMMAND\n[options]\n"
      ".SH DESCRIPTION\n{}.\n.PP\n.nf\n{}\n.fi\n"
      ".SH COMMANDS\n{}",
      version, escaped(program.get_description()), escaped(program.get_footer()), commands);
}

}  // namespace

Action declare_man_page(CLI::App& app, const Session&) {
  return [&app] {
    Output(std::nullopt).write(man_page(*app.get_parent()));
    return code(Exit::ok);
  };
}

}  // namespace lockstep::cli
