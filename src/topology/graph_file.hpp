// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Networks from files, and networks as files that other tools read.
///
///     const FileNetwork network =
///         read_graph_file("file:net.txt", {"net.txt", GraphFormat::edges});
///     network.reading().notes;          // {"ignored 12 weights (first in line 3)"}
///     const std::string text = graph_text(AnyTopology("star:5"), GraphFormat::node_link);
///
/// Every format gives nodes and undirected links. What a reader ignores or joins is in the notes of
/// the network; a file whose meaning is not clear is refused.
/// Nodes get the numbers 0, 1, .. in the order of the file; where all names are whole numbers in an
/// edge list, in the order of these numbers. Switches get the numbers after all processors.
///
///     edges       one link "u v" per line; names or numbers, separated by blanks, tabs, commas or
///                 semicolons. A repeated line is another lane; if every link is listed in both
///                 directions, each is one link. Lines that begin with '#', '%' or "//", and what
///                 follows " #", are remarks. Some remarks mean something if they are the whole
///                 line: "# nodes N" (the nodes are named 0..N-1), "# switches NAME..", "# ports"
///                 (every line is "u v port-of-u port-of-v"), "# directed" (links are arcs)
///     dimacs      "p edge N M" and "e u v" (.col), "p tw N M" or "p td N M" and "u v" (PACE), or
///                 "p sp N M" and "a u v weight" (arcs). Repeated edges are one link
///     graphml     GraphML of NetworkX, igraph, Gephi and yEd. Boolean node data "switch", text
///                 node data "label" or "name"
///     matrix      Matrix Market, coordinate: the pattern of the matrix. The entries of a general
///                 matrix are arcs
///     node-link   JSON as NetworkX writes it: "nodes" with "id", "edges" or "links" with
///                 "source" and "target"; "switch", "label" and "name" of a node. Written with
///                 both lists, because versions of NetworkX read one or the other
///
/// The order of ports is that of the links in the file. GraphML and node-link may number them: data
/// "lower_port" and "higher_port" of every link, the ports of its end with the lower and with the
/// higher number. What graph_text() writes and read_graph_file() reads is the same network again,
/// port by port.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockstep/topology/detail/erased_topology.hpp"
#include "lockstep/topology/network.hpp"

namespace lockstep {

enum class GraphFormat : std::uint8_t { edges, dimacs, graphml, matrix, node_link };

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 5> graph_format_names{"edges", "dimacs", "graphml",
                                                                    "matrix", "node-link"};

struct FileReading {
  std::string file;
  /// Phrases that begin with a verb: the reader ignored, joined or dropped something.
  std::vector<std::string> notes{};
  /// Links beyond the first one between the same two nodes.
  std::uint64_t parallel_links = 0;
};

/// A network that was read from a file, with what the reader says about it.
class FileNetwork : public Network {
 public:
  FileNetwork(Network network, FileReading reading)
      : Network(std::move(network)),
        reading_(std::make_shared<const FileReading>(std::move(reading))) {}

  [[nodiscard]] const FileReading& reading() const noexcept { return *reading_; }

 private:
  std::shared_ptr<const FileReading> reading_;
};

template <>
inline constexpr bool laws_are_proven<FileNetwork> = true;

/// Changes that a reader may make.
struct GraphReadOptions {
  /// An arc without its reverse becomes a link, where it is refused otherwise.
  bool undirected = false;
  /// Self-loops are dropped, where they are refused otherwise.
  bool drop_self_loops = false;
};

/// The text after "file:": "net.txt", "dimacs=net", "dimacs+undirected+drop-self-loops=net".
struct GraphFileName {
  std::string path{};
  std::optional<GraphFormat> format{};  ///< none: that of the file's name
  GraphReadOptions options{};
};
/// A text before '=' that is none of these words belongs to the path.
[[nodiscard]] GraphFileName parse_graph_file_name(std::string_view text);
[[nodiscard]] std::string text_of(const GraphFileName& name);

/// By the name of the file, without .gz: .gr and .col are DIMACS, .graphml and .xml GraphML, .mtx
/// Matrix Market, .json node-link; anything else is a list of edges.
[[nodiscard]] GraphFormat format_of_file(std::string_view path);

/// `name`: of the network. Throws InvalidParameter, "PATH:LINE: ..", where the file cannot be read
/// or is no connected, undirected graph without loops.
[[nodiscard]] FileNetwork read_graph_file(std::string name, const GraphFileName& file);
/// The same of a file's contents.
[[nodiscard]] FileNetwork read_graph_text(std::string name, const std::string& path,
                                          std::string text, GraphFormat format,
                                          GraphReadOptions options = {});

/// A file in this format: edges, graphml or node_link. Throws InvalidParameter for the other two
/// and for networks of more than 2^26 links.
[[nodiscard]] std::string graph_text(const ErasedTopology& topology, GraphFormat format);

}  // namespace lockstep
