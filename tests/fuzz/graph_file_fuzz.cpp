// SPDX-License-Identifier: Apache-2.0

/// Any bytes as a network file of every format, with and without the options of readers: refused in
/// one line with file and line number, or read. The options change nothing of a network that is
/// read without them. A network that is written and read again is the same network, port by port.
/// LOCKSTEP_FUZZ_FORMAT=dimacs runs one reader only.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "lockstep/core/errors.hpp"
#include "lockstep/core/expects.hpp"
#include "lockstep/topology/detail/topology_model.hpp"
#include "topology/graph_file.hpp"

namespace {

using lockstep::GraphFormat;

void check_again(const lockstep::Network& network, GraphFormat format) {
  const lockstep::ErasedTopology topology(
      std::make_shared<lockstep::TopologyModel<lockstep::Network>>(network));
  const lockstep::Network copy =
      lockstep::read_graph_text("copy", "copy", graph_text(topology, format), format);
  lockstep::expects(copy.node_count() == network.node_count() &&
                        copy.processor_count() == network.processor_count(),
                    "what is written is read");
  for (std::uint64_t u = 0; u < network.node_count(); ++u) {
    const lockstep::NodeId node{u};
    lockstep::expects(copy.degree(node) == network.degree(node), "with the same links");
    for (std::size_t p = 0; p < network.degree(node); ++p)
      lockstep::expects(
          copy.neighbor(node, lockstep::port(p)) == network.neighbor(node, lockstep::port(p)),
          "through the same ports");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lockstep;  // NOLINT(google-build-using-namespace): a function of its own
  const std::string text(data, data + size);
  constexpr GraphReadOptions lenient{.undirected = true, .drop_self_loops = true};
  static const char* const only = std::getenv("LOCKSTEP_FUZZ_FORMAT");
  for (std::size_t i = 0; i < graph_format_names.size(); ++i) try {
      if (only != nullptr && graph_format_names[i] != only) continue;
      const auto format_of_text = static_cast<GraphFormat>(i);
      const FileNetwork changed = read_graph_text("fuzz", "fuzz", text, format_of_text, lenient);
      for (const std::string& note : changed.reading().notes)
        expects(note.find('\n') == std::string::npos, "a note is one line");
      const FileNetwork network = read_graph_text("fuzz", "fuzz", text, format_of_text);
      expects(network.node_count() == changed.node_count() &&
                  network.reading().notes == changed.reading().notes,
              "options change nothing of what is read without them");
      for (const GraphFormat format :
           {GraphFormat::edges, GraphFormat::graphml, GraphFormat::node_link})
        check_again(network, format);
    } catch (const InvalidParameter& problem) {
      const std::string what = problem.what();
      expects(what.rfind("fuzz:", 0) == 0, "a refusal names file and line");
      expects(what.find('\n') == std::string::npos, "in one line");
    }
  return 0;
}
