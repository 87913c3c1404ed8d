// SPDX-License-Identifier: Apache-2.0
#pragma once

/// --graph-format: the format of network files whose names do not say it.

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep::cli {

/// Adds the option to a command. Once the command line is read, every network file named in `text`
/// ("file:net.txt") is named with the format that was given ("file:dimacs=net.txt").
void add_graph_format(CLI::App& app, std::string& text);
void add_graph_format(CLI::App& app, std::optional<std::string>& text);
void add_graph_format(CLI::App& app, std::vector<std::string>& texts);

}  // namespace lockstep::cli
