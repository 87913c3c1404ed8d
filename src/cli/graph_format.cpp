// SPDX-License-Identifier: Apache-2.0
#include "cli/graph_format.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>

#include "cli/options.hpp"
#include "core/suggest.hpp"
#include "lockstep/core/errors.hpp"
#include "topology/graph_file.hpp"

namespace lockstep::cli {
namespace {

/// "product(file:a,file:b)" has two files; that of a cayley:file: is another one.
[[nodiscard]] bool name_format(std::string& text, std::string_view format) {
  constexpr std::string_view prefix = "file:";
  bool found = false;
  for (std::size_t at = text.find(prefix); at != std::string::npos;
       at = text.find(prefix, at + prefix.size()))
    if (at == 0 || text[at - 1] == '(' || text[at - 1] == ',' || text[at - 1] == ' ') {
      text.insert(at + prefix.size(), fmt::format("{}=", format));
      found = true;
    }
  return found;
}

template <class Apply>
void add(CLI::App& app, Apply apply) {
  const auto format = std::make_shared<std::string>();
  app.add_option_function<std::string>(
         "--graph-format", [format](const std::string& given) { *format = given; },
         "Format of a network file (file:PATH): edges, dimacs, graphml, matrix or node-link "
         "(default: determined by the file extension)")
      ->type_name("FORMAT");
  app.parse_complete_callback([format, apply] {
    if (!format->empty() && !apply(named("graph format", *format, graph_format_names)))
      throw InvalidParameter("--graph-format needs a network file (file:PATH)");
  });
}

}  // namespace

void add_graph_format(CLI::App& app, std::string& text) {
  add(app, [&text](std::string_view format) { return name_format(text, format); });
}

void add_graph_format(CLI::App& app, std::optional<std::string>& text) {
  add(app, [&text](std::string_view format) { return text && name_format(*text, format); });
}

void add_graph_format(CLI::App& app, std::vector<std::string>& texts) {
  add(app, [&texts](std::string_view format) {
    bool found = false;
    for (std::string& text : texts) found |= name_format(text, format);
    return found;
  });
}

}  // namespace lockstep::cli
