// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Options of network files, and the notes of their readers.
///
///     add_graph_options(app, options->topology);
///     const AnyTopology network(options->topology);
///     print_reading_notes(network, options->output.quiet);

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace lockstep {
class ErasedTopology;
struct RunRequest;
}  // namespace lockstep

namespace lockstep::cli {

/// Adds --graph-format, --undirected and --drop-self-loops to a command. Once the command line is
/// read, the name of every network file in `text` ("file:net.txt") says what was given
/// ("file:dimacs+undirected=net.txt"): a network that is read in another way has another name.
void add_graph_options(CLI::App& app, std::string& text);
void add_graph_options(CLI::App& app, std::optional<std::string>& text);
void add_graph_options(CLI::App& app, std::vector<std::string>& texts);

/// "net.txt: ignored 12 weights (first in line 3)", of the file of a network or of the files of its
/// factors.
[[nodiscard]] std::vector<std::string> reading_notes(const ErasedTopology& network);

/// To stderr, a line each.
void print_reading_notes(const ErasedTopology& network, bool quiet);
/// The same of many runs; a line that occurs twice is printed once.
void print_reading_notes(const std::vector<RunRequest>& requests, bool quiet);

}  // namespace lockstep::cli
