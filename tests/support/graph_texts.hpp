// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Short texts of graph files, and what their readers make of them.
///
///     read_links("a b\nb c\n", GraphFormat::edges).links == "a-b b-c"

#include <algorithm>
#include <string>
#include <vector>

#include "lockstep/core/errors.hpp"
#include "topology/graph_file.hpp"

namespace lockstep {

struct ReadLinks {
  std::string links;   // sorted, "a-b b-c"; "refused" where the file is
  std::string answer;  // the notes, separated by "; ", or the refusal
  std::uint64_t parallel = 0;
};

[[nodiscard]] inline ReadLinks read_links(const std::string& text, GraphFormat format,
                                          GraphReadOptions options = {}) {
  try {
    const FileNetwork network = read_graph_text("file:net", "net", text, format, options);
    std::vector<std::string> names;
    for (std::uint64_t u = 0; u < network.node_count(); ++u)
      for (std::size_t p = 0; p < network.degree(NodeId{u}); ++p)
        if (const NodeId v = network.neighbor(NodeId{u}, port(p)); index(v) > u)
          names.push_back(network.label(NodeId{u}) + "-" + network.label(v));
    std::ranges::sort(names);
    ReadLinks read{.links = {}, .answer = {}, .parallel = network.reading().parallel_links};
    for (const std::string& name : names) read.links += (read.links.empty() ? "" : " ") + name;
    for (const std::string& note : network.reading().notes)
      read.answer += (read.answer.empty() ? "" : "; ") + note;
    return read;
  } catch (const InvalidParameter& problem) {
    return {.links = "refused", .answer = problem.what()};
  }
}

}  // namespace lockstep
